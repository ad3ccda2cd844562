"""A recorded match per game that must replay to the same result for as long as its rules version stands."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import ludotheque
from tests.golden.write import events_digest

GOLDEN = Path(__file__).parent.parent / "golden"


@pytest.mark.parametrize("game_id", ludotheque.game_ids())
def test_the_golden_record_still_plays(game_id: str) -> None:
    data = json.loads((GOLDEN / f"{game_id}.json").read_text(encoding="utf-8"))
    assert ludotheque.verify(data["record"]).true
    match = ludotheque.replay(data["record"])
    assert match.over
    assert events_digest(match) == data["events_sha256"], "other things happen in the same match"
