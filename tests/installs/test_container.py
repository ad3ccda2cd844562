"""The container: linted, and its steps carried out by hand, up to the room that runs as a user without rights."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from ludotheque.server.settings import PREFIX, Settings
from tests import needs
from tests.installs.dockerfile import Image, context, is_ignored, parse
from tests.installs.environments import ROOT, fetch, install, wheel_cache
from tests.server.services import free_port

DOCKERFILE = ROOT / "Dockerfile"
ROOM_MATCH = str(Path(__file__).with_name("room_match.py"))
WARM = """
import ludotheque.bots.searches, ludotheque.lab.playing, ludotheque.server.views
from ludotheque.core import warm
print(*(warm.is_warm("{game}", purpose) for purpose in warm.PURPOSES))
"""


def test_the_dockerfile_is_clean() -> None:
    hadolint = shutil.which("hadolint") or shutil.which("hadolint", path=str(Path(sys.executable).parent))
    if hadolint is None:
        needs.missing("hadolint is not installed: make setup")
    done = subprocess.run([hadolint, str(DOCKERFILE)], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_only_what_the_package_is_built_from_is_sent() -> None:
    sent = set(context(ROOT))
    assert {"pyproject.toml", "hatch_build.py", "web/package-lock.json", "web/src/main.ts"} <= sent
    assert "src/ludotheque/texts/fr.toml" in sent
    assert {name.partition("/")[0] for name in sent if "/" in name} == {"src", "web"}
    assert not [name for name in sent if "__pycache__" in name or "node_modules" in name or "/server/page/" in name]


@pytest.mark.parametrize(
    ("path", "ignored"),
    [
        ("src/a/b.py", False),
        ("src/a/__pycache__/b.pyc", True),
        ("src/ludotheque/server/page/x", True),
        ("src/ludotheque/server/wire/pages.py", False),
        ("tests/x.py", True),
        ("web/node_modules/x", True),
        (".env", True),
    ],
)
def test_what_a_dockerignore_means(path: str, ignored: bool) -> None:
    patterns = [line for line in (ROOT / ".dockerignore").read_text().splitlines() if line and line[0] != "#"]
    assert is_ignored(path, patterns) == ignored


def load(name: str) -> Any:
    return needs.module("yaml").safe_load((ROOT / name).read_text(encoding="utf-8"))


SERVICE_KEYS = {
    "image", "build", "ports", "volumes", "restart", "init", "read_only", "tmpfs", "cap_drop", "security_opt",
    "environment", "depends_on", "healthcheck", "command",
}  # fmt: skip
"""The keys of the Compose specification that are used here; a mistyped one is not among them."""


@pytest.mark.parametrize("name", ["compose.yaml", "compose.cluster.yaml"])
def test_compose_files_hold_together(name: str) -> None:
    data = load(name)
    services, volumes = data["services"], data.get("volumes", {})
    assert set(data) <= {"services", "volumes", "x-room"}
    settings = {PREFIX + one.name.upper() for one in fields(Settings)}
    for service in services.values():
        assert set(service) <= SERVICE_KEYS
        assert service["restart"] == "unless-stopped"
        for needed, how in service.get("depends_on", {}).items():
            assert how == {"condition": "service_healthy"}
            assert "healthcheck" in services[needed] or services[needed]["image"] == "ludotheque"
        for volume in service.get("volumes", ()):
            source = volume.partition(":")[0]
            assert (ROOT / source).exists() if source.startswith(".") else source in volumes
        if service["image"] == "ludotheque":
            assert service["build"] == "." and service["read_only"] and service["cap_drop"] == ["ALL"]
            assert set(service.get("environment", ())) <= settings
        else:
            assert re.fullmatch(r"\w+:[\d.]+-alpine", service["image"])
    port = re.search(r"^EXPOSE (\d+)$", DOCKERFILE.read_text(), re.MULTILINE)
    assert port is not None
    if name == "compose.yaml":
        assert services["room"]["ports"] == [f"{port[1]}:{port[1]}"]
    else:
        upstream = re.findall(r"^\s+server ([\w:]+);$", (ROOT / "deploy" / "nginx.conf").read_text(), re.MULTILINE)
        rooms = [key for key, service in services.items() if service["image"] == "ludotheque"]
        assert upstream == [f"{room}:{port[1]}" for room in rooms] and len(rooms) >= 2
        password = services["postgres"]["environment"]["POSTGRES_PASSWORD"]
        assert password.startswith("${POSTGRES_PASSWORD:?")
        assert password in services[rooms[0]]["environment"]["LUDOTHEQUE_DATABASE"]


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that users without rights may enter, unlike pytest's own."""
    made = Path(tempfile.mkdtemp(prefix="ludotheque-image-"))
    made.chmod(0o755)
    yield made
    shutil.rmtree(made, ignore_errors=True)


