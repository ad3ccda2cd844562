"""Tests of Loba."""
