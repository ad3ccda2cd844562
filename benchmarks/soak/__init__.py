"""A soak of the game room: honest tables beside attackers and faults, see `python -m benchmarks.soak --help`."""
