"""Messages between servers that share tables: none, or Redis."""
