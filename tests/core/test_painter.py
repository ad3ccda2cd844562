"""What compiled code is told to write letters with."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ludotheque
from ludotheque.core import warm
from ludotheque.core.painter import SHOW, Event, Lexicon, Referee, pack_names
from ludotheque.core.portray import FIRST_WORDS, NAME, find_event

NUMBER = st.integers(-(2**31), 2**31 - 1)
EVENTS = st.tuples(st.integers(-128, 127), st.integers(-1, 15), NUMBER, NUMBER, NUMBER)


def words_of(lexicon: Lexicon, event: Event) -> bytes:
    first, end = lexicon.places[find_event(lexicon.keys, lexicon.places, *event)]
    return lexicon.words[first:end].tobytes()


@given(st.dictionaries(EVENTS, st.binary(min_size=1, max_size=300), max_size=60), EVENTS)
def test_a_lexicon_knows_what_it_has_learnt(learnt: dict[Event, bytes], other: Event) -> None:
    lexicon = Lexicon()
    for event, text in learnt.items():
        lexicon.learn(event, text)
        lexicon.learn(event, b"too late")
    assert all(words_of(lexicon, event) == text for event, text in learnt.items())
    assert words_of(lexicon, other) == learnt.get(other, b"")


def test_a_lexicon_grows_and_forgets() -> None:
    lexicon = Lexicon()
    texts = {(1, 0, number, number % 7, 0): b"sentence %d " % number * 10 for number in range(3000)}
    for event, text in texts.items():
        lexicon.learn(event, text)
    assert all(words_of(lexicon, event) == text for event, text in texts.items())
    lexicon.forget()
    lexicon.learn((2, 0, 0, 0, 0), b"one more")
    assert words_of(lexicon, (2, 0, 0, 0, 0)) == b"one more" and words_of(lexicon, (1, 0, 0, 0, 0)) == b""
    assert lexicon.words[: len(FIRST_WORDS)].tobytes() == FIRST_WORDS


def test_names_are_packed_with_their_lengths() -> None:
    packed = pack_names([b"Ann", "Zoé".encode()])
    assert len(packed) == 2 * NAME
    assert packed[:4] == b"\x03Ann" and packed[NAME : NAME + 5] == b"\x04Zo\xc3\xa9"


@pytest.mark.compiled_only
@pytest.mark.parametrize("game_id", ludotheque.game_ids())
def test_a_referee_judges_many_moves_as_each_match_does(game_id: str) -> None:
    warm.ensure(game_id, SHOW)
    game = ludotheque.game(game_id)
    chance = random.Random(game_id)
    referee = Referee(game)
    matches = [game.new(seed=f"judged {number}") for number in range(40)]
    legal = 0
    for _ in range(60):
        asked = []
        for match in matches:
            seat = chance.choice(match.movers() or [0])
            action = chance.choice([*match.legal_ids(seat), chance.randrange(game.info.num_actions)])
            asked.append((match, chance.choice([seat, chance.randrange(match.num_seats)]), action))
        found = referee.allows([number for match, seat, action in asked for number in (match.address, seat, action)])
        assert found == [match.allows(action, seat) for match, seat, action in asked]
        legal += sum(found)
        for (match, seat, action), is_legal in zip(asked, found, strict=True):
            if is_legal:
                match.play(action, seat)
    assert referee.asking() == len(matches) - 1
    assert 200 < legal < 60 * 40 and referee.allows([]) == []
