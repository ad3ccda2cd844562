"""Doing many independent tasks on this machine: here, or in processes of their own."""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from typing import Any, TypeVar

R = TypeVar("R")


def spread(function: Callable[..., R], tasks: Sequence[tuple[Any, ...]], jobs: int = 1) -> Generator[tuple[int, R]]:
    """Call a function with each task's arguments; gives each task's place and result once, as they come in."""
    if jobs == 1:
        for place, task in enumerate(tasks):
            yield place, function(*task)
        return
    # Interrupting is for this process alone to notice; the others finish the task at hand.
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(jobs, context, signal.signal, (signal.SIGINT, signal.SIG_IGN))
    try:
        places = {pool.submit(function, *task): place for place, task in enumerate(tasks)}
        for future in as_completed(places):
            yield places[future], future.result()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
