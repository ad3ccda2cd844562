"""The watchdog: a rule that never ends would stop every table, so its table is closed and the server restarts.

Nothing is lost: what was acknowledged is on disk, the listening socket stays open, and clients reconnect and resume.
Processor time is counted, not wall-clock time, so a machine that slept or is busy restarts nothing.
"""

from __future__ import annotations

import logging
import os
import sys
import threading
import time
from collections.abc import Callable

import msgspec

log = logging.getLogger("ludotheque.watchdog")

LISTENER = "LUDOTHEQUE_LISTENER"
"""Where a server that starts anew finds the socket it listens on."""


class Work(msgspec.Struct, gc=False):
    """A piece of work on a table: made anew for each, so that the next one is told from this one."""

    table: str


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
                log.critical("a rule does not end; restarting without its table", extra={"table": table})
                try:
                    self._close(table)
                except Exception:
                    log.exception("the table could not be closed", extra={"table": table})
                self.restart()
                return


def restart(listener: int) -> None:
    """Replace this process by a fresh one on the same socket."""
    os.set_inheritable(listener, True)
    os.environ[LISTENER] = str(listener)
    sys.stdout.flush()
    os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])
