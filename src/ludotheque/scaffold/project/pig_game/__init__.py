"""Pig: roll as long as you dare, but a 1 costs everything the turn has brought."""
