"""The games, one package each with the same file names. This list is the only place outside them that names one."""

from __future__ import annotations

from ludotheque.core.registry import register

IDS = ("lobo77", "loba", "skipbo", "volle_lotte", "double_lucky_7")


def register_all() -> None:
    """Make the games known; each is imported when it is first asked for."""
    for game_id in IDS:
        register(game_id, f"{__name__}.{game_id}")
