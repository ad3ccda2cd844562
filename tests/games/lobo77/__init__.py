"""Tests of LOBO 77."""
