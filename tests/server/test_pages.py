"""The browser's pages as the server hands them out."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import httpx
import pytest

from ludotheque.server.wire import pages
from tests.server.house import House, running

PEOPLE = {"accept": "text/html,*/*", "accept-language": "fr"}
ROUTER = Path(__file__).resolve().parents[2] / "web" / "src" / "lib" / "router.svelte.ts"


@pytest.fixture
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small build in place of the real one."""
    folder = tmp_path / "page"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text("<!doctype html><title>Ludothèque</title>" + " " * 600, "utf-8")
    (folder / "assets" / "index-abc123.js").write_text("console.log('Ludothèque')\n" * 100, "utf-8")
    (folder / "sw.js").write_text("// short", "utf-8")
    (folder / "icon-192.png").write_bytes(bytes(1000))
    (folder / "manifest.json").write_text("{}", "utf-8")
    (tmp_path / "secret.txt").write_text("nobody's business", "utf-8")
    monkeypatch.setattr(pages, "FOLDER", folder)
    return folder


async def _get(house: House, path: str, **headers: str) -> httpx.Response:
    return await house.http.get(path, headers={**PEOPLE, **headers})


async def test_every_address_of_the_page_brings_the_page(house: House, page: Path) -> None:
    for path in (
        "/",
        "/new/skipbo",
        "/lesson/skipbo",
        "/join",
        "/about",
        "/t/abcdefghjkmn",
        "/t/abcdefghjkmn/replay",
        "/pad",
    ):
        answer = await _get(house, path)
        assert answer.status_code == 200 and "Ludothèque" in answer.text, path
        assert answer.headers["cache-control"] == "no-cache"
        assert answer.headers["content-type"] == "text/html; charset=utf-8"
        policy = answer.headers["content-security-policy"]
        assert "script-src 'self';" in policy and "style-src 'self';" in policy and "unsafe" not in policy


async def test_hashed_files_are_kept_for_good_and_the_rest_is_asked_for_again(house: House, page: Path) -> None:
    """Text is packed for those who can unpack it."""
    path = "/assets/index-abc123.js"
    plain = (page / "assets" / "index-abc123.js").read_bytes()
    async with house.http.stream("GET", path, headers={"accept-encoding": "gzip"}) as script:
        raw = b"".join([part async for part in script.aiter_raw()])
    assert "immutable" in script.headers["cache-control"]
    assert script.headers["content-type"].startswith("text/javascript")
    assert script.headers["content-encoding"] == "gzip" and script.headers["vary"] == "Accept-Encoding"
    assert gzip.decompress(raw) == plain and len(raw) < len(plain) / 5
    unpacked = await _get(house, path, **{"accept-encoding": "identity"})
    assert "content-encoding" not in unpacked.headers and unpacked.content == plain
    head = await house.http.head(path)
    assert head.status_code == 200 and not head.content
    worker = await _get(house, "/sw.js")
    assert worker.headers["cache-control"] == "no-cache" and "content-encoding" not in worker.headers
    again = await _get(house, "/sw.js", **{"if-none-match": worker.headers["etag"]})
    assert again.status_code == 304 and not again.content
    assert (await _get(house, "/sw.js", **{"if-none-match": '"something else"'})).status_code == 200
    icon = await _get(house, "/icon-192.png")
    assert icon.headers["content-type"] == "image/png" and "content-encoding" not in icon.headers


async def test_people_who_are_lost_get_the_page_and_programs_an_answer(house: House, page: Path) -> None:
    person = await _get(house, "/nothing/here")
    assert person.status_code == 404 and "Ludothèque" in person.text
    program = await house.http.get("/nothing/here")
    assert program.status_code == 404 and program.json()["code"] == "not_found"
    gone = await house.http.get("/assets/index-old.js", headers={"accept": "*/*"})
    assert gone.status_code == 404 and gone.json()["code"] == "not_found"
    assert (await house.http.post("/t/abcdefghjkmn", json={})).status_code == 405
    assert (await house.http.get("/manifest.json")).status_code == 404


async def test_nothing_outside_the_folder_is_handed_out(house: House, page: Path) -> None:
    inside = "/assets/../../secret.txt", "/assets/..%2f..%2fsecret.txt"
    for path in ("/../secret.txt", "/%2e%2e/secret.txt", *inside):
        answer = await house.http.get(path)
        assert answer.status_code == 404 and "nobody" not in answer.text, path


async def test_a_build_while_the_server_runs_is_served_whole(house: House, page: Path) -> None:
    old = page / "assets" / "index-abc123.js"
    old.unlink()
    assert (await _get(house, "/assets/index-abc123.js")).status_code == 200, "the page in use still needs it"
    (page / "assets" / "index-def456.js").write_text("// newer", "utf-8")
    (page / "index.html").write_text("<!doctype html><title>Newer</title>", "utf-8")
    assert "Newer" in (await _get(house, "/")).text
    assert (await _get(house, "/assets/index-def456.js")).status_code == 200
    (page / "index.html").unlink()
    assert "Newer" in (await _get(house, "/")).text


async def test_a_checkout_without_the_pages_says_what_to_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "FOLDER", tmp_path / "nothing")
    async with running(tmp_path / "data") as house:
        for path, status in (("/", 200), ("/t/abcdefghjkmn", 200), ("/nothing", 404)):
            answer = await _get(house, path)
            assert answer.status_code == status and "make web" in answer.text and 'lang="fr"' in answer.text


def test_server_and_page_know_the_same_addresses() -> None:
    patterns = re.findall(r"\['(\w+)', /\^(.*?)\$/\]", ROUTER.read_text("utf-8"))
    assert len(patterns) >= 7
    for name, pattern in patterns:
        python = re.compile(pattern.replace("\\/", "/").replace("(?<", "(?P<"))
        known = [address for address in pages.ADDRESSES if python.fullmatch(re.sub(r"\{\w+\}", "abc", address))]
        assert known, name
