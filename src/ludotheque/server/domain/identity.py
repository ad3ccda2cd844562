"""Who somebody is: identities of browsers, tokens of seats, secrets of links.

An identity is a random number that this server has signed. A seat's token is random too; the table knows its SHA-256
only. Secrets of links are derived from the server's own key, so nothing has to be stored for them.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from base64 import urlsafe_b64encode

KEY_BYTES = 32
ID_BYTES = 16
TABLE_ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"
TABLE_LENGTH = 12


def _text(data: bytes) -> str:
    return urlsafe_b64encode(data).decode().rstrip("=")


def new_table_id() -> str:
    """A fresh id for a table, easy to read out."""
    return "".join(secrets.choice(TABLE_ALPHABET) for _ in range(TABLE_LENGTH))


def is_table_id(text: str) -> bool:
    """Whether a text can be the id of a table."""
    return len(text) == TABLE_LENGTH and all(letter in TABLE_ALPHABET for letter in text)


def new_token() -> str:
    """A fresh token for a seat: 192 random bits."""
    return secrets.token_urlsafe(24)


def digest(token: str) -> bytes:
    """What a table keeps of a token."""
    return hashlib.sha256(token.encode()).digest()


class Signer:
    """Signs and checks with the server's key."""

    def __init__(self, key: bytes) -> None:
        self._key = key

    def _sign(self, purpose: str, text: str) -> str:
        return _text(hmac.digest(self._key, f"{purpose}\0{text}".encode(), "sha256"))

    def new_identity(self) -> str:
        """A fresh identity, signed: what goes into a browser's cookie."""
        name = _text(secrets.token_bytes(ID_BYTES))
        return f"{name}.{self._sign('identity', name)}"

    def identity(self, signed: str) -> str | None:
        """The identity in a cookie if we have signed it."""
        name, _, signature = signed.partition(".")
        if name and hmac.compare_digest(signature.encode(), self._sign("identity", name).encode()):
            return name
        return None

    def link(self, purpose: str, table: str) -> str:
        """The secret in a link: `join` or `watch`."""
        return self._sign(purpose, table)[:32]

    def opens(self, purpose: str, table: str, key: str | None) -> bool:
        """Whether a key is the secret of a link."""
        return key is not None and hmac.compare_digest(key.encode(), self.link(purpose, table).encode())
