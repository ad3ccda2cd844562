"""What a table of Double Lucky 7 may choose. Help and completion read it without loading the rules."""

from __future__ import annotations

from ludotheque.core.info import FLAG, TEXTS, Option

OPTIONS = (
    Option("rounds", 14, range(7, 15, 7), "D2"),
    Option("lead", "dealer", ("dealer", "winner"), "D8"),
    Option("forfeits", False, FLAG, "D15"),
    Option("forfeit_list", (), TEXTS, "D15"),
)
