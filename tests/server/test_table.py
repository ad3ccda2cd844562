"""The rules of the room, without any network: events in, events out."""

from __future__ import annotations

import hashlib
from typing import Any

import msgspec
import pytest

import ludotheque
from ludotheque.core.texts import LANGUAGES
from ludotheque.server import events, fairness, protocol
from ludotheque.server.commands import NewMatch, Play, Return, Sit, StandIn, Who, check_new
from ludotheque.server.events import Event
from ludotheque.server.refusals import TEXTS, Refusal, words
from ludotheque.server.table import Table, fold

GAME = "double_lucky_7"
SECRET = bytes(range(32))
OWNER = "owner"


class Bench:
    """A table together with the list of its events, which is all that makes it."""

    def __init__(self, **wanted: Any) -> None:
        created = check_new(protocol.NewTable(**{"game": GAME, **wanted}), SECRET, OWNER, 7, 1.0)
        self.table = Table("t1", created)
        self.log: list[Event] = [created]

    def do(self, command: Any, seat: int | None = None, **who: Any) -> Event:
        event = self.table.decide(command, Who(seat, **who), 2.0)
        event = events.decode(events.encode(event))
        self.table.apply(event)
        self.log.append(event)
        return event

    def refused(self, command: Any, seat: int | None = None, **who: Any) -> str:
        before = self.table.seq, None if self.table.match is None else self.table.match.to_bytes()
        with pytest.raises(Refusal) as caught:
            self.table.decide(command, Who(seat, **who), 2.0)
        assert before == (self.table.seq, None if self.table.match is None else self.table.match.to_bytes())
        for lang in LANGUAGES:
            assert caught.value.say(lang, self.table.match or self.table.pad)
        return caught.value.code

    def sit(self, name: str, seat: int | None = None) -> int:
        event = self.do(Sit(name, hashlib.sha256(name.encode()).digest(), seat), identity=f"id of {name}")
        assert isinstance(event, events.Seated)
        return event.seat

    def move(self, seat: int | None = None, message_id: str = "m") -> None:
        assert self.table.match is not None
        seat = self.table.match.actor if seat is None else seat
        if self.table.seats[seat].bot:
            self.do(Play(seat, self.table.match.legal_ids(seat)[0], self.table.seq, "bot"))
        else:
            self.do(protocol.Move(message_id, self.table.seq, self.table.match.legal(seat)[0]), seat)


def playing(**wanted: Any) -> Bench:
    bench = Bench(**wanted)
    bench.sit("Ann")
    bench.sit("Bob")
    bench.do(protocol.Start("s"), 0)
    return bench


def test_people_sit_down_start_and_play_to_the_end() -> None:
    bench = Bench(seats=3)
    assert bench.table.status == "waiting"
    assert bench.sit("Ann") == 0
    assert bench.refused(protocol.Start("s"), 0) == "seats_open"
    bench.do(protocol.AddBot("b", 2, "expert"), 0)
    assert bench.sit("Zoë") == 1
    assert bench.refused(Sit("Eve", b"x" * 32)) == "no_free_seat"
    assert bench.refused(protocol.Move("m", bench.table.seq, "0"), 0) == "not_started"
    bench.do(protocol.Start("s"), 1)
    assert bench.table.match is not None
    assert bench.table.match.names == ["Ann", "Zoë", "Bot 3"]
    while not bench.table.match.over:
        bench.move()
    assert bench.table.status == "over"
    assert bench.refused(protocol.Move("m", bench.table.seq, 0), 0) == "match_over"


def test_the_same_events_give_the_same_table() -> None:
    bench = playing(options={"rounds": 7})
    for _ in range(40):
        bench.move()
    bench.do(protocol.Say("x", "  hello\n there "), 0)
    again = fold("t1", bench.log)
    assert again.match is not None and bench.table.match is not None
    assert again.match.to_bytes() == bench.table.match.to_bytes()
    assert again.info() == bench.table.info()
    assert (again.seq, again.match_seq) == (bench.table.seq, bench.table.match_seq)
    assert again._done == bench.table._done


