"""The documentation site as it is built: no dead link, nothing from other hosts, a page for each game, every name."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

import ludotheque
from ludotheque.cli import main
from tests import needs
from tests.docs.api import public_names
from tests.docs.blocks import ROOT

FETCHED = {"link": "href"} | dict.fromkeys(("script", "img", "iframe", "source", "video", "audio"), "src")
"""What a browser fetches by itself while it shows a page."""


class Reader(HTMLParser):
    """The ids of a page, where it links to, and what it fetches."""

    def __init__(self, page: Path) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.links: list[str] = []
        self.fetched: list[str] = []
        self.feed(page.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value for name, value in attrs if value is not None}
        self.ids |= {given[name] for name in ("id", "name") if name in given}
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        if tag in FETCHED and FETCHED[tag] in given:
            self.fetched.append(given[FETCHED[tag]])


def build(folder: Path, **environment: str) -> dict[Path, Reader]:
    """Build the site as `make docs` does, where a warning is an error, and read its pages."""
    needs.installed("material", "mkdocstrings_handlers")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", folder],
        cwd=ROOT,
        env=os.environ | {"NUMBA_DISABLE_JIT": "1", "NO_MKDOCS_2_WARNING": "1"} | environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return {page: Reader(page) for page in folder.rglob("*.html") if page.name != "404.html"}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> dict[Path, Reader]:
    return build(tmp_path_factory.mktemp("site"))


pytestmark = pytest.mark.slow


def dead_links(site: dict[Path, Reader]) -> list[str]:
    """Links within the site that lead nowhere."""
    dead = []
    for page, reader in site.items():
        for link in [*reader.links, *reader.fetched]:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
            if target.is_dir():
                target /= "index.html"
            anchor = unquote(parts.fragment)
            known = site[target].ids if target in site else set()
            if not target.exists() or (anchor and anchor != "__skip" and anchor not in known):
                dead.append(f"{page.name}: {link}")
    return dead


def test_no_link_is_dead(site: dict[Path, Reader]) -> None:
    assert not dead_links(site)


def test_a_game_of_another_package_has_its_pages(tmp_path: Path) -> None:
    assert main(["new-game", "pig", "--to", str(tmp_path / "pig")]) == 0
    installed = tmp_path / "pig" / "pig-1.dist-info"  # what pip would write
    installed.mkdir()
    (installed / "METADATA").write_text("Metadata-Version: 2.1\nName: pig\nVersion: 1\n")
    (installed / "entry_points.txt").write_text("[ludotheque.games]\npig = pig_game\n")
    paths = os.pathsep.join([str(tmp_path / "pig"), *filter(None, [os.environ.get("PYTHONPATH")])])
    built = build(tmp_path / "site", PYTHONPATH=paths)
    for page in ("games/pig/index", "games/pig/rules.en", "games/pig/rules.fr", "views/pig", "observations/pig"):
        assert tmp_path / "site" / f"{page}.html" in built
    assert not dead_links(built)


def test_the_first_page_has_a_card_for_each_kind_of_reader(site: dict[Path, Reader]) -> None:
    (first,) = [page for page in site if page.name == "index.html" and (page.parent / "tutorial.html").exists()]
    cards = first.read_text(encoding="utf-8").split('<div class="card">')[1:]
    guides = {path.stem for path in (ROOT / "docs" / "guides").glob("*.md")} - {"index"}
    linked = [re.findall(r'href="guides/(\w+)\.html"', card.split("</p>\n</div>")[0]) for card in cards]
    assert sorted(linked) == sorted([guide] for guide in guides)


def test_nothing_comes_from_another_host(site: dict[Path, Reader]) -> None:
    fetched = {url for reader in site.values() for url in reader.fetched}
    assert not [url for url in fetched if urlsplit(url).scheme not in ("", "data") or url.startswith("//")]
    folder = next(page for page in site if page.name == "tutorial.html").parent
    styles = "".join(path.read_text(encoding="utf-8") for path in folder.rglob("*.css"))
    assert not re.findall(r"(?:url\(|@import\s)[\"']?(?:https?:)?//[^)]*", styles)


@pytest.mark.parametrize("game_id", ludotheque.game_ids())
def test_each_game_has_its_pages(site: dict[Path, Reader], game_id: str) -> None:
    game = ludotheque.game(game_id)
    texts = {page: page.read_text(encoding="utf-8") for page in site}
    (overview,) = [text for page, text in texts.items() if page.match(f"games/{game_id}/index.html")]
    for option in game.info.options:
        assert f"<code>{option.name}</code>" in overview
    for kind in game.catalogue("en").find("events"):
        assert f"<code>{kind}</code>" in overview
    assert 'id="notation"' in overview
    for lang in ("en", "fr"):
        (page,) = [page for page in site if page.match(f"games/{game_id}/rules.{lang}.html")]
        numbers = set(re.findall(r"\[([A-Z][0-9]+)\]", game.rules_text(lang)))
        assert numbers <= site[page].ids
    for folder in ("views", "observations"):
        assert [page for page in site if page.match(f"{folder}/{game_id}.html")]


def test_the_reference_has_every_public_name(site: dict[Path, Reader]) -> None:
    shown = set().union(*(reader.ids for reader in site.values()))
    assert not [name for name in public_names() if name not in shown]
