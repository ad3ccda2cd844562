"""Options: every kind, as values and as text, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest

import ludotheque
from ludotheque import InvalidOptions
from ludotheque.core.info import FLAG, MAX_TEXT, MAX_TEXTS, TEXTS, Option, Options
from ludotheque.core.texts import error_text

FLAG_OPTION = Option("swim", True, FLAG, "L18")
NUMBER = Option("tokens", 3, range(1, 7), "L2")
BELOW_ZERO = Option("floor", -1, range(-3, 1))
STEPS = Option("rounds", 14, range(7, 15, 7), "D2")
CHOICE = Option("lead", "dealer", ("dealer", "winner"), "D8")
LINES = Option("forfeit_list", (), TEXTS, "D15")
ALL = (FLAG_OPTION, NUMBER, STEPS, CHOICE, LINES)


def test_kinds() -> None:
    assert [option.kind for option in ALL] == ["flag", "number", "number", "choice", "texts"]


@pytest.mark.parametrize(
    ("option", "given", "value"),
    [
        (FLAG_OPTION, True, True),
        (FLAG_OPTION, False, False),
        *[(FLAG_OPTION, text, True) for text in ("on", "yes", "true", "oui", "1", "ON", "Oui")],
        *[(FLAG_OPTION, text, False) for text in ("off", "no", "false", "non", "0", "Off")],
        (NUMBER, 1, 1),
        (NUMBER, 6, 6),
        (NUMBER, "4", 4),
        (BELOW_ZERO, -3, -3),
        (BELOW_ZERO, "-2", -2),
        (STEPS, 7, 7),
        (STEPS, "14", 14),
        (CHOICE, "winner", "winner"),
        (LINES, (), ()),
        (LINES, ["Sing.", "Dance."], ("Sing.", "Dance.")),
        (LINES, ["x" * MAX_TEXT] * MAX_TEXTS, ("x" * MAX_TEXT,) * MAX_TEXTS),
    ],
)
def test_good_values(option: Option, given: Any, value: Any) -> None:
    checked = option.check(given)
    assert checked == value and type(checked) is type(value)


BAD: dict[Option, list[Any]] = {
    FLAG_OPTION: [1, 0, None, "", "maybe", 1.0, []],
    NUMBER: [0, 7, -1, "0", "7", "", "x", "3.0", 3.0, True, None, "-", "--3", " 3", "²", "9" * 5000],
    STEPS: [0, 8, 21, "8"],
    CHOICE: ["Winner", "", "deal", 0, True, None, ["dealer"]],
    LINES: ["Sing.", [""], [1], None, 3, b"Sing.", {"Sing.": 1}, ["x"] * (MAX_TEXTS + 1), ["x" * (MAX_TEXT + 1)]],
}


@pytest.mark.parametrize(("option", "given"), [(option, value) for option in BAD for value in BAD[option]])
def test_bad_values_are_refused_with_what_is_taken(option: Option, given: Any) -> None:
    with pytest.raises(InvalidOptions) as caught:
        option.check(given)
    assert option.name in str(caught.value)
    assert option.range_text() in str(caught.value)


def test_ranges_in_words() -> None:
    assert FLAG_OPTION.range_text() == "on or off"
    assert NUMBER.range_text() == "a number from 1 to 6"
    assert BELOW_ZERO.range_text() == "a number from −3 to 0"
    assert STEPS.range_text() == "one of 7, 14"
    assert CHOICE.range_text() == "one of dealer, winner"
    assert NUMBER.range_symbols() == "1…6"
    assert CHOICE.range_symbols() == "dealer|winner"
    assert CHOICE.range_text("fr") == "parmi dealer, winner"
    assert LINES.range_text() == "at most 100 lines of at most 200 characters"


def test_errors_in_french() -> None:
    with pytest.raises(InvalidOptions) as caught:
        NUMBER.check(9)
    assert error_text(caught.value, "fr") == f"l’option {NUMBER.name} est un nombre de 1 à 6, pas 9"
    assert error_text(caught.value, "en") == str(caught.value)
    assert error_text(ValueError("x"), "fr") == "x"


def test_all_options_of_a_match() -> None:
    options = Options(ALL, {"tokens": "5", "lead": "winner", "forfeit_list": ["Sing."]})
    assert dict(options) == {"swim": True, "tokens": 5, "rounds": 14, "lead": "winner", "forfeit_list": ("Sing.",)}
    assert options.codes.tolist() == [1, 5, 14, 1]  # lines are not for rules
    assert options.to_json() == {**options, "forfeit_list": ["Sing."]}
    assert Options(ALL, options.to_json()).to_json() == options.to_json()
    assert len(options) == 5


def test_unknown_options_are_named_with_those_there_are() -> None:
    with pytest.raises(InvalidOptions, match="unknown option colour; there are: swim, tokens, rounds, lead"):
        Options(ALL, {"colour": "red"})
    with pytest.raises(InvalidOptions, match="none"):
        Options((), {"colour": "red"})


@pytest.mark.parametrize("players", [1, 8, 0, -1, 100, True, []])
def test_numbers_of_players_a_game_does_not_take(players: Any) -> None:
    game = ludotheque.game("double_lucky_7")
    with pytest.raises(InvalidOptions):
        game.new(players)


@pytest.mark.parametrize(
    "names", [["Ana"], ["Ana", "Ana"], ["Ana", ""], ["Ana", " "], ["Ana", "x" * 41], ["Ana", "B\nn"], ["Ana", 3]]
)
def test_names_that_will_not_do(names: Any) -> None:
    with pytest.raises(InvalidOptions):
        ludotheque.game("double_lucky_7").new(names)


def test_names_that_will() -> None:
    names = ["Éva", "x" * 40, "李"]
    assert ludotheque.game("double_lucky_7").new(names, seed=1).names == names
    assert ludotheque.game("double_lucky_7").new(3, seed=1).names == ["Player 1", "Player 2", "Player 3"]
    assert ludotheque.game("double_lucky_7").new(seed=1).num_seats == 2


@pytest.mark.parametrize(
    ("game_id", "given", "near"),
    [
        ("skipbo", {"stok": 20}, "stock"),
        ("skipbo", {"Teams": True}, "teams"),
        ("lobo77", {"draw": "manuel"}, "manual"),
        ("double_lucky_7", {"lead": "Winner"}, "winner"),
    ],
)
def test_what_is_mistyped_is_asked_about(game_id: str, given: dict[str, Any], near: str) -> None:
    for make in (ludotheque.game(game_id).new, lambda **options: ludotheque.pad(game_id, 3, **options)):
        with pytest.raises(InvalidOptions, match=rf"; did you mean {near}\?$") as refused:
            make(**given)
        assert error_text(refused.value, "fr").endswith(f"\N{NO-BREAK SPACE}; pensiez-vous à {near}\N{NO-BREAK SPACE}?")


def test_what_is_like_nothing_is_not() -> None:
    with pytest.raises(InvalidOptions, match="there are: stock, match") as refused:
        ludotheque.game("skipbo").new(jokers_wild=True)  # type: ignore[call-arg]  # no option of its
    assert "did you mean" not in str(refused.value)