def tools(folder: Path) -> Path:
    """What the base image has, from this machine. Users are not made here: their number is all that counts."""
    made = folder / "tools"
    made.mkdir()
    programs = {
        "python": f'exec {sys.executable} "$@"',
        "pip": f'exec {sys.executable} -m pip --disable-pip-version-check "$@"',
        "useradd": f'echo "$@" > {folder}/useradd',
    }
    for name, text in programs.items():
        (made / name).write_text(f"#!/bin/sh\n{text}\n")
        (made / name).chmod(0o755)
    return made


def build(folder: Path, games: str) -> Image:
    """Carry out the Dockerfile, with packages from the folder of wheels and what the pages are built with from here."""
    modules = ROOT / "web" / "node_modules"
    if not modules.is_dir() or shutil.which("node") is None:
        needs.missing("what the pages are built with is not installed: make web")
    if os.getuid() != 0:
        needs.missing("giving a folder to another user takes root")
    install(Path(sys.executable), "hatchling", f"{ROOT}[server]", "psycopg[binary]", "redis", dry=True)
    source = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(wheel_cache())}
    image = Image(folder, ROOT, tools(folder), {"GAMES": games}, **source)
    for name, rest in parse(DOCKERFILE.read_text()):
        image.follow(name, rest)
        if name == "COPY" and rest == ". .":
            (folder / "src" / "web" / "node_modules").symlink_to(modules.resolve())
    return image


def may_run(python: str, as_user: dict[str, Any]) -> bool:
    """Whether a process of that user can be started with a Python of ours."""
    try:
        return subprocess.run([python, "-c", ""], capture_output=True, **as_user).returncode == 0
    except PermissionError:
        return False


@pytest.mark.slow
@pytest.mark.compiled_only
@pytest.mark.parametrize("games", ["volle_lotte", pytest.param("", marks=pytest.mark.big_install)])
def test_the_steps_make_a_room_that_is_ready(games: str, folder: Path) -> None:
    image = build(folder, games)
    user = int(image.facts["USER"])
    assert user != 0 and f"--uid {user} " in (folder / "useradd").read_text()
    shutil.rmtree(folder / "src")
    variables = {**image.environment(), "HOME": image.variables["LUDOTHEQUE_DATA"]}
    as_user: dict[str, Any] = {"user": user, "group": user, "extra_groups": [], "env": variables, "cwd": "/"}
    python = f"{folder}/opt/ludotheque/bin/python"
    if not may_run(python, as_user):  # this Python lies where other users may not go, or we are not root: as ourselves
        user = os.getuid()
        as_user = {"env": variables, "cwd": "/"}

    warm = subprocess.run([python, "-c", WARM.format(game="volle_lotte")], stdout=subprocess.PIPE, text=True, **as_user)
    assert set(warm.stdout.split()) == {"True"}

    port = str(free_port())
    command = [*image.command("ENTRYPOINT"), *image.command("CMD"), "--port", port]
    command = [str(folder / "opt" / "ludotheque" / "bin" / command[0]), *command[1:]]
    command[command.index("0.0.0.0")] = "127.0.0.1"
    check = [word.replace(":7707/", f":{port}/") for word in image.command("HEALTHCHECK")]
    check[0] = python
    assert subprocess.run(check, stderr=subprocess.DEVNULL, **as_user).returncode != 0
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **as_user) as server:
        try:
            assert server.stdout is not None and port in server.stdout.readline()
            assert subprocess.run(check, **as_user).returncode == 0
            address = f"http://127.0.0.1:{port}"
            assert "<script" in fetch(address)
            subprocess.run([python, ROOM_MATCH, address], check=True, env=variables, stdout=subprocess.DEVNULL)
        finally:
            server.send_signal(signal.SIGTERM)
            server.wait(60)
    assert {path.stat().st_uid for path in (folder / "data").iterdir()} == {user}
    assert (folder / "data" / "tables.sqlite3").exists()
