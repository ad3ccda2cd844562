"""The pages docs/observations/<game>.md: `python -m ludotheque.rl.tables [FOLDER]` writes them anew."""

from __future__ import annotations

import sys
from pathlib import Path

from ludotheque.core import registry
from ludotheque.core.files import write_text
from ludotheque.rl.observations import Plane, layout

FOLDER = Path("docs/observations")


def page(game_id: str) -> str:
    """The pieces of a game's observation as a Markdown page."""
    info = registry.load(game_id).info
    head = [
        f"# {info.name}: what a seat sees",
        "",
        "Written by `python -m ludotheque.rl.tables`; how to read it: [learning.md](../learning.md#observations).",
        "",
        f"{info.observation_size} numbers, {info.num_actions} actions, {info.min_seats} to {info.max_seats} seats.",
        "",
        "| at | piece | numbers | meaning | range | float32 is it ÷ | int8 is it ÷ |",
        "|---:|---|---:|---|---|---:|---:|",
    ]
    return "\n".join([*head, *map(_row, layout(game_id))]) + "\n"


def _row(plane: Plane) -> str:
    limits = f"open, mostly ±{plane.divisor}" if plane.is_open else f"{plane.low} to {plane.high}"
    step = f"{plane.step}, cut off at ±127" if plane.is_open else f"{plane.step}"
    meaning = plane.meaning.replace("|", "\\|")
    return f"| {plane.start} | `{plane.name}` | {plane.size} | {meaning} | {limits} | {plane.divisor} | {step} |"


def main() -> None:
    """Write a page for each of our games."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    for game_id in registry.shipped():
        write_text(folder / f"{game_id}.md", page(game_id))


if __name__ == "__main__":
    main()
