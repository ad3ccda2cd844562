"""The contract every game fulfils and every front end uses. Nothing in here knows a game."""
