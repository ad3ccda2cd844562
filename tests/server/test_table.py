"""The rules of the room, without any network: events in, events out."""

from __future__ import annotations

import hashlib
from typing import Any

import msgspec
import pytest

import ludotheque
from ludotheque.bots.names import NAMES
from ludotheque.core.match import Match
from ludotheque.core.texts import LANGUAGES
from ludotheque.server.domain import events, fairness, protocol
from ludotheque.server.domain.commands import NewMatch, Play, Return, Sit, StandIn, Who, check_new
from ludotheque.server.domain.events import Event
from ludotheque.server.domain.refusals import TEXTS, Refusal, words
from ludotheque.server.domain.table import Table, fold
from tests.server.house import GAME

SECRET = bytes(range(32))
OWNER = "owner"


class Bench:
    """A table together with the list of its events, which is all that makes it."""

    def __init__(self, secret: bytes = SECRET, **wanted: Any) -> None:
        created = check_new(protocol.NewTable(**{"game": GAME, **wanted}), secret, OWNER, 7, 1.0)
        self.table = Table("t1", created)
        self.log: list[Event] = [created]

    def who(self, seat: int | None = None, identity: str = "", **more: Any) -> Who:
        return self.table.who(seat, identity, **more)

    def do(self, command: Any, seat: int | None = None, **who: Any) -> Event:
        event = self.table.decide(command, self.who(seat, **who), 2.0)
        event = events.decode(events.encode(event))
        self.table.apply(event)
        self.log.append(event)
        return event

    def refused(self, command: Any, seat: int | None = None, **who: Any) -> str:
        before = self.table.seq, None if self.table.match is None else self.table.match.to_bytes()
        with pytest.raises(Refusal) as caught:
            self.table.decide(command, self.who(seat, **who), 2.0)
        assert before == (self.table.seq, None if self.table.match is None else self.table.match.to_bytes())
        for lang in LANGUAGES:
            assert caught.value.say(lang, self.table.match or self.table.pad)
        return caught.value.code

    def sit(self, name: str, seat: int | None = None) -> int:
        event = self.do(Sit(name, hashlib.sha256(name.encode()).digest(), seat), identity=f"id of {name}")
        assert isinstance(event, events.Seated)
        return event.seat

    @property
    def match(self) -> Match:
        assert self.table.match is not None
        return self.table.match

    def finish(self) -> None:
        while not self.match.over:
            self.move()

    def move(self, seat: int | None = None, message_id: str = "m") -> None:
        seat = self.match.actor if seat is None else seat
        if self.table.seats[seat].bot:
            self.do(Play(seat, self.match.legal(seat)[0], self.table.seq, "bot"))
        else:
            self.do(protocol.Move(message_id, self.table.seq, self.match.legal(seat)[0]), seat)


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
    assert bench.match.names == ["Ann", "Zoë", bench.table.bot_name(2)]
    assert bench.match.names[2] in NAMES
    bench.finish()
    assert bench.table.status == "over"
    assert bench.refused(protocol.Move("m", bench.table.seq, 0), 0) == "match_over"


def test_the_same_events_give_the_same_table() -> None:
    bench = playing(options={"rounds": 7})
    for _ in range(40):
        bench.move()
    bench.do(protocol.Say("x", "  hello\n there "), 0)
    again = fold("t1", bench.log)
    assert again.match is not None and again.match.to_bytes() == bench.match.to_bytes()
    assert again.info() == bench.table.info()
    assert (again.seq, again.match_seq) == (bench.table.seq, bench.table.match_seq)
    assert again._done == bench.table._done


def test_moves_are_for_whoever_is_at_turn_and_legal() -> None:
    bench = playing()
    match = bench.match
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
    actor = bench.match.actor
    bench.do(protocol.Move("m1", seq, bench.match.legal()[0]), actor)
    other = bench.match.actor
    assert bench.refused(protocol.Move("m2", seq, bench.match.legal()[0]), other) == "stale"
    assert bench.refused(protocol.Move("m2", 99, bench.match.legal()[0]), other) == "from_the_future"


