"""Measuring: tournaments, their statistics and pictures."""
