"""What compiled code (`traffic.py`) is told of tables and connections, and what it takes in from them, for Python.

A table that is as usual lies at a desk. Moves that come in there are put on a `Tray`, which a `Painter` tells of once
they are stored.
"""

from __future__ import annotations

import contextlib
import select
from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from ludotheque.core.game import Game
from ludotheque.core.portray import AT, NUMBER, ROUNDS, ROUNDS_SIZE, kernels
from ludotheque.core.raw import READY
from ludotheque.core.shape import Sheet
from ludotheque.core.traffic import (
    AT_DESK,
    CHUNK,
    DESK,
    DESK_SIZE,
    EVENT_ROOM,
    FRESH,
    HEARD,
    HOLDING,
    IS_CLEAR,
    IS_OPEN,
    LEFT,
    LINE,
    LINE_OF,
    LINES_AT,
    NUM_PASSED,
    NUM_TAKEN,
    PASSED,
    PLACE,
    RATE,
    SENT,
    STATES,
    TAKEN,
    USED_TEXT,
    place_of_move,
)

MOST_TAKEN = 64
"""How many moves a tray holds."""
MOST_READY = 64
"""From how many lines is read in one go."""
MOST_LINES = 1 << 16
"""Descriptors from here on have no line. Rows that are not used take no memory, since nobody has touched them."""
MOST_DESKS = 1 << 15
MOST_HELD = 1 << 12


Taken = tuple[int, int, int, str, bytes]
"""A move that was taken in, and is legal: the line that it came over, the number of its event, the action, the id of
the message, and the event as JSON."""


class Tray:
    """Moves that were taken in, each at another desk, until they are played."""

    def __init__(self) -> None:
        self.jobs = np.zeros((MOST_TAKEN, TAKEN), np.int64)
        self.texts = np.zeros(MOST_TAKEN * EVENT_ROOM, np.uint8)
        self.endings = self.texts.view()
        """The texts, for those who only read: compiled code tells the two apart."""
        self.endings.flags.writeable = False
        self._view = self.texts.data
        self.clear()

    def clear(self) -> None:
        """Nothing is on it any more."""
        self.count = 0
        self.used = 0

    def taken(self, first: int) -> list[Taken]:
        """The moves from one on."""
        view = self._view
        return [
            (line, number, action, str(view[id_at : end - 2], "ascii"), view[begin:end].tobytes())
            for line, number, action, begin, id_at, end in self.jobs[first : self.count, LINE_OF:].tolist()
        ]

    def time_of(self, place: int) -> int:
        """When a move was taken in, in thousandths of a second since 1970."""
        return int(self.jobs[place, AT])

    def number_of(self, place: int) -> int:
        """The number of a move's event."""
        return int(self.jobs[place, NUMBER])

    def keep(self, places: Sequence[int]) -> None:
        """Put away all but these."""
        self.jobs[: len(places)] = self.jobs[places]
        self.count = len(places)
        if not places:
            self.clear()


