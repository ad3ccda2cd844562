"""The table of each game on the screen."""
