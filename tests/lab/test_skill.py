"""Luck and skill: the definition on made-up results, then real deals, files and refusals."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ludotheque
from ludotheque import InvalidOptions
from ludotheque.cli import main
from ludotheque.lab import luck
from ludotheque.lab.luck import (
    Setting,
    Skill,
    make_settings,
    matches_needed,
    moments,
    play_around,
    run,
    variance_shares,
)
from ludotheque.lab.page_skill import difference_mark
from ludotheque.lab.words import number
from tests.lab.refusals import BOTS_THAT_CANNOT_MEET

pytestmark = pytest.mark.compiled_only

SHORT = {"rounds": 7}


def shares_of(results: Callable[[np.random.Generator], Any], sides: int) -> list[float]:
    """Who plays, the deal and the rest, of many deals with made-up winners: by match, the side that wins."""
    rng = np.random.default_rng(3)
    rows = []
    for _ in range(4000):
        wins = np.zeros((sides, sides))
        wins[np.arange(sides), results(rng)] = 1
        rows.append(moments(wins - 1 / sides))
    data = np.array(rows)
    return [float(x) for x in variance_shares(data.mean(axis=0), data[:, 0].var() / (len(data) - 1), sides)]


@pytest.mark.parametrize("sides", [2, 4])
def test_the_better_one_always_wins(sides: int) -> None:
    assert shares_of(lambda rng: np.arange(sides), sides) == pytest.approx([1, 0, 0])


@pytest.mark.parametrize("sides", [2, 4])
def test_the_deal_says_who_wins(sides: int) -> None:
    assert shares_of(lambda rng: np.full(sides, rng.integers(sides)), sides) == pytest.approx([0, 1, 0], abs=0.01)


@pytest.mark.parametrize("sides", [2, 4])
def test_every_match_is_a_lottery(sides: int) -> None:
    assert shares_of(lambda rng: rng.integers(sides, size=sides), sides) == pytest.approx([0, 0, 1], abs=0.03)


def test_a_mixture_is_taken_apart() -> None:
    """Skill decides half of the matches, the deal 40 %, lots are drawn for the others: the shares are the squares."""

    def winners(rng: np.random.Generator) -> Any:
        lucky = rng.integers(3)
        how = rng.random(3)
        return np.where(how < 0.5, np.arange(3), np.where(how < 0.9, lucky, rng.integers(3, size=3)))

    assert shares_of(winners, 3) == pytest.approx([0.25, 0.16, 0.59], abs=0.03)


def test_matches_needed() -> None:
    assert matches_needed(1.0, 2) == 1
    assert matches_needed(0.5, 2) is None and matches_needed(0.2, 4) is None
    needed = matches_needed(0.63, 2)
    assert needed is not None
    wins = np.random.default_rng(1).binomial(needed, 0.63, 100_000)
    ahead = np.mean(2 * wins > needed) + np.mean(2 * wins == needed) / 2
    assert ahead == pytest.approx(0.95, abs=0.02)


def test_equals_on_one_deal_are_all_deal() -> None:
    """The same bots make the same moves wherever the hero sits: every match of the deal is the same."""
    wins, points = play_around(ludotheque.game("double_lucky_7"), "club", "club", 3, "one", SHORT)
    assert np.ptp(wins, axis=0).max() == 0 and np.ptp(points, axis=0).max() == 0
    mean, product, square = moments(wins)
    assert mean == pytest.approx(0) and product == pytest.approx(square)


def test_partners_are_a_side() -> None:
    wins, points = play_around(ludotheque.game("skipbo"), "club", "random", 4, "one", {"teams": True, "stock": 5})
    assert wins.shape == points.shape == (2, 2)
    assert wins.sum(axis=1) == pytest.approx([0, 0])
    assert np.abs(wins).max() == 0.5


@pytest.fixture(scope="module")
def result() -> Skill:
    return run(ludotheque.game("double_lucky_7"), ["club", "random"], 30, [Setting("", 3, SHORT)], seed="test")


def test_club_players_beat_random_ones(result: Skill) -> None:
    (finding,) = result.findings
    assert finding.fair == pytest.approx(1 / 3)
    assert finding.wins.low > 0.6
    assert finding.decided.mean == pytest.approx((finding.wins.mean - 1 / 3) / (2 / 3))
    assert 0 < finding.decided.low < finding.decided.mean < finding.decided.high <= 1
    assert finding.points.low > 0
    assert finding.matches == 90
    for shares in (finding.win_shares, finding.point_shares):
        assert shares.who.mean + shares.deal.mean + shares.rest.mean == pytest.approx(1)
        assert shares.who.low > 0.1
    assert json.loads(result.to_json())["findings"][0]["wins"]["mean"] == finding.wins.mean


@pytest.mark.slow
def test_the_same_seed_gives_the_same_figures_on_any_number_of_processes(result: Skill) -> None:
    game = ludotheque.game("double_lucky_7")
    assert run(game, ["club", "random"], 30, [Setting("", 3, SHORT)], seed="test", jobs=2) == result
    other = run(game, ["club", "random"], 30, [Setting("", 3, SHORT)], seed="another")
    assert other.findings != result.findings


def test_stopped_early_it_answers_from_whole_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    game = ludotheque.game("double_lucky_7")
    tables = [Setting("2", 2, SHORT), Setting("3", 3, SHORT)]
    whole = run(game, ["club", "random"], 4, tables)
    played: list[Any] = []

    def one_deal(*task: Any) -> Any:
        if len(played) == 9:
            raise KeyboardInterrupt
        played.append(task)
        return true_one(*task)

    true_one = luck._one_deal
    monkeypatch.setattr(luck, "_one_deal", one_deal)
    stopped = run(game, ["club", "random"], 1000, tables)
    assert (stopped.deals, stopped.asked) == (4, 1000)
    assert stopped.findings == whole.findings


def test_stopped_at_once_there_is_nothing_to_say(monkeypatch: pytest.MonkeyPatch) -> None:
    def one_deal(*task: Any) -> Any:
        raise KeyboardInterrupt

    monkeypatch.setattr(luck, "_one_deal", one_deal)
    assert main(["skill", "lobo77", "--deals", "10"]) == 130


@pytest.mark.slow
def test_a_difference_beyond_chance_is_marked() -> None:
    """With more tokens to lose, LOBO 77 leaves less to luck; a table compared with itself does not differ."""
    game = ludotheque.game("lobo77")
    tables = [Setting("1", 2, {"tokens": 1}), Setting("6", 2, {"tokens": 6}), Setting("1", 2, {"tokens": 1})]
    first, more, same = run(game, ["club", "beginner"], 100, tables).findings
    assert first.difference is None and not first.differs
    assert more.difference is not None and more.difference.low > 0
    assert difference_mark(more, "en") == f"▲\N{NO-BREAK SPACE}{number('en', 100 * more.difference.mean)}"
    assert same.difference is not None and same.difference.mean == 0 and difference_mark(same, "en") == ""


def test_what_can_be_varied() -> None:
    game = ludotheque.game("skipbo")
    assert make_settings(game, None, {"stock": "10"}) == (None, [Setting("", 2, {"stock": 10})])
    name, tables = make_settings(game, 3, {}, "stock=10,20")
    assert name == "stock" and tables == [Setting("10", 3, {"stock": 10}), Setting("20", 3, {"stock": 20})]
    assert make_settings(game, None, {}, "players=2,4")[1][1].players == 4
    for text in ("stock=10", "bots=club,expert", "colour=1,2", "stock", "stock=5,500", "players=2,9", "players=2,x"):
        with pytest.raises(InvalidOptions):
            make_settings(game, None, {}, text)
    with pytest.raises(InvalidOptions):
        make_settings(game, None, {"stock": 5}, "stock=10,20")


def test_the_command_writes_text_figures_and_a_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    figures, page = tmp_path / "skill.json", tmp_path / "skill.html"
    command = ["skill", "double_lucky_7", "--bots", "club,random", "--deals", "8", "--rounds", "7"]
    assert main([*command, "--json", str(figures), "--report", str(page), "--lang", "en"]) == 0
    shown = capsys.readouterr().out
    assert "instead of 50 %" in shown and "matches out of 100" in shown
    assert json.loads(figures.read_text(encoding="utf-8"))["deals"] == 8
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")
    assert main([*command, "--report", str(page), "--lang", "en"]) == 2
    assert "--force" in capsys.readouterr().err
    assert main([*command, "--report", str(page), "--force", "--lang", "fr"]) == 0
    assert "au lieu de 50 %" in capsys.readouterr().out
    assert 'lang="fr"' in page.read_text(encoding="utf-8")


def test_several_tables_make_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["skill", "double_lucky_7", "--bots", "club,casual,random", "--deals", "3", "--vary", "players=2,3"]
    assert main([*command, "--rounds", "7", "--lang", "fr"]) == 0
    shown = capsys.readouterr().out
    assert shown.count("3 joueurs") == 3 and "club contre amateur" in shown


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        *BOTS_THAT_CANNOT_MEET,
        (["lobo77", "--deals", "1"], "deals"),
        (["lobo77", "--vary", "tokens=99,100"], "tokens"),
        (["lobo77", "--report", "no/such/place/page.html"], "no directory"),
        (["lobo77", "--report", "."], "directory"),
        (["lobo77", "--report", "/dev/full", "--force"], "ordinary"),
        (["lobo77", "--report", "same.html", "--json", "same.html"], "twice"),
        (["lobo77", "--report", "x" * 300], "cannot be written"),
    ],
)
def test_refusals_come_before_anything_is_played(
    arguments: list[str],
    words: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(luck, "_one_deal", lambda *task: pytest.fail("something was played"))
    assert main(["skill", *arguments, "--lang", "en"]) == 2
    assert words in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
