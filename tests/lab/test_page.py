"""The lab's pages: whole, self-contained, in both languages, and readable at every width."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

import ludotheque
from ludotheque import LudothequeError
from ludotheque.cli import main
from ludotheque.core.texts import LANGUAGES, catalogue
from ludotheque.lab import charts, luck, tournament
from ludotheque.lab.charts import Axis, Row, around, scale
from ludotheque.lab.luck import Setting
from ludotheque.lab.outputs import check_output, check_outputs
from ludotheque.lab.page import simulation_page, skill_page, tournament_page
from ludotheque.lab.sheet import section
from ludotheque.lab.simulation import simulate
from ludotheque.lab.statistics import Estimate
from ludotheque.lab.words import NARROW, SPACE, TEXTS, number, percent

pytestmark = pytest.mark.compiled_only

VOID = {"meta", "br", "link", "img", "input", "hr"}


class Reader(HTMLParser):
    """Reads a page: every tag closed in order, its text, and what it would fetch."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.text: list[str] = []
        self.fetched: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note a tag, and addresses in it."""
        if tag not in VOID:
            self.open.append(tag)
        self.fetched += [value or "" for name, value in attrs if name in ("src", "href")]

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """A tag that closes itself."""

    def handle_endtag(self, tag: str) -> None:
        """What was opened last is closed first."""
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        """Words, but not the style's."""
        if "style" not in self.open:
            self.text.append(data)


def read(page: str) -> str:
    """The words of a page, which must be whole."""
    reader = Reader()
    reader.feed(page)
    reader.close()
    assert reader.open == [] and reader.fetched == []
    assert "http" not in page and "url(" not in page and "@import" not in page
    text = " ".join(reader.text)
    assert "nan" not in text.lower().split() and "None" not in text and "{" not in text
    return text


def pages(lang: str) -> Iterator[tuple[str, str]]:
    """One of each kind of page."""
    short: dict[str, Any] = {"rounds": 7}
    double = ludotheque.game("double_lucky_7")
    result = tournament.run(double, ["club", "beginner", "random"], 3, 3, short)
    yield "tournament", tournament_page(result, lang)
    yield "simulation", simulation_page(simulate("double_lucky_7", 500, players=4, jobs=1).summaries, lang)
    yield "varied", simulation_page(simulate("lobo77", 500, vary="tokens=1,3,6", jobs=1).summaries, lang)
    yield "players", simulation_page(simulate("volle_lotte", 60, vary="players=2,5", jobs=1).summaries, lang)
    seated = simulate("double_lucky_7", 4, vary="bots=club+random,club+casual", jobs=1, rounds=7)
    yield "bots", simulation_page(seated.summaries, lang)
    yield "skill", skill_page(luck.run(double, deals=4, tables=[Setting("", 3, short)]), lang)
    tables = [Setting(str(n), n, short) for n in (2, 3, 4)]
    yield "skills", skill_page(luck.run(double, ["club", "casual", "random"], 2, tables, varied="players"), lang)


@pytest.fixture(scope="module", params=LANGUAGES)
def made(request: pytest.FixtureRequest) -> dict[str, str]:
    """The pages in one language."""
    return dict(pages(request.param))


@pytest.mark.slow
def test_every_page_is_whole_and_fetches_nothing(made: dict[str, str]) -> None:
    for page in made.values():
        assert read(page)
        assert len(page) < 400_000


@pytest.mark.slow
def test_every_chart_is_named(made: dict[str, str]) -> None:
    """A chart has a heading; what is drawn is either described or repeats what is written beside it."""
    for page in made.values():
        for chart in re.findall("<figure.*?</figure>", page, re.DOTALL):
            assert re.search("<h3>.+?</h3>", chart)
        for drawing in re.findall("<svg (?!x=)[^>]*>", page):
            assert 'aria-hidden="true"' in drawing or 'role="img"' in drawing


