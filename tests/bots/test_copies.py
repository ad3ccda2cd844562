"""Bots and their thoughts are pickled, copied and compared; one that is asked about another game says so."""

from __future__ import annotations

import copy
import multiprocessing
import pickle
import warnings
from pathlib import Path
from typing import Any

import pytest

import ludotheque
from ludotheque import Bot, InvalidMove, InvalidOptions, Match, MatchOver, Move
from ludotheque.bots.ladder import make_contestant, make_player
from ludotheque.bots.outside import OutsideBot
from ludotheque.bots.stand_in import StandIn
from ludotheque.core.record import Buffer

GAME = ludotheque.game("double_lucky_7")
BUDGET = "32it"


def some_bots(game_id: str) -> list[Bot]:
    """One of each kind: by thumb, by search, exact where there is one, random, all-seeing, standing in."""
    game = ludotheque.game(game_id)
    levels = [ludotheque.bot(game_id, level, seed=3) for level in ("beginner", "club", "expert")]
    others = [make_player(game, "random", 3), make_contestant(game, "cheater", 3), StandIn(game, "strong", 3)]
    return [*levels, *others]


def first_legal(record: Buffer, seat: int, legal: list[Move]) -> Move:
    return legal[0]


def choice(bot_and_match: tuple[Bot, Match]) -> Move:
    bot, match = bot_and_match
    return bot.choose(match, budget=BUDGET)


@pytest.mark.parametrize("game_id", ["double_lucky_7", "volle_lotte"])
def test_a_bot_chooses_as_its_copies_do(game_id: str) -> None:
    match = ludotheque.game(game_id).new(2, seed=1)
    for bot in some_bots(game_id):
        for twin in (copy.copy(bot), copy.deepcopy(bot), pickle.loads(pickle.dumps(bot))):
            assert twin == bot and hash(twin) == hash(bot) and type(twin) is type(bot)
            assert twin.choose(match, budget=BUDGET) is bot.choose(match, budget=BUDGET)
    assert len({repr(bot) for bot in some_bots(game_id)}) == len(set(some_bots(game_id))) == 6


def test_when_two_bots_are_equal() -> None:
    bot = ludotheque.bot(GAME.id, "club", seed=1)
    assert bot == ludotheque.bot(GAME.id, "club", seed=1)
    assert bot not in (ludotheque.bot(GAME.id, "club", seed=2), ludotheque.bot(GAME.id, "casual", seed=1), "club")
    assert bot != ludotheque.bot("lobo77", "club", seed=1)


@pytest.mark.parametrize("kind", ["spawn", "fork"])
def test_a_bot_in_another_process(kind: str) -> None:
    match = GAME.new(3, seed=1)
    bots = some_bots(GAME.id)
    with warnings.catch_warnings():  # of forking while threads run, which later Pythons tell
        warnings.simplefilter("ignore", DeprecationWarning)
        with multiprocessing.get_context(kind).Pool(1) as pool:
            chosen = pool.map(choice, [(bot, match) for bot in bots])
    assert [move.id for move in chosen] == [choice((bot, match)).id for bot in bots]
    assert all(move is GAME.moves[move.id] for move in chosen)


def test_a_bot_from_outside_is_found_again(tmp_path: Path) -> None:
    path = tmp_path / "outside.py"
    path.write_text("def last(game, seed):\n    return lambda record, seat, legal: legal[-1]\n")
    match = GAME.new(3, seed=1)
    for bot in (make_contestant(GAME, f"{path}:last", 1), OutsideBot(GAME, "mine", first_legal, 1)):
        twin = pickle.loads(pickle.dumps(bot))
        assert twin == bot and twin.choose(match) is bot.choose(match)
    assert OutsideBot(GAME, "mine", first_legal) != OutsideBot(GAME, "mine", lambda record, seat, legal: legal[0])


def test_a_thought_is_a_value() -> None:
    thought = ludotheque.bot(GAME.id, "club", seed=1).think(GAME.new(3, seed=1), budget=BUDGET)
    twin = pickle.loads(pickle.dumps(thought))
    assert twin == thought and twin.move is thought.move and hash(twin) == hash(thought)


@pytest.mark.parametrize("name", ["club", "expert", "cheater", "random"])
def test_a_bot_of_another_game_says_so(name: str) -> None:
    bot = make_contestant(GAME, name, 1)
    match = ludotheque.game("skipbo").new(seed=1)
    for ask in (bot.choose, bot.think, lambda table: bot.unasked(table, 0)):
        with pytest.raises(InvalidMove, match=f"<Bot {name} at double_lucky_7> plays Double Lucky 7; this is Skip-Bo"):
            ask(match)
    with pytest.raises(InvalidMove, match="a record of double_lucky_7 is"):
        bot.choose(match.concealed(0), 0) if name != "cheater" else ludotheque.bot(GAME.id, "club").choose(
            match.concealed(0), 0
        )


def test_a_bot_asked_after_the_end_says_so() -> None:
    match = GAME.new(2, seed=1, rounds=7)
    while not match.over:
        match.play(match.legal()[0])
    with pytest.raises(MatchOver):
        ludotheque.bot(GAME.id, "club").choose(match)


@pytest.mark.parametrize(("level", "near"), [("exprt", "expert"), ("Club", "club"), ("begginer", "beginner")])
def test_a_mistyped_level_is_asked_about(level: str, near: str) -> None:
    with pytest.raises(InvalidOptions, match=rf"did you mean {near}\?"):
        ludotheque.bot(GAME.id, level)
    with pytest.raises(InvalidOptions, match=rf"did you mean {near}\?"):
        make_contestant(GAME, level)


@pytest.mark.parametrize("level", ["grandmaster", "", "zz", None, 7])
def test_what_is_no_level_at_all_lists_them(level: Any) -> None:
    with pytest.raises(InvalidOptions, match="beginner, casual, club, strong, expert") as refused:
        ludotheque.bot(GAME.id, level)
    assert "did you mean" not in str(refused.value)
