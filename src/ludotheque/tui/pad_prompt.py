"""A score pad at a plain prompt: it asks for values one by one, and again only for what is wrong. Pipes work too."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from ludotheque.core.errors import LudothequeError
from ludotheque.core.pad import Pad
from ludotheque.tui.pad_values import CSV, YES, Slot, entry_of, save_pad, slots, take, values_of
from ludotheque.tui.words import say


class Leave(Exception):
    """The person wants to stop."""


class Changed(Exception):
    """A command has changed the pad: the form is another one now."""


class PadPrompt:
    """A pad at the prompt. With a file, every entry is written there at once."""

    def __init__(self, pad: Pad, lang: str, path: Path | None = None) -> None:
        self.pad = pad
        self.lang = lang
        self.path = path

    def run(self) -> None:
        """Ask until the match is over or the input ends."""
        self._say("prompt")
        self._show()
        try:
            while self.pad.form is not None:
                try:
                    self._write(self.pad, self.pad.enter, {})
                except Changed:
                    continue
        except Leave:
            print(say(self.lang, "table.left"))
            return
        winners = [seat for seat, place in enumerate(self.pad.places) if place == 1]
        print(say(self.lang, "table.over", {"seats": winners, "n": len(winners)}, self.pad.names))

    def _say(self, key: str, **params: Any) -> None:
        print(say(self.lang, f"pad.{key}", params, self.pad.names))

    def _show(self) -> None:
        sums = [f"{name} {total}" for name, total in zip(self.pad.names, self.pad.totals, strict=True)]
        print(f"{self.pad.score_text(self.lang)}: {', '.join(sums)}".replace("-", "−"))

    def _write(self, before: Pad, write: Callable[[dict[str, Any]], Pad], values: dict[Slot, Any]) -> None:
        """Ask for an entry that follows on `before`. What is wrong is asked for again; what was right stays."""
        while True:
            shown = before.form_view(self.lang)
            assert shown is not None
            print()
            print(shown["title"])
            self._fill(before, shown, values)
            entry = entry_of(before, values)
            try:
                check = before.check(entry)
                if check.errors:
                    raise check.errors[0]
                if not all(self._confirm(before.question_text(one, self.lang)) for one in check.questions):
                    continue
                self._set(write(entry))
                return
            except LudothequeError as error:
                print(before.refusal_text(error, self.lang))

    def _fill(self, pad: Pad, shown: dict[str, Any], values: dict[Slot, Any]) -> None:
        """Ask for every value in turn; a value that is there already stays if nothing is typed."""
        fields = {one["name"]: one for one in shown["fields"]}
        filled: set[Slot] = set()
        for slot in slots(pad):
            one = fields[slot[0]]
            while slot not in filled:
                text = self._ask(self._label(pad, one, slot, values))
                if not text and (slot in values or one["default"] is not None):
                    filled.add(slot)
                elif text:
                    try:
                        found = take(pad, one, slot, text)
                    except LudothequeError as error:
                        print(pad.refusal_text(error, self.lang))
                    else:
                        values |= found
                        filled |= set(found)

    def _label(self, pad: Pad, one: dict[str, Any], slot: Slot, values: dict[Slot, Any]) -> str:
        label = one["label"] if slot[1] is None else f"{one['label']}, {pad.names[slot[1]]}"
        if one["kind"] == "choice":
            label += " (" + ", ".join(str(choice["label"]) for choice in one["choices"]) + ")"
        if slot not in values:
            return f"{label}: "
        kept = values[slot]
        if one["kind"] == "choice":
            kept = next((choice["label"] for choice in one["choices"] if choice["value"] == kept), kept)
        elif one["kind"] == "flag":
            kept = say(self.lang, "setup.on" if kept else "setup.off")
        return f"{label} [{kept}]: "

    def _ask(self, label: str) -> str:
        """What was typed, commands taken out."""
        while True:
            text = self._input(label)
            word, *rest = text.split() or [""]
            command = getattr(self, f"_do_{word}", None)
            if command is None:
                return text
            try:
                command(*rest)
            except LudothequeError as error:
                print(self.pad.refusal_text(error, self.lang))
            except (ValueError, TypeError):  # too few words, too many, or no such number
                self._say("prompt")

    def _input(self, label: str) -> str:
        try:
            return input(label).strip()
        except EOFError:
            print()
            raise Leave from None

    def _confirm(self, question: str) -> bool:
        return self._input(f"{question} ({say(self.lang, 'pad.yes_no')}) ").lower() in YES

    def _set(self, pad: Pad) -> None:
        self.pad = pad
        if self.path is not None:
            save_pad(self.pad, self.path, self.lang)
        if self.pad.rounds:
            for note in self.pad.rounds[-1].notes:
                print("  " + self.pad.note_text(note, self.lang))
        self._show()

    # Commands.

    def _index(self, number: str, most: int) -> int:
        """The entry that a number stands for."""
        if not number.isdecimal() or not 1 <= int(number) <= most:
            raise ValueError(number)
        return int(number) - 1

    def _do_cancel(self) -> None:
        raise Changed

    def _do_quit(self) -> None:
        raise Leave

    def _do_undo(self) -> None:
        if self.pad.entries:
            self._set(self.pad.back())
            raise Changed

    def _do_save(self, *name: str) -> None:
        path = Path(" ".join(name))
        try:
            save_pad(self.pad, path, self.lang)
        except LudothequeError:
            print(say(self.lang, "table.not_saved", {"file": str(path)}))
        else:
            self._say("saved_csv" if path.suffix.lower() == CSV else "saved", file=str(path))

    def _do_list(self) -> None:
        for index in range(len(self.pad.entries)):
            print(f"{index + 1}. {self.pad.entry_title(index, self.lang)} {self.pad.entry_text(index, self.lang)}")

    def _do_correct(self, number: str) -> None:
        index = self._index(number, len(self.pad.entries))
        pad, before = self.pad, self.pad.at(index)
        self._write(before, lambda entry: pad.correct(index, entry), values_of(before, pad.entries[index]))
        raise Changed

    def _do_insert(self, number: str) -> None:
        index = self._index(number, len(self.pad.entries))
        pad = self.pad
        self._write(pad.at(index), lambda entry: pad.insert(index, entry), {})
        raise Changed

    def _do_remove(self, number: str) -> None:
        self._set(self.pad.remove(self._index(number, len(self.pad.entries))))
        raise Changed

    def _do_move(self, number: str, to: str) -> None:
        index, there = (self._index(one, len(self.pad.entries)) for one in (number, to))
        self._set(self.pad.move(index, there))
        raise Changed

    def _do_rename(self, number: str, *name: str) -> None:
        names = list(self.pad.names)
        seat = self._index(number, len(names))
        names[seat] = " ".join(name)
        self._set(self.pad.rename(names))
        raise Changed
