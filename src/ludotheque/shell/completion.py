"""Completion for shells: what may follow on a command line that is not finished.

The scripts beside this file know nothing of the commands. They ask `ludotheque __complete SHELL WORD…`, with the
unfinished word last. The answer is a line with the kind of what may follow, then a line for each word: the word, a tab,
and what it means. Bash cuts words where the program does not, so its script sends the line itself.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path

from ludotheque.shell.arguments import LIST, Parser, Values

ASK = "__complete"
"""The first word of a question from a shell."""
SHELLS = ("bash", "zsh", "fish")


def script(shell: str) -> str:
    """What a shell reads once to complete our commands."""
    return (Path(__file__).parent / f"completion.{shell}").read_text(encoding="utf-8")


def answer(parser: Parser, shell: str, words: Sequence[str]) -> str:
    """The answer to a shell."""
    typed = split_line(words[0] if words else "") if shell == "bash" else list(words) or [""]
    found = complete(parser, typed)
    done = 0
    if shell == "bash":  # which leaves alone what stands before the last of these signs
        done = 1 + max(typed[-1].rfind(sign) for sign in "=:")
    lines = [f"{word[done:]}\t{text}" for word, text in found.words.items()]
    return "\n".join([found.kind, *lines]) + "\n"


def split_line(line: str) -> list[str]:
    """The words of a line without the program's, the unfinished one last."""
    for closing in ("", '"', "'"):
        try:
            words = shlex.split(line + closing)
        except ValueError:
            continue
        if not closing and (not line or line[-1].isspace()):
            words.append("")
        return words[1:] or [""]
    return [""]


def complete(parser: Parser, words: Sequence[str]) -> Values:
    """What may be written for the last of the words."""
    *before, current = words
    command = next(iter(parser.find_places(before)), None)
    if command is not None:
        if command not in parser.commands:
            return Values()
        parser = parser.commands[command]
        before = before[before.index(command) + 1 :]
        game_id = parser.find_game(before)
        if game_id is not None:
            parser.add_game(game_id)
    if before and parser.takes_value(before[-1]):
        return _matching(parser.suggest(before[-1]), current)
    flag, sign, value = current.partition("=")
    if sign and parser.takes_value(flag):
        return _matching(parser.suggest(flag), value, f"{flag}=")
    taken = len(parser.find_places(before))
    if not current.startswith("-") and parser.places:
        place = parser.places[min(taken, len(parser.places) - 1)]
        if taken < len(parser.places) or place.nargs == "*":
            return _matching(parser.values.get(place.dest, Values()), current)
    return _matching(Values(dict(_flags(parser, before))), current)


def _flags(parser: Parser, before: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The options that may still be given."""
    given = {word.partition("=")[0] for word in before}
    for flag, action in parser.flags.items():
        if flag.startswith("--") and not given & {*action.option_strings}:
            yield flag, (action.help or "").replace("%%", "%")


def _matching(values: Values, current: str, prefix: str = "") -> Values:
    """Those values that the word may become; of a list, its last part."""
    head = prefix
    if values.kind == LIST:
        earlier, comma, current = current.rpartition(",")
        head += earlier + comma
    found = {head + word: text for word, text in values.words.items() if word.startswith(current)}
    return Values(found, values.kind)
