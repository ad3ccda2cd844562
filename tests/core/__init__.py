"""Tests of the engine that all games share."""
