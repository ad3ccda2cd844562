"""The menu: choose a game, go on with one, sit down in a game room, keep score."""

from __future__ import annotations

from functools import partial
from typing import Any, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal

from ludotheque.core import registry
from ludotheque.core.words import game_words
from ludotheque.tui.loading import Loading
from ludotheque.tui.overlays import Ask, Pages, Pick
from ludotheque.tui.page import Page
from ludotheque.tui.palette import GOOD
from ludotheque.tui.saves import Saved, list_saved, pads, saves
from ludotheque.tui.table import Choice
from ludotheque.tui.widgets import Bar, Choices, Keys, Painted

MOST_SAVED = 4
"""How many matches are listed; pads all are."""


class MenuScreen(Page):
    """The first screen of `ludotheque play`."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down,tab,j", "move(1)"),
        Binding("up,shift+tab,k", "move(-1)"),
        Binding("enter,space", "take"),
        Binding("f5", "language"),
        Binding("escape,q", "app.leave_all"),
    ]

    def contents(self) -> ComposeResult:
        """The list on the left, what the highlighted one is on the right."""
        yield Bar("title")
        with Horizontal(id="columns"):
            yield Choices(id="list", numbered=False)
            yield Pages()
        yield Bar("message")
        yield Keys()

    def retell(self) -> None:
        """All texts anew."""
        self.query_one("#title", Bar).show("Ludothèque", self.say("menu.welcome"))
        keys = [
            ("↑ ↓", "choose", ""),
            ("Enter", "take", "take"),
            ("F5", "language", "language"),
            ("^Q", "quit", "quit"),
        ]
        self.query_one(Keys).show([(key, self.say(f"keys.{word}"), command) for key, word, command in keys])
        choices = self.query_one(Choices)
        choices.show(self._items(), index=choices.index or 0)
        self._describe()

    def _items(self) -> list[Choice]:
        items = [Choice(game_id, game_words(game_id).name) for game_id in registry.ids()]
        items.append(Choice("pad", self.say("menu.pad")))
        items.append(Choice("join", self.say("menu.join")))
        self._saved = {f"match {n}": one for n, one in enumerate(list_saved(saves())[:MOST_SAVED])}
        self._saved |= {f"pad {n}": one for n, one in enumerate(list_saved(pads()))}
        for word, one in self._saved.items():
            items.append(Choice(word, self.say(f"menu.resume_{word.split()[0]}", game=self._title_of(one))))
        return [*items, Choice("language", self.say("menu.language")), Choice("quit", self.say("menu.quit"))]

    def _title_of(self, one: Saved) -> str:
        return game_words(one.game).name if one.game in registry.ids() else one.path.name

    def _describe(self) -> None:
        """What the highlighted choice is about."""
        chosen = self.query_one(Choices).chosen
        word = chosen.text if chosen else ""
        if word in registry.ids():
            about = game_words(word).catalogue(self.ludo.lang)
            lines = [f"# {game_words(word).name}", *(about.say(f"about.{k}") for k in ("pitch", "players", "length"))]
            lines = [lines[0], lines[1], "", *lines[2:]]
        elif word in self._saved:
            one = self._saved[word]
            facts = (
                [", ".join(one.players), self.say("menu.moves", n=one.moves)] if one.game else [self.say("menu.broken")]
            )
            lines = [f"# {self._title_of(one)}", *facts, "", str(one.path)]
        else:
            lines = ["", self.say(f"menu.about_{word}")] if word in ("pad", "join") else []
        pages = self.query_one(Pages)
        pages.lines, pages.first = lines, 0
        pages.repaint()

    def tell(self, text: str) -> None:
        """A word at the bottom; the list may be another by now."""
        self.query_one("#message", Bar).show("", text, inks=(GOOD, GOOD, GOOD))
        self.retell()

    def action_move(self, by: int) -> None:
        """Up or down."""
        self.query_one(Choices).move(by)

    def on_choices_moved(self) -> None:
        """Describe another."""
        self._describe()

    def on_painted_picked(self, event: Painted.Picked) -> None:
        """By mouse."""
        word = event.moves[0]
        if word.startswith("#"):
            self._open(self.query_one(Choices).items[int(word[1:])].text)
        elif word == "take":
            self.action_take()
        elif word:
            self._open(word)

    def action_take(self) -> None:
        """Open the highlighted one."""
        if chosen := self.query_one(Choices).chosen:
            self._open(chosen.text)

    def action_language(self) -> None:
        """The other language."""
        self.ludo.set_language(self.ludo.other_language)

    def _open(self, word: str) -> None:
        from ludotheque.tui import opening

        lang = self.ludo.lang
        if word == "quit":
            self.app.exit("")
        elif word == "language":
            self.action_language()
        elif word == "join":
            self.app.push_screen(Ask(self.say("menu.address"), "http://"), self._join)
        elif word == "pad":
            items = [Choice(game_id, game_words(game_id).name) for game_id in registry.ids()]
            self.app.push_screen(Pick(self.say("menu.which_pad"), items), self._pad)
        elif word.startswith("match "):
            path, title = self._saved[word].path, self._title_of(self._saved[word])
            self._load(title, partial(opening.load_table, path, lang), opening.table_page)
        elif word.startswith("pad "):
            path = self._saved[word].path
            self._load(self._title_of(self._saved[word]), partial(opening.load_pad, path, lang), opening.pad_page)
        else:
            self._load(game_words(word).name, partial(opening.ready, word), opening.setup_page)

    def _load(self, title: str, work: Any, then: Any) -> None:
        self.app.push_screen(Loading(title, work, then))

    def _pad(self, game_id: str | None) -> None:
        from ludotheque.tui import opening

        if game_id:
            self._load(game_words(game_id).name, partial(registry.load, game_id), opening.pad_setup)

    def _join(self, address: str | None) -> None:
        from ludotheque.tui import opening

        if address:
            self.app.push_screen(opening.join_page(address, None, self.ludo.lang))
