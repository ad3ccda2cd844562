"""What a report says first: its answer, made from its figures, and what there is to beware of."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import numpy as np
import pytest

import ludotheque
from ludotheque import lab
from ludotheque.cli import main
from ludotheque.lab import tournament
from ludotheque.lab.answer import lead, simulation_answer, skill_answer, tournament_answer, warnings
from ludotheque.lab.duels import Deal
from ludotheque.lab.page import tournament_page
from ludotheque.lab.shards import make_plan
from ludotheque.lab.statistics import confidence_sequence
from ludotheque.lab.words import even, mark, option_value
from tests import needs

pytestmark = pytest.mark.compiled_only

SHORT = {"rounds": 7}


def test_sensible_players_are_the_usual_ones() -> None:
    assert make_plan("loba", 5).bots == ("club",) * 3
    assert make_plan("loba", 5, bots=["random"]).bots == ("random",) * 3


def test_a_larger_stock_makes_a_longer_match(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "skipbo", "--games", "300", "--vary", "stock=10,20,30"]) == 0
    answer = capsys.readouterr().out.splitlines()[0].replace("\N{NO-BREAK SPACE}", " ")
    assert answer.startswith("Stock: with 30 instead of 10, a match is ") and "% longer (" in answer
    assert "edge" in answer


@pytest.mark.parametrize(("lang", "word"), [("en", "Beware: "), ("fr", "Attention\N{NO-BREAK SPACE}: ")])
def test_blocked_rounds_are_said_first(lang: str, word: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "skipbo", "--games", "100", "--bots", "random", "--lang", lang]) == 0
    first = capsys.readouterr().out.splitlines()[0]
    assert first.startswith(word) and "100" in first and "--bots club" in first


def test_rounds_that_a_limit_ends_are_said_first_too() -> None:
    random = lab.simulate("loba", 20, bots="random", jobs=1)
    (sentence,) = warnings(random.summaries, "en")
    assert "40 turns" in sentence
    assert warnings(lab.simulate("loba", 20, jobs=1).summaries, "en") == []


def test_a_difference_within_chance_is_called_that() -> None:
    same = lab.simulate("double_lucky_7", 200, vary={"forfeits": [False, True]}, jobs=1)
    answer = simulation_answer(same.summaries, "en")
    assert "not measurably longer or shorter" in answer and "nothing measurable" in answer


def test_the_answer_of_one_run_has_its_interval() -> None:
    run = lab.simulate("double_lucky_7", 200, players=4, jobs=1)
    moves = run.summary.moves_spread
    answer = simulation_answer(run.summaries, "en")
    assert f"{moves.mean:.0f}" in answer and "–" in answer


def test_pages_begin_with_the_answer(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    assert main(["simulate", "skipbo", "--games", "60", "--bots", "random", "--report", str(page)]) == 0
    text = page.read_text(encoding="utf-8")
    assert text.index('class="beware"') < text.index('class="answer"') < text.index('class="answers"')


def test_skill_and_tournaments_answer_too() -> None:
    found = lab.skill("double_lucky_7", bots="club,random", deals=6, **SHORT)
    assert skill_answer(found, "en").startswith("Between club and random, skill decides ")
    needs.module("choix")
    game = ludotheque.game("double_lucky_7")
    played = tournament.run(game, ["random", "club"], 12, 2, SHORT, seed="answers")
    assert tournament_answer(played, "en").startswith("The strongest is club: ")
    assert tournament_answer(played, "fr").startswith("Le plus fort est club")


def test_varied_tables_are_as_easy_as_varied_runs() -> None:
    found = lab.skill("double_lucky_7", deals=4, vary={"rounds": [7, 14]})
    assert [finding.label for finding in found.findings] == ["7", "14"]
    assert "Rounds" in skill_answer(found, "en")
    with pytest.raises(ludotheque.InvalidOptions, match="one thing"):
        lab.skill("double_lucky_7", deals=4, vary={"rounds": [7, 14], "players": [2, 3]})


def test_results_go_to_standard_output(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "double_lucky_7", "--games", "20", "--json", "-"]) == 0
    shown = capfd.readouterr()
    assert json.loads(shown.out)["games"] == 20 and "seat" in shown.err
    assert main(["skill", "double_lucky_7", "--deals", "3", "--json", "-"]) == 0
    assert json.loads(capfd.readouterr().out)["deals"] == 3


def test_matches_go_to_standard_output(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    parquet = needs.module("pyarrow.parquet")

    class Out(io.StringIO):
        buffer = io.BytesIO()

    monkeypatch.setattr(sys, "stdout", Out())
    assert main(["simulate", "double_lucky_7", "--games", "20", "--out", "-"]) == 0
    assert parquet.read_table(io.BytesIO(Out.buffer.getvalue())).num_rows == 40
    monkeypatch.setattr(Out, "isatty", lambda self: True)
    assert main(["simulate", "double_lucky_7", "--games", "20", "--out", "-"]) == 2
    assert "terminal" in capsys.readouterr().err


def test_the_interval_holds_at_every_look() -> None:
    """Who stops when an ordinary interval pleases is wrong far more often than once in twenty times."""
    rng = np.random.default_rng(1)
    wrong = 0
    for _ in range(200):
        won = rng.choice([0.0, 0.5, 1.0], 320, p=[0.3, 0.2, 0.5])
        looks = [confidence_sequence(won[:count].tolist()) for count in range(16, 321, 16)]
        wrong += any(not look.low <= 0.6 <= look.high for look in looks)
    assert wrong <= 10
    long = confidence_sequence((rng.random(20_000) < 0.6).astype(float).tolist())
    assert 0.57 < long.low < 0.6 < long.high < 0.63


def test_a_contest_stops_when_enough_is_known() -> None:
    needs.module("choix")
    game = ludotheque.game("double_lucky_7")
    found = tournament.run(game, ["club", "random"], 400, 2, SHORT, seed="until", until=0.3)
    assert found.is_whole and found.deals < 400 and found.deals % tournament.CHECKED_EVERY == 0
    wins = found.cells[0].wins
    assert wins.high - wins.low <= 0.6
    again = tournament.run(game, ["club", "random"], 400, 2, SHORT, seed="until", until=0.3, jobs=2)
    assert again.cells == found.cells


@pytest.mark.parametrize("wrong", ["0", "1.5", "200%"])
def test_an_impossible_precision_is_refused(wrong: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tournament", "lobo77", "--bots", "club,random", "--until", wrong]) == 2
    assert "2%" in capsys.readouterr().err


def test_an_interrupted_tournament_shows_what_it_has(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    needs.module("choix")
    play, played = tournament._one_deal, 0

    def one_deal(*task: object) -> Deal:
        nonlocal played
        played += 1
        if played > 5:
            raise KeyboardInterrupt
        return play(*task)  # type: ignore[arg-type]

    monkeypatch.setattr(tournament, "_one_deal", one_deal)
    figures = tmp_path / "figures.json"
    command = ["tournament", "double_lucky_7", "--bots", "club,random", "--deals", "50", "--rounds", "7"]
    assert main([*command, "--json", str(figures)]) == 130
    found = json.loads(figures.read_text(encoding="utf-8"))
    assert found["deals"] == 5 and found["asked"] == 50 and not found["is_whole"]
    assert "Stopped early" in capsys.readouterr().out


def test_who_leads_by_chance_is_not_called_the_best() -> None:
    """The card below the answer says no more than the answer does."""
    needs.module("choix")
    game = ludotheque.game("double_lucky_7")
    alike = tournament.run(game, ["club", "planner"], 2, 2, SHORT, seed="alike")
    apart = tournament.run(game, ["club", "random"], 12, 2, SHORT, seed="apart")
    assert lead(alike)[0] == "even" and lead(apart) == ("strongest", "random")
    for found, said, unsaid in ((alike, "rated highest", "on top"), (apart, "on top", "rated highest")):
        page = tournament_page(found, "en")
        assert said in page and unsaid not in page


@pytest.mark.parametrize(
    ("change", "is_share", "said"), [(0.006, True, "0.6"), (-0.372, True, "37.2"), (0.3284, False, "0.328")]
)
def test_a_difference_is_told_as_finely_as_what_differs(change: float, is_share: bool, said: str) -> None:
    assert mark("en", change, is_share)[1:].strip() == said


def test_the_numbers_of_an_axis_are_written_alike() -> None:
    assert [even("fr", (0.5, 1.0, 1.5))(x) for x in (0.5, 1.0, 1.5)] == ["0,5", "1,0", "1,5"]
    assert [even("en", (-20.0, 0.0, 20.0), sign=True)(x) for x in (-20.0, 0.0, 20.0)] == ["−20", "0", "+20"]


def test_what_is_on_or_off_is_said_so() -> None:
    """However it was written in the command."""
    game = ludotheque.game("double_lucky_7")
    assert {option_value(game, "fr", "forfeits", value) for value in (True, "on", "true")} == {"oui"}
    assert {option_value(game, "en", "forfeits", value) for value in (False, "off", "false")} == {"off"}
