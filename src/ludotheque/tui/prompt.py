"""Playing at a plain prompt: the table as lines of text, moves as notation or a number. Works in a pipe too."""

from __future__ import annotations

import json
import secrets
import textwrap
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from ludotheque.bots.bot import Bot
from ludotheque.bots.ladder import PLAYABLE
from ludotheque.bots.names import bot_name
from ludotheque.bots.stand_in import player
from ludotheque.core import background, registry
from ludotheque.core.errors import IllegalMove, InvalidMove, InvalidOptions, InvalidRecord, LudothequeError
from ludotheque.core.files import read_text, write_text
from ludotheque.core.match import Match
from ludotheque.core.match_view import legal_with_labels
from ludotheque.core.pages import rule_lines
from ludotheque.core.records import SAVE, load_json, read_record
from ludotheque.core.texts import LANGUAGES, error_text, nearest, shared, worded
from ludotheque.tui.advice import Adviser

MAX_LISTED = 60
WIDTH = 78
SOME_BOT = "bot"  # somebody who does not say which bot gets one of this level
DEFAULT_LEVEL = "club"
ALMOST = 0.85
"""How much a name is like a level of a bot that is taken for one mistyped."""


class Leave(Exception):
    """The person wants to stop."""


class Prompt:
    """A match at the prompt: people at this keyboard, bots for the others."""

    def __init__(
        self,
        match: Match,
        bots: Mapping[int, str],
        lang: str,
        ask: Callable[[str], str],
        seed: int | str | None = None,
    ) -> None:
        self.match = match
        self.lang = lang
        self._ask = ask
        self._seed = seed
        self._set_bots(bots)
        self._adviser = Adviser(match.game, seed)
        self._told = 0
        """How many steps of the match have been printed."""

    def _set_bots(self, bots: Mapping[int, str]) -> None:
        self._bots_seed = secrets.token_hex(8) if self._seed is None else self._seed
        self.bots = dict(bots)
        """The levels of the bots, by seat."""
        self.people = [seat for seat in range(self.match.num_seats) if seat not in self.bots]

    def _bot(self, seat: int) -> Bot:
        return player(self.match.game, self.bots[seat], f"{self._bots_seed} {seat}")

    def run(self) -> None:
        """Play until the match is over; `Leave` if the person stops before."""
        if self.bots and background.is_pending(self.match.game.id):
            self.say("compiling", game=self.match.game.info.name)
        while not self.match.over:
            if not self._let_others_move():
                self._turn()
        self._tell(self._viewer())
        self._say_result()

    def say(self, key: str, **params: Any) -> None:
        """A line of the prompt's own."""
        print(shared(self.lang).say(f"prompt.{key}", params, self.match.names))

    def _viewer(self) -> int | None:
        return self.people[0] if len(self.people) == 1 else None

    def _let_others_move(self) -> bool:
        """Give seats that may step in out of turn the chance to; True if one did."""
        for seat in self.match.movers():
            if seat == self.match.actor:
                continue
            if seat in self.bots:
                move = self._bot(seat).unasked(self.match.concealed(seat), seat)
                if move is not None:
                    self.match.play(move, seat)
                    return True
            elif self.match.actor in self.bots and self._offer(seat):
                return True
        return False

    def _offer(self, seat: int) -> bool:
        self._tell(seat)
        self.say("may_step_in", seat=seat)
        self._list_moves(legal_with_labels(self.match, seat, self.lang))
        return self._read(seat, may_pass=True)

    def _turn(self) -> None:
        seat = self.match.actor
        if seat in self.bots:
            self.match.play(self._bot(seat).choose(self.match.concealed(seat), seat), seat)
            return
        self._tell(seat)
        self._show(seat)
        self._read(seat, may_pass=False)

    def _tell(self, seat: int | None) -> None:
        """Say what happened since the last time."""
        steps = self.match.events(seat)
        for step in steps[self._told :]:
            for event in step:
                print(textwrap.fill("  " + self.match.sentence(event, self.lang), WIDTH, subsequent_indent="  "))
        self._told = len(steps)

    def _show(self, seat: int) -> None:
        view = self.match.view(seat, self.lang)
        print()
        for line in self.match.game.views.lines(view, self.match.game.catalogue(self.lang)):
            print(line)
        self._list_moves(view["legal"])

    def _list_moves(self, legal: Sequence[dict[str, Any]]) -> None:
        entries = [f"{n}) {m['label']}" for n, m in enumerate(legal[:MAX_LISTED], 1)]
        width = max(len(entry) for entry in entries) + 2
        columns = max(1, WIDTH // width)
        for start in range(0, len(entries), columns):
            print("".join(f"{entry:<{width}}" for entry in entries[start : start + columns]).rstrip())
        if len(legal) > MAX_LISTED:
            self.say("more_moves", n=len(legal) - MAX_LISTED)

    def _read(self, seat: int, may_pass: bool) -> bool:
        """Read lines until a move was played (True) or the person passed an offer (False)."""
        while True:
            text = self._ask(f"{self.match.names[seat]}> ").strip()
            if not text:
                if may_pass:
                    return False
                continue
            try:
                moved = self._command(text, seat)
                if moved is None:
                    self._play(text, seat)
                    return True
                if moved:
                    return True
            except IllegalMove as error:
                print(self.match.refusal_text(error, self.lang) if error.key else str(error))
            except InvalidMove:
                self.say("not_understood", text=text)
            except LudothequeError as error:
                print(error_text(error, self.lang))

    def _play(self, text: str, seat: int) -> None:
        who, colon, move = text.partition(":")
        names = [name.lower() for name in self.match.names]
        if colon and who.strip().lower() in names:
            other = names.index(who.strip().lower())
            if other in self.bots:
                raise IllegalMove(shared(self.lang).say("prompt.not_your_seat", {"seat": other}, self.match.names))
            seat, text = other, move.strip()
        moves = self.match.legal(seat)
        number = text.removeprefix("#")  # a number that is a card too means the card; #7 is always the seventh move
        if number.isascii() and number.isdecimal() and text not in moves and 1 <= int(number) <= len(moves):
            text = moves[int(number) - 1]
        self.match.play(text, seat)

    def _command(self, text: str, seat: int) -> bool | None:
        """Do what is not a move. None: it is no command; True: the match is another now, so whose turn is it?"""
        word, _, rest = text.partition(" ")
        rest = rest.strip()
        if word in ("?", "help"):
            self._help(rest)
        elif text == "hint":
            self._hint(seat)
        elif word == "undo":
            self._undo(seat)
            return True
        elif word == "save":
            self._save(rest)
        elif word == "load":
            self._load(rest)
            return True
        elif word == "log":
            for line in self.match.log(self.lang, seat):
                print("  " + line)
        elif word == "moves" and not rest:
            self._show(seat)
        elif word == "lang" and rest in LANGUAGES:
            self.lang = rest
            self._show(seat)
        elif word == "quit":
            raise Leave
        else:
            return None
        return False

    def _help(self, about: str) -> None:
        page = self.match.game.rules_text(self.lang)
        if about:
            found = rule_lines(page, about.upper())
            print("\n".join(found) if found else shared(self.lang).say("prompt.no_such_rule", {"rule": about}))
        else:
            print(page)
            self.say("commands")

    def _hint(self, seat: int) -> None:
        """What the expert would play with these cards, and why as far as it has reasons."""
        buf = self.match.concealed(seat)
        thought = self._adviser.think(buf, seat)
        best, *others = self._adviser.advice(buf, seat, thought, self.match.names, self.lang)
        words = shared(self.lang)
        lines = [words.say("prompt.hint", {"move": best})]
        if len(self.match.legal_ids(seat)) == 1:
            lines = [words.say("prompt.hint_only", {"move": best.label})]
        elif others:
            lines += [best.reason] if best.reason else []
            lines.append(words.say("prompt.hint_others", {"moves": list(map(str, others))}))
            basis = "hint_playouts" if thought.iterations else "hint_exact"
            lines.append(words.say(f"prompt.{basis}", {"n": thought.iterations}))
        for line in lines:
            print(textwrap.fill("  " + line, WIDTH, subsequent_indent="    "))

    def _undo(self, seat: int) -> None:
        if len(self.people) != 1:
            raise LudothequeError(shared(self.lang).say("prompt.undo_alone"))
        own = [number for number, (who, _) in enumerate(self.match.moves) if who == seat]
        if not own:
            raise LudothequeError(shared(self.lang).say("prompt.undo_nothing"))
        self.match.undo(len(self.match.moves) - own[-1])
        self._told = len(self.match.moves) + 1
        self.say("undone")

    def _save(self, name: str) -> None:
        if not name:
            raise LudothequeError(shared(self.lang).say("prompt.save_where"))
        save_match(Path(name), self.match, self.bots)
        self.say("saved", file=name)

    def _load(self, name: str) -> None:
        match, bots = load_match(Path(name))
        self.match = match
        self._adviser = Adviser(match.game, self._seed)
        self._set_bots(bots)
        self._told = 0

    def _say_result(self) -> None:
        print()
        for place, seats in zip(sorted(set(self.match.places)), self.match.ranking, strict=True):
            scores = self.match.scores
            line = ", ".join(f"{self.match.names[s]} ({scores[s]})" for s in seats)
            print(f"{place}. {line}")


def name_bot(level: str, others: Sequence[str], lang: str) -> str:
    """What a bot is called beside others: its name and its level."""
    words = shared(lang)
    taken = {other.partition(" (")[0].casefold() for other in others}
    name = bot_name(lambda name: name.casefold() in taken, words.say("bot"))
    return words.say("prompt.bot_name", {"name": name, "level": words.say(f"levels.{level}")})


def parse_players(text: str | None, minimum: int, lang: str) -> tuple[list[str], dict[int, str]]:
    """Names, and which seats are bots of which level, from `Ann,bot,expert`; without a text one person and bots.

    What is in small letters is a bot's level, a name has a capital letter: so a level that is mistyped is never taken
    for somebody's name. Neither is a capitalised word that is a level but for a letter.
    """
    words = shared(lang)
    entries = (
        [part.strip() for part in text.split(",")] if text else [words.say("prompt.you")] + [SOME_BOT] * (minimum - 1)
    )
    if not all(entries):
        raise InvalidOptions(words.say("prompt.players_form"))
    bots = {}
    names: list[str] = []
    for seat, entry in enumerate(entries):
        level = DEFAULT_LEVEL if entry.lower() == SOME_BOT else entry.lower()
        if level in PLAYABLE:
            bots[seat] = level
            entry = name_bot(level, [*entries, *names], lang)
        elif entry.islower():
            near, levels = nearest(entry, PLAYABLE), ", ".join((SOME_BOT, *PLAYABLE))
            raise worded(InvalidOptions, "not_a_level", text=f"{entry:.40}", levels=levels, near=near)
        elif (like := nearest(entry, PLAYABLE, ALMOST)) is not None:
            raise worded(InvalidOptions, "like_a_level", text=f"{entry:.40}", level=like)
        names.append(entry)
    return names, bots


def save_match(path: Path, match: Match, bots: Mapping[int, str]) -> None:
    """Write a match to go on with later."""
    data = {SAVE: 1, "bots": {str(seat): level for seat, level in sorted(bots.items())}, "record": match.record()}
    write_text(path, json.dumps(data, ensure_ascii=False, indent=1) + "\n")


def load_match(path: Path) -> tuple[Match, dict[int, str]]:
    """A match saved before, or any whole record, and which seats are bots of which level."""
    data = load_json(read_text(path))
    bots: Any = {}
    if isinstance(data, dict) and SAVE in data:
        bots, data = data.get("bots"), data.get("record")
    match = read_record(data)
    seats = [str(seat) for seat in range(match.num_seats)]
    if not isinstance(bots, dict) or not all(seat in seats and level in PLAYABLE for seat, level in bots.items()):
        raise InvalidRecord("the saved match does not say which seats are bots of which level")
    return match, {int(seat): level for seat, level in bots.items()}


def choose_game(lang: str, ask: Callable[[str], str]) -> str:
    """Let a person choose a game from a list."""
    ids = registry.ids()
    words = shared(lang)
    for number, game_id in enumerate(ids, 1):
        game = registry.load(game_id)
        about = game.catalogue(lang)
        print(f"{number}) {game.info.name}: {about.say('about.pitch')} ({about.say('about.players')})")
    while True:
        text = ask(words.say("prompt.which_game")).strip()
        if text.isascii() and text.isdecimal() and 1 <= int(text) <= len(ids):
            return ids[int(text) - 1]
        if text in ids:
            return text
