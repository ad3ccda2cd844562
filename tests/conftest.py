"""What all tests share."""

from __future__ import annotations

import signal

import pytest

from ludotheque.core.jit import COMPILED

# Tests that a shell started in the background ignore Ctrl-C, and so would every process that they start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave tests that need compiled rules out where rules run interpreted."""
    if COMPILED:
        return
    left_out = [item for item in items if item.get_closest_marker("compiled_only")]
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if item not in left_out]
