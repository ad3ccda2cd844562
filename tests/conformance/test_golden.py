"""A recorded match per game that must replay to the same result for as long as its rules version stands."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

import ludotheque

GOLDEN = Path(__file__).parent.parent / "golden"


@pytest.mark.parametrize("game_id", ludotheque.game_ids())
def test_the_golden_record_still_plays(game_id: str) -> None:
    data = json.loads((GOLDEN / f"{game_id}.json").read_text(encoding="utf-8"))
    assert ludotheque.verify(data["record"]).true
    match = ludotheque.replay(data["record"])
    assert match.over
    told = "\n".join(match.log("en"))
    assert hashlib.sha256(told.encode()).hexdigest() == data["log_sha256"], "the match is told differently"
