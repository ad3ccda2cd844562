"""Conformance: what must hold for every game, checked on any registered game with `conformance(game)`.

Meant for the authors of games, ours and others'. Every check raises an `AssertionError` that names the game, the
options and the seed, so that it can be repeated.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from ludotheque.core import registry, warm
from ludotheque.core.chance import key_from_seed
from ludotheque.core.errors import IllegalMove, InvalidOptions
from ludotheque.core.game import Game
from ludotheque.core.match import Match
from ludotheque.core.moves import Move
from ludotheque.core.record import NOBODY, Buffer
from ludotheque.core.records import read_record, verify
from ludotheque.core.texts import LANGUAGES
from ludotheque.core.views import Maybe


@dataclass(frozen=True)
class Corner:
    """One way to play a game: a number of seats and options.

    Examples:
        >>> import ludotheque
        >>> from ludotheque.testing import Corner
        >>> corner = Corner(ludotheque.game("lobo77"), 3, {"tokens": 1})
        >>> str(corner)
        'lobo77 players=3 tokens=1'
        >>> corner.new(seed=1).num_seats
        3
    """

    game: Game
    players: int
    options: dict[str, Any]

    def __str__(self) -> str:
        chosen = ", ".join(f"{k}={v}" for k, v in self.options.items())
        return f"{self.game.id} players={self.players} {chosen}".strip()

    def new(self, seed: int | str) -> Match:
        """A match at this corner."""
        return self.game.new(self.players, seed=seed, **self.options)


def corners(game: Game, every_count: bool = True) -> list[Corner]:
    """The option corners: all defaults, each option at each of its ends alone, all of them together.

    Args:
        game: The game.
        every_count: Whether with every number of seats, or only with the fewest and the most.

    Returns:
        The corners that the game accepts, each once.

    Examples:
        >>> import ludotheque
        >>> from ludotheque.testing import corners
        >>> len(corners(ludotheque.game("double_lucky_7"), every_count=False)) > 4
        True
    """
    choices: list[dict[str, Any]] = [{}]
    ends: dict[str, list[Any]] = {}
    for option in game.info.options:
        values: list[Any] = list(option.values) if option.kind != "texts" else []
        if option.kind == "flag":
            values = [False, True]
        ends[option.name] = [v for v in dict.fromkeys([*values[:1], *values[-1:]]) if v != option.default]
        choices += [{option.name: value} for value in ends[option.name]]
    choices += [dict(zip(ends, combination, strict=True)) for combination in _all_together(ends)]
    low, high = game.info.min_seats, game.info.max_seats
    counts = range(low, high + 1) if every_count else sorted({low, high})
    found = []
    for players, options in itertools.product(counts, choices):
        given = {name: value for name, value in options.items() if value is not None}
        try:
            game.options(players, given)
        except InvalidOptions:
            continue
        corner = Corner(game, players, given)
        if corner not in found:
            found.append(corner)
    return found


def _all_together(ends: dict[str, list[Any]]) -> Iterator[tuple[Any, ...]]:
    """Every option away from its default at once, by its first and by its last other value."""
    for pick in (0, -1):
        yield tuple(values[pick] if values else None for values in ends.values())


def conformance(game: Game, moves: int = 100_000, seed: int = 1, every_count: bool = True) -> int:
    """Check everything that must hold for every game, at all corners of its options.

    Random matches are audited after every move; refused moves change nothing; positions and records go through JSON and
    back; no view, event or observation changes when cards that the seat cannot know are exchanged.

    Args:
        game: The game.
        moves: Random moves at each corner, in the checks that run in compiled code.
        seed: Another seed, other matches.
        every_count: Whether with every number of seats, or only with the fewest and the most.

    Returns:
        How many moves were made.

    Raises:
        AssertionError: What does not hold, with the game, the options and the seed, so that it can be repeated.

    Examples:
        >>> import ludotheque
        >>> from ludotheque.testing import Corner, check_walk, conformance
        >>> made = conformance(ludotheque.game("double_lucky_7"), moves=20, every_count=False)
        >>> made > 0
        True
    """
    warm.ensure(game.id)  # what is checked are compiled rules, unless all of this process runs interpreted
    check_texts(game)
    made = 0
    for corner in corners(game, every_count):
        made += check_fuzz(corner, moves, seed)
        check_walk(corner, seed)
    return made


def check_texts(game: Game) -> None:
    """Both languages have the same messages, and one for each option and each move; rules pages explain the options."""
    first, *others = LANGUAGES
    for lang in others:
        lone = _messages(game, first) ^ _messages(game, lang)
        assert not lone, f"{game.id}: only one of {first} and {lang} has {', '.join(sorted(lone))}"
    for lang in LANGUAGES:
        words = game.catalogue(lang)
        for action in range(game.info.num_actions):
            key, params = game.views.label(action)
            assert words.say(f"moves.{key}", params)
        for option in game.info.options:
            assert words.say(f"options.{option.name}.name") and words.say(f"options.{option.name}.help")
            missing = [v for v in option.values if not words.find(f"options.{option.name}.values.{v}")]
            assert option.kind != "choice" or not missing, f"{game.id}: {option.name} has no words for {missing}"
            assert f"`{option.name}`" in game.rules_text(lang), f"{game.id}: the rules page lacks {option.name}"
        for fact in ("pitch", "players", "length"):
            assert words.say(f"about.{fact}")


def _messages(game: Game, lang: str) -> set[str]:
    """The keys of a game's messages. Words that are the same in a language may be left out there."""
    return {key for key in game.catalogue(lang).keys() if not key.startswith("words.")}  # noqa: SIM118  # no dictionary


