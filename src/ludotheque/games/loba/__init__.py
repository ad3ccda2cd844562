"""Loba: six rounds of rummy, each with its contract of brelans and quartes to lay before anything else."""
