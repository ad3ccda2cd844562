"""Learning environments: PettingZoo, Gymnasium and thousands of matches at once; see docs/learning.md.

Nothing is imported here: each module asks for its library when it is imported itself.
"""