def check_fuzz(corner: Corner, moves: int, seed: int) -> int:
    """Play at random with everybody who has a move, in compiled code, with an audit after each move.

    Args:
        corner: The game, the number of seats and the options.
        moves: How many moves to make, over as many matches as that takes.
        seed: Another seed, other matches.

    Returns:
        How many moves were made.

    Raises:
        AssertionError: If the audit finds a fault, or a refused move changed something.

    Examples:
        >>> import ludotheque
        >>> from ludotheque.testing import Corner, check_fuzz
        >>> check_fuzz(Corner(ludotheque.game("double_lucky_7"), 2, {}), moves=50, seed=1)
        50
    """
    game = corner.game
    buf = np.zeros(game.info.state.itemsize, np.uint8)
    report = np.zeros(4, np.int64)
    options = game.options(corner.players, corner.options)
    key = key_from_seed(seed)
    result = game.kernels.fuzz(buf, moves, seed, key, corner.players, options.codes, report)
    faults = [text for bit, text in game.rules.FAULTS.items() if result > 0 and result & bit]
    assert result == 0, f"{corner} seed={seed}: fuzz gave {result} after {report[0]} moves: {faults}"
    return int(report[0])


def random_move(match: Match, rng: random.Random) -> tuple[int, Move]:
    """A seat that has a move, mostly the actor, and one of its moves."""
    movers = match.movers()
    seat = match.actor if rng.random() < 0.6 else rng.choice(movers)
    return seat, rng.choice(match.legal(seat))


def check_walk(corner: Corner, seed: int, max_moves: int = 400, every: int = 7) -> Match:
    """Play one match at random through `Match`, and check along the way all that Python users see.

    Args:
        corner: The game, the number of seats and the options.
        seed: Another seed, another match.
        max_moves: Where to stop at the latest.
        every: After how many moves everything is looked at.

    Returns:
        The match as it ended.

    Raises:
        AssertionError: What does not hold, and where.

    Examples:
        >>> import ludotheque
        >>> from ludotheque.testing import Corner, check_walk
        >>> match = check_walk(Corner(ludotheque.game("double_lucky_7"), 2, {}), seed=1, max_moves=20)
        >>> len(match.moves)
        20
    """
    rng = random.Random(seed)
    match = corner.new(seed)
    while not match.over and len(match.moves) < max_moves:
        if len(match.moves) % every == 0:
            where = f"{corner} seed={seed} move={len(match.moves)}"
            check_moment(match, rng, where)
        seat, move = random_move(match, rng)
        match.play(move, seat)
    check_moment(match, rng, f"{corner} seed={seed} end")
    check_record(match, f"{corner} seed={seed}")
    return match


def check_moment(match: Match, rng: random.Random, where: str) -> None:
    """Everything that must hold at one moment of a match."""
    check_moves(match, rng, where)
    check_position(match, where)
    for seat in (*range(match.num_seats), None):
        check_secrecy(match, seat, rng, where)


def check_moves(match: Match, rng: random.Random, where: str) -> None:
    """Legal moves all apply, others are refused with a reason and change nothing; idle seats are listed correctly."""
    before = match.to_bytes()
    movers = match.movers()
    for seat in range(match.num_seats):
        legal = match.legal(seat)
        assert bool(legal) == (seat in movers), f"{where}: seat {seat} has {len(legal)} moves, movers {movers}"
        for move in rng.sample(legal, min(5, len(legal))):
            twin = match.copy()
            twin.play(move, seat)
            faults = match.game.kernels.faults(twin.buffer)
            assert not faults, f"{where}: {move} breaks the record: {faults}"
        for move in rng.sample(match.game.moves, min(3, len(match.game.moves))):
            if match.over or move in legal:
                continue
            refusal = match.explain(move, seat)
            assert isinstance(refusal, IllegalMove)
            for lang in LANGUAGES:
                assert match.refusal_text(refusal, lang), where
            try:
                match.play(move, seat)
            except IllegalMove:
                pass
            else:
                raise AssertionError(f"{where}: {move} by {seat} was not refused")
    assert match.to_bytes() == before, f"{where}: looking at moves changed the match"


