"""Tests of Skip-Bo."""
