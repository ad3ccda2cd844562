"""A game: its facts, and the making of matches, positions and batches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from importlib import import_module
from pathlib import Path
from types import MappingProxyType, SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np

from ludotheque.core import kernels as templates
from ludotheque.core import warm
from ludotheque.core.chance import Key, key_from_seed
from ludotheque.core.errors import InvalidOptions
from ludotheque.core.info import Info, Options
from ludotheque.core.jit import COMPILED, RULES_TEMPLATES, cache_dir, entry, jit, lean, rebind
from ludotheque.core.kernels import Template
from ludotheque.core.moves import MoveTable
from ludotheque.core.pages import rules_page
from ludotheque.core.record import MAX_EVENTS, Buffer, Record
from ludotheque.core.texts import Catalogue, catalogue, worded

if TYPE_CHECKING:
    from ludotheque.core.arena import Arena
    from ludotheque.core.match import Match

RULES = ("new_match", "legal", "others", "apply", "outcome", "audit", "conceal", "resample", "observe")
"""What `rules.py` of every game defines, in this order."""


class Game:
    """One of the games. Get it with `ludotheque.game(id)`."""

    def __init__(self, package: str) -> None:
        self.rules = import_module(f"{package}.rules")
        self.notation = import_module(f"{package}.notation")
        self.views = import_module(f"{package}.view")
        self.info: Info = self.rules.INFO
        """The facts: id, seats, options, action count, rules version."""
        self.moves: MoveTable = self.notation.MOVES
        """The moves as text."""
        file = self.rules.__file__
        assert file is not None
        self.texts = Path(file).parent / "texts"

    @property
    def id(self) -> str:
        """The id used in code, files and addresses."""
        return self.info.id

    def __repr__(self) -> str:
        return f"<Game {self.id}>"

    @cached_property
    def kernels(self) -> SimpleNamespace:
        """The compiled entry points of `kernels.py` for this game."""
        return self.bind(RULES_TEMPLATES, templates.INNER, templates.ENTRIES, templates.PARALLEL)

    def bind(
        self,
        file: Path,
        inner: Sequence[Template],
        entries: Sequence[Template],
        parallel: Sequence[Template] = (),
        lean_ones: Sequence[Template] = (),
        hooks: Any = None,
        stand_ins: Mapping[str, Template] = MappingProxyType({}),
    ) -> SimpleNamespace:
        """The templates of a file, with this game's rules in place of the names that they leave open.

        They may also call hooks of the game's: the functions of that name in a module, or what stands in for them.
        """
        names: dict[str, Any] = {name: getattr(self.rules, name) for name in RULES}
        names["STATE"] = self.info.state
        names["NUM_ACTIONS"] = self.info.num_actions
        names["MAX_SEATS"] = self.info.max_seats
        names["MAX_EVENTS"] = MAX_EVENTS
        names["OBSERVATION_SIZE"] = self.info.observation_size
        names["OBSERVATION_ROW"] = np.dtype([("cells", "<i2", (self.info.observation_size,))])
        names["IDS"] = np.dtype((np.record, [("cells", "<i2", (self.info.num_actions,))]))
        owner = f"{self.id}_"
        if COMPILED:
            names |= {t.__name__: jit(rebind(t, names, owner)) for t in templates.READERS}
        else:
            names |= {"record": self.read, "records": lambda bufs: [self.read(buf) for buf in bufs]}
            names["observation_rows"] = lambda cells: [SimpleNamespace(cells=row) for row in cells]
        for template in templates.SHARED:
            names[template.__name__] = jit(rebind(template, names, owner))
        names["sample"] = getattr(self.rules, "sample", names["list_and_choose"])
        names["offer"] = getattr(self.rules, "offer", names["no_offer"])
        names["HAS_OFFER"] = hasattr(self.rules, "offer")
        for name, stand_in in stand_ins.items():
            names[name] = getattr(hooks, name, None) or jit(rebind(stand_in, names, owner))
        for template in lean_ones:
            names[template.__name__] = lean(rebind(template, names, owner))
        for template in inner:
            names[template.__name__] = jit(rebind(template, names, owner))
        cache = cache_dir(self.id, self.texts.parent, file)
        for template in (*entries, *parallel):
            names[template.__name__] = entry(rebind(template, names, owner), cache, template in parallel)
        return SimpleNamespace(**names)

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
        return catalogue(self.texts, lang)

    def rules_text(self, lang: str = "en") -> str:
        """The rules page, in Markdown."""
        return rules_page(self.texts, lang)

    def options(self, players: int, given: Mapping[str, Any]) -> Options:
        """Checked options for a number of players."""
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
        """A new match, dealt. `players` is their number or their names; without a seed the deal is a secret."""
        from ludotheque.core.match import Match, check_names

        names = check_names(players if players is not None else self.info.min_seats)
        checked = self.options(len(names), options)
        return Match.start(self, names, checked, key_from_seed(seed))

    def position(self, data: Mapping[str, Any]) -> Match:
        """A match that begins in a given position, as `Match.position` writes it. `InvalidPosition` says why not."""
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
        """A batch of matches that are stepped together."""
        from ludotheque.core.arena import Arena

        return Arena(self, num_matches, players, seed, threads, auto_reset, options)

    def deal(self, key: Key, players: int, options: Options) -> Buffer:
        """The record of a fresh match under a key."""
        warm.ensure(self.id)
        buf = np.zeros(self.info.state.itemsize, np.uint8)
        self.kernels.start(buf, key, players, options.codes)
        return buf

    def read(self, buf: Buffer) -> Record:
        """A record's fields, readable from Python."""
        return Record(buf, self.info.state)
