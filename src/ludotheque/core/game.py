"""A game: its facts, and the making of matches, positions and batches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from importlib import import_module
from pathlib import Path
from types import MappingProxyType, SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np

from ludotheque.core import background, registry, warm
from ludotheque.core import entries as templates
from ludotheque.core.cache import cache_dir
from ludotheque.core.chance import Key, key_from_seed
from ludotheque.core.entries import Template
from ludotheque.core.errors import InvalidMove, InvalidOptions
from ludotheque.core.info import Info, Options
from ludotheque.core.jit import COMPILED, RULES_TEMPLATES, entry, jit, rebind
from ludotheque.core.moves import Move, Moves
from ludotheque.core.pages import rules_page
from ludotheque.core.record import MAX_EVENTS, Buffer, Record
from ludotheque.core.texts import Catalogue, catalogue, worded

if TYPE_CHECKING:
    from ludotheque.core.arena import Arena
    from ludotheque.core.match import Match

RULES = ("new_match", "legal", "others", "apply", "outcome", "audit", "conceal", "resample", "observe")
"""What `rules.py` of every game defines, in this order."""


class Game:
    """One of the games. Get it with `ludotheque.game(id)`.

    Examples:
        >>> import ludotheque
        >>> game = ludotheque.game("lobo77")
        >>> game.info.name, game.info.min_seats, game.info.max_seats
        ('LOBO 77', 2, 8)
        >>> game.rules_text("fr").splitlines()[0]
        '# LOBO 77'
        >>> match = game.new(["Ann", "Ben"], seed=1, tokens=2)
        >>> match.num_seats, match.options["tokens"]
        (2, 2)
    """

    def __init__(self, package: str) -> None:
        self._catalogues: dict[str, Catalogue] = {}
        self.rules = import_module(f"{package}.rules")
        self.notation = import_module(f"{package}.notation")
        self.views = import_module(f"{package}.view")
        self.info: Info = self.rules.INFO
        """The facts: id, seats, options, action count, rules version."""
        self.moves = Moves(self.info.id, self.notation.MOVES)
        """Every move of the game, by action id."""
        file = self.rules.__file__
        assert file is not None
        self.folder = Path(file).parent
        """Where its files are."""
        self.texts = self.folder / "texts"

    @property
    def id(self) -> str:
        """The id used in code, files and addresses."""
        return self.info.id

    def __repr__(self) -> str:
        return f"<Game {self.id}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return registry.restore, (self.id, self.rules.__package__)  # there is one of each game

    def _repr_html_(self) -> str:
        from ludotheque.core.html import game_html

        return game_html(self)

    def move(self, which: str | int) -> Move:
        """A move by its text or its action id.

        Args:
            which: The text, in any spelling that people may use, or the action id.

        Raises:
            InvalidMove: If there is no such move.
        """
        if isinstance(which, str):
            return self.moves.parse(which)
        if type(which) is not int or not 0 <= which < self.info.num_actions:
            raise InvalidMove(f"{which!r:.80} is not an action: they go from 0 to {self.info.num_actions - 1}")
        return self.moves[which]

    @cached_property
    def kernels(self) -> SimpleNamespace:
        """The entry points of `entries.py` for this game. What a match needs runs interpreted until it is compiled."""
        bound = self.bind(RULES_TEMPLATES, templates.INNER, templates.ENTRIES, templates.PARALLEL)
        alone = rebind(templates.arena, vars(bound), f"{self.id}_alone_")
        bound.arena_alone = entry(alone, cache_dir(self.id, self.folder, RULES_TEMPLATES))
        entries = warm.PURPOSES[warm.PLAY].entries
        return background.until_compiled(self, warm.PLAY, bound, [name for names in entries for name in names])

    def bind(
        self,
        file: Path,
        inner: Sequence[Template],
        entries: Sequence[Template],
        parallel: Sequence[Template] = (),
        hooks: Any = None,
        stand_ins: Mapping[str, Template] = MappingProxyType({}),
        given: Mapping[str, Any] = MappingProxyType({}),
    ) -> SimpleNamespace:
        """The templates of a file, with this game's rules in place of the names that they leave open.

        They may also call hooks of the game's: the functions of that name in a module, or what stands in for them; and
        use other names that are given.
        """
        names: dict[str, Any] = {name: getattr(self.rules, name) for name in RULES}
        names["STATE"] = self.info.state
        names["NUM_ACTIONS"] = self.info.num_actions
        names["MAX_SEATS"] = self.info.max_seats
        names["MAX_EVENTS"] = MAX_EVENTS
        names["OBSERVATION_SIZE"] = self.info.observation_size
        names["OBSERVATION"] = self.info.observation_record
        names["IDS"] = np.dtype((np.record, [("cells", "<i2", (self.info.num_actions,))]))
        owner = f"{self.id}_"
        if COMPILED:
            names |= {t.__name__: jit(rebind(t, names, owner)) for t in templates.READERS}
        else:
            names |= self.readers()
        for template in templates.SHARED:
            names[template.__name__] = jit(rebind(template, names, owner))
        names["sample"] = getattr(self.rules, "sample", names["list_and_choose"])
        names["offer"] = getattr(self.rules, "offer", names["no_offer"])
        names["HAS_OFFER"] = hasattr(self.rules, "offer")
        for name, stand_in in stand_ins.items():
            names[name] = getattr(hooks, name, None) or jit(rebind(stand_in, names, owner))
        names |= given
        for template in inner:
            names[template.__name__] = jit(rebind(template, names, owner))
        cache = cache_dir(self.id, self.folder, file)
        for template in (*entries, *parallel):
            names[template.__name__] = entry(rebind(template, names, owner), cache, template in parallel)
        return SimpleNamespace(**names)

    def readers(self) -> dict[str, Any]:
        """How interpreted entries read bytes: what stands in for `entries.READERS`."""
        seen = self.info.observation_record
        return {
            "record": self.read,
            "records": lambda bufs: [self.read(buf) for buf in bufs],
            "observation": lambda numbers: Record(numbers, seen),
            "observations": lambda rows: [Record(row, seen) for row in rows],
        }

    def module(self, name: str) -> Any:
        """A module that the game may have, such as its `bots.py`; an empty stand-in if it has none."""
        wanted = f"{self.rules.__name__.rpartition('.')[0]}.{name}"
        try:
            return import_module(wanted)
        except ModuleNotFoundError as error:
            if error.name != wanted:
                raise
            return SimpleNamespace()

    def catalogue(self, lang: str) -> Catalogue:
        """The game's messages in a language."""
        if lang not in self._catalogues:
            self._catalogues[lang] = catalogue(self.texts, lang)
        return self._catalogues[lang]

    def rules_text(self, lang: str = "en") -> str:
        """The rules page, in Markdown; each rule carries its number in brackets.

        Args:
            lang: `en` or `fr`.
        """
        return rules_page(self.texts, lang)

    def options(self, players: int, given: Mapping[str, Any]) -> Options:
        """Checked options for a number of players, with defaults filled in.

        Args:
            players: How many play.
            given: Options by name; texts are understood too, as a command line gives them.

        Raises:
            InvalidOptions: If the game does not take the number, an option, or the two together.
        """
        low, high = self.info.min_seats, self.info.max_seats
        if isinstance(players, bool) or not isinstance(players, int) or not low <= players <= high:
            facts = {"game": self.info.name, "low": low, "high": high, "players": players}
            raise worded(InvalidOptions, "players", **facts)
        options = Options(self.info.options, given)
        self.info.check(players, options)
        return options

    def new(
        self,
        players: int | Sequence[str] | None = None,
        seed: int | str | bytes | None = None,
        **options: Any,
    ) -> Match:
        """A new match, dealt.

        Args:
            players: Their names, clockwise, or their number; as few as can play without it.
            seed: An integer, a text or 32 bytes. The same seed, options and moves give the same match on any machine;
                without a seed the deal is a secret that nobody can foresee.
            **options: The game's options by their names.

        Raises:
            InvalidOptions: If the game does not take the players or an option; nothing is dealt.
        """
        from ludotheque.core.match import Match, check_names

        names = check_names(players if players is not None else self.info.min_seats)
        checked = self.options(len(names), options)
        return Match.start(self, names, checked, key_from_seed(seed))

    def position(self, data: Mapping[str, Any]) -> Match:
        """A match that begins in a given position.

        Args:
            data: A position as `Match.position` writes it. What is left out is as at the beginning, or drawn.

        Raises:
            InvalidPosition: If it cannot be, and why not.
        """
        from ludotheque.core.position import read_position

        return read_position(self, data)

    def arena(
        self,
        num_matches: int,
        players: int | None = None,
        seed: int | str | bytes | None = None,
        threads: int | None = None,
        auto_reset: bool = True,
        **options: Any,
    ) -> Arena:
        """A batch of matches that are stepped together.

        Args:
            num_matches: How many.
            players: How many play in each; as few as can without it.
            seed: As for `new`; every match has a key of its own, made of it.
            threads: How many cores to use; all of them without it.
            auto_reset: Whether a match that ends is followed by another in its row.
            **options: The game's options by their names.

        Raises:
            InvalidOptions: If the game does not take the players or an option.
        """
        from ludotheque.core.arena import Arena

        return Arena(self, num_matches, players, seed, threads, auto_reset, options)

    def deal(self, key: Key, players: int, options: Options) -> Buffer:
        """The record of a fresh match under a key."""
        buf = np.zeros(self.info.state.itemsize, np.uint8)
        self.kernels.start(buf, key, players, options.codes)
        return buf

    def read(self, buf: Buffer) -> Record:
        """A record's fields, readable from Python."""
        return Record(buf, self.info.state)
