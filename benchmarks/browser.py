"""The pages of the game room in a real Chromium: `python -m benchmarks.browser`.

Server, browser and bots share this machine. *Click to moved card*: from the browser's click event to the frame in which
the table shows what the server answered, without movements; *to the card's start*: the same with movements, to the
frame in which the card takes off. *Script time per move*: what the page's scripts ran for, divided by all moves shown,
one's own and the bots'. *Memory*: the heap after collecting garbage, at the first deal and after the last move. *First
table*: from opening the first page, of a server that has just started and compiled nothing yet, to the cards of Loba,
the game that takes longest to compile.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
from playwright.sync_api import Browser, CDPSession, sync_playwright

from benchmarks.results import write_section
from tests.server.process import Server
from tests.web.browser import chromium
from tests.web.browser.playing import HANDS, set_up
from tests.web.browser.tour import prepare
from tests.web.browser.visitor import Visitor
from tests.web.sources import PAGE

GAMES = tuple(HANDS)
GOAL_MS = 100.0
"""What feels immediate."""
GOAL_FIRST = 10.0
"""Seconds within which a family plays."""
# Notes when a card of the hand was clicked, and when the frame with the answer was drawn.
STOPWATCH = """selector => {
  window.times = []
  let clicked = null
  addEventListener('click', (event) => {
    if (event.target.closest('.hand .card')) clicked = event.timeStamp
  }, true)
  new MutationObserver((news) => {
    const answered = news.some(({ target, addedNodes }) =>
      target.closest?.(selector) || [...addedNodes].some((node) => node.matches?.(selector)))
    if (clicked === null || !answered) return
    const from = clicked
    clicked = null
    requestAnimationFrame(() => {
      const channel = new MessageChannel()
      channel.port1.onmessage = () => times.push(performance.now() - from)
      channel.port2.postMessage(null)
    })
  }).observe(document.body, { childList: true, subtree: true })
}"""


def main() -> int:
    """Measure, print and write down; an exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clicks", type=int, default=120, help="how many clicks are timed")
    parser.add_argument("--dry", action="store_true", help="print only")
    given = parser.parse_args()
    path = chromium.find()
    if path is None:
        print(chromium.MISSING, file=sys.stderr)
        return 1
    with (
        tempfile.TemporaryDirectory() as data,
        Server(Path(data), BOT_SECONDS="0.1") as server,
        sync_playwright() as playwright,
    ):
        browser = chromium.launch(playwright, path, "--enable-precise-memory-info")
        rows = [
            *clicks(browser, server.url, "none", ".played", "click to moved card", given.clicks),
            *clicks(browser, server.url, "normal", ".stage .flight", "click to the card's start", given.clicks // 4),
            *whole_match(browser, server.url),
            first_table(browser),
            *sizes(),
        ]
        browser.close()
    body = [
        "| what | measured | goal |",
        "|---|---:|---|",
        *(f"| {what} | {value} | {goal} |" for what, value, goal in rows),
    ]
    print("\n".join(body))
    if not given.dry:
        write_section("Browser", body, "python -m benchmarks.browser")
    return 0


Row = tuple[str, str, str]


def row(what: str, value: float, unit: str, goal: float | None = None, digits: int = 1) -> Row:
    """A line of the results, and whether it is good enough."""
    verdict = "" if goal is None or value <= goal else " **short of it**"
    return what, f"{value:,.{digits}f} {unit}", "–" if goal is None else f"≤ {goal:g} {unit}{verdict}"


def visitor_at(browser: Browser, address: str, speed: str) -> Visitor:
    """Somebody whose device knows everything already."""
    visitor = Visitor(browser, address)
    prepare(visitor, speed)
    return visitor


def clicks(browser: Browser, address: str, speed: str, selector: str, what: str, count: int) -> list[Row]:
    """Clicks on cards of LOBO 77, against one bot."""
    visitor = visitor_at(browser, address, speed)
    times: list[float] = []
    while len(times) < count:
        set_up(visitor, "lobo77", 2, 1, tokens=6)
        visitor.page.evaluate(STOPWATCH, selector)
        hand = HANDS["lobo77"](visitor)
        goal = count - len(times)
        hand.finish(2000, until=lambda hand=hand, goal=goal: hand.pressed >= goal)  # type: ignore[misc]
        visitor.page.wait_for_timeout(500)
        times += visitor.page.evaluate("() => times")
    visitor.close()
    p50, p95 = np.percentile(times[5:], [50, 95])
    return [
        row(f"{what}, p50 of {len(times) - 5}", p50, "ms", GOAL_MS),
        row(f"{what}, p95", p95, "ms", GOAL_MS),
    ]


def whole_match(browser: Browser, address: str) -> list[Row]:
    """A match of Double Lucky 7 over 14 rounds with four seats: script time and memory."""
    visitor = visitor_at(browser, address, "none")
    table = set_up(visitor, "double_lucky_7", 4, 3)
    visitor.page.locator(".hand .card").first.wait_for()
    devtools = visitor.context.new_cdp_session(visitor.page)
    devtools.send("Performance.enable")
    before = metrics(devtools)
    HANDS["double_lucky_7"](visitor).finish(2000)
    after = metrics(devtools)
    shown = visitor.page.evaluate("id => fetch(`/api/tables/${id}/replay`).then((answer) => answer.json())", table)
    moves = len(shown["moves"])
    visitor.close()
    script = 1000 * (after["ScriptDuration"] - before["ScriptDuration"]) / moves
    return [
        row(f"script time per move, {moves} moves", script, "ms", 8, digits=2),
        row("memory at the deal", before["JSHeapUsedSize"] / 2**20, "MB"),
        row(f"memory after {moves} moves", after["JSHeapUsedSize"] / 2**20, "MB", 30),
        row("elements on the page after it", after["Nodes"], "nodes", digits=0),
    ]


def first_table(browser: Browser) -> Row:
    """The first table after a fresh install."""
    with (
        tempfile.TemporaryDirectory() as data,
        tempfile.TemporaryDirectory() as cache,
        Server(Path(data), CACHE=cache) as server,
    ):
        visitor = visitor_at(browser, server.url, "normal")
        began = time.perf_counter()
        visitor.open()
        visitor.button("Play now Loba").click()
        visitor.page.locator("[data-held]").first.wait_for()
        took = time.perf_counter() - began
        visitor.close()
    return row("first table after a fresh install", took, "s", GOAL_FIRST)


def metrics(devtools: CDPSession) -> dict[str, float]:
    """What the browser counts of the page, after collecting garbage."""
    devtools.send("HeapProfiler.collectGarbage")
    told: list[dict[str, Any]] = devtools.send("Performance.getMetrics")["metrics"]
    return {one["name"]: one["value"] for one in told}


def sizes() -> list[Row]:
    """The packed sizes of what is loaded first, and of what is loaded on demand on top."""
    manifest: dict[str, Any] = json.loads((PAGE / "manifest.json").read_text("utf-8"))

    def files(name: str) -> set[str]:
        chunk = manifest[name]
        found = {chunk["file"], *chunk.get("css", ())}
        return found.union(*(files(other) for other in chunk.get("imports", ())))

    def packed(what: str, names: set[str], goal: float | None = None) -> Row:
        total = sum(len(gzip.compress((PAGE / name).read_bytes(), 9)) for name in names)
        return row(what, total / 1024, "KB", goal)

    first = files("index.html") | files("src/texts/fr/shell.json")
    table = files("src/pages/Table/Table.svelte") | files("src/texts/fr/table.json") | files("src/texts/fr/parts.json")
    rows = [packed("first load: script and style, packed", first, 120), packed("+ a table", table - first)]
    for game in GAMES:
        own = files(f"src/games/{game}/index.ts") | files(f"src/games/{game}/texts/fr.json")
        rows.append(packed(f"+ the screen of {game}", own - first - table))
    return [*rows, packed("+ the score pads", files("src/pages/Pad/Pad.svelte") - first)]


if __name__ == "__main__":
    sys.exit(main())
