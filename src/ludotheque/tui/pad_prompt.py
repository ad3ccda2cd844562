"""A score pad at a plain prompt: it asks for the values one by one. Works in a pipe too."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from ludotheque.core.errors import LudothequeError
from ludotheque.core.files import write_text
from ludotheque.core.pad import Pad
from ludotheque.tui.words import say

YES = ("y", "yes", "o", "oui", "1", "+", "x")


class Leave(Exception):
    """The person wants to stop."""


class PadPrompt:
    """A pad at the prompt. With a file, every entry is written there at once."""

    def __init__(self, pad: Pad, lang: str, path: Path | None = None) -> None:
        self.pad = pad
        self.lang = lang
        self.path = path

    def run(self) -> None:
        """Ask until the match is over or the input ends."""
        print(say(self.lang, "pad.prompt"))
        self._show()
        try:
            while self.pad.form is not None:
                self._entry()
        except Leave:
            print(say(self.lang, "table.left"))
            return
        winners = [seat for seat, place in enumerate(self.pad.places) if place == 1]
        print(say(self.lang, "table.over", {"seats": winners, "n": len(winners)}, self.pad.names))

    def _show(self) -> None:
        sums = [f"{name} {total}" for name, total in zip(self.pad.names, self.pad.totals, strict=True)]
        print(f"{self.pad.score_text(self.lang)}: {', '.join(sums)}".replace("-", "−"))

    def _entry(self) -> None:
        """Ask for an entry; one that cannot be is asked for again."""
        shown = self.pad.form_view(self.lang)
        assert shown is not None
        print()
        print(shown["title"])
        entry: dict[str, Any] = {}
        for one in shown["fields"]:
            if one["each"]:
                values: list[Any] = [None] * len(self.pad.names)
                for seat in shown["order"]:
                    value = self._ask(one, f"{one['label']}, {self.pad.names[seat]}")
                    if value is None:
                        return
                    values[seat] = value
                entry[one["name"]] = values
            elif one["name"] not in entry:
                value = self._ask(one, one["label"])
                if value is None:
                    return
                if not self._work_out(one, value, entry):
                    entry[one["name"]] = value
        try:
            self.pad = self.pad.enter({name: value for name, value in entry.items() if value != ""})
        except LudothequeError as error:
            print(self.pad.refusal_text(error, self.lang))
            return
        self._keep()
        for note in self.pad.rounds[-1].notes:
            print("  " + self.pad.note_text(note, self.lang))
        self._show()

    def _work_out(self, one: dict[str, Any], text: Any, entry: dict[str, Any]) -> bool:
        """Let the game work values out from what lies on the table, if that is what was typed."""
        if one["kind"] != "int" or not self.pad.can_reckon or text.lstrip("+-").isdecimal():
            return False
        try:
            entry.update(self.pad.reckon(text).values)
        except LudothequeError:
            return False  # writing the entry says what is wrong with it
        return True

    def _ask(self, one: dict[str, Any], label: str) -> Any:
        """A value; empty where it may be left out; None if the entry is asked for anew."""
        hint = ""
        if one["kind"] == "choice":
            hint = " (" + ", ".join(str(choice["label"]) for choice in one["choices"]) + ")"
        while True:
            try:
                text = input(f"{label}{hint}: ").strip()
            except EOFError:
                print()
                raise Leave from None
            word, _, rest = text.partition(" ")
            if word == "quit":
                raise Leave
            if word == "undo":
                self.pad = self.pad.back() if self.pad.entries else self.pad
                self._keep()
                self._show()
                return None
            if word == "save" and rest:
                self._save(Path(rest.strip()))
            elif text and one["kind"] == "flag":
                return text.lower() in YES
            elif text and one["kind"] == "choice":
                return next((c["value"] for c in one["choices"] if str(c["label"]).lower() == text.lower()), text)
            elif text or one["default"] is not None:
                return text

    def _save(self, path: Path) -> None:
        try:
            write_text(path, json.dumps(self.pad.to_json(), ensure_ascii=False, indent=1) + "\n")
            print(say(self.lang, "pad.saved", {"file": str(path)}))
        except LudothequeError:
            print(say(self.lang, "table.not_saved", {"file": str(path)}))

    def _keep(self) -> None:
        if self.path is not None:
            write_text(self.path, json.dumps(self.pad.to_json(), ensure_ascii=False, indent=1) + "\n")
