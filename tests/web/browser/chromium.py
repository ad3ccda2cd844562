"""Where Chromium is, and how it is started."""

from __future__ import annotations

import os
import shutil

from playwright.sync_api import Browser, Playwright

NAMES = ("chromium", "chromium-browser", "google-chrome")
MISSING = "there is no Chromium here (Debian, Ubuntu: apt-get install chromium; elsewhere: CHROMIUM=/path/to/it)"


def find() -> str | None:
    """The machine's Chromium; the environment's CHROMIUM comes first."""
    given = os.environ.get("CHROMIUM")
    if given:
        return given
    return next((path for path in map(shutil.which, NAMES) if path), None)


def launch(playwright: Playwright, path: str, *arguments: str) -> Browser:
    """A browser without a window. Containers mostly run as root, where there is no sandbox."""
    return playwright.chromium.launch(executable_path=path, args=["--no-sandbox", *arguments])
