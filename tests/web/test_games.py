"""A game's part of the pages is its own folder: nothing else names it."""

from __future__ import annotations

import re

import pytest

import ludotheque
from tests.web.sources import LANGUAGES, SRC

GAMES = SRC / "games"
CONVENTION = {"index.ts", "Art.svelte", "pad.ts", "texts", "view.ts"}
"""What is found by its name in a game's folder. The rest is imported by these."""


def names() -> list[str]:
    """Ids and names of the games, as they would stand in code or in a sentence."""
    games = [ludotheque.game(game_id) for game_id in ludotheque.game_ids()]
    found = {name for game in games for name in (game.id, game.info.name, game.info.name.rstrip("!"))}
    return sorted(found | {"Skip-Bo"})


def test_no_game_is_named_outside_its_folder() -> None:
    pattern = re.compile("|".join(rf"(?<!\w){re.escape(name)}(?!\w)" for name in names()), re.I)
    files = [path for path in SRC.rglob("*") if path.is_file() and path.suffix != ".woff2"]
    outside = [path for path in files if GAMES not in path.parents]
    assert len(outside) > 100
    found = [
        f"{path.relative_to(SRC)}:{number}: {line.strip()}"
        for path in outside
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if pattern.search(line) or pattern.search(path.name)
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("folder", sorted(path.name for path in GAMES.iterdir()))
def test_a_game_names_no_other_one(folder: str) -> None:
    others = [game_id for game_id in ludotheque.game_ids() if game_id != folder]
    pattern = re.compile("|".join(rf"(?<!\w){re.escape(name)}(?!\w)" for name in others))
    found = [
        path.name for path in (GAMES / folder).rglob("*") if path.is_file() and pattern.search(path.read_text("utf-8"))
    ]
    assert not found


@pytest.mark.parametrize("folder", sorted(path.name for path in GAMES.iterdir()))
def test_a_games_folder_is_found(folder: str) -> None:
    """It is called like the game, and not like an area of texts that the page has itself."""
    assert folder in ludotheque.game_ids()
    assert not [lang for lang in LANGUAGES if (SRC / "texts" / lang / f"{folder}.json").exists()]
    assert CONVENTION & {path.name for path in (GAMES / folder).iterdir()}
