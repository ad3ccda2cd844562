"""What MkDocs calls while it builds: pages made from code, files from outside docs/, the look of the game room."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

import ludotheque
from docsite import games

ROOT = Path(__file__).resolve().parents[1]

OUTSIDE = {
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "benchmarks/RESULTS.md": "benchmarks.md",
    "docs/house-rule.ipynb": "house-rule.md",
    "Dockerfile": "deploy/dockerfile.md",
    "compose.yaml": "deploy/compose.md",
    "compose.cluster.yaml": "deploy/compose-cluster.md",
    "deploy/nginx.conf": "deploy/nginx.md",
    "examples/bot.py": "examples/bot.md",
    "examples/client.py": "examples/client.md",
    "examples/train_double_lucky_7.py": "examples/train_double_lucky_7.md",
}
"""Files of the repository that the site shows as pages of its own."""

_LINK = re.compile(r"(?<=\]\()(?P<path>[\w./-]+)(?P<anchor>#[\w-]+)?(?=\))")


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Put every registered game into the navigation."""
    for entry in config.nav or []:
        if isinstance(entry, dict) and "Games" in entry:
            entry["Games"] = ["games/index.md", *map(_game_entry, ludotheque.game_ids())]
    return config


def _game_entry(game_id: str) -> dict[str, Any]:
    (first, name, _), *others = games.pages(ludotheque.game(game_id))
    return {name: [first, *({title: path} for path, title, _ in others)]}


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add what does not lie in docs/. A page that is written there already, such as a view, is taken from there."""
    made = {"games/index.md": games.index([ludotheque.game(game_id) for game_id in ludotheque.game_ids()])}
    for game_id in ludotheque.game_ids():
        made |= {path: text for path, _, text in games.pages(ludotheque.game(game_id))}
    for path, page in OUTSIDE.items():
        made[page] = _shown(ROOT / path)
    tokens = (ROOT / "web" / "src" / "styles" / "tokens.css").read_text(encoding="utf-8")
    made["assets/tokens.css"] = tokens.replace(":root[data-theme='dark']", "body[data-md-color-scheme='slate']")
    icon = (ROOT / "web" / "public" / "icon.svg").read_text(encoding="utf-8")
    made["assets/icon.svg"] = icon
    # The header is of the same cloth as the icon's ground.
    made["assets/logo.svg"] = re.sub(r'<rect width="64".*?/>', "", icon)
    for path, text in made.items():
        if files.get_file_from_path(path) is None:
            files.append(File.generated(config, path, content=text))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Let links to files outside docs/ lead to their pages here."""
    source = _source(page.file.src_uri)
    here = Path(page.file.src_uri).parent

    def lead(match: re.Match[str]) -> str:
        target = (source.parent / match["path"]).resolve()
        if not target.is_relative_to(ROOT):
            return match[0]
        name = target.relative_to(ROOT).as_posix()
        if name == "README.md":
            name = "docs/index.md"
        elif name == "docs/views":
            name = "docs/games/index.md"
        if name not in OUTSIDE and not name.startswith("docs/"):
            return match[0]
        path = OUTSIDE.get(name, name.removeprefix("docs/"))
        return _relative(here, path) + (match["anchor"] or "")

    return _LINK.sub(lead, markdown)


def _source(page: str) -> Path:
    """The file of the repository that a page of the site comes from."""
    origin = {shown: path for path, shown in OUTSIDE.items()}
    return ROOT / origin.get(page, f"docs/{page}")


def _relative(folder: Path, path: str) -> str:
    return "../" * len(folder.parts) + path


def _shown(path: Path) -> str:
    """A file as a page."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".ipynb":
        return _notebook(json.loads(text))
    if path.suffix == ".md":
        return text
    language = {".py": "python", ".yaml": "yaml", ".conf": "nginx"}.get(path.suffix, "docker")
    return f"# {path.relative_to(ROOT).as_posix()}\n\n```{language}\n{text}```\n"


def _notebook(data: dict[str, Any]) -> str:
    """A notebook as a page, with the outputs that are stored in it."""
    parts = []
    for cell in data["cells"]:
        source = "".join(cell["source"])
        parts.append(source if cell["cell_type"] == "markdown" else f"```python\n{source}\n```")
        for output in cell.get("outputs", []):
            parts.append(_output(output.get("data", {})))
    return "\n\n".join(parts) + "\n"


def _output(data: dict[str, Any]) -> str:
    if "image/png" in data:
        return f'<img alt="the figure" src="data:image/png;base64,{"".join(data["image/png"]).strip()}">'
    if "text/html" in data:
        table = "".join(data["text/html"])
        return re.sub(r"<style.*?</style>", "", table, flags=re.DOTALL).replace("\n", "").replace(' border="1"', "")
    return f"<pre>{html.escape(''.join(data.get('text/plain', '')))}</pre>"
