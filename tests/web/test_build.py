"""What the build makes: types in step with the server, and a first load that stays small."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ludotheque.server.wire.typescript import make
from tests import needs
from tests.web.sources import PAGE, SRC, WEB

LIMIT = 120 * 1024
"""Bytes of script and style, packed, before the first page shows."""
FONT_LIMIT = 60 * 1024


def test_the_types_are_those_of_the_server() -> None:
    assert (SRC / "lib" / "protocol.ts").read_text("utf-8") == make()


@pytest.mark.slow
def test_a_difference_is_noticed(tmp_path: Path) -> None:
    file = tmp_path / "protocol.ts"
    command = [sys.executable, "-m", "ludotheque.server.wire.typescript", str(file)]
    assert subprocess.run([*command, "--check"], capture_output=True).returncode == 1
    assert subprocess.run(command).returncode == 0
    assert subprocess.run([*command, "--check"]).returncode == 0
    file.write_text(file.read_text("utf-8") + "export type More = string\n", "utf-8")
    assert subprocess.run([*command, "--check"], capture_output=True).returncode == 1


def test_the_lock_file_names_no_registry() -> None:
    lock = json.loads((WEB / "package-lock.json").read_text("utf-8"))
    assert not [name for name, package in lock["packages"].items() if "resolved" in package]


@pytest.fixture(scope="module")
def manifest() -> dict[str, Any]:
    path = PAGE / "manifest.json"
    if not path.exists():
        needs.missing("the pages are not built: make web")
    found: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return found


def _files(manifest: dict[str, Any], name: str, seen: set[str]) -> set[str]:
    """A chunk's files, and those of what it imports at once."""
    if name in seen:
        return set()
    seen.add(name)
    chunk = manifest[name]
    files = {chunk["file"], *chunk.get("css", ())}
    for other in chunk.get("imports", ()):
        files |= _files(manifest, other, seen)
    return files


def test_the_first_load_is_small(manifest: dict[str, Any]) -> None:
    files = _files(manifest, "index.html", set()) | _files(manifest, "src/texts/fr/shell.json", set())
    size = sum(len(gzip.compress((PAGE / file).read_bytes(), 9)) for file in files)
    assert 10_000 < size <= LIMIT, f"{size} bytes in {sorted(files)}"


def test_the_fonts_are_small_ours_and_licensed(manifest: dict[str, Any]) -> None:
    fonts = [path for path in PAGE.rglob("*.woff2")]
    assert len(fonts) == 2 and sum(path.stat().st_size for path in fonts) <= FONT_LIMIT
    page = (PAGE / "index.html").read_text("utf-8")
    assert all(path.name in page for path in fonts), "a font that is not asked for at once comes late"
    for font in (SRC / "fonts").glob("*.woff2"):
        assert "SIL Open Font License" in font.with_suffix(".license.txt").read_text("utf-8")


def test_games_load_on_demand(manifest: dict[str, Any]) -> None:
    first = _files(manifest, "index.html", set())
    games = [name for name in manifest if name.startswith("src/games/")]
    assert games
    assert all(manifest[name].get("isDynamicEntry") for name in games)
    assert not first & {manifest[name]["file"] for name in games}


def test_the_page_asks_nobody_else(manifest: dict[str, Any]) -> None:
    """No address of another host, and no inline script or style, which the security policy would stop."""
    page = (PAGE / "index.html").read_text("utf-8")
    assert "http:" not in page and "https:" not in page
    assert "<style" not in page and "style=" not in page
    assert all("src=" in tag for tag in page.split("<script")[1:])
    known = ("http://www.w3.org/", "https://svelte.dev/e/")
    for file in PAGE.rglob("*"):
        if file.suffix in (".js", ".css", ".html"):
            text = file.read_text("utf-8")
            for scheme in ("http://", "https://"):
                for rest in text.split(scheme)[1:]:
                    assert (scheme + rest).startswith(known), f"{file.name}: {scheme}{rest[:40]}"
