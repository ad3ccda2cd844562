"""What must hold for every game holds for Pig."""

from __future__ import annotations

import ludotheque
from ludotheque.testing import conformance


def test_conformance() -> None:
    assert conformance(ludotheque.game("pig"), moves=500, every_count=False) > 0
