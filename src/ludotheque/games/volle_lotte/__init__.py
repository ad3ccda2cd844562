"""Volle Lotte!: six dice, a card that sets the mood of the turn, and the question whether to stop."""
