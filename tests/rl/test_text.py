"""Observations in words."""

from __future__ import annotations

import random

import pytest

import ludotheque
from ludotheque import InvalidMove
from ludotheque.core.chance import key_from_seed
from ludotheque.rl import pettingzoo
from ludotheque.rl.text import describe
from ludotheque.testing import corners, random_move


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("game_id", ludotheque.game_ids())
def test_a_match_can_be_played_in_words(game_id: str, lang: str) -> None:
    """By reading the moves off the text and nothing else."""
    env = pettingzoo.env(game_id, lang=lang)
    env.reset(seed=1)
    rng = random.Random(1)
    heading = {"en": "Your moves", "fr": "Vos coups"}[lang]
    for _ in range(40):
        if env.sitting.seat < 0:
            break
        said = env.text(env.agent_selection)
        assert env.agent_selection in said
        moves = said[said.index(heading) :].splitlines()[1:]
        assert len(moves) == env.observe(env.agent_selection)["action_mask"].sum()
        env.step(env.parse(rng.choice(moves).partition(": ")[0]))


def test_who_is_not_asked_is_told_so() -> None:
    env = pettingzoo.env("loba")
    env.reset(seed=1)
    other = next(agent for agent in env.agents if agent != env.agent_selection)
    assert "It is not your turn." in env.text(other)
    assert "Ce n’est pas à vous de jouer." in env.text(other, "fr")


def test_waiting_has_a_word() -> None:
    env = pettingzoo.env("lobo77", draw="manual")
    env.reset(seed=1)
    mask = env.observe(env.agent_selection)["action_mask"]
    env.step(int(mask.argmax()))
    said = env.text(env.agent_selection)
    assert said.splitlines()[-1] == "wait: let the others go on"
    assert env.parse("wait") == env.sitting.wait
    with pytest.raises(InvalidMove):
        pettingzoo.env("lobo77").parse("wait")


def test_the_end_names_the_winners() -> None:
    match = ludotheque.game("double_lucky_7").new(["Ann", "Ben"], seed=1, rounds=7)
    while not match.over:
        match.play(match.legal()[0])
    winners = [match.names[seat] for seat in match.ranking[0]]
    assert describe(match, 0).splitlines()[-1] == f"The match is over. First: {', '.join(winners)}."


@pytest.mark.parametrize("game_id", ludotheque.game_ids())
def test_words_tell_nothing_hidden(game_id: str) -> None:
    game = ludotheque.game(game_id)
    rng = random.Random(2)
    for corner in corners(game, every_count=False)[:6]:
        match = corner.new(2)
        for _ in range(12):
            if match.over:
                break
            mover, move = random_move(match, rng)
            match.play(move, mover)
        seat = rng.randrange(corner.players)
        twin = match.copy()
        twin.buffer[:] = match.concealed(seat)
        game.kernels.imagine(twin.buffer, seat, key_from_seed(rng.getrandbits(64)))
        for lang in ("en", "fr"):
            said = describe(match, seat, lang)
            twin._followers = match._followers  # what it saw up to now
            assert said == describe(twin, seat, lang), str(corner)


@pytest.mark.parametrize("game_id", ludotheque.game_ids())
def test_news_are_what_the_seat_itself_saw(game_id: str) -> None:
    rng = random.Random(5)
    match = ludotheque.game(game_id).new(seed=5)
    for _ in range(30):
        if match.over:
            break
        match.play(rng.choice(match.legal()))
        for seat in range(match.num_seats):
            news = describe(match, seat).partition("Since your last move:\n")[2].partition("\n\n")[0].splitlines()
            assert news == match.log("en", seat)[-len(news) :]
            own = [number for number, (who, _) in enumerate(match.moves) if who == seat]
            if own and own[-1] < len(match.moves) - 1:
                assert len(news) >= sum(len(step) for step in match.events(seat)[own[-1] + 2 :])
