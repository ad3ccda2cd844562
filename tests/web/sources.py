"""The sources of the browser's pages, as the tests read them."""

from __future__ import annotations

import json
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
WEB = ROOT / "web"
SRC = WEB / "src"
PAGE = ROOT / "src" / "ludotheque" / "server" / "page"
LANGUAGES = ("en", "fr")


def sources() -> dict[str, str]:
    """All components and modules, without tests and what is generated."""
    found = [path for suffix in ("*.svelte", "*.ts") for path in sorted(SRC.rglob(suffix))]
    skipped = {"protocol.ts"}
    return {
        path.relative_to(SRC).as_posix(): path.read_text("utf-8")
        for path in found
        if path.name not in skipped and not path.name.endswith(".test.ts")
    }


def areas() -> list[str]:
    """The areas that texts are kept in: those of the page, and the games'."""
    shared = {path.stem for lang in LANGUAGES for path in (SRC / "texts" / lang).glob("*.json")}
    return sorted(shared) + sorted({path.parents[1].name for path in (SRC / "games").glob("*/texts/*.json")})


def texts(lang: str, area: str) -> dict[str, str]:
    """The texts of an area; empty if there is no such file."""
    path = SRC / "texts" / lang / f"{area}.json"
    if not path.exists():
        path = SRC / "games" / area / "texts" / f"{lang}.json"
    found: dict[str, str] = json.loads(path.read_text("utf-8")) if path.exists() else {}
    return found


def without_comments(text: str) -> str:
    """Code without its comments."""
    text = re.sub(r"<!--.*?-->", "", text, flags=re.S)
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    return re.sub(r"(^|[\s;{}(,])//[^\n]*", r"\1", text)


def split(text: str) -> tuple[str, str]:
    """Script and markup of a component, without comments and styles."""
    text = re.sub(r"<style.*?</style>", "", without_comments(text), flags=re.S)
    scripts = re.findall(r"<script[^>]*>(.*?)</script>", text, flags=re.S)
    return "\n".join(scripts), re.sub(r"<script[^>]*>.*?</script>", "", text, flags=re.S)
