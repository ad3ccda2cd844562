"""Records: a match as JSON, read back, verified, edited, cut short."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import pytest

import ludotheque
from ludotheque import InvalidRecord, LudothequeError
from ludotheque.core.match import Match
from ludotheque.core.pad import Pad
from ludotheque.core.records import load_record, tell_record

GAME = ludotheque.game("double_lucky_7")
OPTIONS: dict[str, Any] = {"rounds": 7, "lead": "winner", "forfeits": True, "forfeit_list": ["Sing."]}


@cache
def _whole_match() -> Match:
    match = GAME.new(["Ana", "Ben", "Cleo"], seed=3, **OPTIONS)
    while not match.over:
        legal = match.legal()
        match.play(legal[len(match.moves) % len(legal)])
    return match


def whole_match() -> Match:
    return _whole_match().copy()


def half_match() -> Match:
    return whole_match().at(40)


def from_position() -> Match:
    table = {"round": 14, "turned": "R1", "hands": [["G1"], ["G2"]], "bids": [1, 1], "points": [10, 10]}
    match = GAME.position({"players": ["Ana", "Ben"], "table": table})
    match.play("G1")
    match.play("G2")
    return match


MATCHES: list[Callable[[], Match]] = [whole_match, half_match, from_position]


def as_file(record: Mapping[str, Any]) -> Any:
    """What reading the written record gives."""
    return load_record(json.dumps(record))


@pytest.mark.parametrize("make", MATCHES)
def test_a_record_replays_to_the_same_bytes(make: Callable[[], Match]) -> None:
    match = make()
    again = ludotheque.replay(as_file(match.record()))
    assert again.to_bytes() == match.to_bytes()
    assert (again.moves, again.names, dict(again.options)) == (match.moves, match.names, dict(match.options))
    assert again.record() == match.record()
    assert again.events(0) == match.events(0)


@pytest.mark.parametrize("make", MATCHES)
def test_a_true_record_is_found_true(make: Callable[[], Match]) -> None:
    verdict = ludotheque.verify(as_file(make().record()))
    assert verdict.true
    assert not [finding for finding in verdict.findings if "wrong" in finding]


@pytest.mark.parametrize("make", [half_match, from_position])
def test_a_record_from_before_an_option_was_there_is_played_with_its_default(make: Callable[[], Match]) -> None:
    match = make()
    record = as_file(match.record())
    for options in (record["options"], record.get("start", record)["options"]):
        for option in match.game.info.options:
            if match.options[option.name] == option.default:
                options.pop(option.name, None)
    assert ludotheque.verify(record).true
    assert ludotheque.replay(record).record() == match.record()


def test_what_is_found_is_said() -> None:
    assert ludotheque.verify(whole_match().record()).findings == ("commitment", "moves", "result")
    assert ludotheque.verify(half_match().record()).findings == ("commitment", "moves", "unfinished")
    assert ludotheque.verify(from_position().record()).findings == ("position", "moves", "result")


# One seat's record


def key_of(match: Match) -> bytes:
    assert match.key is not None
    return match.key.astype("<u4").tobytes()


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_a_seats_record_has_what_it_saw_and_nothing_more(seat: int) -> None:
    match = half_match()
    record = as_file(match.record(seat))
    assert set(record) == set(match.record()) - {"key"} | {"seat", "seen"}
    assert record["seen"] == match.events(seat)
    text = json.dumps(record)
    assert key_of(match).hex() not in text
    hands = match.position()["table"]["hands"]
    hidden = [card for other, hand in enumerate(hands) if other != seat for card in hand]
    last_deal = max(i for i, step in enumerate(record["seen"]) for event in step if event["type"] == "deal")
    since = json.dumps([record["seen"][last_deal:], record["moves"][last_deal:]])
    assert hidden and not [card for card in hidden if f'"{card}"' in since or f": {card}" in since]
    assert [event["dealt"] for event in record["seen"][0] if event["type"] == "deal"] == [
        match.at(0).position()["table"]["hands"][seat]
    ]


def test_a_seats_record_from_a_position_gives_nothing_away() -> None:
    assert "start" not in from_position().record(0)


def test_a_seats_record_is_verified_with_the_key() -> None:
    match = whole_match()
    record = as_file(match.record(1))
    with pytest.raises(InvalidRecord, match="key"):
        ludotheque.replay(record)
    assert ludotheque.replay(record, key_of(match)).to_bytes() == match.to_bytes()
    verdict = ludotheque.verify(record, key_of(match))
    assert verdict.true and verdict.findings == ("commitment", "moves", "result", "seen")


def test_an_edited_memory_is_found_out() -> None:
    match = whole_match()
    record = as_file(match.record(1))
    record["seen"][0][1]["dealt"] = ["R1"]
    verdict = ludotheque.verify(record, key_of(match))
    assert not verdict.true and "seen_wrong" in verdict.findings
    for seat in (0, 7, None, "1", True):
        verdict = ludotheque.verify({**match.record(1), "seat": seat}, key_of(match))
        assert not verdict.true and "seen_wrong" in verdict.findings


def test_another_key_is_found_out() -> None:
    record = GAME.new(2, seed=1).record(0)
    verdict = ludotheque.verify(record, bytes(32))
    assert not verdict.true and "commitment_wrong" in verdict.findings


# Edited records


def holds(record: Any) -> bool:
    """Whether a record is found true; one that cannot even be replayed is not."""
    try:
        return ludotheque.verify(record).true
    except LudothequeError:
        return False


def test_every_edited_move_is_found_out() -> None:
    record = whole_match().record()
    for number, move in enumerate(record["moves"]):
        seat, _, text = move.partition(": ")
        others = [f"{(int(seat) + 1) % 3}: {text}", f"{seat}: R15", f"{seat}:{text}", text, "", None, 3]
        for other in others:
            edited = {**record, "moves": [*record["moves"][:number], other, *record["moves"][number + 1 :]]}
            with pytest.raises(InvalidRecord, match=f"move {number + 1} "):
                ludotheque.replay(edited)
        without = {**record, "moves": record["moves"][:number] + record["moves"][number + 1 :]}
        assert not holds(without)


def test_a_legal_move_instead_of_another_changes_the_result() -> None:
    match = from_position().at(0)
    record = from_position().record()
    start = {**record["start"], "table": {**record["start"]["table"], "hands": [["G3"], ["G2"]]}}
    assert not holds({**record, "start": start})
    edited = {**record, "start": start, "moves": ["0: G3", "1: G2"]}
    assert ludotheque.verify(edited).findings == ("position", "moves", "result_wrong")
    assert match.moves == []


@pytest.mark.parametrize(
    "change",
    [
        {"result": None},
        {"result": {"scores": [1, 2, 3], "places": [3, 2, 1]}},
        {"result": {}},
        {"result": []},
        {"commitment": "0" * 64},
        {"commitment": None},
        {"commitment": ""},
        {"key": "00" * 32},
        {"key": "00" * 31},
        {"key": "xyz"},
        {"key": None},
        {"key": 5},
        {"moves": []},
        {"moves": "0: bid 1"},
        {"moves": None},
        {"players": ["Ana", "Ben"]},
        {"players": ["Ana", "Ana", "Cleo"]},
        {"players": 3},
        {"players": [1, 2, 3]},
        {"options": {}},
        {"options": []},
        {"options": {"colour": "red"}},
        {"game": "lobo77"},
        {"game": "chess"},
        {"game": 3},
        {"seen": []},
        {"seat": 0, "seen": []},
        {"start": None},
        {"start": {}},
    ],
)
def test_edited_records_are_found_out(change: dict[str, Any]) -> None:
    record = as_file(whole_match().record())
    assert holds(record)
    assert not holds({**record, **change})


@pytest.mark.parametrize("change", [{"players": ["Eva", "Ben"]}, {"options": {"rounds": 7}}])
def test_a_record_from_a_position_agrees_with_it(change: dict[str, Any]) -> None:
    record = from_position().record()
    assert not holds({**record, **change})


@pytest.mark.parametrize("name", ["ludotheque", "rules_version"])
@pytest.mark.parametrize("version", [0, 3, "1", None, True, [1]])
def test_other_versions_are_refused(name: str, version: Any) -> None:
    with pytest.raises(InvalidRecord):
        ludotheque.replay({**half_match().record(), name: version})


@pytest.mark.parametrize("name", sorted(half_match().record()))
def test_nothing_may_be_missing(name: str) -> None:
    record = dict(half_match().record())
    del record[name]
    with pytest.raises(InvalidRecord):
        ludotheque.replay(record)


def test_nothing_unknown_may_be_there() -> None:
    with pytest.raises(InvalidRecord, match="weather"):
        ludotheque.replay({**half_match().record(), "weather": "fine"})


def test_a_file_cut_short_is_no_record() -> None:
    text = json.dumps(half_match().record())
    for length in (0, 1, len(text) // 2, len(text) - 1):
        with pytest.raises(InvalidRecord, match="not a record"):
            load_record(text[:length])
    with pytest.raises(InvalidRecord):
        load_record("[" * 100_000)


@pytest.mark.parametrize("data", [None, [], "record", 3, {}, [{}]])
def test_other_json_is_no_record(data: Any) -> None:
    with pytest.raises(InvalidRecord):
        ludotheque.replay(data)
    with pytest.raises(InvalidRecord):
        ludotheque.verify(data)


@pytest.mark.parametrize("game_id", ludotheque.game_ids())
def test_a_record_relabelled_to_another_game_is_named(game_id: str) -> None:
    match = ludotheque.game(game_id).new(3, seed=1)
    match.play(match.legal()[0])
    for other in set(ludotheque.game_ids()) - {game_id}:
        reason = f"this says it is of {other}, but its options are those of {game_id}"
        for record in (match.record(), match.record(0)):
            relabelled = {**record, "game": other}
            for read in (ludotheque.replay, ludotheque.verify, lambda record: tell_record(record, "en")):
                with pytest.raises(InvalidRecord, match=reason):
                    read(relabelled)
        with pytest.raises(InvalidRecord, match=reason):
            Pad.from_json({**ludotheque.pad(game_id, 3).to_json(), "game": other})
