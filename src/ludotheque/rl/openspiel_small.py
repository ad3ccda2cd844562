"""Small games for exact methods: every deal of a few cards, from a position near the end.

A small game is a JSON file:

    {"about": "…", "until": "round", "cards": ["R2", "R12", "G3"], "position": {"table": {"hands": [["?"], ["?"]], …}}}

`position` is a position of the game in which "?" stands for a hidden card. Chance deals `cards` to the question marks
in every way there is, each as likely; cards left over are where the position puts what it does not name. The match is
played to its end, or to the end of the round; what chance still has to decide then (a later deal) is the same in all of
them. A game brings its own along in the folder `small/`.
"""

from __future__ import annotations

import copy
import itertools
import json
import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ludotheque.core.errors import InvalidOptions, InvalidPosition
from ludotheque.core.files import read_text
from ludotheque.core.game import Game
from ludotheque.core.info import Options
from ludotheque.core.record import Buffer

HIDDEN = "?"
UNORDERED = "hands"
"""The order of cards in these lists does not matter."""
MOST_WAYS = 1_000_000
MOST_WORLDS = 20_000
KEYS = {"about", "position", "cards", "until"}
UNTIL = ("match", "round")

FOLDER = "small"


@dataclass(frozen=True)
class Small:
    """A small game: the records it can begin with, and how likely each is."""

    players: int
    options: Options
    worlds: tuple[Buffer, ...]
    chances: tuple[float, ...]
    by_round: bool
    """Whether it ends with the round."""


def names(game: Game) -> list[str]:
    """The small games that a game brings along."""
    return sorted(path.stem for path in (game.folder / FOLDER).glob("*.json"))


def load(game: Game, name: str) -> Small:
    """A small game by its name, or from a file (`.json`)."""
    path = Path(name) if name.endswith(".json") else game.folder / FOLDER / f"{name}.json"
    if not name.endswith(".json") and name not in names(game):
        known = ", ".join(names(game)) or "none"
        raise InvalidOptions(f"{game.id} has no small game {name!r:.40}; there are: {known}, or a file .json")
    try:
        data = json.loads(read_text(path))
    except ValueError as error:
        raise InvalidOptions(f"{path} is not JSON: {error}") from None
    return read(game, data)


def read(game: Game, data: Any) -> Small:
    """A small game from what its file says."""
    if not isinstance(data, dict) or not isinstance(data.get("position"), dict) or set(data) - KEYS:
        raise InvalidOptions(f"a small game is an object with position, and perhaps {', '.join(sorted(KEYS))}")
    cards, until = data.get("cards", []), data.get("until", "match")
    if not isinstance(cards, list) or not all(isinstance(card, str) for card in cards):
        raise InvalidOptions("cards is a list of cards in the game's notation")
    if until not in UNTIL:
        raise InvalidOptions(f"until is {' or '.join(UNTIL)}, not {until!r:.40}")
    weights: dict[bytes, int] = {}
    match = None
    for position, weight in _deals(data["position"], cards):
        match = game.position(position)
        world = match.to_bytes()
        weights[world] = weights.get(world, 0) + weight
        if len(weights) > MOST_WORLDS:
            raise InvalidOptions(f"a small game has at most {MOST_WORLDS} beginnings: take fewer cards")
    if match is None:
        raise InvalidPosition(f"there are fewer cards than {HIDDEN!r} in the position")
    total = sum(weights.values())
    worlds = tuple(np.frombuffer(world, np.uint8) for world in weights)
    return Small(match.num_seats, match.options, worlds, tuple(w / total for w in weights.values()), until == "round")


def _deals(position: dict[str, Any], cards: list[str]) -> Iterator[tuple[dict[str, Any], int]]:
    """The position with its hidden cards filled in, every way there is, and how many ways come to the same."""
    found = list(_gaps(position, ()))
    ways, left = 1, len(cards)
    for path, count in found:
        if count > left:
            return
        ways *= math.comb(left, count) if UNORDERED in path else math.perm(left, count)
        left -= count
    if ways > MOST_WAYS:
        raise InvalidOptions(f"there are {ways} ways to deal these cards: at most {MOST_WAYS} can be looked at")
    for dealt, weight in Counter(_ways(cards, found)).items():
        filled = copy.deepcopy(position)
        for (path, _), hidden in zip(found, dealt, strict=True):
            place = filled
            for step in path:
                place = place[step]
            given = iter(hidden)
            place[:] = [next(given) if text == HIDDEN else text for text in place]  # type: ignore[index]
        yield filled, weight


def _gaps(value: Any, path: tuple[Any, ...]) -> Iterator[tuple[tuple[Any, ...], int]]:
    """Lists with hidden cards in them: where they are and how many they lack."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _gaps(inner, (*path, key))
    elif isinstance(value, list):
        if HIDDEN in value:
            yield path, value.count(HIDDEN)
        for index, inner in enumerate(value):
            yield from _gaps(inner, (*path, index))


def _ways(cards: list[str], gaps: list[tuple[tuple[Any, ...], int]]) -> Iterator[tuple[tuple[str, ...], ...]]:
    """Every way to deal the cards to the gaps, as the texts for each gap."""
    if not gaps:
        yield ()
        return
    (path, count), *others = gaps
    choose = itertools.combinations if UNORDERED in path else itertools.permutations
    for places in choose(range(len(cards)), count):
        chosen = tuple(cards[place] for place in places)
        rest = [card for place, card in enumerate(cards) if place not in places]
        for further in _ways(rest, others):
            yield (tuple(sorted(chosen)) if UNORDERED in path else chosen, *further)
