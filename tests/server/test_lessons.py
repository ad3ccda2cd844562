"""Every guided first match on the engine: its moves can be played, its errors made, and its words are all there."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator

import msgspec
import pytest

import ludotheque
from ludotheque.core import registry
from ludotheque.core.game import Game
from ludotheque.core.pages import rule_lines, rules_page
from ludotheque.core.texts import LANGUAGES
from ludotheque.server import lessons
from ludotheque.server.domain import protocol
from ludotheque.server.domain.refusals import Refusal
from ludotheque.server.lessons import begin, has_lesson, script_of, teach, why_not, words_of
from tests.server.house import House

GAMES = sorted(registry.shipped())
FEWEST_ASKED = 4
MOVES = range(10, 21)


@pytest.fixture(params=GAMES)
def game(request: pytest.FixtureRequest) -> Game:
    """Each of our games."""
    game_id: str = request.param
    return ludotheque.game(game_id)


def asked(lesson: protocol.Lesson) -> Iterator[tuple[protocol.LessonStep, protocol.View]]:
    """The steps in which the learner is asked, with the view they are asked in."""
    view = lesson.view
    for step in lesson.steps:
        if step.wanted:
            yield step, view
        view = step.after or view


def test_every_game_of_ours_has_one(game: Game) -> None:
    assert has_lesson(game.id)


def test_it_is_long_enough_and_asks(game: Game) -> None:
    lesson = teach(game, "en")
    assert sum(step.move is not None for step in lesson.steps) in MOVES
    steps = list(asked(lesson))
    assert len(steps) >= FEWEST_ASKED
    for step, view in steps:
        assert view["actor"] == lesson.seat, step.id
        assert step.ask, step.id
        assert set(step.wanted) <= {legal["move"] for legal in view["legal"]}, step.id
    others = [step for step in script_of(game.folder).steps if step.play]
    assert len(others) >= FEWEST_ASKED, "bots play too"
    assert lesson.steps[-1].say and lesson.steps[-1].move is None


def test_errors_are_possible_and_answered(game: Game) -> None:
    """Whatever legal move the learner tries is answered, particular ones in particular words."""
    told = 0
    for step, view in asked(teach(game, "en")):
        legal = {one["move"] for one in view["legal"]}
        spare = legal - set(step.wanted)
        particular = set(step.wrong) & legal
        assert not set(step.wrong) & set(step.wanted), step.id
        if step.wrong:
            assert particular, f"{step.id}: none of {sorted(step.wrong)} is legal"
        assert step.other or spare <= set(step.wrong), step.id
        told += len(particular)
    assert told >= FEWEST_ASKED


def test_every_right_answer_leads_to_the_end(game: Game) -> None:
    lesson = teach(game, "en")
    answers: list[str] = []
    for step, _ in asked(lesson):
        for other in step.wanted[1:]:
            again = teach(game, "en", moves=[*answers, other])
            assert [one.id for one in again.steps] == [one.id for one in lesson.steps]
        answers.append(step.wanted[0])
    with pytest.raises(Refusal):
        teach(game, "en", moves=["castle"])


def test_words_are_complete_in_both_languages(game: Game) -> None:
    script = script_of(game.folder)
    ids = [step.id for step in script.steps if step.id]
    assert len(set(ids)) == len(ids)
    found = {lang: words_of(game.folder, lang) for lang in LANGUAGES}
    for lang, words in found.items():
        assert set(words) == set(ids), lang
        for key, said in words.items():
            other = found["en"][key]
            assert set(said.wrong) == set(other.wrong), key
            assert [bool(said.say), bool(said.ask), bool(said.good)] == [
                bool(other.say),
                bool(other.ask),
                bool(other.good),
            ], key
    asked_ids = {step.id for step in script.steps if step.wanted}
    for key, said in found["en"].items():
        assert bool(said.ask) == (key in asked_ids), key
        assert bool(said.say) != bool(said.ask), key
    page = {lang: rules_page(game.texts, lang) for lang in LANGUAGES}
    cited = {step.rule for step in script.steps if step.rule}
    assert len(cited) >= FEWEST_ASKED
    for rule in cited:
        for lang in LANGUAGES:
            assert rule_lines(page[lang], rule), f"{rule} is not on the page in {lang}"


def test_french_is_typeset(game: Game) -> None:
    text = (game.texts / "lesson.fr.toml").read_text("utf-8")
    for step, said in tomllib.loads(text).items():
        spoken = [said.get(name, "") for name in ("say", "ask", "good", "other")] + list(said.get("wrong", {}).values())
        for sentence in spoken:
            assert not any(f" {mark}" in sentence for mark in ":;?!"), f"{step}: {sentence}"
            assert "'" not in sentence, f"{step}: {sentence}"


def test_the_learner_has_a_name() -> None:
    game = ludotheque.game("lobo77")
    assert begin(game, "Zoé").names[0] == "Zoé"
    names = script_of(game.folder).players
    assert begin(game, names[1]).names == names
    assert begin(game, "x" * 100).names == names


def test_why_a_move_cannot_be_played() -> None:
    game = ludotheque.game("double_lucky_7")
    steps = script_of(game.folder).steps
    at = next(number for number, step in enumerate(steps) if step.id == "follow")
    told = why_not(game, "fr", at, "B12")
    assert told.rule == "D9" and told.text.strip() and "[D9]" not in told.text
    loba = ludotheque.game("loba")
    assert why_not(loba, "en", 2, "lay 4C 6C QC").rule == "B7"
    for bad in ("Y2", "castle"):
        with pytest.raises(Refusal):
            why_not(game, "en", at, bad)


async def test_over_http(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    told = await house.get("/api/games/loba/lesson", lang="fr", name="Zoé", moves="take,drop KS")
    assert told["lang"] == "fr" and told["names"][told["seat"]] == "Zoé"
    assert msgspec.convert(told, protocol.Lesson).steps[-1].say
    why = await house.get("/api/games/loba/lesson/1/why", lang="en", move="drop KS")
    assert why["rule"] == "B4"
    assert (await house.get("/api/games/loba/lesson/1/why", status=400, move="take"))["code"] == "bad_message"
    assert (await house.get("/api/games/loba/lesson", status=400, moves="castle"))["code"] == "bad_message"
    monkeypatch.setattr(lessons, "SCRIPT", "none.toml")
    assert (await house.get("/api/games/loba/lesson", status=404))["code"] == "not_found"
