"""What a table of Volle Lotte! may choose. Help and completion read it without loading the rules."""

from __future__ import annotations

from ludotheque.core.info import FLAG, Option

OPTIONS = (
    Option("target", 6000, range(1000, 20001), "V15"),
    Option("ending", "lowest", ("lowest", "round"), "V15"),
    Option("negative", False, FLAG, "V12"),
    Option("leader_loses", "when_scored", ("when_scored", "at_once"), "V12"),
    Option("straight_goes_on", False, FLAG, "V13"),
    Option("fireworks_stop", False, FLAG, "V9"),
)
