"""The compiler's code is given back, and comes back when it is wanted."""

from __future__ import annotations

import subprocess
import sys

from ludotheque.server.memory import give_back_code, give_back_free

SCRIPT = """
import ludotheque
from ludotheque.server.memory import LIBRARY, give_back_code, give_back_free

def resident():
    total, ours = 0, False
    for line in open("/proc/self/smaps"):
        if line.split(" ")[0].count("-") == 1:
            ours = LIBRARY in line
        elif ours and line.startswith("Rss:"):
            total += int(line.split()[1])
    return total

def play(game_id):
    match = ludotheque.game(game_id).new(seed=1)
    while len(match.moves) < 20:
        match.play(match.legal_ids()[0])
    return match.to_bytes().hex()

play("lobo77")
before = resident()
give_back_code()
give_back_free()
print(before, resident())
play("double_lucky_7")  # loads its rules, with the same compiler
give_back_code()
print(play("double_lucky_7") == play("double_lucky_7"), resident())
"""


def test_the_compilers_code_is_given_back() -> None:
    if not sys.platform.startswith("linux"):  # other systems keep it
        give_back_code()
        give_back_free()
        return
    found = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=True, timeout=300)
    first, second = found.stdout.splitlines()
    before, after = map(int, first.split())
    same, again = second.split()
    assert before > 20_000  # kilobytes: the compiler was there
    assert after < before / 5
    assert same == "True" and int(again) < before / 5
