"""Our games, one folder each with the same file names. The registry finds them here."""
