"""`ludotheque serve` and `ludotheque admin`."""

from __future__ import annotations

import argparse
import contextlib
import os
import socket
import threading
import webbrowser
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from ludotheque.core import extras
from ludotheque.core.errors import LudothequeError
from ludotheque.core.texts import Catalogue, catalogue
from ludotheque.shell.arguments import Parser, Values

if TYPE_CHECKING:
    from ludotheque.server.bus.base import Bus
    from ludotheque.server.settings import Settings
    from ludotheque.server.store.base import Store

TEXTS = Path(__file__).resolve().parent / "texts"
PORT = 7707


def texts(lang: str) -> Catalogue:
    """The words of the commands."""
    return catalogue(TEXTS, lang)


def add_serve(parser: Parser) -> None:
    """The options of `serve`."""
    parser.option("host", "127.0.0.1")
    parser.option("port", PORT, metavar="N", bounds=(0, 65535))
    _add_place(parser)
    parser.option("open", action="store_true")
    parser.option("bus", metavar="URL")
    parser.option("origin", metavar="URL", action="append", dest="origins")


def add_admin(parser: Parser) -> None:
    """The options of `admin`."""
    actions = {name: parser.say(name) for name in ("backup", "restore", "prune")}
    parser.argument("action", Values(actions), text=parser.listed(actions), choices=tuple(actions))
    parser.argument("file", nargs="?", type=Path)
    parser.option("days", metavar="N", type=float)
    _add_place(parser)


def _add_place(parser: Parser) -> None:
    """Where the tables are kept."""
    parser.option("data", default_data(), metavar="DIR", type=Path)
    parser.option("database", metavar="URL")


def default_data() -> Path:
    """Where tables are kept unless said otherwise: in the user's data directory."""
    named = os.environ.get("LUDOTHEQUE_DATA")
    if named:
        return Path(named)
    base = os.environ.get("XDG_DATA_HOME")
    return (Path(base) if base else Path.home() / ".local" / "share") / "ludotheque"


def make_store(settings: Settings) -> Store:
    """The store that the settings name."""
    if settings.database:
        extras.need("cluster", "psycopg")
        from ludotheque.server.store.postgres import PostgresStore

        return PostgresStore(settings.database)
    from ludotheque.server.store.sqlite import SqliteStore

    return SqliteStore(settings.data)


def make_bus(settings: Settings) -> Bus:
    """The bus that the settings name."""
    if settings.bus:
        extras.need("cluster", "redis")
        from ludotheque.server.bus.redis import RedisBus

        return RedisBus(settings.bus)
    from ludotheque.server.bus.memory import MemoryBus

    return MemoryBus()


def serve(args: argparse.Namespace, lang: str) -> int:
    """Open the game room until it is told to stop."""
    say = texts(lang).say
    extras.need("server")
    import uvicorn

    from ludotheque.server.logs import set_up
    from ludotheque.server.session import compiling
    from ludotheque.server.session.room import Room
    from ludotheque.server.session.watchdog import restart
    from ludotheque.server.settings import Settings
    from ludotheque.server.wire.app import make_app
    from ludotheque.server.wire.gate import Gate
    from ludotheque.server.wire.transport import uvicorn_config

    settings = Settings.from_environment(
        data=args.data,
        database=args.database,
        bus=args.bus,
        origins=tuple(args.origins) if args.origins else None,
    )
    store, bus = make_store(settings), make_bus(settings)
    listener = _inherited() or _listen(
        args.host, args.port, say("cli.serve.port_taken", {"port": args.port, "host": args.host})
    )
    set_up(os.environ.get("LUDOTHEQUE_LOG", "INFO").upper())
    room = Room(settings, store, bus)
    gate = Gate(room)
    port = listener.getsockname()[1]
    here = f"http://{'localhost' if args.host in ('127.0.0.1', '0.0.0.0', '::', '::1') else args.host}:{port}/"

    def opened() -> None:
        room.watchdog.restart = partial(restart, listener.fileno())
        print(say("cli.serve.here", {"address": here}))
        if args.host in ("0.0.0.0", "::"):
            for address in _own_addresses():
                print(say("cli.serve.phones", {"address": f"http://{address}:{port}/"}))
        print(say("cli.serve.stop"), flush=True)
        compiling.start()
        if args.open:
            threading.Timer(0.5, webbrowser.open, [here]).start()

    app = make_app(room, gate, opened)
    with contextlib.suppress(KeyboardInterrupt, SystemExit):
        uvicorn.Server(uvicorn_config(app, gate)).run(sockets=[listener])
    failed: LudothequeError | None = getattr(app.state, "failed", None)
    if failed is not None:
        raise failed
    return 0


def admin(args: argparse.Namespace, lang: str) -> int:
    """Look after the stored tables."""
    say = texts(lang).say
    extras.need("server")
    from ludotheque.server import admin as work
    from ludotheque.server.settings import Settings

    settings = Settings.from_environment(data=args.data, database=args.database)
    if args.action == "prune":
        if args.days is None or not args.days > 0:
            raise LudothequeError(say("cli.admin.days_missing"))
        print(say("cli.admin.pruned", {"n": work.prune(settings, args.days)}))
        return 0
    if args.file is None:
        raise LudothequeError(say("cli.admin.file_missing"))
    if args.action == "backup":
        print(say("cli.admin.backed_up", {"n": work.backup(settings, args.file), "file": str(args.file)}))
        return 0
    try:
        print(say("cli.admin.restored", {"n": work.restore(settings, args.file)}))
    except work.NotEmpty:
        raise LudothequeError(say("cli.admin.not_empty", {"data": args.database or str(settings.data)})) from None
    return 0


def _inherited() -> socket.socket | None:
    """The socket of the process that this one replaces, see `watchdog.py`."""
    number = os.environ.pop("LUDOTHEQUE_LISTENER", "")
    return socket.socket(fileno=int(number)) if number.isdecimal() else None


def _listen(host: str, port: int, taken: str) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen(4096)
    except (OSError, OverflowError):
        listener.close()
        raise LudothequeError(taken) from None
    listener.set_inheritable(True)
    return listener


def _own_addresses() -> list[str]:
    """This machine's address in the local network. Nothing is sent: only a route is looked up."""
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))
        return [probe.getsockname()[0]]
    return []
