"""What a table of LOBO 77 may choose. Help and completion read it without loading the rules."""

from __future__ import annotations

from ludotheque.core.info import FLAG, Option

OPTIONS = (
    Option("tokens", 3, range(1, 7), "L2"),
    Option("repeat_costs", False, FLAG, "L8"),
    Option("swim", True, FLAG, "L18"),
    Option("keep_top", False, FLAG, "L19"),
    Option("draw", "auto", ("auto", "manual"), "L20"),
    Option("end", "last_standing", ("last_standing", "last_tokens"), "L21"),
    Option("card_76", False, FLAG, "L22"),
)
