"""What ``klopt memory show`` shows."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Final

from rich.console import Console
from rich.table import Table

from klopt.batch.output import open_output
from klopt.cli.terminal import shown
from klopt.translation.memory import Entry, Memory

_DIGITS: Final = 12


def show(memory: Memory, examples_count: int, *, as_json: bool) -> None:
    """One line for each pair of languages and provider, then examples."""
    kinds = memory.counts()
    digests = [
        memory.digest(one.source_language, one.target_language, [one.provider]) for one in kinds
    ]
    examples = _examples(memory, examples_count) if examples_count else {}
    if as_json:
        with open_output(None) as write:
            for kind, digest in zip(kinds, digests, strict=True):
                key = (kind.source_language, kind.target_language, kind.provider)
                texts = [
                    {"source": one.source, "target": one.target, "origin": one.origin}
                    for one in examples.get(key, [])
                ]
                row = dict(zip(("from", "to", "provider"), key, strict=True))
                more = {"examples": texts} if examples_count else {}
                write({**row, "entries": kind.entries, "digest": digest, **more})
        return
    console = Console(highlight=False)
    if not kinds:
        console.print("The memory is empty.")
        return
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in ("from", "to", "provider"):
        table.add_column(column)
    table.add_column("entries", justify="right")
    table.add_column("digest")
    for kind, digest in zip(kinds, digests, strict=True):
        table.add_row(
            shown(kind.source_language),
            shown(kind.target_language),
            shown(kind.provider),
            f"{kind.entries:,}",
            digest[:_DIGITS],
        )
    console.print(table)
    for (source, target, provider), entries in examples.items():
        console.print()
        console.print(shown(f"{source} to {target}, {provider}", style="bold"))
        for entry in entries:
            where = f"  ({entry.origin})" if entry.origin else ""
            console.print(shown(f"{entry.source}{where}"), soft_wrap=True)
            console.print(shown(f"  {entry.target}"), soft_wrap=True)


def _examples(memory: Memory, count: int) -> dict[tuple[str, str, str], list[Entry]]:
    """Entries of each kind, evenly spread over them."""
    found = {}
    sizes = {
        (one.source_language, one.target_language, one.provider): one.entries
        for one in memory.counts()
    }
    for key, entries in groupby(memory.entries(), key=_kind):
        size = sizes.get(key, 0)
        wanted = {number * size // count for number in range(min(count, size))}
        if count >= size:
            wanted = set(range(size))
        found[key] = list(_at(entries, wanted))
    return found


def _at(entries: Iterator[Entry], places: set[int]) -> Iterator[Entry]:
    return (entry for place, entry in enumerate(entries) if place in places)


def _kind(entry: Entry) -> tuple[str, str, str]:
    return entry.source_language, entry.target_language, entry.provider
