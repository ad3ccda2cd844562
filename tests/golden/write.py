"""Write golden records anew: `python -m tests.golden.write skipbo`, or all of them without a name.

Only when a rules version was raised on purpose.
"""

from __future__ import annotations

import hashlib
import json
import random
import sys
from pathlib import Path

import ludotheque
from ludotheque.core.match import Match
from ludotheque.testing import random_move


def events_digest(match: Match) -> str:
    """A digest of all that a spectator saw happen."""
    return hashlib.sha256(json.dumps(match.events(), sort_keys=True).encode()).hexdigest()


def main() -> None:
    """One whole match for each game named, by random moves from a fixed seed."""
    for game_id in sys.argv[1:] or ludotheque.game_ids():
        game = ludotheque.game(game_id)
        options = {"stock": 8} if game_id == "skipbo" else {"target": 2000} if game_id == "volle_lotte" else {}
        match = game.new(["Ana", "Bruno", "Chloé"], seed="golden", **options)
        rng = random.Random(1)
        while not match.over:
            seat, move = random_move(match, rng)
            match.play(move, seat)
        data = {"events_sha256": events_digest(match), "record": match.record()}
        text = json.dumps(data, ensure_ascii=False, indent=1) + "\n"
        (Path(__file__).parent / f"{game_id}.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
