"""Tournaments: duplicate deals, cross-tables, files, refusals. Small ones, with bots that need no search."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import ludotheque
from ludotheque import InvalidOptions
from ludotheque.bots.budget import Budget
from ludotheque.cli import main
from ludotheque.lab.duels import hero_seats, play_deal
from ludotheque.lab.tournament import Result, pairings, run
from tests.lab.refusals import BOTS_THAT_CANNOT_MEET

pytestmark = pytest.mark.compiled_only

SHORT = {"rounds": 7}


@pytest.fixture(scope="module")
def result() -> Result:
    game = ludotheque.game("double_lucky_7")
    return run(game, ["club", "beginner", "random"], 12, 4, SHORT, seed="test")


def test_the_hero_goes_through_every_seat() -> None:
    game = ludotheque.game("skipbo")
    assert hero_seats(game, 3, {}) == [(0,), (1,), (2,)]
    assert hero_seats(game, 4, {"teams": True}) == [(0, 2), (1, 3)]


def test_equals_win_exactly_their_share_of_a_duplicate_deal() -> None:
    """The same bots at all seats make the same moves wherever the hero sits: the seats' luck cancels."""
    deal = play_deal(ludotheque.game("double_lucky_7"), "club", "club", 4, 3, SHORT)
    assert deal.matches == 4
    assert deal.wins == pytest.approx(0.25)
    assert deal.above == pytest.approx(0.5)
    assert deal.points == pytest.approx(deal.others)


def test_every_pair_meets() -> None:
    bots = ["a", "b", "c"]
    assert list(pairings(bots, 2, False)) == [("a", "b"), ("a", "c"), ("b", "c")]
    assert list(pairings(bots, 4, True)) == [("a", "b"), ("a", "c"), ("b", "c")]
    assert len(list(pairings(bots, 3, False))) == 6


@pytest.mark.slow
def test_good_bots_beat_random_ones(result: Result) -> None:
    assert result.standings[-1].name == "random"
    cell = result.cell("club", "random")
    assert cell.wins.low > cell.fair == 0.25
    assert cell.points.low > 0
    assert cell.matches == 48
    assert result.cell("random", "club").wins.high < 0.25
    assert all(standing.ms_per_move > 0 for standing in result.standings)


@pytest.mark.slow
def test_the_same_seed_gives_the_same_result_on_any_number_of_processes(result: Result) -> None:
    game = ludotheque.game("double_lucky_7")
    again = run(game, ["club", "beginner", "random"], 12, 4, SHORT, seed="test", jobs=2)
    assert again.cells == result.cells
    other = run(game, ["club", "beginner", "random"], 12, 4, SHORT, seed="another")
    assert other.cells != result.cells


@pytest.mark.slow
def test_figures_and_picture_go_to_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    figures = tmp_path / "figures.json"
    for plot in (tmp_path / "ladder.svg", tmp_path / "ladder.png"):
        command = ["tournament", "double_lucky_7", "--bots", "club,random", "--deals", "3", "--players", "3"]
        command += ["--rounds", "7", "--json", str(figures), "--plot", str(plot), "--budget", "10it", "--force"]
        assert main(command) == 0
        assert plot.stat().st_size > 1000
    shown = capsys.readouterr().out
    assert "club" in shown and "rating" in shown
    data = json.loads(figures.read_text(encoding="utf-8"))
    assert data["budget"] == "10it"
    assert data["options"] == {"rounds": 7}
    assert len(data["cells"]) == 2


@pytest.mark.parametrize("option", ["--json", "--plot", "--report"])
@pytest.mark.parametrize(("lang", "words"), [("en", "--force"), ("fr", "--force")])
def test_files_are_not_replaced_unasked(
    option: str, lang: str, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "kept.svg"
    file.write_text("kept")
    command = ["tournament", "lobo77", "--bots", "club,random", "--deals", "1000000", option, str(file)]
    assert main([*command, "--lang", lang]) == 2  # at once: nothing is played
    assert words in capsys.readouterr().err
    assert file.read_text() == "kept"


def test_ratings_have_intervals(result: Result) -> None:
    for standing in result.standings:
        assert standing.rating_low <= standing.rating <= standing.rating_high
    assert result.standings[-1].rating_high < 0 < result.standings[0].rating_high


def test_it_speaks_french(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tournament", "lobo77", "--bots", "club,random", "--deals", "2", "--lang", "fr"]) == 0
    assert "victoires" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        *BOTS_THAT_CANNOT_MEET,
        (["lobo77", "--deals", "0"], "deals"),
        (["lobo77", "--plot", "ladder.pdf"], "png"),
        (["lobo77", "--plot", "no/such/place/ladder.png"], "directory"),
    ],
)
def test_refusals_say_what_is_wrong(arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tournament", *arguments, "--lang", "en"]) == 2
    assert words in capsys.readouterr().err


def test_deals_are_the_unit() -> None:
    game = ludotheque.game("double_lucky_7")
    with pytest.raises(InvalidOptions):
        run(game, ["club", "random"], 0, 4, {})
    with pytest.raises(InvalidOptions):
        run(game, ["club", "random"], 1, 4, {"rounds": 9}, budget=Budget(iterations=1))
