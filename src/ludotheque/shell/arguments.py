"""Arguments with help in the person's language: ranges, defaults, examples, and a game's own options.

A command's texts lie in a catalogue under `cli.<command>`: `help` says what it does, `examples` are commands to try, a
text bears the name of its argument, and `without.<name>` says what happens where an option has no default and is not
given. Argparse's own messages are English: `error` puts them into words of ours.
"""

from __future__ import annotations

import argparse
import difflib
import re
import shutil
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from ludotheque.core.errors import LudothequeError
from ludotheque.core.registry import check_id, ids
from ludotheque.core.texts import LANGUAGES, Catalogue, worded
from ludotheque.core.words import game_words

if TYPE_CHECKING:
    from ludotheque.core.info import Option

PROGRAM = "ludotheque"
BAD_INPUT = 2
WORDS, LIST, FILES, DIRECTORIES = "words", "list", "files", "directories"
"""What is written in a place: one of some words, several with commas between them, or a path."""

_GAME_OPTION = "option of the game: "
"""Before the name of a game's option in the namespace, so that it never meets an argument of the command."""

_ERRORS = {
    r"the following arguments are required: (?P<names>.+)": "missing",
    r"argument (?P<name>.+): expected (one|at least one) argument": "no_value",
    r"argument (?P<name>.+): invalid choice: (?P<value>.+) \(choose from (?P<choices>.+)\)": "choice",
    r"argument (?P<name>.+): ignored explicit argument (?P<value>.+)": "extra_value",
}
"""What argparse says, and the key of our text under `cli.errors`."""


@dataclass(frozen=True, slots=True)
class Values:
    """What may be written in a place; more than these may be allowed."""

    words: Mapping[str, str] = field(default_factory=dict)
    """Words with what each means."""
    kind: str = WORDS


class _Formatter(argparse.RawDescriptionHelpFormatter):
    def __init__(self, prog: str, texts: Catalogue) -> None:
        super().__init__(prog, max_help_position=26)
        self._texts = texts

    def add_usage(self, usage: Any, actions: Any, groups: Any, prefix: str | None = None) -> None:
        super().add_usage(usage, actions, groups, self._texts.say("cli.usage") if prefix is None else prefix)

    def start_section(self, heading: str | None) -> None:
        super().start_section(heading and heading + self._texts.say("cli.before_colon"))


def find_examples(texts: Catalogue, command: str = "") -> list[str]:
    """Examples of a command, or of the program: its own, then those under `examples.<command>` in a game's texts."""
    found = list(texts.find(f"cli.{command}.examples" if command else "cli.examples") or ())
    for game_id in ids():
        found += game_words(game_id).catalogue(texts.lang).find(f"examples.{command or 'program'}") or ()
    return found


