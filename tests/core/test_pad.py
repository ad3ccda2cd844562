"""Score pads: what every game's pad keeps to, and refusals of everything that is no entry."""

from __future__ import annotations

import copy
import csv
import io
import json
import re
import string
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ludotheque
from ludotheque import InvalidOptions, InvalidRecord, LudothequeError, MatchOver, UnknownGame
from ludotheque.core import pad as pads
from ludotheque.core import registry
from ludotheque.core.pad import Pad
from ludotheque.core.pad_entry import Field, InvalidEntry
from ludotheque.core.texts import LANGUAGES, SHARED, catalogue

NAMES = ["Ana", "Ben", "Cleo", "Dan"]
GAMES = ludotheque.game_ids()
FILLED: dict[str, list[dict[str, Any]]] = {
    "lobo77": [{"player": 0, "total": 33}, {"player": 1, "total": 77}],
    "loba": [{"points": [0, 12, 23, 34]}, {"points": [5, 0, 6, 7]}],
    "skipbo": [{"stocks": [3, 0, 5, 7]}, {"stocks": [0, 1, 2, 3]}],
    "volle_lotte": [{"points": 550}, {"points": 0}],
    "double_lucky_7": [{"bids": [0, 0, 0, 0]}, {"tricks": [0, 1, 0, 0]}],
}
"""Two entries that fit after each other, where the least that each field takes would not."""

each_game = pytest.mark.parametrize("game_id", GAMES)


def start(game_id: str, **options: Any) -> Pad:
    if game_id == "skipbo":
        options.setdefault("match", "points")
    return ludotheque.pad(game_id, NAMES, **{"first": 0, "seed": 7, **options})


@cache
def filled(game_id: str) -> Pad:
    pad = start(game_id)
    for number in range(2):
        pad = pad.enter(FILLED[game_id][number] if game_id in FILLED else least_entry(pad))
    return pad


def least_entry(pad: Pad) -> dict[str, Any]:
    """The entry with the least that each field takes."""
    assert pad.form is not None
    return {f.name: [f.values[0]] * len(pad.names) if f.each else f.values[0] for f in pad.form.fields}


def value_of(field: Field, draw: Any) -> Any:
    """A value within the form; small numbers for the most part, so that they often fit together."""
    if field.kind == "flag":
        return draw(st.booleans())
    return draw(st.sampled_from([*field.values[:40], field.values[-1]]))


@st.composite
def some_entry(draw: Any, pad: Pad) -> dict[str, Any]:
    """An entry that the form allows. The rules may still refuse it."""
    assert pad.form is not None
    count = len(pad.names)
    return {f.name: [value_of(f, draw) for _ in range(count)] if f.each else value_of(f, draw) for f in pad.form.fields}


@each_game
def test_an_entry_gives_a_new_pad_and_leaves_the_old_one(game_id: str) -> None:
    empty = start(game_id)
    before = json.dumps(empty.view())
    pad = empty.enter(filled(game_id).entries[0])
    assert json.dumps(empty.view()) == before
    assert len(pad.entries) == 1 and not empty.entries
    assert pad.back().view() == empty.view()
    assert pad.rounds[0].entries == [0]


@each_game
def test_json_goes_both_ways(game_id: str) -> None:
    pad = filled(game_id)
    again = Pad.from_json(json.loads(json.dumps(pad.to_json())))
    for lang in LANGUAGES:
        assert json.loads(json.dumps(again.view(lang))) == json.loads(json.dumps(pad.view(lang)))
    assert again.to_json() == pad.to_json()


@each_game
def test_a_correction_is_as_if_it_had_been_written_at_once(game_id: str) -> None:
    first, second = filled(game_id).entries
    pad = filled(game_id)
    before = json.dumps(pad.view())
    assert pad.correct(0, first).view() == pad.view()
    others: dict[str, dict[str, Any]] = {
        "lobo77": {"player": 2, "total": 77},
        "loba": {"points": [90, 12, 0, 34]},
        "skipbo": {"stocks": [3, 20, 0, 7]},
        "volle_lotte": {"points": 1050, "plus_minus": 1},
        "double_lucky_7": {"bids": [0, 1, 0, 1]},
    }
    corrected = pad.correct(0, others[game_id])
    assert corrected.view() == start(game_id).enter(others[game_id]).enter(second).view()
    assert corrected.totals != pad.totals
    assert json.dumps(pad.view()) == before


