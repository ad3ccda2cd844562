"""What is announced in one round of each game, for people to read: `python -m tests.web.transcripts` writes it anew.

One page for each language in `docs/transcripts/`. Cards and dice fall as they fall, so two runs differ; the tests check
that every game is there, that all of it is words, and that the page is written as `page` writes it.
"""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from ludotheque.core.words import game_words
from tests.server.process import Server
from tests.web.browser import chromium
from tests.web.browser.ears import EARS
from tests.web.browser.tour import prepare
from tests.web.browser.visitor import Visitor
from tests.web.sources import LANGUAGES, ROOT

FOLDER = ROOT / "docs" / "transcripts"
TITLES = {"en": "A round by ear", "fr": "Une manche à l’oreille"}
INTROS = {
    "en": "Everything that the pages announce to somebody who plays with a screen reader: Ana, at a table with bots.",
    "fr": "Tout ce que les pages annoncent à qui joue avec un lecteur d’écran : Ana, à une table avec des robots.",
}


def page(lang: str, rounds: dict[str, list[str]]) -> str:
    """The page of a language: a section for each game, a list of what was announced."""
    sections = [
        f"## {game_words(game).name}\n\n" + "\n".join(f"- {line}" for line in lines) for game, lines in rounds.items()
    ]
    return "\n\n".join([f"# {TITLES[lang]}", INTROS[lang], *sections]) + "\n"


def parse(text: str) -> dict[str, list[str]]:
    """What a page tells, by game."""
    games = {game_words(game).name: game for game in EARS}
    return {
        games[section.splitlines()[0]]: re.findall(r"^- (.+)$", section, re.M) for section in text.split("\n## ")[1:]
    }


def listen(lang: str) -> dict[str, list[str]]:
    """A round of each game, as it is announced; the table is read once in the middle and once at the end."""
    rounds = {}
    settings = {"BOT_SECONDS": "0.2", "HINT_SECONDS": "0.5"}
    path = chromium.find()
    assert path, chromium.MISSING
    with tempfile.TemporaryDirectory() as folder, Server(Path(folder), **settings) as server, sync_playwright() as tool:
        browser = chromium.launch(tool, path)
        for game, ear_of in EARS.items():
            visitor = Visitor(browser, server.url, lang, reduced_motion="reduce")
            prepare(visitor)
            visitor.open()
            ear = ear_of(visitor, game)
            ear.sit_down()
            visitor.page.wait_for_function("() => document.title.startsWith('●')")
            visitor.page.keyboard.press("h")
            visitor.page.wait_for_function("(n) => window.announced.length > n", arg=len(ear.announced))
            visitor.page.keyboard.press("r")
            ear.play_rounds()
            loading = visitor.t("shell.loading")
            rounds[game] = [line for line in ear.announced if line != loading]
            visitor.close()
        browser.close()
    return rounds


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for lang in LANGUAGES:
        (FOLDER / f"{lang}.md").write_text(page(lang, listen(lang)), "utf-8")


if __name__ == "__main__":
    main()
