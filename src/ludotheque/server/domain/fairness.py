"""Fair deals that anyone can check.

Before a match the server shows the SHA-256 of a secret. Each person's device then adds random bytes of its own. The
key of the deal is the SHA-256 of both, so neither the server nor any player could choose it. After the last card the
secret and the contributions are shown, and everything can be computed again.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping, Sequence
from typing import Any

from ludotheque.core.errors import InvalidRecord

SECRET_BYTES = 32
MIN_CONTRIBUTION, MAX_CONTRIBUTION = 16, 64
"""How many bytes a device adds."""

_PREFIX = b"ludotheque deal 1\0"


def commit(secret: bytes) -> str:
    """What is shown before the first card: the SHA-256 of the server's secret, in hexadecimal."""
    return hashlib.sha256(secret).hexdigest()


def mix(secret: bytes, contributions: Sequence[bytes]) -> bytes:
    """The 32-byte key of the deal. A seat that added nothing (a bot) has an empty contribution."""
    parts = [_PREFIX, secret]
    for contribution in contributions:
        parts += [bytes([len(contribution)]), contribution]
    return hashlib.sha256(b"".join(parts)).digest()


def check(record: Mapping[str, Any], deal: Mapping[str, Any]) -> bool:
    """Whether a record's key comes from the secret that was committed to and the devices' contributions."""
    try:
        secret = bytes.fromhex(deal["secret"])
        contributions = [bytes.fromhex(value) for value in deal["contributions"]]
        key = bytes.fromhex(record["key"])
        shown = str(deal["commitment"])
        if any(len(value) > MAX_CONTRIBUTION for value in contributions):
            raise ValueError
    except (KeyError, TypeError, ValueError, AttributeError):
        raise InvalidRecord("the proof of the deal is a commitment, a secret and a list of contributions") from None
    return hmac.compare_digest(commit(secret).encode(), shown.encode()) and hmac.compare_digest(
        mix(secret, contributions), key
    )