@pytest.mark.slow
@each_game
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_whatever_the_form_allows_is_written_or_refused_with_a_reason(game_id: str, data: st.DataObject) -> None:
    pad = start(game_id)
    for _ in range(8):
        if pad.over:
            with pytest.raises(MatchOver):
                pad.enter({})
            break
        entry = data.draw(some_entry(pad))
        before = json.dumps(pad.view())
        try:
            after = pad.enter(entry)
        except InvalidEntry as error:
            assert error.rule and str(error).endswith(f"[{error.rule}]")
            assert pad.refusal_text(error, "en") == str(error) != pad.refusal_text(error, "fr")
            after = pad
        assert json.dumps(pad.view()) == before
        pad = after
    assert Pad.from_json(pad.to_json()).view("fr") == pad.view("fr")
    last = [0] * 4 if game_id != "lobo77" else start(game_id).totals
    for row in pad.rounds:
        assert row.totals == [a + b for a, b in zip(last, row.points, strict=True)]
        last = row.totals
    assert pad.totals == last


@pytest.mark.slow
@each_game
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_a_correction_holds_exactly_if_everything_could_be_written_so(game_id: str, data: st.DataObject) -> None:
    pad = start(game_id)
    for _ in range(6):
        try:
            pad = pad if pad.over else pad.enter(data.draw(some_entry(pad)))
        except InvalidEntry:
            continue
    if not pad.entries:
        return
    index = data.draw(st.integers(0, len(pad.entries) - 1))
    other = data.draw(some_entry(pad.at(index)))
    try:
        again = pad.at(index).enter(other)
        for entry in pad.entries[index + 1 :]:
            again = again.enter(entry)
    except (InvalidEntry, MatchOver):
        with pytest.raises(InvalidEntry):
            pad.correct(index, other)
    else:
        assert pad.correct(index, other).view() == again.view()


@st.composite
def some_pad(draw: Any, game_id: str, most: int = 6) -> Pad:
    """A pad with a few entries that fit."""
    pad = start(game_id)
    for _ in range(most):
        try:
            pad = pad if pad.over else pad.enter(draw(some_entry(pad)))
        except InvalidEntry:
            continue
    return pad


def written(game_id: str, entries: Sequence[Mapping[str, Any]]) -> Pad | None:
    """The pad with these entries in this order; None if they do not fit."""
    pad = start(game_id)
    try:
        for entry in entries:
            pad = pad.enter(entry)
    except (InvalidEntry, MatchOver):
        return None
    return pad


def same(change: Callable[[], Pad], expected: Pad | None) -> None:
    """A change gives the pad expected, or is refused with a reason if there is none."""
    if expected is None:
        with pytest.raises((InvalidEntry, MatchOver)):
            change()
    else:
        assert change().view() == expected.view()


@pytest.mark.slow
@each_game
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_inserting_and_removing_is_as_if_it_had_been_written_so(game_id: str, data: st.DataObject) -> None:
    pad = data.draw(some_pad(game_id))
    before = json.dumps(pad.view())
    index = data.draw(st.integers(0, len(pad.entries)))
    if pad.at(index).form is None:
        with pytest.raises(MatchOver):
            pad.insert(index, {})
        return
    entry = data.draw(some_entry(pad.at(index)))
    expected = written(game_id, [*pad.entries[:index], entry, *pad.entries[index:]])
    same(lambda: pad.insert(index, entry), expected)
    if expected is not None:
        assert pad.insert(index, entry).remove(index) == pad
    if index < len(pad.entries):
        same(lambda: pad.remove(index), written(game_id, [*pad.entries[:index], *pad.entries[index + 1 :]]))
    assert json.dumps(pad.view()) == before


@pytest.mark.slow
@each_game
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_moving_is_as_if_it_had_been_written_in_that_order(game_id: str, data: st.DataObject) -> None:
    pad = data.draw(some_pad(game_id))
    if not pad.entries:
        return
    index, to = (data.draw(st.integers(0, len(pad.entries) - 1)) for _ in range(2))
    order = list(pad.entries)
    order.insert(to, order.pop(index))
    expected = written(game_id, order)
    same(lambda: pad.move(index, to), expected)
    if expected is not None:
        assert pad.move(index, to).move(to, index) == pad
        assert Pad.from_json(json.loads(json.dumps(expected.to_json()))).view("fr") == expected.view("fr")


