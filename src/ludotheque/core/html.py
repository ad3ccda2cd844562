"""Matches, games and pads as HTML, which notebooks show: one block each, in light and dark, without any script.

A match is drawn from its view and what the game declares about it. Where a value is one of the game's cards, the card
is drawn (`notation.CARDS`); where numbers are dice (the notation has a `parse_dice`), dice are. Lists with something
for each seat are columns of the table of players; the other cards and dice are rows below, under the names they have
in the view.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING, Any

from ludotheque.core import cards
from ludotheque.core.texts import Catalogue, shared
from ludotheque.core.views import Each, Exactly, Fields, Flag, Maybe, MembersOf, Number, Shape, Word

if TYPE_CHECKING:
    from ludotheque.core.game import Game
    from ludotheque.core.match import Match
    from ludotheque.core.pad import Pad

MOST_PIECES = 14
"""Cards in a row; of more, both ends are shown."""
MOST_IN_CELL = 4
"""The same within the table of players."""
MOST_MOVES = 12

_LIGHT = """--paper: #fffdf8; --line: #dccfb8; --ink: #2a2420; --soft: #665a4e; --accent: #b0431f; --lit: #b0431f18;
  --felt: #2f5d57;"""
_DARK = """--paper: #27211d; --line: #4a4039; --ink: #f3ebdf; --soft: #b9ab9b; --accent: #e58a66; --lit: #e58a6622;
  --felt: #1d3a37;"""

CSS = f"""
.ludotheque {{ {_LIGHT} }}
@media (prefers-color-scheme: dark) {{ .ludotheque {{ {_DARK} }} }}
[data-jp-theme-light=true] .ludotheque, .vscode-light .ludotheque {{ {_LIGHT} }}
[data-jp-theme-light=false] .ludotheque, .vscode-dark .ludotheque {{ {_DARK} }}
.ludotheque {{
  --card: 46px; display: inline-block; min-width: 22rem; max-width: 54rem; overflow: hidden; text-align: left;
  border: 1px solid var(--line); border-radius: 10px; background: var(--paper); color: var(--ink);
  font: 14px/1.45 ui-rounded, 'Segoe UI', system-ui, sans-serif;
  header {{ padding: .6em 1em; background: var(--felt); color: #f4efe3; }}
  header b {{ font: 600 1.25em Georgia, serif; margin-right: .6em; }}
  header span {{ opacity: .85; }}
  .part {{ padding: .55em 1em; display: flex; gap: .3em; align-items: center; }}
  .part > div {{ display: flex; gap: .3em .8em; flex-wrap: wrap; align-items: center; }}
  table + .part, .part + .part, details {{ border-top: 1px solid var(--line); }}
  .name {{ flex: none; width: 5.5em; }}
  .name, .more, summary, th {{ color: var(--soft); font-size: .88em; font-weight: 500; }}
  .some {{ display: inline-flex; flex-wrap: wrap; gap: 3px; align-items: center; vertical-align: middle; }}
  table {{ border-collapse: collapse; width: 100%; margin: 0; color: inherit; font-size: 1em; }}
  tr, tbody tr:nth-child(odd), tbody tr:hover {{ background: none; }}
  th, td {{ padding: .3em .8em; text-align: right; font-variant-numeric: tabular-nums; vertical-align: middle; }}
  td {{ --card: 27px; color: inherit; }}
  th:first-child, td:first-child {{ padding-left: 1.15em; }}
  th:first-child, td:first-child, .text td, .text th, .drawn {{ text-align: left; }}
  td.drawn {{ white-space: nowrap; }}
  td .some + .some {{ margin-left: .5em; }}
  tr.lit, tbody tr.lit:nth-child(odd) {{
    background: var(--lit); box-shadow: inset 4px 0 var(--accent); font-weight: 600;
  }}
  tr.sum td {{ border-top: 1px solid var(--line); font-weight: 700; }}
  code {{
    padding: .1em .45em; border: 1px solid var(--line); border-radius: 5px; font-size: .88em; background: none;
    color: inherit; white-space: nowrap;
  }}
  meter {{ width: 7em; height: .8em; vertical-align: middle; }}
  p {{ margin: 0; }}
  small {{ color: var(--soft); }}
  details {{ padding: .35em 1em .5em; }}
  summary {{ cursor: pointer; }}
  pre {{ margin: .4em 0 0; font-size: .85em; white-space: pre-wrap; color: inherit; background: none; }}
  {cards.CSS}
}}
"""


