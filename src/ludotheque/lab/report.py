"""What the lab finds out, as lines of text."""

from __future__ import annotations

from collections.abc import Sequence

from ludotheque.core import registry
from ludotheque.core.texts import shared
from ludotheque.lab.answer import tournament_answer
from ludotheque.lab.tournament import Result
from ludotheque.lab.words import SPACE


def columns(rows: Sequence[Sequence[str]], left: int) -> list[str]:
    """Rows as aligned columns: the first `left` to the left, the others to the right."""
    widths = [max(len(row[k]) for row in rows) for k in range(len(rows[0]))]
    return ["  ".join(_cell(row[k], widths[k], k < left) for k in range(len(row))).rstrip() for row in rows]


def _cell(text: str, width: int, is_left: bool) -> str:
    return text.ljust(width) if is_left else text.rjust(width)


def tournament_lines(result: Result, lang: str = "en") -> list[str]:
    """The cross-table and the standings."""
    words = shared(lang)

    def say(key: str) -> str:
        return words.say(f"tournament.{key}")

    name = registry.load(result.game).info.name
    title = {"game": name, "players": result.players, "deals": result.deals}
    table = [[say(key) for key in ("hero", "rivals", "wins", "interval", "fair", "points", "interval")]]
    for cell in result.cells:
        wins, points = cell.wins, cell.points
        table.append(
            [
                cell.hero,
                cell.rival,
                f"{100 * wins.mean:.1f} %",
                f"{100 * wins.low:.1f}–{100 * wins.high:.1f}",
                f"{100 * cell.fair:.0f} %",
                f"{points.mean:+.1f}",
                f"{points.low:+.1f} … {points.high:+.1f}",
            ]
        )
    standings = [[say(key) for key in ("bot", "rating", "interval", "moves", "ms")]]
    for standing in result.standings:
        interval = f"{standing.rating_low:+.0f} … {standing.rating_high:+.0f}"
        figures = [str(standing.moves), f"{standing.ms_per_move:.2f}"]
        standings.append([standing.name, f"{standing.rating:+.0f}", interval, *figures])
    return [
        tournament_answer(result, lang).replace(SPACE, " "),
        "",
        words.say("tournament.title", title),
        *([] if result.is_whole else [say("stopped")]),
        "",
        *columns(table, 2),
        "",
        *columns(standings, 1),
        "",
        say("note"),
    ]
