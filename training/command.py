"""The command line, tables and JSON files of benchmarks and trainings."""

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any


def given(
    about: str | None, output: Path | None = None, needs: str = "", **options: Mapping[str, Any]
) -> argparse.Namespace:
    """Return the parsed command line; exit with status 0 if the real data are missing.

    Args:
        about: The text of ``--help``.
        output: The default of ``-o``; no such option for None.
        needs: The subfolder of the real data that is read; all of it by default.
        options: Further options, as keyword arguments of `ArgumentParser.add_argument`.
    """
    command = argparse.ArgumentParser(
        prog=" ".join(["python", *sys.orig_argv[1:3]]), description=about
    )
    command.add_argument("--data", type=Path, required=True, help="folder of the real data")
    if output is not None:
        command.add_argument("-o", "--output", type=Path, default=output)
    for name, settings in options.items():
        command.add_argument(f"--{name.replace('_', '-')}", **settings)
    arguments = command.parse_args()
    folder = arguments.data / needs
    if not folder.is_dir():
        print(f"The folder {folder} is missing: nothing to measure or train on.")
        raise SystemExit(0)
    return arguments


def store(figures: Any, output: Path) -> None:  # noqa: ANN401 - any JSON value
    """Write figures as JSON."""
    output.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    print(f"Written to {output}")


def share(part: int, whole: int) -> str:
    """Return a count, its total and its percentage.

    >>> share(1, 8)
    '1/8 (12.5%)'
    """
    return f"{part}/{whole} ({part / max(1, whole):.1%})"


def show(title: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print a table with the first column left-aligned and the others right-aligned.

    >>> show("Title", ["", "n"], [["all", "10"]])
    <BLANKLINE>
    Title
            n
      all  10
    """
    widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
    print(f"\n{title}")
    for first, *others in (head, *rows):
        cells = [first.ljust(widths[0]), *map(str.rjust, others, widths[1:])]
        print(f"  {'  '.join(cells)}".rstrip())
