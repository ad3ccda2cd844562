"""Draw the icons that phones want as pixels from `public/icon.svg`, with Chromium: `python web/icons.py`."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

PUBLIC = Path(__file__).resolve().parent / "public"
SIZES = {
    "icon-192.png": (192, False),
    "icon-512.png": (512, False),
    "icon-180.png": (180, True),
    "icon-mask.png": (512, True),
}
"""Each file's size, and whether its ground fills the square, for systems that cut their own shape."""


def main() -> int:
    """Draw them all; an exit status."""
    browser = shutil.which("chromium") or shutil.which("google-chrome")
    if browser is None:
        print("Chromium is missing (Debian, Ubuntu: apt install chromium)", file=sys.stderr)
        return 1
    drawing = (PUBLIC / "icon.svg").read_text("utf-8")
    with tempfile.TemporaryDirectory() as folder:
        for name, (size, fills) in SIZES.items():
            page = Path(folder, "page.html")
            shown = drawing.replace('rx="14"', 'rx="0"') if fills else drawing
            style = f"html,body{{margin:0;background:transparent}}svg{{display:block;width:{size}px;height:{size}px}}"
            page.write_text(f"<!doctype html><meta charset=utf-8><style>{style}</style>{shown}", "utf-8")
            options = ["--headless", "--no-sandbox", "--hide-scrollbars", "--default-background-color=00000000"]
            window = [f"--window-size={size},{size}", f"--screenshot={PUBLIC / name}", page.as_uri()]
            subprocess.run([browser, *options, *window], check=True, capture_output=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
