"""What goes into a package besides the sources: the browser's pages, built here if they are not yet."""

from __future__ import annotations

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

FAILED = """\
The browser's pages could not be built here, and the package would lack them.
With Node 20.19 or later, or network access to install it, run `make web`, then build again."""


class Pages(BuildHookInterface):
    """Builds the pages before files are gathered. An editable install takes them from the checkout, whenever."""

    def dependencies(self) -> list[str]:
        """Node as a build requirement, where pages have to be built and the machine has none."""
        web = self._web()
        return [] if web.is_current() or web.find_node() else [web.NODE_PACKAGE]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called before the files are gathered."""
        web = self._web()
        if version == "editable" or web.is_current():
            return
        if web.find_node() is None or web.build():
            raise SystemExit(FAILED)

    def _web(self) -> ModuleType:
        spec = spec_from_file_location("build_pages", Path(self.root, "web", "build.py"))
        assert spec is not None and spec.loader is not None
        module = module_from_spec(spec)
        spec.loader.exec_module(module)
        return module
