"""What every benchmark has: its command line, its tables, its file."""

from __future__ import annotations

import argparse
import json
import sys
import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

FOLDER: Final = Path(__file__).parent
WIDTH: Final = 100


def parser(about: str | None, output: str | None = None) -> argparse.ArgumentParser:
    """A command that reads the real data, and may write a file beside the benchmarks."""
    made = argparse.ArgumentParser(
        prog=f"python -m benchmarks.{Path(sys.argv[0]).stem}", description=about
    )
    made.add_argument("--data", type=Path, required=True, help="folder of the real data")
    if output is not None:
        made.add_argument("-o", "--output", type=Path, default=FOLDER / output)
    return made


def given(command: argparse.ArgumentParser, needs: str = "") -> argparse.Namespace:
    """What was typed; ends in peace where the data are not there."""
    options = command.parse_args()
    folder = options.data / needs
    if not folder.is_dir():
        print(f"There is no folder {folder}: nothing is measured.")
        raise SystemExit(0)
    return options


def store(figures: Any, output: Path) -> None:  # noqa: ANN401 - whatever JSON has
    """Writes figures as JSON."""
    output.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    print(f"Written to {output}")


def number(value: float | None) -> str:
    """Two decimals, no minus before zero.

    >>> number(-0.001), number(0.5), number(None)
    ('0.00', '0.50', '–')
    """
    return "–" if value is None else f"{value:.2f}".replace("-0.00", "0.00")


def share(part: int, whole: int) -> str:
    """A count of a whole.

    >>> share(1, 8)
    '1/8 (12.5%)'
    """
    return f"{part}/{whole} ({part / max(1, whole):.1%})"


def show(title: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Prints a table: the first column to the left, the others to the right.

    >>> show("Title", ["", "n"], [["all", "10"]])
    <BLANKLINE>
    Title
            n
      all  10
    """
    widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
    print("", *textwrap.wrap(title, WIDTH), sep="\n")
    for first, *others in (head, *rows):
        cells = [first.ljust(widths[0]), *map(str.rjust, others, widths[1:])]
        print(f"  {'  '.join(cells)}".rstrip())
