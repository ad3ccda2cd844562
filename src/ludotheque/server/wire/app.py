"""The room as an ASGI application, on Starlette: HTTP, and the WebSockets of tables.

Any ASGI server runs it, and any other application mounts it. `transport.py` is how uvicorn does.
"""

from __future__ import annotations

import contextlib
import gc
import logging
from collections.abc import AsyncIterator, Awaitable, Callable

import msgspec
from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ludotheque.core.errors import LudothequeError
from ludotheque.core.texts import LANGUAGES
from ludotheque.server.domain import protocol
from ludotheque.server.domain.refusals import Refusal
from ludotheque.server.session import compiling
from ludotheque.server.session.room import Room
from ludotheque.server.wire import pages
from ludotheque.server.wire.api import CONFLICT, ENDPOINTS, STATUS, Call, Endpoint
from ludotheque.server.wire.gate import COOKIE, Gate
from ludotheque.server.wire.limits import MAX_BODY
from ludotheque.server.wire.metrics import render
from ludotheque.server.wire.websocket import TableSocket

log = logging.getLogger("ludotheque.http")

YEAR = 31_536_000

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
        "connect-src 'self'; manifest-src 'self'; worker-src 'self'; media-src 'self'; base-uri 'none'; "
        "form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
}


def make_app(room: Room, gate: Gate, opened: Callable[[], None] = lambda: None) -> Starlette:
    """The HTTP application. The room opens and closes with it; `opened` is called in between."""

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        try:
            await room.open()
        except LudothequeError as error:
            app.state.failed = error
            raise
        # What is loaded by now stays, and tables make few cycles: without this the collector goes through all of it
        # again and again, and everybody waits.
        gc.collect()
        gc.freeze()
        gc.set_threshold(50_000, 50, 100)
        opened()
        yield
        compiling.stop()
        gate.close()
        await room.close()

    routes: list[BaseRoute] = [Route(one.path, _handler(room, gate, one), methods=[one.method]) for one in ENDPOINTS]
    routes.append(Route("/metrics", _metrics(room, gate), methods=["GET"]))
    routes.append(WebSocketRoute("/ws/{table}", TableSocket(gate)))
    shown = pages.Pages(pages.FOLDER, language)
    routes += shown.routes()
    nothing = _not_found(shown)
    app = Starlette(routes=routes, lifespan=lifespan, exception_handlers={404: nothing, 405: nothing, 500: _failed})
    app.add_middleware(_Guard, gate=gate)
    return app


def language(request: Request) -> str:
    """The language asked for, or the first of the browser's that we speak."""
    asked = request.query_params.get("lang")
    if asked in LANGUAGES:
        return asked
    for part in request.headers.get("accept-language", "")[:200].split(","):
        if (code := part.strip()[:2].lower()) in LANGUAGES:
            return code
    return "en"


def _handler(room: Room, gate: Gate, endpoint: Endpoint) -> Callable[[Request], Awaitable[Response]]:
    decode = msgspec.json.Decoder(endpoint.body).decode if endpoint.body is not None else None

    async def handle(request: Request) -> Response:
        lang = language(request)
        try:
            if "lang" in request.query_params and request.query_params["lang"] not in LANGUAGES:
                raise Refusal("bad_message")
            scheme, _, token = request.headers.get("authorization", "").partition(" ")
            call = Call(
                room,
                request.path_params,
                request.query_params,
                lang,
                gate.identity(request.headers.get("cookie")),
                token.strip()[:100] or None if scheme.lower() == "bearer" else None,
            )
            if decode is not None:
                call.body = decode(await _body(request))
            answer = await endpoint.handler(call)
        except Refusal as refusal:
            return problem(refusal, lang)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            return problem(Refusal("bad_message"), lang)
        response = Response(protocol.encode(answer), media_type="application/json")
        response.headers["Cache-Control"] = "no-store"
        if call.new_identity is not None:
            secure = request.url.scheme == "https"
            response.set_cookie(COOKIE, call.new_identity, YEAR, httponly=True, samesite="lax", secure=secure)
        return response

    return handle


async def _body(request: Request) -> bytes:
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise Refusal("bad_message")
    parts: list[bytes] = []
    size = 0
    try:
        async for part in request.stream():
            size += len(part)
            if size > MAX_BODY:
                raise Refusal("too_big")
            parts.append(part)
    except ClientDisconnect:
        raise Refusal("bad_message") from None
    return b"".join(parts)


def problem(refusal: Refusal, lang: str) -> Response:
    """A refusal as an answer."""
    body = protocol.Problem(refusal.code, refusal.say(lang), refusal.rule)
    status = STATUS.get(refusal.code, CONFLICT)
    headers = {"Connection": "close"} if refusal.code == "too_big" else None  # the rest is not read
    return Response(protocol.encode(body), status, headers, media_type="application/json")


def _not_found(shown: pages.Pages) -> Callable[[Request, Exception], Awaitable[Response]]:
    async def answer(request: Request, error: Exception) -> Response:
        wrong_method = getattr(error, "status_code", 404) == 405
        response = None if wrong_method else shown.lost(request)
        if response is None:
            response = problem(Refusal("wrong_method" if wrong_method else "not_found"), language(request))
        response.headers.update(getattr(error, "headers", None) or {})
        return response

    return answer


async def _failed(request: Request, error: Exception) -> Response:
    log.error("a request failed", exc_info=error)
    return problem(Refusal("internal"), language(request))


def _metrics(room: Room, gate: Gate) -> Callable[[Request], Awaitable[Response]]:
    async def metrics(request: Request) -> Response:
        return Response(render(room, gate), media_type="text/plain; version=0.0.4")

    return metrics


class _Guard:
    """Around everything: hosts, origins and rates are checked, and every answer gets the security headers."""

    def __init__(self, app: ASGIApp, gate: Gate) -> None:
        self._app = app
        self._gate = gate
        self._headers = [(name.lower().encode(), value.encode()) for name, value in HEADERS.items()]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *self._headers]
            await send(message)

        refusal = self._check(Request(scope))
        if refusal is not None:
            await problem(refusal, language(Request(scope)))(scope, receive, send_guarded)
            return
        await self._app(scope, receive, send_guarded)

    def _check(self, request: Request) -> Refusal | None:
        headers = request.headers
        host = headers.get("host", "")
        address = self._gate.client(request.client.host if request.client else "local", headers.get("x-forwarded-for"))
        if not self._gate.is_slow_enough(address):
            return Refusal("slow_down")
        if not self._gate.knows_host(host):
            return Refusal("bad_origin")
        if request.method not in ("GET", "HEAD") and not self._gate.is_own_origin(headers.get("origin"), host):
            return Refusal("bad_origin")
        return None
