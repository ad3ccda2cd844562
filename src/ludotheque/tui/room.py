"""The game room from here: addresses, and single requests over HTTP."""

from __future__ import annotations

import json
import re
import urllib.error
import urllib.parse
import urllib.request
from dataclasses import dataclass
from typing import Any

from ludotheque.tui.table import Refused
from ludotheque.tui.words import say

TIMEOUT = 10.0
PORT = 7707


@dataclass(frozen=True)
class Address:
    """A game room, maybe a table in it, and the secret of the link."""

    base: str
    table: str = ""
    key: str = ""
    can_join: bool = True

    @property
    def link(self) -> str:
        """The address as a link."""
        path = f"/t/{self.table}" if self.table else ""
        secret = f"#{'join' if self.can_join else 'watch'}={self.key}" if self.key else ""
        return f"{self.base}{path}{secret}"

    @property
    def socket(self) -> str:
        """Where the table talks."""
        return f"{self.base.replace('http', 'ws', 1)}/ws/{self.table}"


def parse_address(text: str, lang: str) -> Address:
    """The address in a link as people send it around, or of a room alone."""
    text = text.strip()
    if "://" not in text:
        text = f"http://{text}"
    try:
        parts = urllib.parse.urlsplit(text)
        port = parts.port
    except ValueError:
        raise Refused(say(lang, "room.bad_address", {"text": text})) from None
    found = re.fullmatch(r"(?:/(?:t|ws|api/tables))?/?([0-9A-Za-z_-]*)/?", parts.path)
    if parts.scheme not in ("http", "https") or not parts.hostname or found is None:
        raise Refused(say(lang, "room.bad_address", {"text": text}))
    secrets = dict(urllib.parse.parse_qsl(parts.fragment))
    local = parts.hostname in ("localhost", "127.0.0.1")
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    where = f"{host}:{port}" if port else f"{host}:{PORT}" if local else host
    key = secrets.get("join") or secrets.get("watch") or ""
    return Address(f"{parts.scheme}://{where}", found[1], key, "watch" not in secrets)


def ask(address: Address, path: str, lang: str, body: Any = None, token: str = "") -> Any:
    """A request to the room, and its answer. `Refused` says what went wrong, in words."""
    headers = {"Accept-Language": lang, "Content-Type": "application/json"}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    data = None if body is None else json.dumps(body).encode()
    try:
        request = urllib.request.Request(f"{address.base}{path}", data, headers)
        with urllib.request.urlopen(request, timeout=TIMEOUT) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as error:
        raise Refused(_reason(error, address, lang)) from None
    except (OSError, ValueError):
        raise Refused(say(lang, "room.unreachable", {"address": address.base})) from None


def _reason(error: urllib.error.HTTPError, address: Address, lang: str) -> str:
    try:
        return str(json.load(error)["text"])
    except (OSError, ValueError, KeyError, TypeError):
        return say(lang, "room.not_a_room", {"address": address.base})