def test_moves_are_for_whoever_is_at_turn_and_legal() -> None:
    bench = playing()
    match = bench.table.match
    assert match is not None
    actor, seq = match.actor, bench.table.seq
    assert bench.refused(protocol.Move("m", seq, match.legal()[0]), 1 - actor) == "illegal"
    assert bench.refused(protocol.Move("m", seq, "joker joker"), actor) == "not_a_move"
    assert bench.refused(protocol.Move("m", seq, 10**6), actor) == "not_a_move"
    assert bench.refused(protocol.Move("m", seq, True), actor) in ("illegal", "not_a_move")
    assert bench.refused(protocol.Move("m", seq, match.legal()[0])) == "not_seated"


def test_a_move_for_an_older_moment_is_refused_but_talk_makes_nothing_stale() -> None:
    bench = playing()
    seq = bench.table.seq
    bench.do(protocol.Say("a", "hm"), 0)
    assert bench.table.match is not None
    actor = bench.table.match.actor
    bench.do(protocol.Move("m1", seq, bench.table.match.legal()[0]), actor)
    other = bench.table.match.actor
    assert bench.refused(protocol.Move("m2", seq, bench.table.match.legal()[0]), other) == "stale"
    assert bench.refused(protocol.Move("m2", 99, bench.table.match.legal()[0]), other) == "from_the_future"


def test_a_message_is_known_by_its_id() -> None:
    bench = playing()
    assert bench.table.match is not None
    actor = bench.table.match.actor
    bench.move(message_id="one")
    assert bench.table.is_done(actor, "one")
    assert not bench.table.is_done(1 - actor, "one")
    assert not bench.table.is_done(None, "one")
    for number in range(70):
        bench.do(protocol.Say(f"s{number}", "x"), 0)
    assert not bench.table.is_done(actor, "one")
    assert bench.table.is_done(0, "s69")


def test_tokens_and_identities_find_their_seat_only() -> None:
    bench = playing()
    assert bench.table.seat_of_token(hashlib.sha256(b"Bob").digest()) == 1
    assert bench.table.seat_of_token(hashlib.sha256(b"Eve").digest()) is None
    assert bench.table.seat_of_token(b"") is None
    assert bench.table.seat_of_owner("id of Ann") == 0
    assert bench.table.seat_of_owner("") is None


def test_the_deal_is_mixed_from_a_committed_secret_and_the_devices() -> None:
    bench = Bench(options={"rounds": 7})
    bench.sit("Ann")
    bench.sit("Bob")
    shown = bench.table.info().commitment
    assert shown == hashlib.sha256(SECRET).hexdigest()
    bench.do(protocol.Contribute("c", "ab" * 16), 1)
    assert bench.refused(protocol.Contribute("d", "cd" * 16), 1) == "contributed_already"
    assert bench.table.info().seats[1].contributed and not bench.table.info().seats[0].contributed
    bench.do(protocol.Start("s"), 0)
    assert bench.table.match is not None
    assert bench.refused(protocol.Contribute("e", "cd" * 16), 0) == "already_started"
    text = msgspec.json.encode(bench.table.info()).decode()
    assert SECRET.hex() not in text and "ab" * 16 not in text and bench.table.proof() is None
    while not bench.table.match.over:
        bench.move()
    proof = bench.table.proof()
    assert proof is not None and proof.commitment == shown and proof.contributions == ["", "ab" * 16]
    record = bench.table.record(None)
    deal = msgspec.to_builtins(proof)
    assert ludotheque.verify(record).true and fairness.check(record, deal)
    for key in ("secret", "commitment"):
        assert not fairness.check(record, {**deal, key: "00" * 32})
    assert not fairness.check(record, {**deal, "contributions": ["ab" * 16, ""]})


def test_two_devices_cannot_trade_bytes_at_their_border() -> None:
    assert fairness.mix(SECRET, [b"ab", b"c"]) != fairness.mix(SECRET, [b"a", b"bc"])