def test_a_message_is_known_by_its_sender_and_its_id() -> None:
    """As long as fewer than 64 others of the same sender were carried out since; others' messages do not count."""
    bench = playing()
    table = bench.table
    actor, other = bench.match.actor, 1 - bench.match.actor
    bench.move(message_id="one")
    assert table.is_done(bench.who(actor), "one")
    assert not table.is_done(bench.who(other), "one")
    assert not table.is_done(bench.who(identity="a spectator"), "one")
    for number in range(300):
        bench.do(protocol.Say(f"t{number}", "x"), identity="a spectator")
        bench.do(protocol.Say("s", "x"), identity=f"spectator {number}")
    assert table.is_done(bench.who(identity="a spectator"), "t299")  # who sent last is forgotten last
    assert not table.is_done(bench.who(identity="spectator 9"), "s")
    for number in range(70):
        bench.do(protocol.Say(f"s{number}", "x"), other)
    assert table.is_done(bench.who(actor), "one") and table.is_done(bench.who(other), "s69")
    assert table.is_done(bench.who(other), "s6") and not table.is_done(bench.who(other), "s5")
    assert len(table._done) == 256
    for number in range(63):
        bench.do(protocol.Say(f"a{number}", "x"), actor)
    assert table.is_done(bench.who(actor), "one")
    bench.do(protocol.Say("a63", "x"), actor)
    assert not table.is_done(bench.who(actor), "one")
    bench.do(protocol.Leave("leave"), other)
    bench.do(Sit("Eve", b"e" * 32, other), identity="id of Eve")
    assert not table.is_done(bench.who(other), "s69")


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
    assert bench.refused(protocol.Contribute("e", "cd" * 16), 0) == "already_started"
    text = msgspec.json.encode(bench.table.info()).decode()
    assert SECRET.hex() not in text and "ab" * 16 not in text and bench.table.proof() is None
    bench.finish()
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
    bench.finish()
    first = bench.table.record(None)
    assert fairness.check(first, msgspec.to_builtins(bench.table.proof()))
    bench.do(NewMatch(b"y" * 32), 0)
    assert bench.table.status == "waiting" and bench.table.match_no == 2 and bench.table.proof() is None
    assert bench.table.info().commitment == fairness.commit(b"y" * 32)
    bench.do(protocol.Contribute("c", "ab" * 16), 1)
    bench.do(protocol.Start("s2"), 1)
    assert bench.match.commitment != first["commitment"]
    while not bench.match.over:
        assert bench.table.proof() is None
        bench.move()
    proof = msgspec.to_builtins(bench.table.proof())
    assert fairness.check(bench.table.record(None), proof) and not fairness.check(first, proof)
    past = fold("t1", bench.log, lambda table: table.match_no == 1)
    assert past.record(None) == first


def test_a_bot_takes_the_seat_of_whoever_leaves() -> None:
    bench = playing()
    bench.do(protocol.Leave("l"), 1)
    assert bench.table.seats[1].kind == "bot" and bench.table.people == [0]
    assert bench.match.names[1] == "Bob"
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
    match = alone.match
    assert alone.refused(protocol.Undo("u", alone.table.seq), 1) == "nothing_to_undo"
    states = []
    for _ in range(9):
        states.append((match.actor, match.to_bytes()))
        alone.do(Play(match.actor, match.legal()[0], alone.table.seq, "bot"))
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


@pytest.mark.parametrize("name", ["", "x" * 41])
def test_names_have_a_length(name: str) -> None:
    assert Bench().refused(Sit(name, b"x" * 32)) == "bad_name"


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
    bench.do(protocol.React("r", "thumb"), 0)
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
    assert bench.refused(protocol.Move("m", 5, "R1")) == "not_seated"
    again = fold("t1", bench.log)
    assert again.pad is not None and again.pad.to_json() == bench.table.pad.to_json()


def pad_bench(**wanted: Any) -> Bench:
    """A Loba pad with two rounds."""
    bench = Bench(game="loba", kind="pad", players=["Ann", "Bob", "Eve"], first=0, **wanted)
    for points in ([0, 12, 23], [5, 0, 7]):
        bench.do(protocol.Enter("e", bench.table.seq, {"points": points}), can_write=True)
    return bench