def test_both_languages_have_the_same_texts() -> None:
    english, french = (catalogue(TEXTS, lang) for lang in LANGUAGES)
    assert list(english.keys()) == list(french.keys())
    for key in english.keys():  # noqa: SIM118  # a catalogue is no mapping
        holes = [sorted(re.findall(r"\{(\w+)\}", str(texts.find(key)))) for texts in (english, french)]
        assert holes[0] == holes[1], key


def test_a_simulation_tells_who_wins() -> None:
    summaries = simulate("double_lucky_7", 300, players=3, jobs=1).summaries
    text = read(simulation_page(summaries, "en"))
    for seat in summaries[0].seats:
        assert percent("en", seat.wins) in text
    assert f"fair: 33.3{SPACE}%" in text and "for every seat" in text
    better = simulate("double_lucky_7", 30, bots="club,random,random", jobs=1, rounds=7).summaries
    text = read(simulation_page(better, "en"))
    assert "go to seat 1" in text and "Seat 1 (club)" in text


def test_differences_that_mean_something_are_marked() -> None:
    """A longer match has more moves, beyond any doubt; the same match twice has not."""
    other = simulation_page(simulate("lobo77", 400, vary="tokens=1,6", jobs=1).summaries)
    same = simulate("lobo77", 400, jobs=1).summary
    assert re.search(r"▲\s\d", read(other))
    assert not re.search(r"▲\s\d", read(simulation_page([same, same])))


@pytest.mark.slow
def test_every_axis_is_named(made: dict[str, str]) -> None:
    """Each row of numbers below a chart has its name below it."""
    for page in made.values():
        assert page.count('text-anchor="middle"') and page.count('class="axis-name"')
        for chart in re.findall("<figure.*?</figure>", page, re.DOTALL):
            ends = re.findall(
                '(?:<i></i>|<span></span>)<svg class="axis" aria-hidden="true">(?!<text class="ref)', chart
            )
            assert len(ends) == len(re.findall('<p class="axis-name">[^<]+</p>', chart))


def test_what_chance_alone_gives_is_drawn_as_such() -> None:
    """The same run twice: nothing is marked, every value lies in a band, and wins keep a scale that hides no chance."""
    same = simulate("lobo77", 400, jobs=1).summary
    page = simulation_page([same, same])
    assert page.count('class="band"') > 10
    wins = page[page.index("Does the seat matter?") :].partition("</figure>")[0]
    ticks = [float(tick) for tick in re.findall(r"(\d+)\s%</text>", wins)]
    assert max(ticks) - min(ticks) >= 20
    # It holds 0.6, as the interval holds 0.5.
    assert list(around(0.5, Estimate(0.6, 0.45, 0.7))) == pytest.approx([0.4, 0.65])


def test_cards_without_content_are_not_drawn() -> None:
    """A round of Skip-Bo is a match, and nobody has a partner: nothing to draw about either."""
    page = simulation_page(simulate("skipbo", 60, jobs=1).summaries)
    assert "How many rounds?" not in page and "partner" not in page.partition("<details>")[0]
    assert section("nothing", ["", ""]) == ""


def test_a_cross_table_between_two_sides_is_filled_from_one_half() -> None:
    result = tournament.run(ludotheque.game("lobo77"), ["club", "random"], 4, 2, {})
    wins = result.cell("club", "random").wins.mean
    text = read(tournament_page(result))
    assert percent("en", wins, 0) in text and percent("en", 1 - wins, 0) in text


def test_words_are_escaped() -> None:
    sly = "<script>alert(1)</script>"
    row = Row(sly, 0.5, 0.4, 0.6, sly, group=sly)
    axis = Axis(scale([0, 1]), str, sly)
    page = charts.figure(sly, charts.intervals([row], axis), sly)
    page += charts.heat([sly], [(sly, [(0.5, sly, sly), None])], sly) + charts.table([sly], [[sly]])
    page += charts.parts([sly], [(sly, [0.5], sly)], axis) + charts.hundred([(100, sly)])
    assert "<script" not in page
    read(page)


