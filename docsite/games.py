"""The pages of a game, written from its code and texts: facts, options, notation, events, rules."""

from __future__ import annotations

import json
import re
import string
from collections.abc import Iterator
from typing import Any

from ludotheque.core.game import Game
from ludotheque.core.texts import Catalogue
from ludotheque.rl import tables
from ludotheque.server.views import describe

FEW = 24
"""Up to so many moves are shown."""


def pages(game: Game) -> Iterator[tuple[str, str, str]]:
    """The pages of a game: path, title in the navigation, Markdown."""
    yield f"games/{game.id}/index.md", game.info.name, overview(game)
    yield f"games/{game.id}/rules.en.md", "Rules", rules(game, "en")
    yield f"games/{game.id}/rules.fr.md", "Règles", rules(game, "fr")
    yield f"views/{game.id}.md", "View", describe.page(game.id)
    yield f"observations/{game.id}.md", "Observation", tables.page(game.id)


def index(games: list[Game]) -> str:
    """The page that all games are found from."""
    rows = [
        f"| [{game.info.name}]({game.id}/index.md) | `{game.id}` | {_seats(game)} | {_about(game, 'pitch')} |"
        for game in games
    ]
    head = [
        "# The games",
        "",
        "Every page here is written from the game's own code and texts when the site is built.",
        "",
        "| game | id | players | |",
        "|---|---|---|---|",
    ]
    return "\n".join([*head, *rows]) + "\n"


def rules(game: Game, lang: str) -> str:
    """The rules page; every rule can be linked to by its number."""
    page = game.rules_text(lang)
    seen: set[str] = set()

    def anchor(match: re.Match[str]) -> str:
        rule = match[1]
        if rule in seen:
            return f"<span class='rule'>{rule}</span>"
        seen.add(rule)
        return f"<span class='rule' id='{rule}'>{rule}</span>"

    return re.sub(r"\[([A-Z][0-9]+)\](?!\()", anchor, page)


def overview(game: Game) -> str:
    """What a programmer looks up: facts, options, notation, events."""
    english, french = game.catalogue("en"), game.catalogue("fr")
    info = game.info
    numbered = re.search(r"\[([A-Z])[0-9]+\]", game.rules_text("en"))
    lines = [
        f"# {info.name}",
        "",
        f"{_about(game, 'pitch')} *{_about(game, 'length')}.*",
        "",
        "| | |",
        "|---|---|",
        f"| id | `{game.id}` |",
        f"| players | {_seats(game)} |",
        "| rules | [English](rules.en.md), [français](rules.fr.md)"
        + (f"; numbered {numbered[1]}1, {numbered[1]}2, … |" if numbered else " |"),
        f"| version of the rules | {info.rules_version} |",
        f"| actions | {info.num_actions} |",
        f"| view | [what the table shows](../../views/{game.id}.md) |",
        f"| observation | [{info.observation_size} numbers](../../observations/{game.id}.md) |",
        f"| size of a match | {info.state.itemsize} bytes |",
        "",
        "## Options",
        "",
        *_options(game, english, french),
        "",
        "## Notation",
        "",
        *_notation(game),
        "",
        "## Events",
        "",
        "What `match.events()` gives and the game room sends: `type`, the fields, and the sentence that people read. A",
        "field that a viewer may not know is null.",
        "",
        "| type | fields | in English | en français |",
        "|---|---|---|---|",
        *_events(english, french),
        "",
        "## A match begins",
        "",
        *_beginning(game),
    ]
    return "\n".join(lines) + "\n"


def _about(game: Game, key: str) -> str:
    return str(game.catalogue("en").find(f"about.{key}") or "")


def _seats(game: Game) -> str:
    return f"{game.info.min_seats} to {game.info.max_seats}"


def _options(game: Game, english: Catalogue, french: Catalogue) -> Iterator[str]:
    if not game.info.options:
        yield "There are none."
        return
    yield "| option | takes | default | what it does | en français | rule |"
    yield "|---|---|---|---|---|---|"
    for option in game.info.options:
        default = {True: "on", False: "off", (): "none"}.get(option.default, option.default)
        rule = f"[{option.rule}](rules.en.md#{option.rule})" if option.rule else ""
        yield (
            f"| `{option.name}` | {_cell(option.range_text())} | {default} "
            f"| {_cell(english.say(f'options.{option.name}.help'))} "
            f"| {_cell(french.say(f'options.{option.name}.name'))} | {rule} |"
        )
    first = game.info.options[0]
    value = "" if first.kind == "texts" else str(first.default).lower()
    flag = f"--{first.name.replace('_', '-')}"
    yield ""
    python, shell = f"game.new({game.info.min_seats}, {first.name}={first.default!r})", f"{flag} {value}".rstrip()
    yield f"In Python `{python}`, at the command line `{shell}`."


def _notation(game: Game) -> Iterator[str]:
    match = re.search(r"^## Typing moves\n+(.*?)(?=^## |\Z)", game.rules_text("en"), re.MULTILINE | re.DOTALL)
    if match:
        yield match[1].strip()
        yield ""
    texts = game.moves.texts
    if len(texts) <= FEW:
        shown = texts
    else:
        step = len(texts) / FEW
        shown = tuple(texts[int(number * step)] for number in range(FEW))
    some = "" if len(texts) <= FEW else f", {FEW} of the {len(texts)}"
    yield f"Moves by their canonical text{some}: {', '.join(f'`{text}`' for text in shown)}."


def _events(english: Catalogue, french: Catalogue) -> Iterator[str]:
    for kind, entry in english.find("events").items():
        sentences = [_cell(_sentence(one)) for one in (entry, french.find(f"events.{kind}"))]
        yield f"| `{kind}` | {_fields(entry)} | {' | '.join(sentences)} |"


_SEATS = {"player": "seat", "other": "other", "players": "seats"}


def _fields(entry: Any) -> str:
    templates = entry.values() if isinstance(entry, dict) else [entry]
    holes = dict.fromkeys(
        _SEATS.get(hole, hole) for text in templates for _, hole, _, _ in string.Formatter().parse(text) if hole
    )
    return ", ".join(f"`{hole}`" for hole in holes)


def _sentence(entry: Any) -> str:
    return str(entry.get("known", entry.get("other"))) if isinstance(entry, dict) else str(entry)


def _cell(text: str) -> str:
    return re.sub(r"\{(\w+)[^}]*\}", r"*\1*", text).replace("|", "\\|").replace("\n", " ")


def _beginning(game: Game) -> Iterator[str]:
    """A match of the fewest players, dealt under seed 1, and its first move: what Python and people see of it."""
    match = game.new(game.info.min_seats, seed=1)
    yield f"`match = ludotheque.game({game.id!r}).new({game.info.min_seats}, seed=1)` deals a match."
    yield f"Seat {match.actor} moves first, and sees:"
    yield ""
    yield "```text"
    yield from game.views.lines(match.view(match.actor, "en"), game.catalogue("en"))
    yield "```"
    legal = match.legal()
    some = ", ".join(f"`{move}`" for move in legal[:8]) + (", …" if len(legal) > 8 else "")
    yield f"It may play {some}. After `match.play({str(legal[0])!r})` the log says:"
    yield ""
    match.play(legal[0])
    yield "```text"
    yield from match.log("en")
    yield "```"
    yield "and the record of the match is"
    yield ""
    yield "```json"
    yield json.dumps(match.record(), indent=1, ensure_ascii=False)
    yield "```"