def test_entries_are_inserted_removed_and_moved() -> None:
    bench = pad_bench()
    assert bench.table.pad is not None
    bench.do(protocol.Enter("i", 3, {"points": [9, 8, 0]}, 0, insert=True), can_write=True)
    assert [entry["points"][0] for entry in bench.table.pad.entries] == [9, 0, 5]
    bench.do(protocol.Reorder("m", 4, 0, 2), can_write=True)
    assert [entry["points"][0] for entry in bench.table.pad.entries] == [0, 5, 9]
    bench.do(protocol.Wipe("w", 5, 1), can_write=True)
    assert bench.table.pad.totals == [9, 20, 23]
    for command in (
        protocol.Wipe("x", 6, 2),
        protocol.Reorder("x", 6, 0, 2),
        protocol.Enter("x", 6, {}, 3, insert=True),
    ):
        assert bench.refused(command, can_write=True) == "no_such_entry"
        assert bench.refused(command) == "not_allowed"
    assert bench.refused(protocol.Reorder("x", 5, 0, 1), can_write=True) == "stale"
    again = fold("t1", bench.log)
    assert again.pad == bench.table.pad


def test_names_on_a_pad_can_be_changed() -> None:
    bench = pad_bench()
    assert bench.table.info().title == "Ann, Bob, Eve"
    bench.do(protocol.Rename("r", 3, ["Bob", "Ann", " Zoé "]), can_write=True)
    assert bench.table.pad is not None and bench.table.pad.names == ["Bob", "Ann", "Zoé"]
    assert bench.table.info().title == bench.table.summary(3.0).title == "Bob, Ann, Zoé"
    assert bench.refused(protocol.Rename("s", 4, ["Ann", "ann", "Eve"]), can_write=True) == "name_taken"
    assert bench.refused(protocol.Rename("s", 4, ["Ann", "\u2800", "Eve"]), can_write=True) == "bad_name"
    assert bench.refused(protocol.Rename("s", 4, ["Ann", "Bob"]), can_write=True) == "bad_options"
    assert fold("t1", bench.log).pad == bench.table.pad


def test_what_can_hardly_be_is_asked_about_and_written_once_confirmed() -> None:
    bench = pad_bench()
    nobody_out = protocol.Enter("d", 3, {"points": [5, 6, 7]})
    assert bench.refused(nobody_out, can_write=True) == "doubtful"
    with pytest.raises(Refusal) as caught:
        bench.table.decide(nobody_out, bench.who(can_write=True), 2.0)
    assert (caught.value.question, caught.value.field) == ("pad.ask.nobody_out", "points")
    assert "40" in caught.value.say("fr", bench.table.pad)
    confirmed = msgspec.structs.replace(nobody_out, confirmed=["pad.ask.nobody_out"])
    bench.do(confirmed, can_write=True)
    assert bench.table.pad is not None and bench.table.pad.totals == [10, 18, 37]
    # A correction is asked about in the same way, and what was confirmed once is not asked again.
    assert bench.refused(protocol.Enter("c", 4, {"points": [5, 6, 7]}, 0), can_write=True) == "doubtful"
    bench.do(protocol.Enter("c", 4, {"points": [1, 0, 7]}, 0), can_write=True)
    assert fold("t1", bench.log).pad == bench.table.pad


def test_events_of_older_pads_mean_the_same() -> None:
    bench = pad_bench()
    old = [
        b'{"type":"padentered","at":1.0,"entry":{"points":[0,1,2]}}',
        b'{"type":"padentered","at":1.0,"entry":{"points":[0,3,2]},"index":0}',
        b'{"type":"padback","at":1.0}',
    ]
    for data in old:
        bench.table.apply(events.decode(data))
    assert bench.table.pad is not None
    assert [entry["points"] for entry in bench.table.pad.entries] == [[0, 3, 2], [5, 0, 7]]


# Before the deal: seats and options.


def arranged(bot: int | None = None) -> Bench:
    """A table for three that Ann has made, where she sits."""
    bench = Bench(seats=3)
    bench.sit("Ann")
    if bot is not None:
        bench.do(protocol.AddBot("b", bot), 0)
    return bench


