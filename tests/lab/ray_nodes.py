"""A small Ray of two nodes on this machine, told what to do line by line; it ends with its standard input.

Prints its address, then `ok` for each order: `add` a node, or `add PATH` one that imports from there; `remove` the one
added last in good order, or `kill` it.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from importlib import import_module
from pathlib import Path
from typing import Any

SMALL = {"num_cpus": 1, "object_store_memory": 100 << 20, "node_ip_address": "127.0.0.1"}
# A node that falls silent is taken for dead after a second or two instead of half a minute.
SOON = {"health_check_initial_delay_ms": 0, "health_check_period_ms": 500, "health_check_failure_threshold": 3}


def square(number: int, pause: float) -> tuple[int, int]:
    """Work for a worker: who it was comes with the result."""
    time.sleep(pause)
    return number * number, os.getpid()


def children(pid: int) -> list[int]:
    """The processes that a process has started."""
    return [int(word) for thread in Path(f"/proc/{pid}/task").glob("*/children") for word in thread.read_text().split()]


def main() -> None:
    """Start the nodes and follow the orders."""
    head: dict[str, Any] = {**SMALL, "include_dashboard": False, "_system_config": SOON}
    nodes = import_module("ray.cluster_utils").Cluster(initialize_head=True, head_node_args=head)
    added = [nodes.add_node(**SMALL)]
    print(nodes.address, flush=True)
    path = os.environ["PYTHONPATH"]
    for line in sys.stdin:
        match line.split():
            case ["add", *other]:
                os.environ["PYTHONPATH"] = (other or [path])[0]
                added.append(nodes.add_node(**SMALL))
                os.environ["PYTHONPATH"] = path
            case ["remove"]:
                nodes.remove_node(added.pop())
            case ["kill"]:
                started = [p.process.pid for found in added.pop().all_processes.values() for p in found]
                workers = [worker for pid in started for worker in children(pid)]
                for pid in started + workers:
                    os.kill(pid, signal.SIGKILL)
        print("ok", flush=True)
    nodes.shutdown()


if __name__ == "__main__":
    main()
