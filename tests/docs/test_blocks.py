"""Every command and every snippet of the pages runs as it stands, and what they show is what happens."""

from __future__ import annotations

import contextlib
import doctest
import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests import needs
from tests.docs.blocks import ROOT, Block, blocks, pages
from tests.docs.commands import Shell, check_syntax, commands

RUN = ("python", "pycon", "sh", "console")
READ = ("json", "text", "nginx", "toml", "yaml", "ts")
ELSEWHERE = ("docs/adding-a-game.md",)
"""Installs a package: `tests/scaffold/test_page.py` follows it in an environment of its own."""


def _cases() -> list[Any]:
    """The pages with blocks. Those with commands take longer: every one of them is a process."""
    found = []
    for page in pages():
        if page.relative_to(ROOT).as_posix() in ELSEWHERE:
            continue
        languages = {block.language for block in blocks(page)}
        if languages:
            marks = [pytest.mark.slow] if languages & {"sh", "console"} else []
            found.append(pytest.param(page, marks=marks, id=str(page.relative_to(ROOT))))
    return found


@pytest.mark.parametrize("page", _cases())
def test_blocks(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LUDOTHEQUE_HOME", str(tmp_path / "home"))
    scope: dict[str, Any] = {"__name__": "snippet"}
    with Shell(tmp_path) as shell:
        for block in blocks(page):
            try:
                _take(block, scope, shell)
            except Exception as error:
                raise AssertionError(f"{block.where}: {error}") from error


def _take(block: Block, scope: dict[str, Any], shell: Shell) -> None:
    assert block.language in RUN + READ, f"a block of {block.language or 'no language'}: one of {', '.join(RUN + READ)}"
    if block.save:
        (shell.folder / block.save).write_text(block.text, encoding="utf-8")
    if block.file:
        held = (ROOT / block.file).read_text(encoding="utf-8")
        assert _bare(block.text) in _bare(held), f"this is not what stands in {block.file}"
    elif block.not_run:
        if block.language == "sh":
            for command in commands(block.text):
                check_syntax(command)
    elif block.language == "python":
        source = "\n" * (block.line - 1) + block.tried.replace("http://localhost:7707", shell.room)
        exec(compile(source, block.page, "exec"), scope)
    elif block.language == "pycon":
        _converse(block, scope)
    elif block.language == "sh":
        for command in commands(block.tried):
            shell.run(command)
    elif block.language == "console":
        _run_and_compare(block, shell)
    elif block.language == "nginx":
        _check_nginx(block, shell.folder)
    elif block.language == "json":
        json.loads(block.text.replace("{…}", "{}").replace("[…]", "[]"))
    else:
        assert block.save, "a block that is not run says where it comes from: file, save or not run"


def _bare(text: str) -> str:
    """Without space at the ends of lines, and with one kind of space."""
    text = text.replace("\N{NO-BREAK SPACE}", " ").replace("\N{NARROW NO-BREAK SPACE}", " ")
    return "\n".join(line.rstrip() for line in text.strip("\n").splitlines())


def _converse(block: Block, scope: dict[str, Any]) -> None:
    """Run the lines after >>>, and compare what they show."""
    parser, flags = doctest.DocTestParser(), doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    example = parser.get_doctest(block.tried, scope, block.where, str(block.page), block.line - 1)
    said: list[str] = []
    with contextlib.suppress(doctest.UnexpectedException):
        runner = doctest.DocTestRunner(optionflags=flags)
        runner.run(example, out=said.append, clear_globs=False)
    scope.update(example.globs)
    assert not said, "".join(said)


def _run_and_compare(block: Block, shell: Shell) -> None:
    """Run each line after $, and compare what it prints; … stands for what is left out."""
    for part in re.split(r"^\$ ", block.tried, flags=re.MULTILINE)[1:]:
        command, _, shown = part.replace("\\\n", " ").partition("\n")
        printed = _bare(shell.run(command))
        pattern = re.escape(_bare(shown)).replace("…", ".*?")
        assert re.fullmatch(pattern, printed, re.DOTALL), f"{command}\nprints\n{printed}\nand not\n{shown}"


def _check_nginx(block: Block, folder: Path) -> None:
    """nginx itself reads the configuration."""
    nginx = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin") or needs.missing("nginx is not installed")
    page = folder / "nginx.conf"
    page.write_text(f"pid {folder}/nginx.pid;\nevents {{}}\nhttp {{\n{block.tried}}}\n", encoding="utf-8")
    read = subprocess.run([nginx, "-t", "-q", "-p", folder, "-c", page], capture_output=True, text=True)
    assert read.returncode == 0, read.stderr


def test_a_shown_output_that_is_wrong_is_found(tmp_path: Path) -> None:
    page = ROOT / "README.md"
    with Shell(tmp_path) as shell:
        _take(Block(page, 1, "console", "$ echo one two\none …\n"), {}, shell)
        for wrong in (
            Block(page, 1, "console", "$ echo one\ntwo\n"),
            Block(page, 1, "sh", "false\n"),
            Block(page, 1, "sh", "make nonsense\n"),
            Block(page, 1, "sh", "pip install 'ludotheque[nonsense]'\n"),
            Block(page, 1, "sh", "ludotheque simulate skipbo --nonsense\n", not_run="a reason"),
            Block(page, 1, "pycon", ">>> 1 + 1\n3\n"),
            Block(page, 1, "text", "a drawing\n"),
            Block(page, 1, "", "anything\n"),
            Block(page, 1, "text", "not in there\n", file="README.md"),
        ):
            with pytest.raises(AssertionError):
                _take(wrong, {}, shell)
