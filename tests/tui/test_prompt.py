"""The prompt, as a person at a keyboard meets it: whole matches, refusals, help, undo, save and load."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

import ludotheque
from ludotheque.bots.bot import Candidate, Thought
from ludotheque.cli import main
from ludotheque.tui.advice import Adviser
from ludotheque.tui.prompt import parse_players

SHORT = {
    "lobo77": ["--tokens", "1"],
    "loba": [],
    "skipbo": ["--stock", "5"],
    "volle_lotte": ["--target", "1000"],
    "double_lucky_7": ["--rounds", "7"],
}


def type_in(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))


def play(game_id: str, *arguments: str) -> int:
    return main(["play", game_id, "--seed", "3", *arguments])


@pytest.mark.slow
@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("game_id", ludotheque.game_ids())
def test_a_whole_match_by_always_taking_the_first_move(
    game_id: str, lang: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    type_in(monkeypatch, *["#1"] * 6000)
    bots = ",bot" * (ludotheque.game(game_id).info.min_seats - 1)
    assert play(game_id, "--players", f"Ann{bots}", "--lang", lang, *SHORT[game_id]) == 0
    out = capsys.readouterr().out
    ending = {"en": "The match is over", "fr": "partie est finie"}[lang]
    assert ending in out
    assert any(line.startswith("1. ") for line in out.splitlines()[-4:])


@pytest.mark.parametrize("game_id", ludotheque.game_ids())
def test_nonsense_and_refusals_are_answered_and_change_nothing(
    game_id: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    game = ludotheque.game(game_id)
    names = ["Ann", "Ben", "Cleo", "Dan"][: max(game.info.min_seats, 2)]
    match = game.new(names, seed=3)
    legal = match.legal()
    illegal = next(text for text in game.moves.texts if text not in legal)
    type_in(monkeypatch, "abracadabra", illegal, "? zz9", "moves", "log", "lang fr", "quit")
    assert play(game_id, "--players", ",".join(names), "--lang", "en") == 0
    out = capsys.readouterr().out
    assert "abracadabra: not a move I know" in out
    refusal = match.explain(illegal)
    assert refusal is not None
    assert str(refusal) in out
    assert "There is no rule zz9" in out
    assert "À la prochaine" in out or "See you next time" in out


def test_help_shows_the_rules_or_one_rule(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    type_in(monkeypatch, "?", "? d7", "quit")
    assert play("double_lucky_7", "--players", "Ann,bot", "--lang", "en") == 0
    out = capsys.readouterr().out
    assert "# Double Lucky 7" in out
    assert out.count("[D7]") > 2


@pytest.mark.parametrize(
    ("lang", "choice", "others", "basis"),
    [
        ("en", "The expert’s choice: Bid ", "Next best: Bid ", "Judged by playing on 4000 times"),
        (
            "fr",
            "Le choix de l’expert\u00a0: Annoncer ",
            "Puis, par ordre\u00a0: Annoncer ",
            "Estimé en jouant la suite 4000 fois",
        ),
    ],
)
def test_a_hint_is_the_experts_move_and_its_reasons(
    lang: str,
    choice: str,
    others: str,
    basis: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    one, none = ludotheque.game("double_lucky_7").move("bid 1"), ludotheque.game("double_lucky_7").move("bid 0")
    certain = (Candidate(one, 0.6, 0.0, 0.5), Candidate(none, 0.4, 0.0, 0.5))
    monkeypatch.setattr(Adviser, "think", lambda *_: Thought(one, certain, 4000, 0.1))
    type_in(monkeypatch, "hint", "quit")
    assert play("double_lucky_7", "--players", "Ann,bot", "--lang", lang) == 0
    out = capsys.readouterr().out
    assert f"{choice}1 " in out and f"{others}0 " in out and basis in out
    plain = out.replace("\N{NO-BREAK SPACE}", " ")
    assert plain.count("60 %") == plain.count("40 %") == 1


def test_a_hint_changes_nothing_and_the_only_move_is_said_to_be(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    type_in(monkeypatch, "hint", "log", "quit")
    assert play("volle_lotte", "--players", "Ann,bot", "--lang", "en") == 0
    out = capsys.readouterr().out
    assert "There is only one move: Roll the dice" in out
    assert "Ann rolls" not in out


@pytest.mark.parametrize("word", ["?", "help"])
@pytest.mark.parametrize(("lang", "line"), [("en", "hint         what the"), ("fr", "hint           ce que")])
def test_help_lists_the_hint(
    word: str, lang: str, line: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    type_in(monkeypatch, word, "quit")
    assert play("double_lucky_7", "--players", "Ann,bot", "--lang", lang) == 0
    assert line in capsys.readouterr().out


def test_undo_goes_back_to_the_persons_last_move(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    type_in(monkeypatch, "undo", "#1", "undo", "quit")
    assert play("double_lucky_7", "--players", "Ann,bot,bot", "--lang", "en") == 0
    out = capsys.readouterr().out
    assert "You have not played yet" in out
    assert "Move taken back" in out


def test_undo_is_for_one_person_against_bots(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    type_in(monkeypatch, "#1", "undo", "quit")
    assert play("double_lucky_7", "--players", "Ann,Ben", "--lang", "en") == 0
    assert "when you are the only person" in capsys.readouterr().out


def test_save_load_replay_and_verify(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "match.json"
    type_in(monkeypatch, "#1", f"save {file}", "save", f"save {tmp_path}/no/such/folder", "quit")
    assert play("double_lucky_7", "--players", "Ann,bot,bot", "--lang", "en") == 0
    out = capsys.readouterr().out
    assert f"Saved in {file}" in out
    assert "Save where?" in out
    assert "cannot be written" in out
    assert [p.name for p in tmp_path.iterdir()] == ["match.json"]

    type_in(monkeypatch, "log", f"load {file}", f"load {tmp_path}/missing", "quit")
    assert main(["play", "--load", str(file), "--lang", "en"]) == 0
    out = capsys.readouterr().out
    assert "Ann>" in out
    assert "cannot be read" in out

    assert main(["verify", str(file), "--lang", "en"]) == 0
    assert "The record is genuine" in capsys.readouterr().out
    assert main(["replay", str(file), "--lang", "fr"]) == 0
    assert "Manche 1" in capsys.readouterr().out


def test_a_number_that_is_a_card_means_the_card(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    match = ludotheque.game("lobo77").new(["Ann", "Ben"], seed=3)
    card = next(text for text in match.legal() if text.isdecimal() and int(text) > 1)
    type_in(monkeypatch, card, "quit")
    assert play("lobo77", "--players", "Ann,Ben", "--lang", "en") == 0
    out = capsys.readouterr().out
    match.play(card)
    assert match.log("en")[-1] in out or match.log("en", 0)[-1] in out or f" {card}" in out


@pytest.mark.parametrize(
    ("players", "names", "bots"),
    [
        ("Ann,club,expert", ["Ann", "Panda (club)", "Lion (expert)"], {1: "club", 2: "expert"}),
        ("Ann B,Expert,BOT", ["Ann B", "Panda (expert)", "Lion (club)"], {1: "expert", 2: "club"}),
        ("李,Zoë,Carol,Ron", ["李", "Zoë", "Carol", "Ron"], {}),
        ("van Gogh,Exprt B", ["van Gogh", "Exprt B"], {}),
    ],
)
def test_what_is_in_small_letters_is_a_level(players: str, names: list[str], bots: dict[int, str]) -> None:
    assert parse_players(players, 2, "en") == (names, bots)


@pytest.mark.parametrize(
    ("players", "reason", "raison"),
    [
        ("Ann,grandmaster", "grandmaster is not a level", "grandmaster n’est pas un niveau"),
        ("Ann,exprt", "did you mean expert?", "pensiez-vous à expert\u00a0?"),
        ("ann,club", "the name of a person has a capital letter", "a une majuscule"),
        ("Ann,Exprt", "looks like the level expert", "ressemble au niveau expert"),
        ("Ann,STRONGG", "two words, such as STRONGG B", "deux mots pour une personne"),
    ],
)
def test_a_mistyped_level_is_nobodys_name(
    players: str, reason: str, raison: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for lang, said in (("en", reason), ("fr", raison)):
        assert main(["play", "double_lucky_7", "--players", players, "--plain", "--lang", lang]) == 2
        assert said in capsys.readouterr().err


def test_bad_arguments_say_what_would_be_right(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for arguments, reason in [
        (["play", "skipboo"], "did you mean skipbo"),
        (["play", "double_lucky_7", "--rounds", "9"], "one of 7, 14"),
        (["play", "double_lucky_7", "--players", "A,B,C,D,E,F,G,H"], "2 to 7 players"),
        (["play", "double_lucky_7", "--players", "A,,B"], "with commas between"),
        (["play", "double_lucky_7", "--players", "A,A"], "a name of their own"),
        (["rules", "chess"], "no game"),
        (["rules", "loba", "Z1"], "no rule Z1"),
        (["replay", str(tmp_path / "missing.json")], "cannot be read"),
        (["verify", str(tmp_path)], "cannot be read"),
        (["warm", "chess"], "no game"),
    ]:
        assert main([*arguments, "--lang", "en"]) == 2, arguments
        assert reason in capsys.readouterr().err, arguments
    for arguments in (["play", "double_lucky_7", "--colour", "red"], ["rules"], ["dance"], ["rules", "loba", "--x"]):
        with pytest.raises(SystemExit) as caught:
            main(arguments)
        assert caught.value.code == 2


def test_an_edited_record_is_not_true(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    match = ludotheque.game("double_lucky_7").new(3, seed=1, rounds=7)
    while not match.over:
        match.play(match.legal()[0])
    record = match.record()
    file = tmp_path / "edited.json"
    file.write_text(json.dumps({**record, "result": {"places": match.places, "scores": [999, 0, 0]}}))
    assert main(["verify", str(file), "--lang", "en"]) == 1
    out = capsys.readouterr().out
    assert "The result is NOT what the moves lead to" in out
    assert "The record is not genuine" in out
    own = tmp_path / "own.json"
    own.write_text(json.dumps(match.record(1)))
    assert main(["verify", str(own), "--lang", "en"]) == 2
    assert "needs" in (err := capsys.readouterr().err) or "only with the key" in err
    assert main(["verify", str(own), "--key", record["key"], "--lang", "en"]) == 0
    assert main(["verify", str(own), "--key", "xyz", "--lang", "en"]) == 2
    assert main(["replay", str(own), "--lang", "fr"]) == 0
    assert "Manche 7" in capsys.readouterr().out


def test_choosing_a_game_from_the_list(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    number = 1 + ludotheque.game_ids().index("double_lucky_7")
    type_in(monkeypatch, "99", "what", str(number), "quit")
    assert main(["play", "--lang", "fr"]) == 0
    out = capsys.readouterr().out
    assert f"{number}) Double Lucky 7" in out
    assert "Manche 1 sur 14" in out and "Alex>" in out


def test_the_end_of_input_ends_the_game_politely(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    type_in(monkeypatch)
    assert play("double_lucky_7", "--lang", "en") == 0
    assert "See you next time" in capsys.readouterr().out


def test_rules_in_both_languages(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "loba", "--lang", "fr"]) == 0
    assert "[B23]" in capsys.readouterr().out
    assert main(["rules", "loba", "b16", "--lang", "en"]) == 0
    assert "[B16]" in capsys.readouterr().out


def test_a_draw_that_is_due_is_offered(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """L20: with manual draws the person draws while the next player thinks, or lets it be."""
    type_in(monkeypatch, "#1", "draw", "#1", "", "quit")
    assert play("lobo77", "--players", "Ann,bot,bot", "--draw", "manual", "--lang", "en") == 0
    out = capsys.readouterr().out
    assert "Ann may step in" in out
    assert "Ann draws" in out
