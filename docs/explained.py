"""Draw the first picture of the README: python docs/explained.py (make docs-pictures).

It is the output of a terminal as SVG, light and dark, without a font from another host.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from io import StringIO
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.terminal_theme import DIMMED_MONOKAI, TerminalTheme
from rich.text import Text

ASSETS: Final = Path(__file__).parent / "assets"
COMMAND: Final = ("explain", "--demo", "--id", "demo-061")
WIDTH: Final = 92
_INK, _RED, _GREEN, _PAPER = (36, 41, 47), (179, 29, 40), (26, 127, 55), (255, 255, 255)
LIGHT: Final = TerminalTheme(_PAPER, _INK, [_INK, _RED, _GREEN, *[_INK] * 5])
THEMES: Final = {"light": LIGHT, "dark": DIMMED_MONOKAI}
_FETCHED: Final = re.compile(r"@font-face \{.*?\}\n?", re.DOTALL)


def pictures() -> dict[str, str]:
    """Return the content of each picture by its name."""
    shown = subprocess.run(
        [sys.executable, "-m", "klopt", *COMMAND, "--format", "table"],
        env={**os.environ, "FORCE_COLOR": "1", "COLUMNS": str(WIDTH), "NO_COLOR": ""},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=True,
    )
    found = {}
    for name, theme in THEMES.items():
        console = Console(record=True, width=WIDTH, file=StringIO(), force_terminal=True)
        console.print(Text.from_ansi(shown.stdout.rstrip()))
        title = f"klopt {' '.join(COMMAND)}"
        drawn = console.export_svg(title=title, theme=theme, unique_id=f"klopt-{name}")
        found[f"explained-{name}.svg"] = _FETCHED.sub("", drawn)
    return found


def main() -> None:
    """Write the pictures."""
    for name, drawn in pictures().items():
        (ASSETS / name).write_text(drawn, encoding="utf-8")


if __name__ == "__main__":
    main()
