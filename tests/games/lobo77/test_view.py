"""What the table of LOBO 77 tells, so that no front end needs to know a rule."""

from __future__ import annotations

from tests.games.lobo77.helpers import ANA, BEN, CLEO, DAN, at, play


def test_the_totals_to_beware_of() -> None:
    assert at("2", "3").view(ANA)["table"]["traps"] == [11, 22, 33, 44, 55, 66, 77]


def test_who_comes_next() -> None:
    match = at("2 rev", "-", "3", "4", table={"out": [BEN]})
    assert match.view(ANA)["table"]["next"] == CLEO  # Ben is out
    play(match, "rev")
    assert match.actor == DAN
    assert match.view(None)["table"]["next"] == CLEO
    assert at("2", "3").view(BEN)["table"]["next"] == BEN
