"""The games and their options, for type checkers. Written by `python -m ludotheque.core.typed`."""

from collections.abc import Sequence
from typing import Literal, TypedDict, Unpack, overload

from ludotheque.core.arena import Arena
from ludotheque.core.game import Game
from ludotheque.core.match import Match

class DoubleLucky7Options(TypedDict, total=False):
    """The options of Double Lucky 7."""

    rounds: int
    """One of 7, 14; 14 unless given."""
    lead: Literal["dealer", "winner"]
    """One of dealer, winner; 'dealer' unless given."""
    forfeits: bool
    """On or off; False unless given."""
    forfeit_list: Sequence[str]
    """At most 100 lines of at most 200 characters; () unless given."""

class DoubleLucky7(Game):
    """Double Lucky 7, with its own options."""

    def new(  # type: ignore[override]  # fewer options than any game takes
        self,
        players: int | Sequence[str] | None = None,
        seed: int | str | bytes | None = None,
        **options: Unpack[DoubleLucky7Options],
    ) -> Match: ...
    def arena(  # type: ignore[override]  # fewer options than any game takes
        self,
        num_matches: int,
        players: int | None = None,
        seed: int | str | bytes | None = None,
        threads: int | None = None,
        auto_reset: bool = True,
        **options: Unpack[DoubleLucky7Options],
    ) -> Arena: ...

class LobaOptions(TypedDict, total=False):
    """The options of Loba."""

    runs: Literal["suited", "any_suit"]
    """One of suited, any_suit; 'suited' unless given."""
    out_by_discard: bool
    """On or off; False unless given."""

class Loba(Game):
    """Loba, with its own options."""

    def new(  # type: ignore[override]  # fewer options than any game takes
        self,
        players: int | Sequence[str] | None = None,
        seed: int | str | bytes | None = None,
        **options: Unpack[LobaOptions],
    ) -> Match: ...
    def arena(  # type: ignore[override]  # fewer options than any game takes
        self,
        num_matches: int,
        players: int | None = None,
        seed: int | str | bytes | None = None,
        threads: int | None = None,
        auto_reset: bool = True,
        **options: Unpack[LobaOptions],
    ) -> Arena: ...

class Lobo77Options(TypedDict, total=False):
    """The options of LOBO 77."""

    tokens: int
    """A number from 1 to 6; 3 unless given."""
    repeat_costs: bool
    """On or off; False unless given."""
    swim: bool
    """On or off; True unless given."""
    keep_top: bool
    """On or off; False unless given."""
    draw: Literal["auto", "manual"]
    """One of auto, manual; 'auto' unless given."""
    end: Literal["last_standing", "last_tokens"]
    """One of last_standing, last_tokens; 'last_standing' unless given."""
    card_76: bool
    """On or off; False unless given."""

class Lobo77(Game):
    """LOBO 77, with its own options."""

    def new(  # type: ignore[override]  # fewer options than any game takes
        self,
        players: int | Sequence[str] | None = None,
        seed: int | str | bytes | None = None,
        **options: Unpack[Lobo77Options],
    ) -> Match: ...
    def arena(  # type: ignore[override]  # fewer options than any game takes
        self,
        num_matches: int,
        players: int | None = None,
        seed: int | str | bytes | None = None,
        threads: int | None = None,
        auto_reset: bool = True,
        **options: Unpack[Lobo77Options],
    ) -> Arena: ...

class SkipboOptions(TypedDict, total=False):
    """The options of Skip-Bo De Luxe."""

    stock: int
    """A number from 5 to 30; 30 unless given."""
    match: Literal["single", "points"]
    """One of single, points; 'single' unless given."""
    target: int
    """A number from 50 to 1000; 500 unless given."""
    teams: bool
    """On or off; False unless given."""
    manners: bool
    """On or off; False unless given."""

class Skipbo(Game):
    """Skip-Bo De Luxe, with its own options."""

    def new(  # type: ignore[override]  # fewer options than any game takes
        self,
        players: int | Sequence[str] | None = None,
        seed: int | str | bytes | None = None,
        **options: Unpack[SkipboOptions],
    ) -> Match: ...
    def arena(  # type: ignore[override]  # fewer options than any game takes
        self,
        num_matches: int,
        players: int | None = None,
        seed: int | str | bytes | None = None,
        threads: int | None = None,
        auto_reset: bool = True,
        **options: Unpack[SkipboOptions],
    ) -> Arena: ...

class VolleLotteOptions(TypedDict, total=False):
    """The options of Volle Lotte!."""

    target: int
    """A number from 1000 to 20000; 6000 unless given."""
    ending: Literal["lowest", "round"]
    """One of lowest, round; 'lowest' unless given."""
    negative: bool
    """On or off; False unless given."""
    leader_loses: Literal["when_scored", "at_once"]
    """One of when_scored, at_once; 'when_scored' unless given."""
    straight_goes_on: bool
    """On or off; False unless given."""
    fireworks_stop: bool
    """On or off; False unless given."""

class VolleLotte(Game):
    """Volle Lotte!, with its own options."""

    def new(  # type: ignore[override]  # fewer options than any game takes
        self,
        players: int | Sequence[str] | None = None,
        seed: int | str | bytes | None = None,
        **options: Unpack[VolleLotteOptions],
    ) -> Match: ...
    def arena(  # type: ignore[override]  # fewer options than any game takes
        self,
        num_matches: int,
        players: int | None = None,
        seed: int | str | bytes | None = None,
        threads: int | None = None,
        auto_reset: bool = True,
        **options: Unpack[VolleLotteOptions],
    ) -> Arena: ...

@overload
def game(game_id: Literal["double_lucky_7"]) -> DoubleLucky7: ...
@overload
def game(game_id: Literal["loba"]) -> Loba: ...
@overload
def game(game_id: Literal["lobo77"]) -> Lobo77: ...
@overload
def game(game_id: Literal["skipbo"]) -> Skipbo: ...
@overload
def game(game_id: Literal["volle_lotte"]) -> VolleLotte: ...
@overload
def game(game_id: str) -> Game: ...
