"""Recorded matches, one per game."""