def block(title: str, about: str, body: str) -> str:
    """A block with a heading. Title and what it is about are text, the body is HTML."""
    style = " ".join(CSS.split())
    head = f"<header><b>{escape(title)}</b><span>{escape(about)}</span></header>"
    return f'<div class="ludotheque"><style>{style}</style>{head}{body}</div>'


def part(name: str, body: str) -> str:
    """A part of a block under a name, which is text and may be empty; the body is HTML."""
    title = f'<span class="name">{escape(name)}</span>' if name else ""
    return f'<div class="part">{title}<div>{body}</div></div>'


def rows(
    head: Sequence[str], body: Sequence[Sequence[str]], lit: int | None = None, last: str = "", look: str = ""
) -> str:
    """A table of cells that are HTML; one line may be lit up, the last one and the whole be of a class."""
    drawn = {place for cells in body for place, cell in enumerate(cells) if "<svg" in cell}
    titles = "".join(
        f'<th class="{"drawn" if place in drawn else ""}">{escape(title)}</th>' for place, title in enumerate(head)
    )
    lines = []
    for number, cells in enumerate(body):
        kind = "lit" if number == lit else last if number == len(body) - 1 else ""
        lines.append(f'<tr class="{kind}">' + "".join(map(_cell, cells)) + "</tr>")
    return f'<table class="{look}"><thead><tr>{titles}</tr></thead><tbody>{"".join(lines)}</tbody></table>'


def _cell(cell: str) -> str:
    return f'<td class="drawn">{cell}</td>' if "<svg" in cell else f"<td>{cell}</td>"


def match_html(match: Match, seat: int | None, lang: str = "en") -> str:
    """A match as a seat (None: a spectator) sees it."""
    game, words = match.game, match.game.catalogue(lang)
    view = match.view(seat, lang)
    lines = game.views.lines(view, words)
    pieces = _Pieces(game, words)
    names, seats = view["players"], range(len(view["players"]))
    columns: dict[str, list[str]] = {words.say("html.score"): [str(score) for score in view["scores"]]}
    if view["over"]:
        columns[words.say("html.place")] = [f"{place}." for place in view["places"]]
    parts = []
    for name, shape in game.views.VIEW.shapes.items():
        value, title = view["table"][name], name.replace("_", " ")
        if _is_for_seats(shape, game, value, len(names)):
            cells = [pieces.cell(shape.one, one) for one in value]
            if any(cells) and set(cells) != {"0"} and cells != columns[words.say("html.score")]:
                columns[title] = cells
        elif drawn := pieces.draw(shape, value):
            parts.append((name == "hand", part(title, drawn)))
    body = [[escape(names[seat]), *(column[seat] for column in columns.values())] for seat in seats]
    shown = rows(["", *columns], body, view["actor"])
    shown += "".join(row for _, row in sorted(parts, key=lambda one: one[0]))  # the hand below all others
    shown += _moves(view, words)
    text = escape("\n".join(lines))
    shown += f"<details><summary>{escape(words.say('html.in_words'))}</summary><pre>{text}</pre></details>"
    return block(game.info.name, lines[0], shown)


def _moves(view: dict[str, Any], words: Catalogue) -> str:
    """The moves of the seat whose view it is."""
    legal = view["legal"]
    if not legal:
        return ""
    shown = "".join(f'<code title="{escape(one["label"])}">{escape(one["move"])}</code>' for one in legal[:MOST_MOVES])
    more = f'<span class="more">+{len(legal) - MOST_MOVES}</span>' if len(legal) > MOST_MOVES else ""
    return part(words.say("html.moves", {"n": len(legal)}), f'<span class="some">{shown}{more}</span>')


def _is_for_seats(shape: Shape, game: Game, value: Any, num_seats: int) -> bool:
    return isinstance(shape, Each) and shape.most == game.info.max_seats and len(value or ()) == num_seats


