"""Arguments that every command in which bots meet refuses, and a word of what it says."""

from __future__ import annotations

BOTS_THAT_CANNOT_MEET = [
    (["chess"], "chess"),
    (["lobo77", "--bots", "club"], "two or more"),
    (["lobo77", "--bots", "club,club"], "two or more"),
    (["lobo77", "--bots", "club,grandmaster"], "grandmaster"),
    (["lobo77", "--jobs", "0"], "jobs"),
    (["lobo77", "--players", "9"], "2 to 8"),
    (["lobo77", "--budget", "soon"], "budget"),
    (["lobo77", "--tokens", "99"], "tokens"),
]
