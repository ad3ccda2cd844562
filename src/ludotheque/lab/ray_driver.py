"""The process that talks to Ray for `cluster.py`: orders on standard input, results on standard output, both pickled.

It runs by itself because Ray prints where it likes, keeps its settings from its import on, and ends the process it
lives in when its cluster dies. It ends when its standard input closes, and then takes its tasks off the cluster.
"""

from __future__ import annotations

import logging
import os
import pickle
import select
import socket
import sys
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from typing import IO, Any

AUTO, LOCAL = "auto", "local"
"""Addresses besides `host:port`: the cluster this machine belongs to, and a Ray of its own for the moment."""

RETRIES = 5
"""How often a task may lose its worker before it is taken to be at fault itself."""
IN_FLIGHT = 3
"""Tasks handed out per processor: one at work, the others on their way."""
AHEAD = 12
"""Tasks per processor between the oldest that is not done and the newest: who sorts results keeps no more of them."""
BATCH = 256
"""Tasks asked for at a time, beyond those there is room for."""
TICK = 1.0
"""Seconds between two looks at the cluster."""
REACH = 3.0
"""Seconds to wait for an address to answer."""
PATIENCE = 15.0
"""Seconds without a head, or without a processor, until a run is given up."""


class Refused(Exception):
    """An error to be worded by `cluster.py`: a key in the texts, and what fills them."""

    def __init__(self, key: str, **params: Any) -> None:
        super().__init__(key)
        self.message = "refused", key, params


def answers(address: str) -> bool:
    """Whether anybody listens at an address."""
    host, _, port = address.rpartition(":")
    with suppress(OSError), socket.create_connection((host.strip("[]"), int(port)), REACH):
        return True
    return False


def join(ray: Any, address: str) -> None:
    """Connect to the cluster at an address."""
    own = {"num_cpus": os.cpu_count(), "include_dashboard": False} if address == LOCAL else {}
    try:
        ray.init(address, log_to_driver=False, logging_level=logging.CRITICAL, **own)
    except Exception as error:  # Ray raises nearly anything here
        if address == AUTO and isinstance(error, ConnectionError):
            raise Refused("none") from None
        raise Refused("unjoined", address=address, why=_first_line(error)) from None


def _first_line(error: BaseException) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0]


class Link:
    """The connection to the process that gives the orders."""

    def __init__(self, orders: IO[bytes], out: IO[bytes]) -> None:
        self._orders, self._out = orders, out

    def tell(self, *message: Any) -> None:
        """Send a message."""
        pickle.dump(message, self._out)
        self._out.flush()

    def hear(self) -> Any:
        """Wait for an order or an answer; `EOFError` when there will be none."""
        return pickle.load(self._orders)

    def is_closing(self) -> bool:
        """Whether something came unasked: that can only be the end."""
        return bool(select.select([self._orders], [], [], 0)[0])


def run(ray: Any, mark: str, call: bytes, link: Link) -> None:
    """Call a function with each task's arguments on the cluster, and report the results as they come.

    Ray repeats a task whose worker or machine died; each is reported once.
    """
    send = ray.remote(num_cpus=1, max_retries=RETRIES)(_task()).remote
    shared = ray.put(call)
    nodes = Nodes(ray)
    waiting: deque[bytes] = deque()
    has_more = True
    running: dict[Any, int] = {}  # in the order of the tasks
    at_work: set[str] = set()
    told = False
    place = 0
    while has_more or waiting or running:
        if link.is_closing():
            return
        if nodes.look() or not told:
            link.tell("machines", len(at_work & nodes.alive))
            told = True
        room = min(
            IN_FLIGHT * nodes.cpus - len(running), AHEAD * nodes.cpus - place + min(running.values(), default=place)
        )
        if has_more and len(waiting) < room:
            link.tell("more", BATCH + room)
            found = link.hear()
            has_more = len(found) == BATCH + room
            waiting.extend(found)
        for _ in range(min(room, len(waiting))):
            running[send(mark, shared, waiting.popleft())] = place
            place += 1
        if not running:
            time.sleep(0 if nodes.cpus else TICK)
            continue
        ready, _ = ray.wait(list(running), timeout=TICK)
        if ready:
            ready, _ = ray.wait(list(running), num_returns=len(running), timeout=0)
        for ref in ready:
            done = running.pop(ref)
            node, result = _result(ray, ref, mark)
            told = told and node in at_work
            at_work.add(node)
            link.tell("done", done, result)
    link.tell("end")


