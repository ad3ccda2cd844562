"""The sheet that the lab's pages are written on: one HTML file with everything in it, for any screen and for paper."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any

from ludotheque import __version__
from ludotheque.bots.ladder import CHEATER, cheater_level, extras, levels
from ludotheque.core.game import Game
from ludotheque.core.ladder import FLAT, TREE
from ludotheque.lab.words import options_line, say

STYLE = Path(__file__).resolve().parent / "page.css"


def opening(answer: str, warnings: Sequence[str] = ()) -> str:
    """What a page begins with: what to beware of, then its answer in a sentence."""
    beware = "".join(f'<p class="beware">{escape(sentence)}</p>' for sentence in warnings)
    return f'{beware}<p class="answer">{escape(answer)}</p>\n'


def shell(lang: str, kicker: str, title: str, lede: Sequence[str], body: str, footer: Sequence[str]) -> str:
    """A whole page around a body."""
    style = STYLE.read_text(encoding="utf-8")
    lines = "".join(f'<p class="lede">{escape(line)}</p>' for line in lede if line)
    foot = "".join(f"<p>{escape(line)}</p>" for line in footer)
    return (
        f'<!doctype html>\n<html lang="{lang}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>\n{style}</style>\n</head>\n<body>\n<main>\n"
        f'<header><p class="kicker">Ludothèque · {escape(kicker)}</p><h1>{escape(title)}</h1>{lines}</header>\n'
        f"{body}<footer>{foot}</footer>\n</main>\n</body>\n</html>\n"
    )


def answers(items: Sequence[tuple[str, str, str]]) -> str:
    """The answers in short: a large figure, what it is, and what to know about it."""
    shown = "".join(
        f"<li><b>{escape(value)}</b><span>{escape(what)}</span><small>{escape(more)}</small></li>"
        for value, what, more in items
    )
    return f'<ul class="answers">{shown}</ul>\n'


def section(title: str, figures: Sequence[str]) -> str:
    """Charts side by side, under a heading if there is one; a chart that would stand alone takes the whole width.

    Charts without content are empty texts and left out; without any there is no section.
    """
    figures = [figure for figure in figures if figure]
    if not figures:
        return ""
    head = f"<h2>{escape(title)}</h2>" if title else ""
    shown, is_left = [], True
    for n, figure in enumerate(figures):
        is_alone = is_left and (n + 1 == len(figures) or _is_wide(figures[n + 1]))
        shown.append(figure.replace('class="chart"', 'class="chart wide"', 1) if is_alone else figure)
        is_left = is_alone or _is_wide(figure) or not is_left
    return f'<section>{head}<div class="charts">{"".join(shown)}</div></section>\n'


def _is_wide(figure: str) -> bool:
    return figure.startswith('<figure class="chart wide"')


def details(lang: str, tables: Sequence[str]) -> str:
    """The figures behind the charts, folded away."""
    return f"<details><summary>{escape(say(lang, 'figures'))}</summary>{''.join(tables)}</details>\n"


def footer(lang: str, seed: str, by_clock: bool = False) -> str:
    """Where a page comes from."""
    return say(lang, "page.footer_clock" if by_clock else "page.footer", version=__version__, seed=seed)


def facts(game: Game, lang: str, *parts: str, options: dict[str, Any]) -> list[str]:
    """The lines below the title."""
    return [" · ".join(part for part in parts if part), options_line(game, lang, options)]


def by_clock(game: Game, bots: Sequence[str], budget: str | None) -> bool:
    """Whether a bot thinks for a time rather than a number of playouts."""
    known = {**levels(game), **extras(game)}
    searching = [known[name] for name in bots if name in known and known[name].way in (FLAT, TREE)]
    if CHEATER in bots:
        searching.append(cheater_level(game))
    if budget is not None:
        return bool(searching) and not budget.endswith("it")
    return any(one.playouts == 0 for one in searching)
