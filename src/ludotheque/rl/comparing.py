"""Comparing and copying environments: two of one kind are equal if everything they would pickle is equal."""

from __future__ import annotations

import copy
import random
from typing import Any

import numpy as np


def same_state(one: Any, other: object) -> bool:
    """`__eq__` of an environment, or of a part of one: the same state, so that the same actions lead to the same."""
    if type(one) is not type(other):
        return False
    return _same(_state(one), _state(other))


def whole_copy(one: Any) -> Any:
    """`__copy__` of an environment: one that shared its matches with the original would step them for both."""
    return copy.deepcopy(one)


def _state(thing: Any) -> dict[str, Any]:
    state: dict[str, Any] = thing.__getstate__()
    return state


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, np.ndarray) or isinstance(other, np.ndarray):
        return bool(np.array_equal(one, other))
    if type(one) is not type(other):
        return False
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(_same(one[name], other[name]) for name in one)
    if isinstance(one, random.Random):
        return bool(one.getstate() == other.getstate())
    if isinstance(one, np.random.Generator):
        return _same(one.bit_generator.state, other.bit_generator.state)
    return bool(one == other)
