"""What a table of Skip-Bo De Luxe may choose. Help and completion read it without loading the rules."""

from __future__ import annotations

from ludotheque.core.info import FLAG, Option

OPTIONS = (
    Option("stock", 30, range(5, 31), "S2"),
    Option("match", "single", ("single", "points"), "S13"),
    Option("target", 500, range(50, 1001), "S13"),
    Option("teams", False, FLAG, "S14"),
    Option("manners", False, FLAG, "S15"),
)
