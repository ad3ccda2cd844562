"""The browser's pages: what `make web` built, served with caching, compression and validators.

Everything under `assets/` carries a hash of its content in its name and never changes; the rest is asked for anew each
time, at the price of a 304. A build is read into memory whole, so that its files belong together whatever happens on
disk; whoever opens a page after another build gets that one.
"""

from __future__ import annotations

import gzip
import hashlib
import html
import mimetypes
from collections.abc import Callable
from functools import cached_property
from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import BaseRoute, Route

from ludotheque.server.domain.refusals import words

FOLDER = Path(__file__).resolve().parent.parent / "page"
"""Where the build puts them."""
INDEX = "index.html"
ASSETS = "assets"
ADDRESSES = (
    "/",
    "/new/{game}",
    "/lesson/{game}",
    "/join",
    "/about",
    "/t/{table}",
    "/t/{table}/replay",
    "/pad",
    "/pad/{table}",
)
"""Addresses that the page itself knows what to do with (web/src/lib/router.svelte.ts)."""
FILES = (f"/{ASSETS}/{{name}}", "/{name}.{suffix}")
FOREVER = "public, max-age=31536000, immutable"
ASK_AGAIN = "no-cache"
TYPES = {".js": "text/javascript", ".webmanifest": "application/manifest+json", ".svg": "image/svg+xml"}
PRIVATE = {INDEX, "manifest.json"}
"""No addresses of their own: the page has better ones, and the build's notes are for tests."""
WORTH_PACKING = 512


class File:
    """A file of the build, plain and packed."""

    def __init__(self, name: str, content: bytes) -> None:
        self._content = content
        self._kind = TYPES.get(Path(name).suffix) or mimetypes.guess_type(name)[0] or "application/octet-stream"
        self._cache = FOREVER if name.startswith(f"{ASSETS}/") else ASK_AGAIN
        self._tag = f'"{hashlib.sha256(content).hexdigest()[:20]}"'

    @cached_property
    def _packed(self) -> bytes | None:
        is_text = self._kind.startswith("text/") or self._kind.endswith(("json", "svg+xml"))
        return gzip.compress(self._content, 9, mtime=0) if is_text and len(self._content) >= WORTH_PACKING else None

    def answer(self, request: Request, status: int = 200) -> Response:
        """The file, packed for those who can unpack it; nothing for those who have it."""
        headers = {"ETag": self._tag, "Cache-Control": self._cache}
        if self._packed is not None:
            headers["Vary"] = "Accept-Encoding"
        if status == 200 and self._tag in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        if self._packed is not None and "gzip" in request.headers.get("accept-encoding", ""):
            return Response(self._packed, status, {**headers, "Content-Encoding": "gzip"}, self._kind)
        return Response(self._content, status, headers, self._kind)


class Pages:
    """The built pages, or a word on how to build them."""

    def __init__(self, folder: Path, language: Callable[[Request], str]) -> None:
        self._folder = folder
        self._language = language
        self._files: dict[str, File] = {}
        self._read: tuple[int, ...] = ()
        self._refresh()

    def routes(self) -> list[BaseRoute]:
        """The addresses of the pages and their files."""
        routes: list[BaseRoute] = [Route(address, self._page, methods=["GET"]) for address in ADDRESSES]
        return routes + [Route(address, self._file, methods=["GET"]) for address in FILES]

    def lost(self, request: Request) -> Response | None:
        """For people at an address where nothing is: the page, which says so. None for programs."""
        if request.method not in ("GET", "HEAD") or "text/html" not in request.headers.get("accept", ""):
            return None
        return self._index(request, 404)

    async def _page(self, request: Request) -> Response:
        self._refresh()
        return self._index(request)

    async def _file(self, request: Request) -> Response:
        name = request.url.path[1:]
        file = None if name in PRIVATE else self._files.get(name)
        if file is None:
            raise HTTPException(404)
        return file.answer(request)

    def _index(self, request: Request, status: int = 200) -> Response:
        file = self._files.get(INDEX)
        return missing(self._language(request), status) if file is None else file.answer(request, status)

    def _refresh(self) -> None:
        """Read the build, if there is one and it is not the one that was read."""
        try:
            found = tuple(path.stat().st_mtime_ns for path in (self._folder / INDEX, self._folder / ASSETS))
            if found != self._read:
                paths = [path for path in self._folder.rglob("*") if path.is_file()]
                names = {path.relative_to(self._folder).as_posix(): path for path in paths}
                self._files = {name: File(name, path.read_bytes()) for name, path in names.items()}
                self._read = found
        except OSError:
            return  # none, or one in the making: what is in memory will do


def missing(lang: str, status: int = 200) -> Response:
    """What a checkout answers whose pages are not built."""
    say = words(lang).say
    text = f'<!doctype html><html lang="{lang}"><meta charset="utf-8"><title>Ludothèque</title><h1>Ludothèque</h1>'
    told = f"<p>{html.escape(say('front.open'))}</p><p>{html.escape(say('front.build'))}</p>"
    return HTMLResponse(f'{text}{told}<p><a href="/openapi.json">OpenAPI</a></p></html>', status)
