"""Tests of Double Lucky 7."""
