"""The HTTP interface: as described, in both languages, and robust against what schemathesis thinks of."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import httpx
import msgspec
import pytest

import ludotheque
from ludotheque.core import registry
from ludotheque.server.domain import protocol
from ludotheque.server.wire.api import ENDPOINTS
from ludotheque.server.wire.openapi import describe, message_schema
from tests.server.house import GAME, House, play
from tests.server.process import Server


async def test_games_rules_and_texts_are_told_in_both_languages(house: House) -> None:
    for lang, word in (("en", "tricks"), ("fr", "plis")):
        games = await house.get("/api/games", lang=lang)
        assert [game["id"] for game in games["games"]] == list(ludotheque.game_ids())
        rules = await house.get(f"/api/games/{GAME}/rules", lang=lang)
        assert word in rules["text"]
        assert all(game["min_seats"] <= game["usual_seats"] <= game["max_seats"] for game in games["games"])
        texts = await house.get(f"/api/games/{GAME}/texts", lang=lang)
        assert texts["texts"]["moves"]["play"] and texts["texts"]["room"]["stale"]
    french = await house.http.get(f"/api/games/{GAME}/rules", headers={"accept-language": "fr-CH,fr;q=0.9"})
    assert french.json()["lang"] == "fr"
    missing = await house.get("/api/games/chess/rules", status=404, lang="fr")
    assert missing["code"] == "no_such_game" and "existe" in missing["text"]


@pytest.mark.filterwarnings("ignore::ludotheque.GameWarning")
async def test_a_broken_game_does_not_stop_the_others(
    house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "wreck_game"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "rules.py").write_text("1 / 0")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setitem(registry._REGISTERED, "wreck", "wreck_game")
    listed = await house.get("/api/games")
    assert [game["id"] for game in listed["games"]] == [one for one in ludotheque.game_ids() if one != "wreck"]
    assert (await house.get("/api/games/wreck/rules", status=404))["code"] == "no_such_game"
    refused = await house.post("/api/tables", {"game": "wreck", "seats": 2, "name": "Ana"}, status=400)
    assert "division by zero" in refused["text"]


async def test_what_a_table_shows_is_told_for_every_game(house: House) -> None:
    for game_id in ludotheque.game_ids():
        told = await house.get(f"/api/games/{game_id}/view", lang="fr")
        assert (told["game"], told["lang"]) == (game_id, "fr")
        assert [field["name"] for field in told["fields"]] == list(ludotheque.game(game_id).views.VIEW.shapes)
        assert all(field["label"] for field in told["fields"])
    assert (await house.get("/api/games/chess/view", status=404))["code"] == "no_such_game"


async def test_a_table_is_arranged_over_http(house: House) -> None:
    body = {"game": GAME, "seats": 3, "name": "Ann", "avatar": "owl7", "options": {"rounds": 7}}
    made = await house.post("/api/tables", body)
    path, token = f"/api/tables/{made['table']['id']}", made["token"]
    async with httpx.AsyncClient(base_url=house.url) as other:
        body = {"name": "Bob", "avatar": "<b>", "key": made["join"]}
        assert (await other.post(f"{path}/join", json=body)).status_code == 400
        joined = (await other.post(f"{path}/join", json=body | {"avatar": ""})).json()
    assert [seat.get("avatar") for seat in joined["table"]["seats"]] == ["owl7", None, None]
    await house.post(f"{path}/leave", token=joined["token"])
    await house.post(f"{path}/start", token=token, status=409)
    await house.post(f"{path}/bots", {"seat": 1}, token)
    shown = await house.post(f"{path}/bots", {"seat": 2, "level": "beginner"}, token)
    assert [seat["kind"] for seat in shown["table"]["seats"]] == ["person", "bot", "bot"]
    answer = await house.http.delete(f"{path}/bots/2", headers={"Authorization": f"Bearer {token}"})
    assert answer.json()["table"]["seats"][2]["kind"] == "free"
    await house.post(f"{path}/bots", {"seat": 2, "level": "nobody"}, token, status=400)
    await house.post(f"{path}/bots", {"seat": 2}, token)
    shown = await house.post(f"{path}/start", token=token)
    assert shown["table"]["status"] == "playing"
    await house.post(f"{path}/rematch", token=token, status=409)
    await house.get(f"{path}/record", token, match=2, status=404)
    record = await house.get(f"{path}/record", token)
    assert record["record"]["seat"] == 0 and "deal" not in record
    left = await house.post(f"{path}/leave", token=token)
    assert left["table"]["seats"][0]["kind"] == "bot" and "avatar" not in left["table"]["seats"][0]


async def test_a_score_pad_over_the_network(house: House) -> None:
    body = {"game": GAME, "kind": "pad", "players": ["Ann", "Bob"], "first": 0}
    made = await house.post("/api/tables", body)
    table = made["table"]["id"]
    writer = await house.enter(table, key=made["join"], lang="fr")
    reader = await house.enter(table, key=made["watch"])
    assert writer.welcome["can_write"] and "can_write" not in reader.welcome
    answer = await writer.ask("enter", seq=writer.seq, entry={"bids": [1, 1]})
    assert answer["view"]["entries"] == [{"bids": [1, 1]}]
    refused = await writer.ask("enter", seq=writer.seq, entry={"tricks": [1, 1]})
    assert refused["code"] == "illegal" and refused["rule"] and refused["text"]
    assert (await reader.ask("wipe", seq=reader.seq))["code"] == "not_allowed"
    await writer.ask("wipe", seq=writer.seq)
    while reader.seq < writer.seq:
        await reader.next("update")
    assert reader.view["entries"] == []


async def test_an_entry_is_checked_while_it_is_written(house: House) -> None:
    made = await house.post(
        "/api/tables", {"game": "loba", "kind": "pad", "players": ["Ann", "Bob", "Zoé"], "first": 0}
    )
    table = made["table"]["id"]
    writer = await house.enter(table, key=made["join"], lang="fr")
    checked = await writer.ask("check", entry={"points": ["5 10 R", 999, None]})
    assert checked["type"] == "checked" and checked["values"] == {"points": [28, None, None]}
    (error,) = checked["errors"]
    assert (error["field"], error["seats"], error["rule"]) == ("points", [1], "B19") and "191" in error["text"]
    assert [(one["field"], one["seats"]) for one in checked["missing"]] == [("points", [2])]
    refused = await writer.ask("enter", seq=writer.seq, entry={"points": [0, 0, 5]})
    assert (refused["code"], refused["field"], refused["seats"]) == ("illegal", "points", [0, 1])
    doubtful = await writer.ask("enter", seq=writer.seq, entry={"points": [5, 6, 7]})
    assert (doubtful["code"], doubtful["question"]) == ("doubtful", "pad.ask.nobody_out")
    sure = await writer.ask("enter", seq=writer.seq, entry={"points": [5, 6, 7]}, confirmed=[doubtful["question"]])
    assert sure["view"]["totals"] == [5, 6, 7]
    at_0 = await writer.ask("check", entry={"points": [0, 0, 7]}, index=0)
    assert [one["seats"] for one in at_0["errors"]] == [[0, 1]]
    reader = await house.enter(table, key=made["watch"])
    assert (await reader.ask("check", entry={}))["code"] == "not_allowed"
    sheet = await house.get(f"/api/tables/{table}/sheet", key=made["watch"], lang="fr")
    assert sheet["csv"].startswith("\ufeffLigne,Mène,Inscrit,Ann,Bob,Zoé\r\n")
    async with httpx.AsyncClient(base_url=house.url) as stranger:
        assert (await stranger.get(f"/api/tables/{table}/sheet")).status_code == 403


def test_the_description_names_every_message_and_address() -> None:
    described = describe(ENDPOINTS)
    assert {(path, method.upper()) for path, ways in described["paths"].items() for method in ways} == {
        (one.path, one.method) for one in ENDPOINTS
    }
    messages = message_schema()
    text = msgspec.json.encode(messages).decode()
    for tag in ("hello", "move", "welcome", "update", "refused", "moved", "stood_in"):
        assert f'"{tag}"' in text
    assert set(re.findall(r"#/\$defs/(\w+)", text)) <= set(messages["$defs"])
    assert protocol.Move.__doc__


@pytest.mark.slow
def test_schemathesis_finds_nothing(tmp_path: Path) -> None:
    checks = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance"
    command = [str(Path(sys.executable).with_name("schemathesis")), "run", "--max-examples=15", "--seed=1"]
    command += ["--phases=examples,coverage,fuzzing", f"--checks={checks}"]
    with Server(tmp_path) as server:
        command.append(f"{server.url}/openapi.json")
        # It leaves notes where it runs.
        found = subprocess.run(command, capture_output=True, text=True, timeout=300, cwd=tmp_path)
    assert found.returncode == 0, found.stdout[-6000:]


async def test_health_and_numbers(house: House) -> None:
    assert (await house.get("/healthz"))["status"] == "ok"
    _, _, clients = await house.match("Ann", "Bob")
    await play(clients, 1)
    text = (await house.http.get("/metrics")).text
    assert "ludotheque_moves_total 1.0" in text and "ludotheque_connections 2.0" in text
    assert "process_resident_memory_bytes" in text
