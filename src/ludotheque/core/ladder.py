"""The ladder of bots: what a game says about each level in its `bots.py`, and the shared machinery in `bots/` reads."""

from __future__ import annotations

from dataclasses import dataclass

LEVELS = ("beginner", "casual", "club", "strong", "expert")
"""From a forgiving beginner to one that is hard to beat."""

RULES, FLAT, TREE, EXACT = "rules", "flat", "tree", "exact"
"""Ways to choose: by the game's ratings alone; by playing worlds out after each move; by a search tree over them; by
the game's own exact `Advisor`."""


@dataclass(frozen=True, slots=True)
class Level:
    """How one level of one game chooses. Ratings are in the units of the game's `rate`."""

    way: str = RULES
    temperature: float = 0.0
    """Softness of the choice among ratings; 0 takes the best."""
    cap: float = 0.0
    """Moves rated worse than the best by more than this are never chosen by a soft choice."""
    style: tuple[float, ...] = ()
    """What `rate` gets to know about the player: memory, biases; each game's own."""
    playouts: int = 0
    """Search: how many playouts for a move, unless a budget is given; 0 for as many as the time allows."""
    seconds: float = 0.2
    """Search: time for a move, unless a budget is given."""
    width: int = 0
    """Search: only so many of the best rated moves are looked at; 0 for all."""
    rounds: int = 1
    """Search: play worlds out to the end of so many rounds, this one included; 0 to the end of the match."""
    plies: int = 0
    """Search: play worlds out for at most so many moves; 0 for no limit."""
    depth: int = 0
    """Search tree: how deep it grows at most; 0 for no limit."""
    ties: float = 2.0
    """Search: moves that are behind the best by no more than so many standard errors are as good as that, and the best
    rated of them is played."""
    exploration: float = 0.7
    """Search tree: how much it looks at moves that seem worse."""
    at_random: bool = False
    """Search: play worlds out with random moves instead of the game's policy; for comparison."""