@each_game
def test_entries_are_inserted_removed_and_moved(game_id: str) -> None:
    if game_id == "double_lucky_7":  # bids and tricks alternate, and each round has its own number of cards
        with pytest.raises(InvalidEntry, match=r"entry 2 would no longer fit: There is no field tricks here"):
            filled(game_id).remove(0)
        return
    pad = filled(game_id)
    first, second = pad.entries
    assert pad.move(0, 1).entries == (second, first) and pad.remove(0).entries == (second,)
    longer = pad.insert(1, second)
    assert longer.entries == (first, second, second) and longer.totals == pad.enter(second).totals
    assert longer.remove(1) == pad
    index: Any
    for index in (-1, 2, True, "1"):
        for change in (pad.remove, lambda at: pad.move(at, 0), lambda at: pad.move(0, at)):
            with pytest.raises(LudothequeError, match="no entry"):
                change(index)
    with pytest.raises(LudothequeError, match="no moment"):
        pad.insert(3, second)


@each_game
def test_names_can_be_changed(game_id: str) -> None:
    pad = filled(game_id)
    names = ["Zoé", "Ana", "Cleo", "Dan"]
    other = pad.rename(names)
    assert other.names == names and pad.names == NAMES
    assert (other.totals, other.entries) == (pad.totals, pad.entries)
    assert other == Pad.from_json(other.to_json()) != pad
    assert other.rename(NAMES).view("fr") == pad.view("fr")
    bad: Any
    for bad in (["Ana"] * 4, NAMES[:3], ["", "B", "C", "D"], 4):
        with pytest.raises(InvalidOptions):
            pad.rename(bad)


@pytest.mark.slow
@each_game
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_a_check_says_what_writing_would(game_id: str, data: st.DataObject) -> None:
    pad = data.draw(some_pad(game_id, 3))
    if pad.over:
        return
    entry = data.draw(some_entry(pad))
    check = pad.check(entry)
    assert not check.missing
    try:
        pad.enter(entry)
    except InvalidEntry as error:
        assert [str(one) for one in check.errors] == [str(error)] and not check.questions
        assert error.field in {field.name for field in pad.form.fields}  # type: ignore[union-attr]
    else:
        assert not check.errors
        assert all(pad.question_text(one, "en") != pad.question_text(one, "fr") for one in check.questions)


@each_game
def test_an_empty_field_is_missing_and_not_0(game_id: str) -> None:
    pad = start(game_id)
    assert pad.form is not None
    needed = [field for field in pad.form.fields if field.default is None]
    for nothing in (None, "", "  "):
        entry = {field.name: [nothing] * 4 if field.each else nothing for field in needed}
        check = pad.check(entry)
        assert not check.errors and not check.questions
        places = [(error.field, error.seats) for error in check.missing]
        assert places == [(f.name, seats) for f in needed for seats in ([[0], [1], [2], [3]] if f.each else [[]])]
        with pytest.raises(InvalidEntry, match="nothing is written yet"):
            pad.enter(entry)


def test_every_error_stands_at_its_field() -> None:
    check = start("double_lucky_7").check({"bids": [5, 0, "x", None]})
    assert [(error.field, error.seats) for error in check.errors] == [("bids", [0]), ("bids", [2])]
    assert [(error.field, error.seats) for error in check.missing] == [("bids", [3])]
    assert check.values == {"bids": [None, 0, None, None]}
    hook = start("double_lucky_7").check({"bids": [0, 0, 0, 1]})
    assert [(error.rule, error.field, error.seats) for error in hook.errors] == [("D7", "bids", [3])]


def test_the_sheet_as_csv() -> None:
    pad = filled("loba").rename(["Zoé", 'Ben "B"', "Cleo, C", "=Dan"])
    text = pad.to_csv("fr")
    assert text.startswith("\ufeff")
    rows = list(csv.reader(io.StringIO(text[1:], newline="")))
    assert rows[0] == ["Ligne", "Mène", "Inscrit", "Zoé", 'Ben "B"', "Cleo, C", "'=Dan"]
    assert [row[:2] + row[3:] for row in rows[1:3]] == [
        ["1", "1", "0", "12", "23", "34"],
        ["2", "2", "5", "0", "6", "7"],
    ]
    assert [row[2:] for row in rows[3:]] == [["Total", "5", "12", "29", "41"], ["Place", "1", "2", "3", "4"]]
    assert text.count("\r\n") == 5
    teams = ludotheque.pad("skipbo", NAMES, first=0, teams=True).enter({"stocks": [0, 3, 0, 4]})
    assert next(csv.reader(io.StringIO(teams.to_csv()[1:])))[3:] == ["Ana + Cleo", "Ben + Dan"]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)


@each_game
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_nonsense_is_refused_with_a_reason(game_id: str, data: st.DataObject) -> None:
    pad = filled(game_id)
    assert pad.form is not None
    before = json.dumps(pad.view())
    entry: Any = data.draw(JSON | st.fixed_dictionaries({field.name: JSON for field in pad.form.fields}))
    try:
        pad.enter(entry)
    except InvalidEntry as error:
        assert str(error) and pad.refusal_text(error, "fr")
    assert json.dumps(pad.view()) == before


