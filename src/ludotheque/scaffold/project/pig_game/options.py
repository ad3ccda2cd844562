"""What a table of Pig may choose. Help and completion read it without loading the rules."""

from __future__ import annotations

from ludotheque.core.info import Option

OPTIONS = (Option("target", 100, range(20, 201, 10), "P6"),)
