"""The browser's pages as the server hands them out."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import httpx
import pytest

from ludotheque.server import pages
from tests.server.house import House, run, running

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


def test_every_address_of_the_page_brings_the_page(tmp_path: Path, page: Path) -> None:
    async def story() -> None:
        async with running(tmp_path / "data") as house:
            for path in ("/", "/new/skipbo", "/join", "/about", "/t/abcdefghjkmn", "/t/abcdefghjkmn/replay", "/pad"):
                answer = await _get(house, path)
                assert answer.status_code == 200 and "Ludothèque" in answer.text, path
                assert answer.headers["cache-control"] == "no-cache"
                assert answer.headers["content-type"] == "text/html; charset=utf-8"
                policy = answer.headers["content-security-policy"]
                assert "script-src 'self';" in policy and "style-src 'self';" in policy and "unsafe" not in policy

    run(story())


def test_hashed_files_are_kept_for_good_and_the_rest_is_asked_for_again(tmp_path: Path, page: Path) -> None:
    async def story() -> None:
        async with running(tmp_path / "data") as house:
            script = await _get(house, "/assets/index-abc123.js")
            assert "immutable" in script.headers["cache-control"]
            assert script.headers["content-type"].startswith("text/javascript")
            worker = await _get(house, "/sw.js")
            assert worker.headers["cache-control"] == "no-cache" and "content-encoding" not in worker.headers
            again = await _get(house, "/sw.js", **{"if-none-match": worker.headers["etag"]})
            assert again.status_code == 304 and not again.content
            other = await _get(house, "/sw.js", **{"if-none-match": '"something else"'})
            assert other.status_code == 200
            icon = await _get(house, "/icon-192.png")
            assert icon.headers["content-type"] == "image/png" and "content-encoding" not in icon.headers

    run(story())


def test_text_is_packed_for_those_who_can_unpack_it(tmp_path: Path, page: Path) -> None:
    async def story() -> None:
        path = "/assets/index-abc123.js"
        plain = (page / "assets" / "index-abc123.js").read_bytes()
        async with running(tmp_path / "data") as house:
            async with house.http.stream("GET", path, headers={"accept-encoding": "gzip"}) as answer:
                raw = b"".join([part async for part in answer.aiter_raw()])
            assert answer.headers["content-encoding"] == "gzip" and answer.headers["vary"] == "Accept-Encoding"
            assert gzip.decompress(raw) == plain and len(raw) < len(plain) / 5
            unpacked = await _get(house, path, **{"accept-encoding": "identity"})
            assert "content-encoding" not in unpacked.headers and unpacked.content == plain
            head = await house.http.head(path)
            assert head.status_code == 200 and not head.content

    run(story())


def test_people_who_are_lost_get_the_page_and_programs_an_answer(tmp_path: Path, page: Path) -> None:
    async def story() -> None:
        async with running(tmp_path / "data") as house:
            person = await _get(house, "/nothing/here")
            assert person.status_code == 404 and "Ludothèque" in person.text
            program = await house.http.get("/nothing/here")
            assert program.status_code == 404 and program.json()["code"] == "not_found"
            gone = await house.http.get("/assets/index-old.js", headers={"accept": "*/*"})
            assert gone.status_code == 404 and gone.json()["code"] == "not_found"
            assert (await house.http.post("/t/abcdefghjkmn", json={})).status_code == 405
            assert (await house.http.get("/manifest.json")).status_code == 404

    run(story())


def test_nothing_outside_the_folder_is_handed_out(tmp_path: Path, page: Path) -> None:
    async def story() -> None:
        async with running(tmp_path / "data") as house:
            for path in (
                "/../secret.txt",
                "/%2e%2e/secret.txt",
                "/assets/..%2f..%2fsecret.txt",
                "/assets/../../secret.txt",
            ):
                answer = await house.http.get(path)
                assert answer.status_code == 404 and "nobody" not in answer.text, path

    run(story())


def test_a_build_while_the_server_runs_is_served_whole(tmp_path: Path, page: Path) -> None:
    async def story() -> None:
        async with running(tmp_path / "data") as house:
            old = page / "assets" / "index-abc123.js"
            old.unlink()
            assert (await _get(house, "/assets/index-abc123.js")).status_code == 200, "the page in use still needs it"
            (page / "assets" / "index-def456.js").write_text("// newer", "utf-8")
            (page / "index.html").write_text("<!doctype html><title>Newer</title>", "utf-8")
            assert "Newer" in (await _get(house, "/")).text
            assert (await _get(house, "/assets/index-def456.js")).status_code == 200
            (page / "index.html").unlink()
            assert "Newer" in (await _get(house, "/")).text

    run(story())


def test_a_checkout_without_the_pages_says_what_to_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "FOLDER", tmp_path / "nothing")

    async def story() -> None:
        async with running(tmp_path / "data") as house:
            for path, status in (("/", 200), ("/t/abcdefghjkmn", 200), ("/nothing", 404)):
                answer = await _get(house, path)
                assert answer.status_code == status and "make web" in answer.text and 'lang="fr"' in answer.text

    run(story())


def test_server_and_page_know_the_same_addresses() -> None:
    patterns = re.findall(r"\['(\w+)', /\^(.*?)\$/\]", ROUTER.read_text("utf-8"))
    assert len(patterns) >= 7
    for name, pattern in patterns:
        python = re.compile(pattern.replace("\\/", "/").replace("(?<", "(?P<"))
        known = [address for address in pages.ADDRESSES if python.fullmatch(re.sub(r"\{\w+\}", "abc", address))]
        assert known, name