@each_game
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_broken_json_is_refused(game_id: str, data: st.DataObject) -> None:
    whole = filled(game_id).to_json()
    name = data.draw(st.sampled_from(sorted(whole)))
    broken = {**whole, name: data.draw(JSON)}
    if data.draw(st.booleans()):
        del broken[name]
    try:
        Pad.from_json(broken)
    except (InvalidRecord, UnknownGame) as error:
        assert str(error)


def test_what_is_not_a_pad_says_so() -> None:
    whole = filled("lobo77").to_json()
    bad: Any
    for bad in (None, [], {}, {"game": "lobo77"}, "pad", {**whole, "ludotheque_pad": 2}, {**whole, "more": 1}):
        with pytest.raises(InvalidRecord):
            Pad.from_json(bad)
    with pytest.raises(InvalidRecord, match=r"entry 2 .* cannot be: .*L18"):
        Pad.from_json({**whole, "entries": [*whole["entries"][:1], {"player": 9, "total": 77}]})
    with pytest.raises(InvalidRecord, match="first is a seat"):
        Pad.from_json({**whole, "first": 4})
    with pytest.raises(InvalidRecord, match="2 to 8 players"):
        Pad.from_json({**whole, "players": ["Ana"]})


def test_bad_tables_are_refused() -> None:
    with pytest.raises(UnknownGame):
        ludotheque.pad("bridge", NAMES)
    with pytest.raises(InvalidOptions, match="3 to 5 players"):
        ludotheque.pad("loba", 2)
    with pytest.raises(InvalidOptions, match="unknown option"):
        ludotheque.pad("loba", 4, target=3)
    with pytest.raises(InvalidOptions, match="first is a seat from 0 to 3"):
        ludotheque.pad("loba", 4, first=4)
    with pytest.raises(InvalidOptions, match="seed"):
        ludotheque.pad("loba", 4, seed=-1)


@each_game
def test_who_is_first_is_drawn_if_nobody_says(game_id: str) -> None:
    firsts = {ludotheque.pad(game_id, 4).first for _ in range(60)}  # one seat is missed once in 10 million times
    assert firsts == {0, 1, 2, 3}


@each_game
def test_values_may_come_as_text(game_id: str) -> None:
    as_text: dict[str, dict[str, Any]] = {
        "lobo77": {"player": "Ana", "total": "33"},
        "loba": {"points": ["0", " 12", "KS 10H", "34"]},
        "skipbo": {"stocks": ["3", "0", "5", "7"]},
        "volle_lotte": {"points": "550", "plus_minus": "0"},
        "double_lucky_7": {"bids": ["0"] * 4},
    }
    assert (
        start(game_id).enter(as_text[game_id]).entries
        == start(game_id)
        .enter({**filled(game_id).entries[0], **({"points": [0, 12, 23, 34]} if game_id == "loba" else {})})
        .entries
    )


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        (5, "An entry gives a value for each field"),
        ({}, r"Bid: nothing is written yet for Ana. \[D6\]"),
        ({"bids": [0, 0, 0]}, r"Bid takes one value for each of the 4 players. \[D6\]"),
        ({"bids": [0, 2, 0, 0]}, r"Bid goes from 0 to 1; Ben cannot have 2. \[D6\]"),
        ({"bids": [0, True, 0, 0]}, r"Ben cannot have True. \[D6\]"),
        ({"bids": [0, 1.0, 0, 0]}, r"Ben cannot have 1.0. \[D6\]"),
        ({"bids": [0, "two", 0, 0]}, r"Ben cannot have two. \[D6\]"),
        ({"bids": [0] * 4, "tricks": [0] * 4}, "There is no field tricks here"),
    ],
)
def test_refusals_say_what_to_write(entry: Any, message: str) -> None:
    pad = start("double_lucky_7")
    with pytest.raises(InvalidEntry, match=message) as caught:
        pad.enter(entry)
    french = pad.refusal_text(caught.value, "fr")
    assert french and french != str(caught.value)


def test_choices_and_flags_are_checked() -> None:
    with pytest.raises(InvalidEntry, match=r"Who loses a token is one of Ana, Ben, Cleo, Dan, not Eve. \[L18\]"):
        start("lobo77").enter({"player": "Eve", "total": 77})
    with pytest.raises(InvalidEntry, match=r"one of 11, 22, 33, 44, 55, 66, 77 or more, not 12. \[L7\]"):
        start("lobo77").enter({"player": 0, "total": 12})
    with pytest.raises(InvalidEntry, match=r"yes or no, not 1. \[S11\]"):
        start("skipbo").enter({"stocks": [1, 2, 3, 4], "blocked": 1})
    with pytest.raises(InvalidEntry, match="nothing to work out"):
        start("skipbo").reckon("5")