def test_people_move_to_a_free_seat_and_take_everything_along() -> None:
    bench = arranged()
    bench.do(protocol.Contribute("c", "ab" * 16), 0)
    bench.do(protocol.TakeSeat("m", 2), 0)
    assert [seat.name for seat in bench.table.seats] == ["", "", "Ann"]
    assert bench.table.seats[2].contribution == b"\xab" * 16
    assert bench.table.seat_of_token(hashlib.sha256(b"Ann").digest()) == 2
    assert bench.table.is_done(bench.who(2), "m") and bench.table.is_done(bench.who(2), "c")
    bench.sit("Eve", 0)  # a seat that was given up comes without ids
    assert not bench.table.is_done(bench.who(0), "m") and not bench.table.is_done(bench.who(0), "c")
    bench.do(protocol.Contribute("c", "cd" * 16), 0)


def test_a_bot_takes_the_seat_of_whoever_takes_its_own() -> None:
    bench = arranged(bot=1)
    bot = bench.table.seats[1].name
    bench.do(protocol.TakeSeat("m", 1), 0)
    assert [seat.name for seat in bench.table.seats] == [bot, "Ann", ""]


def test_nobody_is_pushed_off_a_seat_and_nobody_moves_after_the_deal() -> None:
    bench = arranged(bot=2)
    bench.sit("Bob")
    for seat, code in ((0, "seat_taken"), (1, "seat_taken"), (3, "no_such_seat")):
        assert bench.refused(protocol.TakeSeat("m", seat), 0) == code
    assert bench.refused(protocol.TakeSeat("m", 2), identity="stranger") == "not_seated"
    bench.do(protocol.Start("s"), 0)
    assert bench.refused(protocol.TakeSeat("m", 2), 0) == "already_started"


def test_whoever_made_the_table_sets_it_up_differently() -> None:
    bench = arranged()
    table = bench.table
    bench.do(protocol.Arrange("a", options={"rounds": 7}), 0, identity=OWNER)
    assert table.info().options["rounds"] == 7 and table.options["rounds"] == 7
    bench.do(protocol.Arrange("b", seats=4, clock=60, public=True), 0, identity=OWNER)
    info = table.info()
    assert [seat.kind for seat in info.seats] == ["person", "free", "free", "free"]
    assert (info.clock, info.public, info.options["rounds"]) == (60, True, 7)
    bench.do(protocol.Arrange("c", seats=2), 0, identity=OWNER)
    assert len(table.seats) == 2 and table.summary(0.0).num_seats == 2
    bench.do(protocol.TakeSeat("m", 1), 0)
    assert fold("t1", bench.log).info() == table.info()


def test_a_table_is_not_set_up_by_others_nor_as_the_game_cannot_be() -> None:
    bench = arranged(bot=1)
    bench.sit("Bob", 2)
    assert bench.refused(protocol.Arrange("a", options={"rounds": 7}), 2, identity="id of Bob") == "not_owner"
    for wanted, code in (
        (protocol.Arrange("a", options={"rounds": 8}), "bad_options"),
        (protocol.Arrange("a", options={"colour": "red"}), "bad_options"),
        (protocol.Arrange("a", seats=2), "seat_taken"),
        (protocol.Arrange("a", seats=15), "bad_options"),
    ):
        assert bench.refused(wanted, 0, identity=OWNER) == code
    bench.do(protocol.Start("s"), 0)
    assert bench.refused(protocol.Arrange("a", clock=30), 0, identity=OWNER) == "already_started"


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


def test_bots_have_names_of_their_own() -> None:
    """Eight at a table are told apart, also from people who are called like one of them."""
    bench = Bench(game="lobo77", seats=8)
    bench.sit(f"  {NAMES[0].upper()} ")
    for seat in range(1, 8):
        bench.do(protocol.AddBot("b", seat, "club"), 0)
    names = [seat.name for seat in bench.table.seats]
    assert len({*names}) == 8 and {*names[1:]} <= {*NAMES[1:]}
    bench.do(protocol.RemoveBot("r", 3), 0)
    bench.do(protocol.AddBot("b", 3, "club"), 0)
    assert [seat.name for seat in bench.table.seats] == names
