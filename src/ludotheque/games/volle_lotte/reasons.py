"""Why a decision in Volle Lotte! is a good one, in the game's terms, from what the table shows its seat.

The chances are those the table shows, exact to the last way a die can fall.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any


def reasons(table: dict[str, Any], seat: int, move: str, legal: Sequence[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Reasons for a move, the weightiest first."""
    if move == "stop":
        yield from _stopping(table, seat)
        return
    if move == "go":
        if table["phase"] == "lotte" and table["stop_points"] is not None:
            yield "go_lotte", {"risk": _percent(table["stop_chance"]), "points": table["stop_points"]}
        elif table["go_bust"] is not None:
            yield "go_straight", {"risk": _percent(table["go_bust"])}
        return
    keep = next((one for one in table["keeps"] if one["move"] == move), None)
    if keep is None:
        return
    if keep["lotte"]:
        yield "lotte", {"points": keep["turn_points"]}
        return
    if keep["bust"] is not None:
        yield "risk", {"n": keep["rolls"], "risk": _percent(keep["bust"])}
    most = max(one["points"] for one in table["keeps"])
    if keep["points"] < most:
        yield "more_dice", {"n": keep["rolls"], "points": most - keep["points"]}
    elif len(table["keeps"]) > 1:
        yield "all_points", {"points": keep["points"]}
    behind = max(score for other, score in enumerate(table["scores"]) if other != seat) - table["scores"][seat]
    if table["closing"] and "stop" in legal and (table["stop_points"] or 0) <= behind:
        yield "behind", {"points": behind}


def _stopping(table: dict[str, Any], seat: int) -> Iterator[tuple[str, dict[str, Any]]]:
    points = table["stop_points"]
    if table["scores"][seat] + points >= table["target"]:
        yield "target", {"points": points}
        return
    if table["phase"] == "lotte":
        yield "stop_lotte", {"points": points, "risk": _percent(table["stop_chance"])}
        return
    risks = [one["bust"] for one in table["keeps"] if one["bust"] is not None]
    if risks:
        least = min(risks, key=lambda one: float(one[0]) / float(one[1]))
        yield "stop", {"points": points, "risk": _percent(least)}
    if table["loss"]:
        yield "leader", {"points": table["loss"]}


def _percent(chance: Sequence[int]) -> int:
    return round(100 * chance[0] / chance[1])
