"""Tests of the game room."""
