"""Players that are not people. A bot gets a concealed record, never the match: it cannot peek."""
