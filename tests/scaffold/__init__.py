"""Games in packages of their own."""