def check_position(match: Match, where: str) -> None:
    """The position survives the way through JSON, but for the journal."""
    data = json.loads(json.dumps(match.position()))
    again = match.game.position(data)
    assert without_journal(match) == without_journal(again), f"{where}: position {differing(match, again)}"


def without_journal(match: Match) -> bytes:
    """The record's bytes with an empty journal."""
    buf = np.frombuffer(match.to_bytes(), np.uint8).copy()
    row = buf.view(match.game.info.state)
    for name in ("num_events", "event_kind", "event_seat", "event_args"):
        row[name] = 0
    return buf.tobytes()


def differing(one: Match, other: Match) -> list[str]:
    """The fields in which two records differ."""
    a, b = (np.frombuffer(m.to_bytes(), np.uint8).view(one.game.info.state) for m in (one, other))
    return [name for name in a.dtype.names or () if not np.array_equal(a[name], b[name])]


def other_world(match: Match, seat: int | None, rng: random.Random) -> Buffer:
    """The same match for the seat, with everything it cannot know drawn anew."""
    buf = match.concealed(seat)
    match.game.kernels.imagine(buf, NOBODY if seat is None else seat, key_from_seed(rng.getrandbits(64)))
    return buf


def check_secrecy(match: Match, seat: int | None, rng: random.Random, where: str) -> None:
    """A seat's record, view, events, observation and moves are the same in any world it cannot tell apart."""
    game = match.game
    viewer = NOBODY if seat is None else seat
    world = other_world(match, seat, rng)
    faults = game.kernels.faults(world)
    assert not faults, f"{where}: the world imagined by {seat} is impossible: {faults}"
    twin = match.copy()
    twin.buffer[:] = world
    twin._followers = match._followers  # what was seen up to now; the last step is in the bytes compared here
    same = twin.concealed(seat).tobytes() == match.concealed(seat).tobytes()
    assert same, (
        f"{where}: seat {seat} can tell the worlds apart: {differing(_concealed(match, seat), _concealed(twin, seat))}"
    )
    for lang in LANGUAGES:
        view = match.view(seat, lang)
        assert view == twin.view(seat, lang), f"{where}: the view of {seat} tells hidden things"
        json.dumps(view)
        missing = [name for name, value in view["table"].items() if value is None and name in _always_shown(game)]
        assert not missing, f"{where}: the view of {seat} lacks {missing}"
        assert game.views.lines(view, game.catalogue(lang))
    if seat is not None:
        seen, other = (np.zeros(game.info.observation_size, np.int16) for _ in range(2))
        game.kernels.watch(match.buffer, viewer, seen)
        game.kernels.watch(world, viewer, other)
        assert np.array_equal(seen, other), f"{where}: the observation of {seat} tells hidden things"


def _always_shown(game: Game) -> list[str]:
    """The fields of a game's view that are never null."""
    return [name for name, shape in game.views.VIEW.shapes.items() if not isinstance(shape, Maybe)]


def _concealed(match: Match, seat: int | None) -> Match:
    twin = match.copy()
    twin.buffer[:] = match.concealed(seat)
    return twin


def check_record(match: Match, where: str) -> None:
    """Records go through JSON and replay to the byte, verify, and say no more to a seat than it saw."""
    data = json.loads(json.dumps(match.record()))
    assert read_record(data).to_bytes() == match.to_bytes(), f"{where}: the record replays to something else"
    assert verify(data).true, where
    assert match.key is not None
    key = match.key.astype("<u4").tobytes()
    for seat in range(match.num_seats):
        own = json.loads(json.dumps(match.record(seat)))
        assert key.hex() not in json.dumps(own), f"{where}: the key stands in the record of seat {seat}"
        assert verify(own, key).true, f"{where}: the record of seat {seat} does not verify"
    for lang in LANGUAGES:
        for viewer in (*range(match.num_seats), None):
            assert all(match.log(lang, viewer))


def walk_digest(corner: Corner, seed: int, moves: int) -> str:
    """A digest of the bytes after every one of some random moves: the same wherever and however rules run."""
    rng = random.Random(seed)
    match = corner.new(seed)
    digest = hashlib.sha256(match.to_bytes())
    for _ in range(moves):
        if match.over:
            match = corner.new(rng.getrandbits(32))
        seat, move = random_move(match, rng)
        match.play(move, seat)
        digest.update(match.to_bytes())
    return digest.hexdigest()


def main() -> None:
    """Compile the fuzzer of every game, which `ludotheque warm` leaves out: `python -m ludotheque.testing`."""
    for game in registry.load_all():
        check_fuzz(Corner(game, game.info.min_seats, {}), moves=1, seed=1)


if __name__ == "__main__":
    main()
