"""How much is too much: bounds of a request, and token buckets for connections and addresses."""

from __future__ import annotations

from collections import OrderedDict

MAX_HEAD = 32_768
"""Bytes of a request line and its headers."""
MAX_URL = 8_192
MAX_BODY = 65_536
MAX_STRIKES = 100
"""So many messages over the limit, and a connection is closed."""


class Bucket:
    """So many at once, and so many a second."""

    __slots__ = ("at_once", "last", "left", "per_second")

    def __init__(self, per_second: float, at_once: float, now: float) -> None:
        self.per_second = per_second
        self.at_once = at_once
        self.left = at_once
        self.last = now

    def take(self, now: float) -> bool:
        """Whether there is one more."""
        left = self.left + (now - self.last) * self.per_second
        if left > self.at_once:
            left = self.at_once
        self.last = now
        if left < 1:
            self.left = left
            return False
        self.left = left - 1
        return True


class Buckets:
    """A bucket for each of many, of which the least lately used are forgotten."""

    def __init__(self, per_second: float, at_once: float, most: int = 20_000) -> None:
        self._per_second = per_second
        self._at_once = at_once
        self._most = most
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, name: str, now: float) -> bool:
        """Whether there is one more for this name."""
        bucket = self._buckets.get(name)
        if bucket is None:
            bucket = self._buckets[name] = Bucket(self._per_second, self._at_once, now)
            if len(self._buckets) > self._most:
                self._buckets.popitem(last=False)
        else:
            self._buckets.move_to_end(name)
        return bucket.take(now)