class Desks:
    """The tables of a game that lie at desks, and the lines of those who sit there. For one thread.

    `event` lays out the event of a move up to its id, as JSON; it is told when it was, the seat and the action.
    """

    def __init__(self, game: Game, event: Callable[[Sheet], None]) -> None:
        self.poll = select.epoll()
        self._poll = self.poll.fileno()
        self.lines = np.zeros((MOST_LINES, LINE), np.int64)
        self.rates = np.zeros((MOST_LINES, RATE), np.float64)
        self.desks = np.zeros((MOST_DESKS, DESK_SIZE), np.int64)
        self._cells = self.desks.data.cast("B").cast("q")
        self._line_cells = self.lines.data.cast("B").cast("q")
        self._num_used = 1  # nobody ever is at the first
        self._free: list[int] = []
        self.held = np.zeros((MOST_HELD, HOLDING), np.int64)
        """Letters that are held back."""
        self.num_held = 0
        self._longer = np.zeros((MOST_HELD, HOLDING), np.int64)
        """Those that are for longer."""
        self._num_longer = 0
        self._let_go = kernels(game).let_go
        self._take_in = kernels(game).take_in
        self._size = game.info.state.itemsize
        self._ready = np.zeros(READY * MOST_READY, np.uint8)
        self._raw = np.zeros(CHUNK * MOST_READY, np.uint8)
        self._passed = np.zeros((MOST_READY, PASSED), np.int64)
        self._state = np.zeros(STATES, np.int64)
        self._state_cells = self._state.data
        sheet = Sheet()
        event(sheet)
        self._texts = *_texts_of(game.moves.texts), *sheet.arrays()

    def close(self) -> None:
        """Read no more."""
        self.poll.close()

    def join(self, line: int, rate: Sequence[float]) -> bool:
        """Read from a line from now on; see `HEARD` for its rate. False if that cannot be."""
        if line >= MOST_LINES:
            return False
        self.lines[line] = 0
        self.rates[line] = rate
        self.poll.register(line, select.EPOLLIN)
        return True

    def leave(self, line: int) -> None:
        """Read from it no longer."""
        with contextlib.suppress(OSError):  # it may be gone already
            self.poll.unregister(line)
        self.lines[line] = 0

    def set_clear(self, line: int, is_clear: bool) -> None:
        """Say whether whole frames can be written to a line as it is."""
        self._line_cells[line * LINE + IS_CLEAR] = is_clear

    def rate(self, line: int) -> tuple[float, float, float]:
        """When a line was heard last; how much more may come over it, and since when that is so."""
        heard, left, last = self.rates[line, : LEFT + 2].tolist()
        return heard, left, last

    def set_rate(self, line: int, heard: float, left: float, last: float) -> None:
        """Say the same."""
        self.rates[line, HEARD : LEFT + 2] = heard, left, last

    def lay(self, job: Sequence[int], fresh: int, lines: dict[int, int]) -> int:
        """Put a table on a free desk and open that. 0 if there is none.

        `job` is what a job there begins with, `fresh` what the `seq` of a move must be at least. The lines are those of
        the viewers.
        """
        if not self._free and self._num_used == MOST_DESKS:
            return 0
        if self._free:
            desk = self._free.pop()
        else:
            desk = self._num_used
            self._num_used += 1
        row = [*job, *[0] * (DESK_SIZE - len(job))]
        row[IS_OPEN] = 1
        row[FRESH] = fresh
        for viewer, line in lines.items():
            row[LINES_AT + 1 + viewer] = line
            self.lines[line, DESK : PLACE + 1] = desk, viewer
        self.desks[desk] = row
        return desk

    def is_open(self, desk: int) -> bool:
        """Whether no move that was taken in at a desk waits to be played."""
        return self._cells[desk * DESK_SIZE + IS_OPEN] != 0

    def open(self, desk: int) -> None:
        """Take moves in at a desk again, although one was taken in."""
        self._cells[desk * DESK_SIZE + IS_OPEN] = 1

    def close_desk(self, desk: int) -> None:
        """Take no more moves in at a desk."""
        self._cells[desk * DESK_SIZE + IS_OPEN] = 0

    def free(self, desk: int) -> None:
        """Let another table have a desk that is closed."""
        self._free.append(desk)

    def number(self, desk: int) -> int:
        """The number of the next event at a desk."""
        return self._cells[desk * DESK_SIZE + NUMBER]

    def sent(self, line: int) -> int:
        """The last event that was sent over a line."""
        return self._line_cells[line * LINE + SENT]

    @property
    def has_held(self) -> bool:
        """Whether letters are held back."""
        return self.num_held + self._num_longer > 0

    def let_go(self) -> tuple[int, int]:
        """Let go the letters that have waited for long: how many there were, and how many of them still waited."""
        count, left = self._num_longer, 0
        if count:
            left = self._let_go(self._longer, count, self.lines)
        self.held, self._longer = self._longer, self.held
        self.num_held, self._num_longer = 0, self.num_held
        return count, left

    def set_rounds(self, desk: int, address: int, size: int) -> None:
        """Say where the rounds of a match lie that have ended."""
        self._cells[desk * DESK_SIZE + ROUNDS] = address
        self._cells[desk * DESK_SIZE + ROUNDS_SIZE] = size

    def take_in(self, tray: Tray, now: float, at: int) -> list[tuple[int, bytes, bool]]:
        """Put moves that have come on a tray, for `now` and `at` see there. What else has come, and over which line.

        Raises what the rules raise: then one thing that has come is in `passed`, and others can still be taken in.
        """
        cells = self._state_cells
        cells[NUM_TAKEN], cells[USED_TEXT] = tray.count, tray.used
        try:
            self._take_in(
                self._poll, now, at, self._size, self._ready, self.lines, self.rates, self.desks, self._raw,
                self._passed, tray.jobs, tray.texts, *self._texts, self._state,
            )  # fmt: skip
        finally:
            tray.count, tray.used = cells[NUM_TAKEN], cells[USED_TEXT]
        return self.passed()

    def passed(self) -> list[tuple[int, bytes, bool]]:
        """What has come besides moves: over which line, and whether it is made of whole frames. b"" for its end."""
        count, raw = self._state_cells[NUM_PASSED], self._raw
        if not count:
            return []
        return [
            (line, raw[first:end].tobytes(), is_whole != 0)
            for line, first, end, is_whole in self._passed[:count].tolist()
        ]

    def doing(self) -> int:
        """The desk that is being judged at just now."""
        return int(self._state[AT_DESK])


def _texts_of(moves: Sequence[str]) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Moves as `find_move` looks for them: their texts, where each begins and the last ends, and their places."""
    texts = [move.encode() for move in moves]
    ends = np.cumsum([0, *map(len, texts)], dtype=np.int64)
    places = [0] * (1 << (2 * len(texts)).bit_length())
    for action, text in enumerate(texts):
        place = place_of_move(text, 0, len(text), len(places))
        while places[place]:
            place = (place + 1) % len(places)
        places[place] = action + 1
    return np.frombuffer(b"".join(texts), np.uint8).copy(), ends, np.array(places, np.int64)
