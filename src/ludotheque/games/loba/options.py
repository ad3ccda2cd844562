"""What a table of Loba may choose. Help and completion read it without loading the rules."""

from __future__ import annotations

from ludotheque.core.info import FLAG, Option

OPTIONS = (
    Option("runs", "suited", ("suited", "any_suit"), "B7"),
    Option("out_by_discard", False, FLAG, "B17"),
)
