"""Where tables are kept: an SQLite file, or PostgreSQL for several servers."""
