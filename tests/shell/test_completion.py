"""Completion in real shells: bash, zsh and fish are asked what they would offer on an unfinished line."""

from __future__ import annotations

import os
import pty
import re
import select
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import ludotheque
from ludotheque.cli import COMMANDS, main, make_parser
from ludotheque.core.ladder import LEVELS
from ludotheque.shell.completion import SHELLS, complete, split_line
from tests import needs

GAMES = set(ludotheque.game_ids())
SOURCES = Path(ludotheque.__file__).parent.parent

FILES = ("match.json", "my notes.txt", "tables/old.db")

LINES = [
    ("", {*COMMANDS}),
    ("pl", {"play"}),
    ("play ", GAMES),
    ("rules lob", {"loba", "lobo77"}),
    ("warm loba sk", {"skipbo"}),
    ("play skipbo --ma", {"--match", "--manners"}),
    ("play lobo77 --no-", {"--no-repeat-costs", "--no-swim", "--no-keep-top", "--no-card-76"}),
    ("simulate skipbo --st", {"--stock"}),
    ("pad double_lucky_7 --ro", {"--rounds"}),
    ("tournament lobo77 --tok", {"--tokens"}),
    ("skill loba --runs ", {"suited", "any_suit"}),
    ("solve volle_lotte --ending ", {"lowest", "round"}),
    ("pad double_lucky_7 --rounds ", {"7", "14"}),
    ("play --match=", set()),
    ("play skipbo --match=", {"--match=single", "--match=points"}),
    ("play skipbo --seed 3 --match po", {"points"}),
    ("play skipbo --players ", {*LEVELS, "random"}),
    ("play skipbo --players Ann,c", {"Ann,casual", "Ann,club"}),
    ("tournament loba --bots club,ch", {"club,cheater"}),
    ("simulate skipbo --vary st", {"stock="}),
    ("play --lang ", {"en", "fr"}),
    ("--lang fr ru", {"rules"}),
    ("completion ", {*SHELLS}),
    ("admin ", {"backup", "restore", "prune"}),
    ("verify m", {"match.json", "my notes.txt"}),
    ("play --load ", {"match.json", "my notes.txt", "tables/"}),
    ("serve --data ", {"tables/"}),
    ("admin backup tables/", {"tables/old.db"}),
    ("verify match.json --k", {"--key"}),
    ("dance --", set()),
]


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A folder with some files, and the program by its name."""
    for file in FILES:
        (tmp_path / "here" / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "here" / file).touch()
    program = tmp_path / "bin" / "ludotheque"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m ludotheque "$@"\n')
    program.chmod(0o755)
    return tmp_path


def environment(place: Path) -> dict[str, str]:
    path = f"{place / 'bin'}:{os.environ['PATH']}"
    return {
        "PATH": path, "HOME": str(place), "PYTHONPATH": str(SOURCES), "LANG": "C.UTF-8", "LUDOTHEQUE_LANG": "en",
        "TERM": "dumb",
    }  # fmt: skip


def shell(name: str) -> str:
    found = shutil.which(name)
    if found is None:
        needs.missing(f"{name} is not installed (Debian, Ubuntu: apt-get install {name})")
    return found


def run(place: Path, name: str, *arguments: str) -> list[str]:
    """The lines that a shell prints; nothing may go wrong."""
    command = [shell(name), *arguments]
    done = subprocess.run(
        command, cwd=place / "here", env=environment(place), capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0 and not done.stderr, done
    return done.stdout.splitlines()


# Bash cuts a line into words at = and : too, and puts what it gets in place of the last word.
BASH = r"""
source <(ludotheque completion bash)
COMP_LINE=$1 COMP_POINT=${#1} COMP_WORDS=() rest=$1
while [[ $rest =~ ^[[:space:]]*([=:]|[^[:space:]=:]+)(.*)$ ]]; do
    COMP_WORDS+=("${BASH_REMATCH[1]}") rest=${BASH_REMATCH[2]}
done
[[ $1 == *" " ]] && COMP_WORDS+=("")
COMP_CWORD=$(( ${#COMP_WORDS[@]} - 1 ))
complete -p ludotheque >/dev/null
compopt() { :; }  # there is no line to be edited here
_ludotheque ludotheque
printf '%s\n' "${COMPREPLY[@]}"
"""


def in_bash(place: Path, line: str) -> set[str]:
    """What bash offers, with the part of the word before it that it leaves alone."""
    kept = line.rpartition(" ")[2]
    kept = kept[: 1 + kept.rfind("=")]
    found = {kept + word for word in run(place, "bash", "--norc", "-c", BASH, "bash", f"ludotheque {line}") if word}
    return {f"{word}/" if (place / "here" / word).is_dir() else word for word in found}


def in_fish(place: Path, line: str) -> set[str]:
    script = f'ludotheque completion fish | source; complete -C "ludotheque {line}"'
    found = [text.partition("\t")[0] for text in run(place, "fish", "--no-config", "-c", script)]
    return {re.sub(r"\\(.)", r"\1", word) for word in found}


class Zsh:
    """An interactive zsh in a pseudo-terminal that prints what it would offer."""

    SETUP = (
        "PROMPT= RPROMPT= ; unsetopt zle_bracketed_paste prompt_cr prompt_sp; autoload -Uz compinit; compinit -u -D; "
        "source <(ludotheque completion zsh); "
        'compadd() { if [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\\ * ]]; then builtin compadd "$@"; return; fi; '
        "local -a hits; builtin compadd -A hits \"$@\"; print -rn -- $'\\x01'${(pj:\\x02:)hits}$'\\x01'; "
        'builtin compadd "$@"; }; '
        "offer() { zle complete-word; print -rn -- $'\\x03'; BUFFER= }; zle -N offer; bindkey '^T' offer; "
        "zle -C complete-word complete-word _main_complete; print -r -- rea''dy\n"
    )

    def __init__(self, place: Path) -> None:
        program = shell("zsh")
        child, self._end = pty.fork()
        if child == 0:
            os.chdir(place / "here")
            os.execve(program, ["zsh", "-f", "-i"], environment(place))
        self._child = child
        self._write(self.SETUP)
        self._read_until("ready")

    def _write(self, text: str) -> None:
        os.write(self._end, text.encode())

    def _read_until(self, end: str) -> str:
        found = ""
        while end not in found:
            assert select.select([self._end], [], [], 60)[0], found
            found += os.read(self._end, 4096).decode(errors="replace")
        return found

    def offers(self, line: str) -> set[str]:
        self._write(f"ludotheque {line}\x14")
        answer = self._read_until("\x03")
        words = [word for part in re.findall("\x01([^\x01]*)\x01", answer) for word in part.split("\x02")]
        return {re.sub(r"\\(.)", r"\1", word) for word in words if word}

    def close(self) -> None:
        os.close(self._end)
        os.waitpid(self._child, 0)


@pytest.fixture
def zsh(place: Path) -> Iterator[Zsh]:
    one = Zsh(place)
    yield one
    one.close()


@pytest.mark.slow
@pytest.mark.parametrize("ask", [in_bash, in_fish])
def test_bash_and_fish_complete(ask: Callable[[Path, str], set[str]], place: Path) -> None:
    for line, expected in LINES:
        assert ask(place, line) == expected, line


@pytest.mark.slow
def test_zsh_completes(zsh: Zsh, place: Path) -> None:
    for line, expected in LINES:
        found = zsh.offers(line)
        if any((place / "here" / word).exists() for word in expected):  # names of files come without their folder
            expected = {Path(word).name for word in expected}
        assert found == expected, line


@pytest.mark.slow
def test_fish_says_what_the_words_mean(place: Path) -> None:
    script = 'ludotheque completion fish | source; complete -C "ludotheque play skipbo --stoc"'
    (line,) = run(place, "fish", "--no-config", "-c", script)
    assert line.startswith("--stock\tHow many cards each stock has")


@pytest.mark.parametrize("name", SHELLS)
def test_the_command_prints_a_script_that_the_shell_takes(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", name]) == 0
    script = capsys.readouterr().out
    assert "__complete" in script
    subprocess.run([shell(name), "-n"], input=script, text=True, check=True)


def test_what_is_given_is_not_offered_again() -> None:
    found = complete(make_parser("en"), ["play", "loba", "--lang=fr", "--seed", "3", "--"]).words
    assert "--runs" in found and "--lang" not in found and "--seed" not in found


def test_descriptions_are_in_the_language_of_the_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["__complete", "zsh", "play", "--lang", "fr", "skipbo", "--stoc"]) == 0
    assert capsys.readouterr().out.startswith("words\n--stock\tLe nombre de cartes")


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("", [""]),
        ("ludotheque", [""]),
        ("ludotheque ", [""]),
        ("ludotheque play sk", ["play", "sk"]),
        ("ludotheque play 'my file", ["play", "my file"]),
        ('ludotheque play "a b" ', ["play", "a b", ""]),
        ("ludotheque play it's", ["play", "its"]),
    ],
)
def test_a_line_is_cut_into_words(line: str, words: list[str]) -> None:
    assert split_line(line) == words
