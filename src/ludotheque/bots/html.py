"""A bot's thought as HTML, which notebooks show."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from ludotheque.core import registry
from ludotheque.core.html import block, part, rows
from ludotheque.core.moves import Move
from ludotheque.core.texts import shared

if TYPE_CHECKING:
    from ludotheque.bots.bot import Thought

MOST_CANDIDATES = 10


def thought_html(thought: Thought, lang: str = "en") -> str:
    """The moves a bot considered, the chosen one first."""
    words = shared(lang)
    facts = {"n": thought.iterations, "ms": f"{1000 * thought.seconds:.0f}"}
    body = [
        [
            _move(one.move, lang),
            f'<meter min="0" max="1" value="{one.win:.3f}"></meter> {100 * one.win:.0f} ± {200 * one.error:.0f} %',
            f"{one.points:.1f}",
            f"{100 * one.share:.0f} %",
        ]
        for one in thought.candidates[:MOST_CANDIDATES]
    ]
    titles = [words.say(f"html.{name}") for name in ("move", "win", "points", "share")]
    if body:
        shown = rows(titles, body, lit=0)
    else:
        shown = part("", _move(thought.move, lang))
    if len(thought.candidates) > MOST_CANDIDATES:
        shown += part("", f'<span class="more">+{len(thought.candidates) - MOST_CANDIDATES}</span>')
    game = registry.load(thought.move.game)
    return block(game.info.name, words.say("html.thought", facts), shown)


def _move(move: Move, lang: str) -> str:
    return f"<code>{escape(move)}</code> {escape(move.label(lang))}"