@pytest.mark.parametrize("values", [[0.2, 0.3], [5], [-301.0, 251.0], [0, 1e6], [1e-4, 2e-4], []])
def test_a_scale_holds_its_values_between_round_ticks(values: list[float]) -> None:
    made = scale(values)
    assert 2 <= len(made.ticks) <= 8
    for value in values:
        assert made.low <= value <= made.high
    assert made.at(made.low) == 0 and made.at(made.high) == 100
    assert scale([0.0, 0.97], 4, (0.0, 1.0)).ticks == (0, 0.25, 0.5, 0.75, 1.0)
    assert all(tick == int(tick) for tick in scale([1, 3], whole=True).ticks)


def test_a_chart_that_would_stand_alone_is_wide() -> None:
    half, wide = charts.figure("a", ""), charts.figure("b", "", wide=True)
    assert section("", [half]).count("chart wide") == 1
    assert section("", [half, half]).count("chart wide") == 0
    assert section("", [half, wide, half, half, half]).count("chart wide") == 3


def test_numbers_as_people_write_them() -> None:
    assert number("fr", 1234.5, 1) == f"1{NARROW}234,5"
    assert number("en", -0.04, 1) == "0.0"
    assert number("en", -2.5) == "−2.50"
    assert number("en", 12, sign=True) == "+12"
    assert percent("fr", 0.625) == f"62,5{SPACE}%"


def test_where_results_go_is_checked(tmp_path: Path) -> None:
    there = tmp_path / "there.html"
    there.write_text("mine", encoding="utf-8")
    check_output(None)
    check_output(tmp_path / "new.html")
    check_output(there, force=True)
    wrong = [there, tmp_path, tmp_path / "no" / "page.html", there / "page.html", tmp_path / ("x" * 300)]
    for path in wrong:
        with pytest.raises(LudothequeError):
            check_output(path)
    with pytest.raises(LudothequeError):
        check_outputs([tmp_path / "a", None, tmp_path / "b" / ".." / "a"])
    assert there.read_text(encoding="utf-8") == "mine"
    assert list(tmp_path.iterdir()) == [there]


def test_a_tournament_writes_its_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "page.html"
    command = ["tournament", "lobo77", "--bots", "club,random", "--deals", "2", "--report", str(page), "--lang", "fr"]
    assert main(command) == 0
    assert "qui est le plus fort" in read(page.read_text(encoding="utf-8"))
    before = page.read_bytes()
    assert main(command) == 2
    assert "--force" in capsys.readouterr().err
    assert page.read_bytes() == before
    assert main([*command, "--force"]) == 0


COLLISIONS = """() => {
  const boxes = [...document.querySelectorAll('svg.axis, svg.levels')].map(axis =>
    [...axis.querySelectorAll('text')].map(t => t.getBoundingClientRect()).filter(b => b.width));
  const meet = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  return boxes.reduce((sum, row) =>
    sum + row.flatMap((a, n) => row.slice(n + 1).filter(b => meet(a, b))).length, 0);
}"""


@pytest.mark.slow
@pytest.mark.parametrize("width", [360, 1200])
def test_pages_fit_the_screen_and_labels_do_not_collide(made: dict[str, str], width: int, tmp_path: Path) -> None:
    """In the machine's Chromium, on a phone and on a desk."""
    from playwright.sync_api import sync_playwright

    from tests import needs
    from tests.web.browser import chromium

    path = chromium.find() or needs.missing(chromium.MISSING)
    with sync_playwright() as playwright:
        browser = chromium.launch(playwright, path)
        for name, page in made.items():
            file = tmp_path / f"{name}.html"
            file.write_text(page, encoding="utf-8")
            tab = browser.new_page(viewport={"width": width, "height": 800})
            tab.goto(file.as_uri())
            assert tab.evaluate("document.documentElement.scrollWidth") <= width, name
            assert tab.evaluate(COLLISIONS) == 0, name
            tab.close()
        browser.close()