def _task() -> Callable[[str, bytes, bytes], tuple[str, str, str, bytes]]:
    """What a worker runs: it answers where that was, what it found there, and the pickled result.

    Made here so that Ray sends the function's code instead of its name: a machine without this package can say so.
    """

    def work(mark: str, call: bytes, args: bytes) -> tuple[str, str, str, bytes]:
        import pickle
        from importlib import import_module

        ray: Any = import_module("ray")
        node, machine = ray.get_runtime_context().get_node_id(), ray.util.get_node_ip_address()
        try:
            from ludotheque.core.errors import LudothequeError
            from ludotheque.lab.cluster import fingerprint
        except ImportError:
            return node, machine, "", b""
        if fingerprint() != mark:
            return node, machine, fingerprint(), b""
        try:
            result = pickle.loads(call)(*pickle.loads(args))
        except LudothequeError as error:
            result = error
        return node, machine, mark, pickle.dumps(result)

    return work


def _result(ray: Any, ref: Any, mark: str) -> tuple[str, bytes]:
    """The machine that did a task, and its pickled result."""
    try:
        node, machine, found, result = ray.get(ref)
    except ray.exceptions.RayTaskError:
        raise  # an error in the call: its traceback is reported
    except ray.exceptions.RayError as error:
        raise Refused("lost", times=RETRIES + 1, why=_first_line(error)) from None
    if not found:
        raise Refused("without", machine=machine, here=mark)
    if found != mark:
        raise Refused("differs", machine=machine, found=found, here=mark)
    return node, result


class Nodes:
    """The cluster's machines and processors, looked up now and then."""

    def __init__(self, ray: Any) -> None:
        self.ray = ray
        self.head = str(ray.get_runtime_context().gcs_address)
        self.alive: set[str] = set()
        self.cpus = 0
        self._next = self._good = time.monotonic()

    def look(self) -> bool:
        """Look up what is there, if it is time to; refuse to go on when nothing has been there for a while."""
        now = time.monotonic()
        if now < self._next:
            return False
        self._next = now + TICK
        is_there = answers(self.head)  # else Ray would wait for it
        if is_there:
            nodes = [node for node in self.ray.nodes() if node["Alive"]]
            self.alive = {node["NodeID"] for node in nodes}
            self.cpus = int(sum(node["Resources"].get("CPU", 0) for node in nodes))
        if is_there and self.cpus:
            self._good = now
        elif now - self._good > PATIENCE:
            raise Refused("idle" if is_there else "gone")
        return True


def main(address: str, mark: str) -> None:
    """Join a cluster, then do one run after the other."""
    out = os.fdopen(os.dup(1), "wb")
    quiet = os.open(os.devnull, os.O_WRONLY)
    os.dup2(quiet, 1)
    os.dup2(quiet, 2)

    ray: Any = import_module("ray")
    link = Link(sys.stdin.buffer, out)
    with suppress(BrokenPipeError):  # nobody listens any more
        try:
            join(ray, address)
            link.tell("joined")
            while True:
                run(ray, mark, link.hear(), link)
        except EOFError:  # nobody gives orders any more
            pass
        except Refused as error:
            link.tell(*error.message)
        except Exception as error:
            link.tell("broken", str(error) or type(error).__name__)
    ray.shutdown()  # with that the cluster drops what this process had under way


if __name__ == "__main__":
    main(*sys.argv[1:])