def test_a_correction_that_later_entries_do_not_bear_is_refused() -> None:
    pad = start("lobo77", tokens=1)
    for player in (0, 1, 0):
        pad = pad.enter({"player": player, "total": 77})
    before = pad.view()
    with pytest.raises(InvalidEntry, match=r"entry 3 would no longer fit: Who loses a token is one of Ben, Cleo"):
        pad.correct(1, {"player": 0, "total": 22})
    short = ludotheque.pad("lobo77", 2, tokens=1, first=0, swim=False).enter({"player": 0, "total": 11})
    assert short.over
    long = ludotheque.pad("lobo77", 2, tokens=2, first=0, swim=False)
    for player in (0, 1, 0):
        long = long.enter({"player": player, "total": 11})
    with pytest.raises(InvalidEntry, match="entry 3 would no longer fit: The match is over") as caught:
        long.correct(1, {"player": 0, "total": 11})
    assert "La partie est finie" in long.refusal_text(caught.value, "fr")
    assert pad.view() == before
    for index in (-1, 3, True, "1"):
        with pytest.raises(LudothequeError, match="no entry"):
            pad.correct(index, {"player": 1, "total": 77})  # type: ignore[arg-type]
    with pytest.raises(LudothequeError, match="no moment"):
        pad.back(4)


def test_a_full_pad_takes_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pads, "MAX_ENTRIES", 2)
    with pytest.raises(InvalidEntry, match="full"):
        filled("volle_lotte").enter({"points": 50})


def test_a_game_without_a_pad_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry._REGISTERED, "padless", "ludotheque.bots")
    with pytest.raises(LudothequeError, match="no score sheet"):
        pads._load("padless")


@each_game
@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_text_of_a_form_is_there(game_id: str, lang: str) -> None:
    pad = filled(game_id)
    for count in range(len(pad.entries) + 1):
        form = pad.at(count).form_view(lang)
        assert form is not None and form["title"]
        assert all(field["label"] for field in form["fields"])
    assert pad.say("pad.first", {}, lang) and pad.score_text(lang)
    assert all(pad.entry_text(index, lang) for index in range(2))


@each_game
@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_message_that_a_pad_names_is_there_and_no_other(game_id: str, lang: str) -> None:
    module = pads._load(game_id)
    assert module.__file__ is not None
    source = Path(module.__file__).read_text(encoding="utf-8")
    named = {key for key in re.findall(r'"((?:pad|why|events)\.[a-z_.]+)"', source)}
    words = ludotheque.game(game_id).catalogue(lang)
    assert not [key for key in named if words.find(key) is None]
    for kind in ("pad.why", "pad.ask"):
        there = words.find(kind) or {}
        assert {f"{kind}.{key}" for key in there} == {key for key in named if key.startswith(f"{kind}.")}


def test_both_languages_have_the_same_messages() -> None:
    english, french = (catalogue(SHARED / "pad", lang) for lang in LANGUAGES)
    assert list(english.keys()) == list(french.keys())
    for key in list(english.keys()):
        holes = [{h for _, h, _, _ in string.Formatter().parse(words.find(key)) if h} for words in (english, french)]
        assert holes[0] == holes[1], key
        spoken = "".join(literal for literal, *_ in string.Formatter().parse(french.find(key)))
        assert "'" not in spoken and not any(f" {mark}" in spoken for mark in ":;!?"), key


def test_nobody_changes_a_pad_from_outside() -> None:
    pad = filled("loba")
    data = pad.to_json()
    before = copy.deepcopy(data)
    data["entries"][0]["points"][0] = 99
    data["players"].append("Eve")
    pad.totals.append(1)
    assert pad.to_json() == before


@each_game
def test_the_view_has_the_fields_of_every_entry(game_id: str) -> None:
    pad = filled(game_id)
    for lang in LANGUAGES:
        view = pad.view(lang)
        assert len(view["entry_forms"]) == len(pad.entries) == 2
        for index, which in enumerate(view["entry_forms"]):
            form = pad.at(index).form_view(lang)
            assert form is not None
            assert view["forms"][which] == form["fields"]
        assert all(form not in view["forms"][:number] for number, form in enumerate(view["forms"]))
        assert set(view["entry_forms"]) == set(range(len(view["forms"])))
    assert (start(game_id).view()["forms"], start(game_id).view()["entry_forms"]) == ([], [])
