"""The examples work as they stand."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest

from tests.server.house import run, running

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


@pytest.mark.parametrize("program", ["client.py", "bot.py"])
def test_an_example_plays_a_match(tmp_path: Path, program: str) -> None:
    async def story() -> None:
        async with running(tmp_path) as house:
            table, tokens = await house.table("Ann", seats=2, public=True, options={"rounds": 7})
            ann = await house.enter(table, tokens[0])
            example = await asyncio.create_subprocess_exec(
                sys.executable, str(EXAMPLES / program), house.url, table, stdout=asyncio.subprocess.PIPE
            )
            while not any(b'"seated"' in raw for raw in ann.raw):
                await asyncio.sleep(0.05)
            await ann.ask("start")
            while ann.view is None or not ann.view["over"]:
                if ann.view is not None and ann.view["actor"] == 0:
                    answer = await ann.move()
                    assert answer["type"] == "update"
                await asyncio.sleep(0.002)
            told, _ = await asyncio.wait_for(example.communicate(), 60)
            assert example.returncode == 0 and b"The match is over" in told

    run(story())
