"""Memory is taken from one place; the compiler's code is given back, and comes back when it is wanted."""

from __future__ import annotations

import platform
import subprocess
import sys

from ludotheque.server.memory import give_back_code, give_back_free, share_one_arena

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


ARENAS = """
import ctypes, sys, threading
from ludotheque.server.memory import share_one_arena

system = ctypes.CDLL(None)
system.fopen.restype = ctypes.c_void_p
if sys.argv[1] == "shared":
    share_one_arena()

def take():
    for _ in range(1000):
        system.malloc(1000)

threads = [threading.Thread(target=take) for _ in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
file = ctypes.c_void_p(system.fopen(b"/dev/stdout", b"w"))
system.malloc_info(0, file)
system.fclose(file)
"""


def test_all_threads_take_memory_from_one_place() -> None:
    def count(how: str) -> int:
        done = subprocess.run([sys.executable, "-c", ARENAS, how], capture_output=True, text=True, check=True)
        return done.stdout.count("<heap ")

    if platform.libc_ver()[0] != "glibc":  # others have no such places
        share_one_arena()
        return
    assert count("shared") == 1 < count("apart")


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
