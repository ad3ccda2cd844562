"""The notebook in docs/: small, with its results in it, and it still runs."""

from __future__ import annotations

import json
import re
import tempfile
from pathlib import Path
from typing import Any

import pytest

import ludotheque
from ludotheque import lab
from tests import needs

pytestmark = pytest.mark.compiled_only

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOK = ROOT / "docs" / "house-rule.ipynb"


def cells() -> list[dict[str, Any]]:
    """The notebook's cells."""
    return list(json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"])


def test_it_is_light_and_has_its_results() -> None:
    assert NOTEBOOK.stat().st_size < 300_000
    code = [cell for cell in cells() if cell["cell_type"] == "code"]
    assert all(cell["execution_count"] == number for number, cell in enumerate(code, 1))
    shown = [output for cell in code for output in cell["outputs"]]
    assert {output["output_type"] for output in shown} == {"execute_result", "display_data"}
    assert sum("image/png" in output["data"] for output in shown) == 2
    for place in (Path.home(), tempfile.gettempdir(), ROOT):
        assert str(place) not in NOTEBOOK.read_text(encoding="utf-8")


def test_its_conclusion_says_what_its_tables_say() -> None:
    """The numbers in the last cell come from the stored results."""
    found = cells()
    tables = "".join("".join(o["data"].get("text/plain", "")) for c in found for o in c.get("outputs", []))
    conclusion = "".join(found[-1]["source"])
    for told in re.findall(r"\b(\d+) (?:moves|of 100|%)", conclusion):
        assert re.search(rf"\b{told}\b", tables), told


def test_the_page_about_skill_says_the_same() -> None:
    """The printed stock in the notebook, the command on the page, and the page's table of games."""
    page = (ROOT / "docs" / "skill.md").read_text(encoding="utf-8")
    tables = "".join("".join(o["data"].get("text/plain", "")) for c in cells() for o in c.get("outputs", []))
    wins, decided, low, high = re.search(r"\n30 +(\d+) % +(\d+) % +(\d+) to (\d+) %", tables).groups()  # type: ignore[union-attr]
    assert f"skill decides {decided} of 100 matches ({low} to {high})" in page
    needed = re.search(r"It takes (\d+) matches", page).group(1)  # type: ignore[union-attr]
    assert f"| 2 | {wins} % instead of 50 % | {decided} % ({low} – {high}) | {needed} |" in page


@pytest.mark.slow
@pytest.mark.parametrize("game_id", ["lobo77", "volle_lotte"])
def test_the_table_of_games_is_what_the_command_says(game_id: str) -> None:
    page = (ROOT / "docs" / "skill.md").read_text(encoding="utf-8")
    (found,) = lab.skill(game_id).findings
    wins, decided = (f"{100 * share:.0f} %" for share in (found.wins.mean, found.decided.mean))
    interval = f"{100 * found.decided.low:.0f} – {100 * found.decided.high:.0f}"
    name = ludotheque.game(game_id).info.name
    assert f"| {name} | 2 | {wins} instead of 50 % | {decided} ({interval}) | {found.needed} |" in page


@pytest.mark.slow
def test_it_runs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    nbformat, nbclient = needs.module("nbformat"), needs.module("nbclient")
    needs.installed("ipykernel")
    monkeypatch.setenv("GAMES", "8")
    monkeypatch.setenv("DEALS", "3")
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    resources = {"metadata": {"path": str(tmp_path)}}
    nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3", resources=resources).execute()
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert all(output.output_type != "error" for cell in code for output in cell.outputs)
    assert "decided by skill" in str(code[-2].outputs)
