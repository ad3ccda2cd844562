"""`ludotheque serve` and `ludotheque admin`."""

from __future__ import annotations

import argparse
import contextlib
import os
import socket
import threading
import webbrowser
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from ludotheque.core.errors import LudothequeError
from ludotheque.core.starting import without_scipy
from ludotheque.core.texts import Catalogue, catalogue
from ludotheque.server.memory import share_one_arena

if TYPE_CHECKING:
    from ludotheque.server.bus.base import Bus
    from ludotheque.server.settings import Settings
    from ludotheque.server.store.base import Store

TEXTS = Path(__file__).resolve().parent / "texts"
PORT = 7707


def texts(lang: str) -> Catalogue:
    """The words of the commands."""
    return catalogue(TEXTS, lang)


def add_serve(parser: argparse.ArgumentParser, lang: str) -> None:
    """The options of `serve`."""

    def say(key: str) -> str:
        return texts(lang).say(f"cli.serve.{key}").replace("%", "%%")

    parser.add_argument("--host", default="127.0.0.1", help=say("host"))
    parser.add_argument("--port", type=int, default=PORT, help=say("port"))
    parser.add_argument("--data", type=Path, metavar="DIR", help=say("data"))
    parser.add_argument("--open", action="store_true", help=say("open"))
    parser.add_argument("--database", metavar="URL", help=say("database"))
    parser.add_argument("--bus", metavar="URL", help=say("bus"))
    parser.add_argument("--origin", action="append", dest="origins", metavar="URL", help=say("origin"))


def add_admin(parser: argparse.ArgumentParser, lang: str) -> None:
    """The options of `admin`."""

    def say(key: str) -> str:
        return texts(lang).say(f"cli.admin.{key}").replace("%", "%%")

    actions = "; ".join(f"{name}: {say(name)}" for name in ("backup", "restore", "prune"))
    parser.add_argument("action", choices=("backup", "restore", "prune"), help=actions)
    parser.add_argument("file", nargs="?", type=Path, metavar="FILE", help=say("file"))
    parser.add_argument("--days", type=float, metavar="N", help=say("days"))
    parser.add_argument("--data", type=Path, metavar="DIR", help=texts(lang).say("cli.serve.data"))
    parser.add_argument("--database", metavar="URL", help=texts(lang).say("cli.serve.database"))


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
        from ludotheque.server.store.postgres import PostgresStore

        return PostgresStore(settings.database)
    from ludotheque.server.store.sqlite import SqliteStore

    return SqliteStore(settings.data)


def make_bus(settings: Settings) -> Bus:
    """The bus that the settings name."""
    if settings.bus:
        from ludotheque.server.bus.redis import RedisBus

        return RedisBus(settings.bus)
    from ludotheque.server.bus.memory import MemoryBus

    return MemoryBus()


@contextlib.contextmanager
def _libraries(missing: str) -> Iterator[None]:
    """Import what the extra `server` installs, or say that it is missing."""
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("ludotheque"):
            raise
        raise LudothequeError(missing) from None


def serve(args: argparse.Namespace, lang: str) -> int:
    """Open the game room until it is told to stop."""
    share_one_arena()
    with without_scipy():
        return _serve(args, lang)


def _serve(args: argparse.Namespace, lang: str) -> int:
    say = texts(lang).say
    with _libraries(say("cli.serve.missing")):
        import uvicorn

        from ludotheque.server import loading
        from ludotheque.server.app import make_app, uvicorn_config
        from ludotheque.server.logs import set_up
        from ludotheque.server.room import Room
        from ludotheque.server.settings import Settings
        from ludotheque.server.transport import Door
        from ludotheque.server.watchdog import start_anew
    settings = Settings.from_environment(
        data=args.data or default_data(),
        database=args.database,
        bus=args.bus,
        origins=tuple(args.origins) if args.origins else None,
    )
    listener = _inherited() or _listen(
        args.host, args.port, say("cli.serve.port_taken", {"port": args.port, "host": args.host})
    )
    set_up(os.environ.get("LUDOTHEQUE_LOG", "INFO").upper())
    room = Room(settings, make_store(settings), make_bus(settings))
    door = Door(room)
    port = listener.getsockname()[1]
    here = f"http://{'localhost' if args.host in ('127.0.0.1', '0.0.0.0', '::', '::1') else args.host}:{port}/"

    def opened() -> None:
        room.watchdog.restart = partial(start_anew, listener.fileno())
        print(say("cli.serve.here", {"address": here}))
        if args.host in ("0.0.0.0", "::"):
            for address in _own_addresses():
                print(say("cli.serve.phones", {"address": f"http://{address}:{port}/"}))
        print(say("cli.serve.stop"), flush=True)
        loading.start(lang)
        if args.open:
            threading.Timer(0.5, webbrowser.open, [here]).start()

    app = make_app(room, door, opened)
    with contextlib.suppress(KeyboardInterrupt, SystemExit):
        uvicorn.Server(uvicorn_config(app, door)).run(sockets=[listener])
    failed: LudothequeError | None = getattr(app.state, "failed", None)
    if failed is not None:
        raise failed
    return 0


def admin(args: argparse.Namespace, lang: str) -> int:
    """Look after the stored tables."""
    say = texts(lang).say
    with _libraries(say("cli.serve.missing")):
        from ludotheque.server import admin as work
        from ludotheque.server.settings import Settings
    settings = Settings.from_environment(data=args.data or default_data(), database=args.database)
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