def test_a_rematch_has_a_deal_of_its_own() -> None:
    bench = playing(options={"rounds": 7})
    assert bench.refused(NewMatch(b"y" * 32), 0) == "not_over"
    assert bench.table.match is not None
    while not bench.table.match.over:
        bench.move()
    first = bench.table.record(None)
    assert fairness.check(first, msgspec.to_builtins(bench.table.proof()))
    bench.do(NewMatch(b"y" * 32), 0)
    assert bench.table.status == "waiting" and bench.table.match_no == 2 and bench.table.proof() is None
    assert bench.table.info().commitment == fairness.commit(b"y" * 32)
    bench.do(protocol.Contribute("c", "ab" * 16), 1)
    bench.do(protocol.Start("s2"), 1)
    assert bench.table.match.commitment != first["commitment"]
    while not bench.table.match.over:
        assert bench.table.proof() is None
        bench.move()
    proof = msgspec.to_builtins(bench.table.proof())
    assert fairness.check(bench.table.record(None), proof) and not fairness.check(first, proof)
    past = fold("t1", bench.log, lambda table: table.match_no == 1)
    assert past.record(None) == first


def test_a_bot_takes_the_seat_of_whoever_leaves() -> None:
    bench = playing()
    assert bench.table.match is not None
    bench.do(protocol.Leave("l"), 1)
    assert bench.table.seats[1].kind == "bot" and bench.table.people == [0]
    assert bench.table.match.names[1] == "Bob"
    assert bench.refused(protocol.Say("x", "still here"), 1) == "not_seated"
    assert bench.refused(Sit("Bobby", b"x" * 32, 0)) == "seat_taken"
    assert bench.refused(Sit("Ann", b"x" * 32, 1)) == "name_taken"
    bench.do(Sit("Carla", b"x" * 32, 1), identity="c")
    assert bench.table.people == [0, 1]


def test_a_bot_stands_in_and_gives_the_seat_back() -> None:
    bench = playing()
    assert bench.refused(Return(), 1) == "not_away"
    bench.do(StandIn(1))
    assert bench.table.seats[1].bot == "club" and bench.table.info().seats[1].level == "club"
    assert bench.refused(StandIn(1)) == "seat_taken"
    bench.do(Return(), 1)
    assert bench.table.seats[1].bot == ""


def test_undo_is_for_one_person_with_bots() -> None:
    bench = playing()
    bench.move()
    assert bench.refused(protocol.Undo("u", bench.table.seq), 0) == "cannot_undo"
    alone = Bench(seats=3, bots=[])
    alone.sit("Ann", 1)
    alone.do(protocol.AddBot("b", 0), 1)
    alone.do(protocol.AddBot("c", 2), 1)
    alone.do(protocol.Start("s"), 1)
    match = alone.table.match
    assert match is not None
    assert alone.refused(protocol.Undo("u", alone.table.seq), 1) == "nothing_to_undo"
    states = []
    for _ in range(9):
        states.append((match.actor, match.to_bytes()))
        alone.do(Play(match.actor, match.legal_ids()[0], alone.table.seq, "bot"))
    before = [state for actor, state in states if actor == 1]
    alone.do(protocol.Undo("u", alone.table.seq), 1)
    assert match.to_bytes() == before[-1]
    alone.do(protocol.Undo("v", alone.table.seq), 1)
    assert match.to_bytes() == before[-2]


def test_a_seat_is_arranged_by_those_who_sit_there_or_the_owner() -> None:
    bench = Bench(seats=2)
    assert bench.refused(protocol.AddBot("b", 0)) == "not_seated"
    assert bench.refused(protocol.AddBot("b", 0), identity="somebody") == "not_seated"
    bench.do(protocol.AddBot("b", 0), identity=OWNER)
    assert bench.refused(protocol.AddBot("b", 0), identity=OWNER) == "seat_taken"
    assert bench.refused(protocol.AddBot("b", 5), identity=OWNER) == "no_such_seat"
    assert bench.refused(protocol.AddBot("b", 1, "cheater"), identity=OWNER) == "unknown_level"
    bench.do(protocol.RemoveBot("r", 0), identity=OWNER)
    assert bench.refused(protocol.RemoveBot("r", 0), identity=OWNER) == "no_bot_there"