class _Pieces:
    """Draws the cards and dice in what a view shows."""

    def __init__(self, game: Game, words: Catalogue) -> None:
        self._cards: Sequence[str] = [card for card in getattr(game.notation, "CARDS", ()) if card]
        self._has_dice = hasattr(game.notation, "parse_dice")
        self._words = words

    def cell(self, shape: Shape, value: Any) -> str:
        """What a seat has of something, for a cell of a table; empty for nothing."""
        if isinstance(shape, Number) or (isinstance(shape, Maybe) and isinstance(shape.one, Number)):
            return "" if value is None else _signed(value)
        if isinstance(shape, Flag):
            return "✓" if value else ""
        if isinstance(shape, Fields):
            return " ".join(filter(None, (self.cell(one, value[name]) for name, one in shape.shapes.items())))
        return self.draw(shape, value, MOST_IN_CELL)

    def draw(self, shape: Shape, value: Any, most: int = MOST_PIECES) -> str:
        """All cards and dice in it, lists kept together; empty if there are none."""
        if isinstance(shape, Maybe):
            shape = shape.one
        if value is None:
            return ""
        if isinstance(shape, Word):
            if isinstance(value, list):
                return self._row([self._die(one) for one in value], most)
            return self._row([self._card(value)], most)
        if isinstance(shape, MembersOf):
            return self._row([self._card(one) for one in value], most)
        if isinstance(shape, Fields):
            return "".join(self.draw(one, value[name], most) for name, one in shape.shapes.items())
        if isinstance(shape, Each | Exactly):
            if isinstance(shape.one, Word) and not isinstance(shape.one.values[0], list | dict):
                return self._row([self._card(one) for one in value], most)
            if isinstance(shape, Each) and isinstance(shape.one, Number):
                return self._row([self._die(one) for one in value], most)
            return "".join(self.draw(shape.one, one, most) for one in value)
        return ""

    def _card(self, value: Any) -> str:
        if value not in self._cards:
            return ""
        return cards.card(value, self._words.word("face", value), self._words.word("card", value), self._cards)

    def _die(self, value: Any) -> str:
        return cards.die(value) if self._has_dice and value in cards.PIPS else ""

    def _row(self, drawn: list[str], most: int) -> str:
        drawn = [one for one in drawn if one]
        if len(drawn) > most:
            half = most // 2
            drawn = [*drawn[:half], f'<span class="more">+{len(drawn) - 2 * half}</span>', *drawn[-half:]]
        return f'<span class="some">{"".join(drawn)}</span>' if drawn else ""


def game_html(game: Game, lang: str = "en") -> str:
    """A game: what it is, its options, and how to begin."""
    words = game.catalogue(lang)
    every = [card for card in getattr(game.notation, "CARDS", ()) if card]
    some = every[:: max(1, len(every) // 7)][:8]
    drawn = "".join(cards.card(card, words.word("face", card), words.word("card", card), every) for card in some)
    body = part("", f"<p>{escape(words.say('about.pitch'))}</p>")
    if drawn:
        body += part("", f'<span class="some">{drawn}</span>')
    options = [
        [
            f"<code>{escape(option.name)}</code>",
            f"{escape(words.say(f'options.{option.name}.name'))}: {escape(option.range_text(lang))}",
            f"<code>{escape(repr(option.default))}</code>",
        ]
        for option in game.info.options
    ]
    if options:
        body += rows([words.say("html.option"), "", words.say("html.default")], options, look="text")
    example = f'ludotheque.game("{game.id}").new(players={game.info.min_seats}, seed=1)'
    body += part("", f"<code>{escape(example)}</code>")
    return block(game.info.name, words.say("about.players"), body)


def pad_html(pad: Pad, lang: str = "en") -> str:
    """A score sheet: the sheet, and what is written next."""
    words = shared(lang)
    body = [[str(row.round), *map(_signed, row.points)] for row in pad.rounds]
    totals = [f"{total} <small>({place}.)</small>" for total, place in zip(pad.totals, pad.places, strict=True)]
    body.append([escape(words.say("html.sum")), *totals])
    shown = rows([words.say("html.round"), *pad.names], body, last="sum")
    form = pad.form
    if form is not None:
        fields = "".join(f"<code>{escape(one.name)}</code>" for one in form.fields)
        title = escape(pad.say(form.key, form.params, lang))
        shown += part(words.say("html.next"), f"<span>{title}</span>{fields}")
    return block(pad.game.info.name, pad.score_text(lang), shown)


def _signed(number: int) -> str:
    return str(number).replace("-", "−")
