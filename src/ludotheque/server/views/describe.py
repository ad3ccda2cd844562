"""What the declared views are made into besides JSON: pages of documentation, and types for the browser.

`python -m ludotheque.server.views.describe` writes docs/views/<game>.md and web/src/games/<game>/view.ts anew.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from ludotheque.core import registry
from ludotheque.core.files import write_text
from ludotheque.core.views import (
    BySeat,
    Constant,
    Each,
    Exactly,
    Fields,
    Flag,
    Keyed,
    Maybe,
    MembersOf,
    Number,
    Seat,
    Seats,
    Shape,
    Word,
)
from ludotheque.server.views.program import encode

FEW = 8
"""Up to so many words are listed one by one."""


def page(game_id: str) -> str:
    """A game's view as a Markdown page."""
    game = registry.load(game_id)
    declared: Fields = game.views.VIEW
    head = [
        f"# {game.info.name}: what the table shows",
        "",
        "`table` of a view: `Match.view` in Python, and what the game room sends. Seats are numbers from 0 on.",
        "Written by `python -m ludotheque.server.views.describe`.",
        "",
        *([_sentence(declared.text), ""] if declared.text else []),
        "| field | value | meaning |",
        "|---|---|---|",
    ]
    return "\n".join([*head, *_rows("", declared)]) + "\n"


def _rows(prefix: str, shape: Fields) -> Iterator[str]:
    for name, one in shape.shapes.items():
        text = one.text or (one.one.text if isinstance(one, Maybe) else "")
        yield f"| `{prefix}{name}` | {_words(one)} | {text} |"
        inner, path = one, f"{prefix}{name}"
        while isinstance(inner, Each | Exactly | Keyed | Maybe):
            path += "" if isinstance(inner, Maybe) else "[]"
            inner = inner.one
        if isinstance(inner, Fields):
            yield from _rows(f"{path}.", inner)


def _words(shape: Shape) -> str:
    """What a value is, in words."""
    match shape:
        case Seat():
            return "seat"
        case Number():
            return "number"
        case Flag():
            return "true or false"
        case Word(values):
            return _value_words(values)
        case Seats():
            return "list of: seat"
        case MembersOf(values):
            return f"list of: {_value_words(values)}"
        case Constant(value):
            return f"always `{encode(value).decode()}`"
        case BySeat(one, _):
            return f"by seat: {_words(one)}"
        case Each(one, _):
            return f"list of: {_words(one)}"
        case Exactly(count, one):
            return f"list of {count}: {_words(one)}"
        case Keyed(names, one):
            return f"object with {', '.join(f'`{name}`' for name in names)}: {_words(one)}"
        case Maybe(one):
            return f"{_words(one)}; or null"
        case _:
            return "object"


def _value_words(values: Sequence[Any]) -> str:
    if all(isinstance(value, int) for value in values):
        return "number"
    if any(not isinstance(value, str) for value in values):
        return f"one of {len(values)}, such as `{encode(values[-1]).decode()}`"
    if len(values) <= FEW:
        return ", ".join(f"`{value}`" for value in values)
    return f"one of {len(values)}, from `{values[0] or values[1]}` to `{values[-1]}`"


def _sentence(text: str) -> str:
    return text[0].upper() + text[1:].removesuffix(".") + "."


def types(game_id: str) -> str:
    """The TypeScript file with the type of a game's view."""
    game = registry.load(game_id)
    declared: Fields = game.views.VIEW
    about = f"The table of {game.info.name} as the server shows it."
    notes = [about, *([_sentence(declared.text)] if declared.text else []), "Made from the server's declaration by"]
    head = " ".join([*notes, "`make web`: do not edit."])
    return f"/** {head} */\nexport interface Table {_object(declared, '')}\n"


def _object(shape: Fields, indent: str) -> str:
    lines = ["{"]
    for name, one in shape.shapes.items():
        text = one.text or (one.one.text if isinstance(one, Maybe) else "")
        if text:
            lines.append(f"{indent}  /** {_sentence(text)} */")
        lines.append(f"{indent}  {name}: {_type(one, indent + '  ')}")
    return "\n".join([*lines, indent + "}"])


def _type(shape: Shape, indent: str) -> str:
    match shape:
        case Number():
            return "number"
        case Flag():
            return "boolean"
        case Word(values):
            return _value_type(values)
        case MembersOf(values):
            return _list(_value_type(values))
        case Constant(value):
            return _list(_value_type(value)) if isinstance(value, list) else _value_type([value])
        case Each(one, _):
            return _list(_type(one, indent))
        case Exactly(count, one):
            return f"[{', '.join([_type(one, indent)] * count)}]"
        case Keyed(_, one):
            return f"Record<string, {_type(one, indent)}>"
        case Maybe(one):
            return f"{_type(one, indent)} | null"
        case Fields():
            return _object(shape, indent)
        case _:
            raise TypeError(f"{type(shape).__name__} has no type")


def _list(inner: str) -> str:
    return f"({inner})[]" if " | " in inner.partition("{")[0] else f"{inner}[]"


def _value_type(values: Sequence[Any]) -> str:
    """The type of any of these values, which are all of one kind."""
    first = values[0]
    if isinstance(first, bool):
        return "boolean"
    if isinstance(first, int):
        return "number"
    if isinstance(first, str):
        found = dict.fromkeys(values)
        return " | ".join(f"'{value}'" for value in found) if len(found) <= FEW else "string"
    if isinstance(first, dict):
        keys = [f"{key}: {_value_type([value[key] for value in values])}" for key in first]
        return "{ " + "; ".join(keys) + " }"
    inner = _value_type([item for value in values for item in value])
    is_pair = all(len(value) == 2 for value in values)
    return f"[{inner}, {inner}]" if is_pair else _list(inner)


def files(root: Path) -> Iterator[tuple[Path, str]]:
    """The files of our games, and what is to stand in them."""
    for game_id in registry.shipped():
        yield root / "docs" / "views" / f"{game_id}.md", page(game_id)
        yield root / "web" / "src" / "games" / game_id / "view.ts", types(game_id)


def main() -> None:
    """Write the files of every game, in this folder or in another one."""
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path()
    for path, text in files(root):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_text(path, text)


if __name__ == "__main__":
    main()