class Parser(argparse.ArgumentParser):
    """The arguments of a command, or of the program itself."""

    def __init__(
        self, texts: Catalogue, command: str = "", takes_game_options: bool = False, prog: str = PROGRAM
    ) -> None:
        self.texts = texts
        self.command = command
        self.takes_game_options = takes_game_options
        """Whether the options of a game follow it. The game is then the first argument."""
        self._has_game = False
        self.places: list[argparse.Action] = []
        """The arguments without a flag, in order."""
        self.flags: dict[str, argparse.Action] = {}
        self.commands: dict[str, Parser] = {}
        self._commands: Any = None
        self.values: dict[str, Values] = {}
        """What may be written for an argument, by its name in the namespace."""
        self.about = self.say("help")
        super().__init__(
            prog,
            description=textwrap.fill(self.about, shutil.get_terminal_size().columns - 2).replace("%", "%%"),
            formatter_class=partial(_Formatter, texts=texts),
            add_help=False,
            allow_abbrev=False,
        )
        self._arguments = self.add_argument_group(texts.say("cli.arguments"))
        self._options = self.add_argument_group(texts.say("cli.options"))
        self._keep(self._options.add_argument("-h", "--help", action="help", help=texts.say("cli.show_help")))
        self.option("lang", choices=LANGUAGES, metavar="|".join(LANGUAGES))

    def say(self, name: str) -> str:
        """The command's text about something; if it has none of its own, the one for all commands."""
        own = f"cli.{self.command}.{name}" if self.command else f"cli.{name}"
        return self.texts.say(own if self.texts.find(own) is not None else f"cli.{name}")

    def _examples(self) -> str:
        examples = find_examples(self.texts, self.command)
        title = self.texts.say("cli.examples_are") + self.texts.say("cli.before_colon")
        return _escaped("\n".join([f"{title}:", *(f"  {line}" for line in examples)]))

    def argument(self, name: str, values: Values | None = None, text: str = "", **kind: Any) -> None:
        """An argument without a flag. Its text is followed by the words that may be written there."""
        if not text:
            text = self.say(name)
            if values is not None:
                text = self.texts.say("cli.one_of", {"text": text, "values": ", ".join(values.words)})
        action = self._arguments.add_argument(name, metavar=self._metavar(name.upper()), help=_escaped(text), **kind)
        self.places.append(action)
        self._keep(action, values)

    def option(
        self,
        name: str,
        default: Any = None,
        values: Values | None = None,
        metavar: str = "",
        bounds: tuple[int, int | None] | None = None,
        **kind: Any,
    ) -> None:
        """An option. `bounds` are the least and the most that a number may be; no most: that is for others to say."""
        notes = []
        if bounds is not None:
            kind["type"] = partial(_whole, f"--{name}", *bounds)
        if bounds is not None and bounds[1] is not None:
            notes.append(self.texts.say("cli.range", {"low": str(bounds[0]), "high": str(bounds[1])}))
        usual = default if default is not None else self._without(name)
        if usual is not None:
            notes.append(self.texts.say("cli.default", {"value": str(usual)}))
        if kind.get("action") not in ("store_true", "version"):
            kind |= {"metavar": self._metavar(metavar or name.upper()), "default": default}
        text = self.say(name) + (f" ({self.texts.say('cli.then').join(notes)})" if notes else "")
        action = self._options.add_argument(f"--{name}", help=_escaped(text), **kind)
        self._keep(action, values, metavar)

    def _without(self, name: str) -> Any:
        own = self.texts.find(f"cli.{self.command}.without.{name}")
        return own if own is not None else self.texts.find(f"cli.without.{name}")

    def _metavar(self, name: str) -> str:
        return self.texts.word("metavar", name)

    def _keep(self, action: argparse.Action, values: Values | None = None, metavar: str = "") -> None:
        for flag in action.option_strings:
            self.flags[flag] = action
        if values is None and action.type is Path:
            values = Values(kind=DIRECTORIES if metavar == "DIR" else FILES)
        if values is None and action.choices is not None:
            values = Values({str(choice): "" for choice in action.choices})
        if values is not None:
            self.values[action.dest] = values

    def add_command(self, name: str, texts: Catalogue, takes_game_options: bool = False) -> Parser:
        """A command of the program, with texts of its own."""
        if self._commands is None:
            self._commands = self.add_subparsers(
                title=self.texts.say("cli.commands"),
                metavar=self._metavar("COMMAND"),
                dest="command",
                required=True,
                parser_class=Parser,
                prog=PROGRAM,
            )
            self.places.append(self._commands)
        about = texts.say(f"cli.{name}.help")
        child: Parser = self._commands.add_parser(
            name, help=_escaped(about), texts=texts, command=name, takes_game_options=takes_game_options
        )
        self.commands[name] = child
        self.values["command"] = Values({name: one.about for name, one in self.commands.items()})
        return child

    def levels(self, *more: str) -> Values:
        """The levels of bots, several with commas between them, and other bots."""
        found = self.texts.find("levels")
        return Values({**found, **dict.fromkeys(more, "")}, LIST)

    def listed(self, meanings: Mapping[str, str]) -> str:
        """Words with what each means, in a row."""
        one_of = partial(self.texts.say, "cli.one_of")
        return self.texts.say("cli.then").join(one_of({"text": one, "values": text}) for one, text in meanings.items())

    def suggest(self, flag: str) -> Values:
        """What may be written after a flag."""
        return self.values.get(self.flags[flag].dest, Values())

    def format_usage(self) -> str:
        """The line of usage."""
        self._set_usage()
        return super().format_usage()

    def format_help(self) -> str:
        """The whole help, with the options of the game if one is named."""
        self._set_usage()
        self.epilog = self._examples()
        if self.takes_game_options and not self._has_game:
            self.epilog += "\n\n" + self.texts.say("cli.more_options", {"command": self.command})
        return super().format_help()

    def _set_usage(self) -> None:
        """Short: the options are all listed below it."""
        places = []
        for action in self.places:
            form = {"?": "[{}]", "*": "[{} …]"}.get(str(action.nargs), "{}")
            places.append(form.format(action.metavar))
        words = [self.prog, *places, f"[{self.texts.say('cli.options')}]"]
        self.usage = " ".join(words).replace("%", "%%")

    def error(self, message: str) -> NoReturn:
        """Say what is wrong, in words of ours where we have some, and end the program."""
        for pattern, key in _ERRORS.items():
            found = re.fullmatch(pattern, message)
            if found is not None:
                facts = {name: text.replace("'", "") for name, text in found.groupdict().items()}
                message = self.texts.say(f"cli.errors.{key}", facts)
                break
        see = self.texts.say("cli.errors.see", {"command": self.prog})
        self.exit(BAD_INPUT, f"{self.prog}: {message}\n{see}\n")

    def takes_value(self, flag: str) -> bool:
        """Whether the word after a flag is its value."""
        return flag in self.flags and self.flags[flag].nargs != 0

    def find_places(self, words: Sequence[str]) -> list[str]:
        """The words that are neither flags nor values of flags."""
        found = []
        after = ""
        for word in words:
            if not ((word.startswith("-") and len(word) > 1) or self.takes_value(after)):
                found.append(word)
            after = word
        return found

    def find_game(self, words: Sequence[str]) -> str | None:
        """The game among the words of a command, if it has options."""
        known = ids()
        found = self.find_places(words) if self.takes_game_options else []
        return next((word for word in found if word in known), None)

    def add_game(self, game_id: str) -> None:
        """Take the options of a game: `--stock 20`, `--teams`, `--no-swim`."""
        self._has_game = True
        game = game_words(game_id)
        texts = game.catalogue(self.texts.lang)
        title = self.texts.say("cli.game_options", {"game": game.name})
        group = self.add_argument_group(title, texts.say("about.players"))
        for option in game.options:
            flag = "--" + option.name.replace("_", "-")
            if flag in self.flags:
                continue
            kind: dict[str, Any] = {
                "dest": _GAME_OPTION + option.name,
                "help": _escaped(self._option_text(option, texts)),
            }
            if option.kind == "flag":
                kind["action"] = argparse.BooleanOptionalAction
            elif option.kind == "texts":
                kind |= {"action": "append", "metavar": self._metavar("TEXT")}
            else:
                kind["metavar"] = option.range_symbols()
            self._keep(group.add_argument(flag, **kind), _option_values(option, texts))
        if "--vary" in self.flags:
            names = {f"{option.name}=": texts.say(f"options.{option.name}.name") for option in game.options}
            self.values["vary"] = Values({**names, "players=": ""}, LIST)

    def _option_text(self, option: Option, texts: Catalogue) -> str:
        parts = [texts.say(f"options.{option.name}.help")]
        if option.kind == "choice":
            parts.append(self.listed(_option_values(option, texts).words) + ".")
        usual = str(option.default)
        if option.kind == "flag":
            usual = self.texts.say("cli.on" if option.default else "cli.off")
        elif option.kind == "texts":
            usual = self.texts.say("cli.our_list")
        return " ".join([*parts, f"({self.texts.say('cli.default', {'value': usual})})"])

    def parse_known_args(self, args: Iterable[str] | None = None, namespace: Any = None) -> tuple[Any, list[str]]:
        """Parse; what is not understood is an error here. `options` are the game's own that were given."""
        words = list(args or ())
        game_id = self.find_game(words)
        if game_id is not None:
            self.add_game(game_id)
        elif self.takes_game_options:
            self._check_game(words)
        found, unknown = super().parse_known_args(words, namespace)
        if unknown:
            self.error(self._unknown(unknown[0]))
        if self.takes_game_options:
            given = {name: value for name, value in vars(found).items() if name.startswith(_GAME_OPTION)}
            for name in given:
                delattr(found, name)
            found.options = {
                name.removeprefix(_GAME_OPTION): value for name, value in given.items() if value is not None
            }
        return found, unknown

    def _check_game(self, words: Sequence[str]) -> None:
        """Refuse a game that there is not, unless the word may be the value of an option that is not understood."""
        for place in self.find_places(words)[:1]:
            before = [word.partition("=")[0] for word in words[: words.index(place)] if word.startswith("-")]
            if all(flag in self.flags for flag in before):
                check_id(place)

    def _unknown(self, word: str) -> str:
        near = difflib.get_close_matches(word.partition("=")[0], self.flags, 1) if word.startswith("--") else []
        if near:
            return self.texts.say("cli.errors.unknown_like", {"text": word, "near": near[0]})
        return self.texts.say("cli.errors.unknown", {"text": word})


def _escaped(text: str) -> str:
    """A text as argparse wants it, which fills in what follows a percent sign."""
    return text.replace("%", "%%")


def _whole(name: str, low: int, high: int | None, text: str) -> int:
    """A number within bounds."""
    if re.fullmatch("-?[0-9]{1,18}", text) and low <= int(text) and (high is None or int(text) <= high):
        return int(text)
    key = "number" if high is not None else "number_from"
    raise worded(LudothequeError, key, name=name, low=str(low), high=str(high), value=text)


def _option_values(option: Option, texts: Catalogue) -> Values:
    """What an option of a game may be, if that is a short list."""
    if option.kind == "choice":
        return Values({str(value): texts.say(f"options.{option.name}.values.{value}") for value in option.values})
    if isinstance(option.values, range) and option.values.step > 1:
        return Values({str(value): "" for value in option.values})
    return Values()


@cache
def games() -> Values:
    """The games by id."""
    return Values({game_id: game_words(game_id).name for game_id in ids()})
