"""A rule that never ends would stop every table. Then its table is closed for good and the server starts anew.

Nothing is lost by that: what was acknowledged is on disk, the listening socket stays open, and clients come back by
themselves. Processor time is counted, not time on a clock: a machine that slept, or has much else to do, ends nothing.
"""

from __future__ import annotations

import logging
import os
import sys
import threading
import time
from collections.abc import Callable
from typing import Protocol

import msgspec

log = logging.getLogger("ludotheque.watchdog")

LISTENER = "LUDOTHEQUE_LISTENER"
"""Where a server that starts anew finds the socket it listens on."""


class Names(Protocol):
    """The ids of tables by their places."""

    def __getitem__(self, place: int, /) -> str: ...


class Work(msgspec.Struct, gc=False):
    """What a thread works on: tables, one after the other."""

    tables: Names
    doing: Callable[[], int] | None = None
    """Tells the place of the one it is at, if there are several."""

    @property
    def table(self) -> str:
        """The table it works on just now."""
        return self.tables[0 if self.doing is None else self.doing()]


class Watchdog:
    """Looks after the thread that it is made in. `work` tells what that thread works on: anew for each piece."""

    def __init__(self, seconds: float, work: Callable[[], Work | None], close: Callable[[str], None]) -> None:
        self._seconds = seconds
        self._work = work
        self._close = close
        self._ident = threading.get_ident()
        self._over = threading.Event()
        self.restart: Callable[[], None] = lambda: None

    def start(self) -> None:
        """Watch from now on, where the system can tell a thread's processor time."""
        if hasattr(time, "pthread_getcpuclockid"):
            threading.Thread(target=self._watch, name="ludotheque-watchdog", daemon=True).start()

    def stop(self) -> None:
        """Watch no more."""
        self._over.set()

    def _watch(self) -> None:
        clock = time.pthread_getcpuclockid(self._ident)
        seen: Work | None = None
        since = 0.0
        while not self._over.wait(self._seconds / 4):
            work, now = self._work(), time.clock_gettime(clock)
            if work is None or work is not seen:
                seen, since = work, now
            elif now - since > self._seconds:
                table = work.table
                log.critical("a rule does not end; starting anew without its table", extra={"table": table})
                try:
                    self._close(table)
                except Exception:
                    log.exception("the table could not be closed", extra={"table": table})
                self.restart()
                return


def start_anew(listener: int) -> None:
    """Replace this process by a fresh one on the same socket."""
    os.set_inheritable(listener, True)
    os.environ[LISTENER] = str(listener)
    sys.stdout.flush()
    os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])
