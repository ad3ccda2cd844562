"""What a table tells of its rounds and of a match that is over."""

from __future__ import annotations

from tests.server.house import House, play


async def test_rounds_and_the_end_are_told_in_words(house: House) -> None:
    table, tokens, clients = await house.match("Ann", "Bob", options={"rounds": 7})
    path = f"/api/tables/{table}/recap"
    assert await house.get(path, tokens[0], lang="en") == {"match": 1, "rounds": []}
    while not clients[0].view["rounds"]:
        await play(clients, 1)
    told = await house.get(path, tokens[0], lang="en")
    (first,) = told["rounds"]
    assert "ending" not in told and first["title"] == "End of round 1"
    assert first["points"] == clients[0].view["rounds"][0]["points"]
    assert all("bid made" in reason or "bid missed" in reason for reason in first["reasons"])
    await play(clients)
    french = await house.get(path, tokens[1], lang="fr", match=1)
    assert len(french["rounds"]) == 7
    ending = french["ending"]
    assert "Ann" in ending["places"] and "Bob" in ending["places"]
    assert len(ending["results"]) == len(ending["best"]) == len(ending["worst"]) == 2
    assert ending["decided"] and ending["luck"]


async def test_nobody_without_a_key_is_told(house: House) -> None:
    table, _, _ = await house.match("Ann", "Bob")
    assert (await house.get(f"/api/tables/{table}/recap", status=403))["code"] == "not_allowed"
