"""Pictures of what the lab finds out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ludotheque.core import extras, registry
from ludotheque.core.errors import InvalidOptions, LudothequeError
from ludotheque.core.texts import shared
from ludotheque.lab.tournament import Result

FORMATS = (".png", ".svg")
INK, QUIET, ACCENT = "#2b2a33", "#8a8794", "#b3502d"


def check_plot_path(path: Path) -> None:
    """Refuse early what cannot be drawn."""
    extras.need("lab", "matplotlib")
    if path.suffix.lower() not in FORMATS:
        raise InvalidOptions(f"a plot is written as .png or .svg, not {path.name!r}")


def ladder_plot(result: Result, path: Path, lang: str = "en") -> None:
    """The ladder: ratings on the left, on the right each pairing's share of wins with its interval."""
    extras.need("lab", "matplotlib")
    import matplotlib

    matplotlib.use("Agg", force=False)
    from matplotlib.figure import Figure

    words = shared(lang)

    def say(key: str, **params: Any) -> str:
        return words.say(f"tournament.{key}", params)

    names = [standing.name for standing in result.standings][::-1]
    height = 1.6 + max(0.34 * len(result.cells), 0.5 * len(names))
    figure = Figure(figsize=(10, height), layout="constrained")
    left, right = figure.subplots(1, 2, width_ratios=[2, 3])
    rated = [standing.rating for standing in result.standings][::-1]
    for n, standing in enumerate(result.standings[::-1]):
        left.hlines(n, standing.rating_low, standing.rating_high, color=ACCENT, linewidth=2)
    left.plot(rated, range(len(names)), "o", color=ACCENT, markersize=7)
    for n, value in enumerate(rated):
        left.annotate(f"{value:+.0f}", (value, n), (0, 8), textcoords="offset points", ha="center", color=INK)
    left.set_yticks(range(len(names)), names)
    left.set_ylim(-0.6, len(names) - 0.2)
    left.margins(x=0.15)
    left.set_xlabel(say("rating"))
    cells = list(result.cells)[::-1]
    for n, cell in enumerate(cells):
        right.hlines(n, 100 * cell.wins.low, 100 * cell.wins.high, color=ACCENT, linewidth=2)
        right.plot(100 * cell.wins.mean, n, "o", color=ACCENT, markersize=5)
    right.axvline(100 * cells[0].fair, color=QUIET, linewidth=1, linestyle=":")
    right.annotate(
        say("fair"), (100 * cells[0].fair, 1), (3, -2), xycoords=("data", "axes fraction"),
        textcoords="offset points", color=QUIET, fontsize=8, va="top",
    )  # fmt: skip
    right.set_yticks(range(len(cells)), [say("against", hero=c.hero, rival=c.rival) for c in cells])
    right.set_xlim(0, 100)
    right.set_xlabel(say("wins_percent"))
    for axes in (left, right):
        axes.spines[["top", "right", "left"]].set_visible(False)
        axes.tick_params(axis="y", length=0)
    name = registry.load(result.game).info.name
    figure.suptitle(say("title", game=name, players=result.players, deals=result.deals), color=INK)
    try:
        figure.savefig(path, dpi=150)
    except OSError as error:
        raise LudothequeError(f"{path} cannot be written: {error.strerror}") from None
