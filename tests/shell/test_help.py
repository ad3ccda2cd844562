"""Help as people read it: every option with its range and default, examples, the game's own options, both languages."""

from __future__ import annotations

import argparse
import re

import pytest

import ludotheque
from ludotheque.cli import COMMANDS, main, make_parser
from ludotheque.core.texts import LANGUAGES
from ludotheque.core.words import game_words
from ludotheque.shell.arguments import Parser

WITH_GAMES = [name for name, command in COMMANDS.items() if command.takes_game_options]

NOTHING_BY_DEFAULT = {
    "load", "out", "json", "plot", "report", "vary", "key", "origins", "days",
}  # fmt: skip
"""Options without which nothing happens: there is no default to tell."""


@pytest.fixture(autouse=True)
def _eighty_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("LUDOTHEQUE_DATA", "/data")


def shown(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """What help prints."""
    with pytest.raises(SystemExit) as stopped:
        main([*arguments, "--help"])
    assert stopped.value.code == 0
    told = capsys.readouterr()
    assert not told.err
    return told.out


def flat(text: str) -> str:
    """The words of a text without its lines, and with ordinary spaces."""
    return " ".join(text.replace("\u00a0", " ").split())


def takes_value(action: argparse.Action) -> bool:
    return bool(action.option_strings) and action.nargs != 0


def test_commands_that_take_a_games_options() -> None:
    assert WITH_GAMES == ["play", "pad", "simulate", "tournament", "skill", "solve"]


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_help_has_options_with_defaults_and_examples(
    command: str, lang: str, capsys: pytest.CaptureFixture[str]
) -> None:
    text = shown(capsys, *([command] if command else []), "--lang", lang)
    parser = make_parser(lang)
    if command:
        parser = parser.commands[command]
    assert all(len(line) <= 80 for line in text.splitlines()), text
    assert "--lang en|fr" in text
    default, examples = {"en": ("default: ", "examples:"), "fr": ("par défaut : ", "exemples :")}[lang]
    head, _, tail = flat(text).partition(examples)
    assert re.match(r"(# )?(source <\()?ludotheque ", tail.strip())
    for flag, action in parser.flags.items():
        assert action.help and flat(action.help.replace("%%", "%")) in head, flag
        if takes_value(action) and action.dest not in NOTHING_BY_DEFAULT:
            assert default in flat(action.help), flag
            if action.default is not None:
                assert f"{default}{action.default})" in head, flag
    for action in parser.places[:0] if not command else parser.places:
        assert action.help and flat(action.help) in head


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("command", WITH_GAMES)
@pytest.mark.parametrize("game_id", ludotheque.game_ids())
def test_a_games_own_options_have_a_group_of_their_own(
    command: str, game_id: str, lang: str, capsys: pytest.CaptureFixture[str]
) -> None:
    text = shown(capsys, command, game_id, "--lang", lang)
    assert all(len(line) <= 80 for line in text.splitlines()), text
    title = {"en": "options of {}:", "fr": "options de {} :"}[lang].format(game_words(game_id).name)
    group = flat(text).partition(title)[2]
    texts = game_words(game_id).catalogue(lang)
    off, on = {"en": ("off", "on"), "fr": ("non", "oui")}[lang]
    assert texts.say("about.players").replace("\u00a0", " ") in group
    for option in ludotheque.game(game_id).info.options:
        flag = "--" + option.name.replace("_", "-")
        assert flat(texts.say(f"options.{option.name}.help")) in group
        if option.kind == "flag":
            assert f"{flag}, --no-{flag[2:]} " in group
            usual = on if option.default else off
        elif option.kind == "texts":
            usual = {"en": "ours", "fr": "les nôtres"}[lang]
        else:
            assert f"{flag} {option.range_symbols()} " in group
            usual = str(option.default)
        if option.kind == "choice":
            for value in option.values:
                meaning = flat(texts.say(f"options.{option.name}.values.{value}"))
                assert {"en": f"{value}: {meaning}", "fr": f"{value} : {meaning}"}[lang] in group
        after = group.partition(f"{flag}")[2]
        assert f": {usual})" in after


@pytest.mark.parametrize("command", WITH_GAMES)
def test_help_without_a_game_says_how_to_see_its_options(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert f"ludotheque {command} GAME --help" in shown(capsys, command, "--lang", "en")
    assert f"ludotheque {command} JEU --help" in shown(capsys, command, "--lang", "fr")
    assert "GAME --help" not in shown(capsys, command, "loba", "--lang", "en")


def texts_of(parser: Parser) -> dict[str, str]:
    """Every text of a command's help, by what it is about."""
    found = {action.dest: str(action.help) for action in [*parser.places, *parser.flags.values()]}
    return {**found, "": parser.about, "usage": parser.format_usage()}


@pytest.mark.parametrize("command", COMMANDS)
def test_french_help_has_no_english_in_it(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    english, french = (make_parser(lang).commands[command] for lang in ("en", "fr"))
    if command in WITH_GAMES:
        for parser in (english, french):
            parser.add_game("double_lucky_7")
    ours, theirs = texts_of(english), texts_of(french)
    assert ours.keys() == theirs.keys()
    assert [name for name in ours if ours[name] == theirs[name]] == []
    game = ["double_lucky_7"] if command in WITH_GAMES else []
    text = flat(shown(capsys, command, *game, "--lang", "fr"))
    assert not re.search(r"usage:|arguments:|options:|\bdefault\b|\bFILE\b|\bGAME\b|\bNAME\b|show this", text)


def test_a_games_options_are_the_ones_its_rules_have() -> None:
    for game_id in ludotheque.game_ids():
        assert game_words(game_id).options == ludotheque.game(game_id).info.options


def test_a_games_options_may_stand_before_it_and_never_hide_the_commands_own() -> None:
    parser = make_parser("en")
    args = parser.parse_args(["play", "--stock", "20", "--players", "loba,club", "skipbo", "--no-teams", "--seed=-3"])
    assert (args.game, args.players, args.seed) == ("skipbo", "loba,club", "-3")
    assert args.options == {"stock": "20", "teams": False}
    args = make_parser("en").parse_args(["pad", "double_lucky_7", "--forfeit-list", "a", "--forfeit-list", "b"])
    assert args.options == {"forfeit_list": ["a", "b"]}
    assert make_parser("en").parse_args(["play"]).options == {}


@pytest.mark.parametrize(
    ("arguments", "english", "french"),
    [
        ("play skipbo --stok 20", "did you mean --stock?", "vouliez-vous dire --stock ?"),
        ("play --stock 20", "--stock is not understood here", "--stock n’est pas compris ici"),
        ("play skipbo --seed", "--seed needs a value", "--seed demande une valeur"),
        ("play skipbo --plain=yes", "--plain takes no value", "--plain ne prend pas de valeur"),
        ("rules", "missing: GAME", "il manque : JEU"),
        ("", "missing: COMMAND", "il manque : COMMANDE"),
        ("dance", "one of play, join, ", "parmi play, join, "),
        ("completion tcsh", "one of bash, zsh, fish, not tcsh", "parmi bash, zsh, fish, pas tcsh"),
        ("verify a b", "b is not understood here", "b n’est pas compris ici"),
    ],
)
def test_what_is_wrong_is_said_in_both_languages(
    arguments: str, english: str, french: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for lang, words in (("en", english), ("fr", french)):
        with pytest.raises(SystemExit) as stopped:
            main([*arguments.split(), "--lang", lang])
        assert stopped.value.code == 2
        told = capsys.readouterr()
        assert words in flat(told.err) and "--help" in told.err and not told.out
        assert "argument" not in told.err and "error" not in told.err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ("simulate loba --games 0", "--games {} 1 {} 10000000000"),
        ("simulate loba --games many", "--games {} 1 {} 10000000000"),
        ("simulate loba --jobs 1000", "--jobs {} 0 {} 256"),
        ("tournament loba --deals 1000001", "--deals {} 1 {} 1000000"),
        ("tournament loba --jobs 0", "--jobs {} 1 {} 256"),
        ("skill loba --deals 1", "--deals {} 2 {} 100000"),
        ("solve volle_lotte --jobs -1", "--jobs {} 0 {} 256"),
        ("serve --port 65536", "--port {} 0 {} 65535"),
        ("play skipbo --stock 31 --plain", "stock {} 5 {} 30"),
        ("pad skipbo --target x --plain", "target {} 50 {} 1000"),
    ],
)
def test_bad_values_say_the_range(arguments: str, words: str, capsys: pytest.CaptureFixture[str]) -> None:
    for lang, fill in (("en", ("is a number from", "to")), ("fr", (": un nombre de", "à"))):
        assert main([*arguments.split(), "--lang", lang]) == 2
        told = flat(capsys.readouterr().err)
        wanted = words.format(*fill)
        if "--" not in words and lang == "fr":  # an option of a game, in the words of its own check
            wanted = wanted.split(" ", 1)[0]
        assert wanted in told


def test_a_seat_and_players_are_whole_numbers(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", "match.json", "--seat", "one", "--lang", "en"]) == 2
    assert "--seat is a whole number from 0 up, not one" in capsys.readouterr().err
    assert main(["simulate", "loba", "--players", "9", "--lang", "en"]) == 2
    assert "3 to 5 players" in capsys.readouterr().err
    assert main(["warm", "--list", "--clear", "--lang", "en"]) == 2
    assert "--list and --clear do not go together" in capsys.readouterr().err
