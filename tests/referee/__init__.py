"""Slow, independent referees: the oracle the tests hold the fast engine against."""