@pytest.mark.parametrize("text", ["", " \n ", "a\x00b", "a\x1bb", "‮evil", "x" * 501])
def test_texts_are_printable_and_short(text: str) -> None:
    assert playing().refused(protocol.Say("x", text), 0) == "bad_text"


@pytest.mark.parametrize("name", ["", "   ", "x" * 41, "a\x07", "‮abc"])
def test_names_are_printable_and_short(name: str) -> None:
    assert Bench().refused(Sit(name, b"x" * 32)) == "bad_name"


def test_names_differ_in_more_than_case_and_space() -> None:
    bench = Bench(seats=3)
    bench.sit("Ann")
    assert bench.refused(Sit("  aNN ", b"x" * 32)) == "name_taken"


@pytest.mark.parametrize(
    "wanted",
    [
        {"game": "chess"},
        {"seats": 1},
        {"options": {"rounds": 8}},
        {"options": {"nonsense": 1}},
        {"bots": ["cheater"]},
        {"game": "../../etc"},
        {"kind": "pad", "players": ["Ann"]},
        {"kind": "pad", "players": ["Ann", "Ann"]},
        {"kind": "pad", "players": ["Ann", "Bob"], "first": 5},
        {"kind": "pad", "players": ["Ann", "Bob"], "options": {"names": 1}},
    ],
)
def test_tables_that_cannot_be(wanted: dict[str, Any]) -> None:
    with pytest.raises(Refusal) as caught:
        Bench(**wanted)
    assert caught.value.say("fr") and caught.value.say("en")


def test_reactions_are_from_the_list() -> None:
    bench = playing()
    bench.do(protocol.React("r", "👍"), 0)
    assert bench.refused(protocol.React("r", "<b>"), 0) == "bad_mark"


def test_a_match_of_other_rules_is_not_dealt_wrongly() -> None:
    bench = playing()
    started = bench.log[-1]
    assert isinstance(started, events.Started)
    with pytest.raises(Refusal, match="old_rules"):
        fold("t1", [*bench.log[:-1], msgspec.structs.replace(started, rules_version=0)])


def test_a_score_pad_is_a_table() -> None:
    bench = Bench(kind="pad", players=["Ann", "Bob"], first=0)
    entry = {"bids": [1, 1]}
    assert bench.refused(protocol.Enter("e", 1, entry)) == "not_allowed"
    bench.do(protocol.Enter("e", 1, entry), can_write=True)
    assert bench.refused(protocol.Enter("e", 1, entry), can_write=True) == "stale"
    assert bench.refused(protocol.Enter("e", 2, {"tricks": [1, 1]}), can_write=True) == "illegal"
    bench.do(protocol.Enter("f", 2, {"tricks": [1, 0]}), can_write=True)
    assert bench.table.pad is not None
    assert bench.table.pad.totals == [12, 0]
    bench.do(protocol.Enter("g", 3, {"tricks": [0, 1]}, 1), can_write=True)
    bench.do(protocol.Wipe("h", 4), can_write=True)
    assert len(bench.table.pad.entries) == 1
    assert bench.refused(Sit("Eve", b"x" * 32)) == "is_pad"
    assert bench.refused(protocol.Move("m", 5, "R1"), 0) == "not_seated"
    again = fold("t1", bench.log)
    assert again.pad is not None and again.pad.to_json() == bench.table.pad.to_json()


def test_every_refusal_has_a_sentence_in_both_languages() -> None:
    assert set(words("en").keys()) == set(words("fr").keys())
    found = set()
    for path in TEXTS.parent.rglob("*.py"):
        source = path.read_text(encoding="utf-8")
        for part in source.split('Refusal("')[1:]:
            found.add(part.split('"')[0])
    assert len(found) > 20
    for code in found:
        for lang in LANGUAGES:
            assert words(lang).find(f"refused.{code}") is not None, code
