"""The lab's work on many machines: Ray distributes it, and repeats what a machine that dies had not finished.

Every machine of the cluster has this package. Before it does anything there, a task looks whether the sources are the
same as here: results must not depend on who played.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import select
import subprocess
import sys
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing, suppress
from functools import cache, partial
from itertools import islice
from typing import Any

from ludotheque import __version__
from ludotheque.bots.searches import THINK
from ludotheque.core import extras, warm
from ludotheque.core.errors import LudothequeError
from ludotheque.core.jit import PACKAGE
from ludotheque.core.texts import worded
from ludotheque.lab.playing import SIMULATE
from ludotheque.lab.ray_driver import AUTO, LOCAL, answers
from ludotheque.lab.shards import Part, Plan, is_compiled, play_shard

JOINING, STARTING = 20.0, 60.0
"""Seconds for joining a cluster that answers, and for starting one here."""
LEAVING = 15.0
"""Seconds for leaving it in good order."""
TOGETHER = 8
"""Shards of random play that make a task: one alone is over too soon, and a task costs some milliseconds."""

SETTINGS = {
    # Ray waits for minutes for what is not there.
    "RAY_gcs_server_request_timeout_seconds": "10",
    "RAY_py_gcs_connect_timeout_s": "5",
    "RAY_USAGE_STATS_ENABLED": "0",
}
"""How Ray is set up here, unless the environment says otherwise."""


@cache
def fingerprint() -> str:
    """The version, and a digest of all sources that a result can depend on."""
    digest = hashlib.sha256()
    for part in ("core", "games", "bots", "lab"):
        for path in sorted((PACKAGE / part).rglob("*.py")):
            digest.update(path.relative_to(PACKAGE).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return f"{__version__}+{digest.hexdigest()[:12]}"


def check_address(address: str) -> None:
    """Fail early without a cluster: for a text that is not an address, or an address where nobody answers."""
    extras.need("cluster", "ray")
    if address == AUTO:
        address = os.environ.get("RAY_ADDRESS", AUTO)  # as Ray does
    if address in (AUTO, LOCAL):
        return
    host, _, port = address.rpartition(":")
    if not host or "/" in host or not port.isdecimal() or not 0 < int(port) < 65536:
        raise worded(LudothequeError, "cluster.address", address=repr(address))
    if not answers(address):
        raise worded(LudothequeError, "cluster.unreachable", address=address)


def run_on_ray(
    plan: Plan, numbers: Iterable[int], address: str, watch: Callable[[int], None] = lambda machines: None
) -> Iterator[tuple[int, Part]]:
    """Play these shards on a Ray cluster, and give number and part of each once, in the order they come in."""
    with Cluster(address) as cluster:
        yield from cluster.run(plan, numbers, watch)


def _play(plan: Plan, numbers: Sequence[int]) -> list[tuple[int, bytes]]:
    """What a worker does."""
    compile_once(plan.game, (SIMULATE,) if is_compiled(plan) else (SIMULATE, warm.PLAY, THINK))
    return [(number, play_shard(plan, number).to_bytes()) for number in numbers]


@cache
def compile_once(game_id: str, purposes: tuple[str, ...]) -> None:
    """Compile a game for some purposes, once on each machine: other workers there wait."""
    for purpose in purposes:
        warm.ensure(game_id, purpose)


class Cluster:
    """A Ray cluster, joined through a process of its own; to be used in a `with` statement.

    Args:
        address: `HOST:PORT` of its head, `auto`, or `local` for one on this machine alone.

    Raises:
        LudothequeError: If nobody answers there, or Ray is not installed.

    Examples:
        >>> from ludotheque.lab.cluster import Cluster
        >>> try:
        ...     Cluster("nowhere")
        ... except LudothequeError as error:
        ...     print(error)
        the address of a Ray cluster is host:port, auto or local, not 'nowhere'
    """

    def __init__(self, address: str) -> None:
        check_address(address)
        path = os.pathsep.join([str(PACKAGE.parent), *filter(None, [os.environ.get("PYTHONPATH")])])
        self._driver = subprocess.Popen(
            [sys.executable, "-m", "ludotheque.lab.ray_driver", address, fingerprint()],
            env={**SETTINGS, **os.environ, "PYTHONPATH": path},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,  # Ctrl-C is for this process, which closes the other in good order
        )
        try:
            assert self._driver.stdout is not None
            if not select.select([self._driver.stdout], [], [], STARTING if address == LOCAL else JOINING)[0]:
                self._driver.kill()
                raise worded(LudothequeError, "cluster.none" if address == AUTO else "cluster.silent", address=address)
            self._hear()
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Cluster:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Leave the cluster; what this process still has under way there is dropped."""
        assert self._driver.stdin is not None and self._driver.stdout is not None
        self._driver.stdout.close()
        with suppress(BrokenPipeError):
            self._driver.stdin.close()
        try:
            self._driver.wait(LEAVING)
        except subprocess.TimeoutExpired:
            self._driver.kill()
            self._driver.wait()

    def spread(
        self,
        function: Callable[..., Any],
        tasks: Iterable[tuple[Any, ...]],
        watch: Callable[[int], None] = lambda machines: None,
    ) -> Generator[tuple[int, Any]]:
        """Call a function with each task's arguments somewhere in the cluster, one processor each.

        Gives each task's place and result once, in the order they come in. `watch` is told how many machines are at
        work, every second or so. Function, arguments and results are pickled.
        """
        waiting = iter(tasks)
        has_ended = False
        try:
            self._tell(pickle.dumps(function))
            while not has_ended:
                match self._hear():
                    case ("more", count):
                        self._tell([pickle.dumps(task) for task in islice(waiting, count)])
                    case ("machines", count):
                        watch(count)
                    case ("done", place, pickled):
                        result = pickle.loads(pickled)
                        if isinstance(result, LudothequeError):
                            raise result
                        yield place, result
                    case ("end",):
                        has_ended = True
        finally:
            if not has_ended:
                self.close()

    def run(
        self, plan: Plan, numbers: Iterable[int], watch: Callable[[int], None] = lambda machines: None
    ) -> Iterator[tuple[int, Part]]:
        """Play these shards of a plan: a `Runner`, see `shards.py`."""
        waiting = iter(numbers)
        tasks = iter(lambda: (tuple(islice(waiting, TOGETHER if is_compiled(plan) else 1)),), ((),))
        with closing(self.spread(partial(_play, plan), tasks, watch)) as results:
            for _, parts in results:
                for number, part in parts:
                    yield number, Part.from_bytes(part)

    def _tell(self, message: Any) -> None:
        assert self._driver.stdin is not None
        try:
            pickle.dump(message, self._driver.stdin)
            self._driver.stdin.flush()
        except BrokenPipeError:
            raise worded(LudothequeError, "cluster.gone") from None

    def _hear(self) -> tuple[Any, ...]:
        """The driver's next message; its errors are raised."""
        assert self._driver.stdout is not None
        try:
            message: tuple[Any, ...] = pickle.load(self._driver.stdout)
        except (EOFError, pickle.UnpicklingError):  # Ray has ended it
            raise worded(LudothequeError, "cluster.gone") from None
        match message:
            case ("refused", key, params):
                raise worded(LudothequeError, f"cluster.{key}", **params)
            case ("broken", text):
                raise RuntimeError(text)
        return message
