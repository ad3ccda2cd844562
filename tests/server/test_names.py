"""Names of people at a table: one can see them, and tell them apart."""

from __future__ import annotations

import unicodedata
from typing import Any

import httpx

from tests.server.house import GAME, House


def split(names: str) -> list[str]:
    return names.split("|")


INVISIBLE = split(
    "\u3164|\u3164\u3164|\uffa0|\u115f|\u1160|\u2800|\u2800 \u3164"  # fillers, empty Braille
    "|\u200b|\u200d|\u2060|\ufeff|\u00ad|\u2062|\u200f|\u180e|\u034f|\u17b4"  # no width
    "|\ufe0f|\U000e0100|\U000e0041|\u0301|\u0301\u0308\u0332|\u20dd"  # selectors, tags, marks on nothing
    "|\u00a0|\u3000|   "  # spaces
)
"""Names that show nothing."""
UNPRINTABLE = ["a\x07", "\u202eabc"]

LOOKALIKES = split(
    "Ann=Ａｎｎ|Ann=  aNN |Ann=ＡＮＮ|Ann=𝐀𝐧𝐧|Ann=𝓐𝓷𝓷|Ann=Ⓐⓝⓝ|Ａｎｎ=Ann|Ann Lee=Ａｎｎ\u3000Ｌｅｅ"
    "|Ann Lee=Ann\u00a0Lee|Ann Lee=Ann\u2007Lee|Fiona=ﬁona|Zoé=Zoe\u0301|Zoe\u0301=Zoé"
    "|Ångström=\u212bngstro\u0308m|STRASSE=straße|カナ=ｶﾅ|가=\u1100\u1161|R2=R²|IV=Ⅳ"
)
"""A name at the table, and another that reads the same."""

DISGUISED = ["Ann\u3164", "\u3164Ann", "A\u034fnn", "Ann\ufe0f", "Ann\u200b", "A\u00adnn", "Ann\u2800", "Ann \u115f"]
"""The same name with something invisible in it."""

ORDINARY = split(
    "é|José|Jose\u0301|ñandú|김|김민준|Ольга|O'Neil|O’Neil|Ann Lee|Jean-Luc|Zoë & Max|李小龙|さくら|محمد|שרה|नीलम|ไข่มุก"
    "|Nguyễn|Ægir|Łukasz|R2-D2|x|7|Ann 🎲|🦊|<Ann>|aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
)
"""Names that people have."""


async def post(house: House, path: str, body: dict[str, Any]) -> httpx.Response:
    """A request of somebody whom nobody has seen before."""
    house.http.cookies.clear()
    return await house.http.post(path, json=body)


async def new_table(house: House, name: str) -> str:
    """A table where somebody sits and others may join."""
    made = await post(house, "/api/tables", {"game": GAME, "seats": 3, "name": name, "public": True})
    assert made.status_code == 200, made.text
    table: str = made.json()["table"]["id"]
    return table


async def sit(house: House, table: str, name: str) -> httpx.Response:
    """Try to sit down; whoever may gets up again."""
    answer = await post(house, f"/api/tables/{table}/join", {"name": name})
    if answer.status_code == 200:
        await house.post(f"/api/tables/{table}/leave", token=answer.json()["token"])
    return answer


async def test_names_that_show_nothing_are_refused(house: House) -> None:
    table = await new_table(house, "Ann")
    accepted: list[str] = []
    for name in INVISIBLE + UNPRINTABLE:
        made = await post(house, "/api/tables", {"game": GAME, "name": name})
        joined = await sit(house, table, name)
        pad = await post(house, "/api/tables", {"game": GAME, "kind": "pad", "players": ["Ann", name]})
        codes = [(answer.status_code, answer.json().get("code")) for answer in (made, joined)]
        if codes != [(400, "bad_name")] * 2 or not 400 <= pad.status_code < 500:
            accepted.append(f"{name!a}: {codes} {pad.status_code}")
    assert not accepted


async def test_names_that_read_the_same_are_taken(house: House) -> None:
    """Also with something invisible in them."""
    accepted: list[str] = []
    for first, second in [pair.split("=") for pair in LOOKALIKES] + [["Ann", name] for name in DISGUISED]:
        code = (await sit(house, await new_table(house, first), second)).json().get("code")
        if code != "name_taken" and (code != "bad_name" or second not in DISGUISED):
            accepted.append(f"{second!a} beside {first}: {code}")
    assert not accepted


async def test_a_bot_cannot_be_imitated(house: House) -> None:
    body = {"game": GAME, "seats": 3, "name": "Ann", "bots": ["club"], "public": True}
    made = (await post(house, "/api/tables", body)).json()
    name = next(seat["name"] for seat in made["table"]["seats"] if seat["kind"] == "bot")
    wide = "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in name)
    answer = await sit(house, made["table"]["id"], wide)
    assert wide != name and answer.json().get("code") == "name_taken"


async def test_names_that_people_have_are_welcome(house: House) -> None:
    table = await new_table(house, "Anybody")
    for name in ORDINARY:
        answer = await sit(house, table, name)
        assert answer.status_code == 200, (name, answer.text)
        joined = answer.json()
        shown = joined["table"]["seats"][joined["seat"]]["name"]
        assert unicodedata.normalize("NFKC", shown) == unicodedata.normalize("NFKC", name)
