"""What goes into a wheel besides the sources: the browser's pages, which must be built by then."""

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class PagesBuilt(BuildHookInterface):
    """Refuses to package a checkout whose pages are not built."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called before the files are gathered; an editable install takes them from the checkout later."""
        page = Path(self.root, "src", "ludotheque", "server", "page", "index.html")
        if version != "editable" and not page.exists():
            raise SystemExit("The browser's pages are not built, so the package would lack them. Run `make web` first.")
