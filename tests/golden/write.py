"""Write the golden records anew: `python -m tests.golden.write`. Only when a rules version was raised on purpose."""

from __future__ import annotations

import hashlib
import json
import random
from pathlib import Path

import ludotheque
from ludotheque.testing import random_move


def main() -> None:
    """One whole match per game, by random moves from a fixed seed."""
    for game_id in ludotheque.game_ids():
        game = ludotheque.game(game_id)
        options = {"stock": 8} if game_id == "skipbo" else {"target": 2000} if game_id == "volle_lotte" else {}
        match = game.new(["Ana", "Bruno", "Chloé"], seed="golden", **options)
        rng = random.Random(1)
        while not match.over:
            seat, action = random_move(match, rng)
            match.play(action, seat)
        log = "\n".join(match.log("en"))
        data = {"log_sha256": hashlib.sha256(log.encode()).hexdigest(), "record": match.record()}
        text = json.dumps(data, ensure_ascii=False, indent=1) + "\n"
        (Path(__file__).parent / f"{game_id}.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
