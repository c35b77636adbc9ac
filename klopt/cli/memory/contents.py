"""``klopt memory export``, ``show`` and ``missing``: what a memory has, and what it lacks."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import click
from rich.console import Console
from rich.table import Column

from klopt.batch.output import whole_file, write_rows
from klopt.bilingual.formats import to_row
from klopt.bilingual.tmx import write_tmx
from klopt.cli import EXIT_BAD_INPUT
from klopt.cli.options import FILE, NEW_FILE, check_language, refuse_overwriting, warn
from klopt.cli.terminal import counted, plain_table, shown, tracked
from klopt.cli.translations import ScoringOptions, gathered_scoring_options
from klopt.scoring.interpretation import Translate
from klopt.scoring.scorer import Scorer
from klopt.translation.interpreter import MissingSentences
from klopt.translation.memory import TRUSTED, Entry, Memory

MEMORY = click.argument("path", metavar="MEMORY", type=click.Path(path_type=Path))

_FORMATS: Final = (".jsonl", ".tmx")
_DIGEST_CHARS: Final = 12


@click.command("export", epilog="Example: klopt memory export ours.tm -o ours.tmx")
@MEMORY
@click.option(
    "-o",
    "--output",
    required=True,
    type=NEW_FILE,
    help="The file, .tmx or .jsonl; it appears when it is whole.",
)
def export(path: Path, output: Path) -> None:
    """Write all that MEMORY holds as TMX or JSON lines, sorted."""
    if output.suffix.lower() not in _FORMATS:
        raise click.UsageError(f"{output} must end in {' or '.join(_FORMATS)}.")
    refuse_overwriting(output, path, "the memory")
    with Memory.open(path, create=False, read_only=True) as memory:
        count = entry_count(memory)
        if output.suffix.lower() == ".tmx":
            with whole_file(output) as file:
                write_tmx(memory.entries(), file)
        else:
            write_rows(map(to_row, memory.entries()), output)
    click.echo(f"{counted(count, 'entry')} written to {output}.", err=True)


@click.command("show", epilog="Example: klopt memory show ours.tm --examples 3")
@MEMORY
@click.option(
    "--examples",
    default=0,
    type=click.IntRange(0, 1000),
    help="How many entries to show of each kind, from its first to its last.",
)
@click.option("--json", "as_json", is_flag=True, help="JSON lines, one for each kind.")
def show(path: Path, examples: int, as_json: bool) -> None:
    """Show how many entries MEMORY has for which languages, and whose they are."""
    with Memory.open(path, create=False, read_only=True) as memory:
        rows = list(_shown_rows(memory, examples))
    if as_json:
        write_rows(rows, None)
        return
    console = Console(highlight=False)
    if not rows:
        console.print("The memory is empty.")
        return
    table = plain_table("from", "to", "provider", Column("entries", justify="right"), "digest")
    for row in rows:
        languages = (shown(row[name]) for name in ("from", "to", "provider"))
        table.add_row(*languages, f"{row['entries']:,}", row["digest"][:_DIGEST_CHARS])
    console.print(table)
    for row in rows if examples else ():
        console.print()
        console.print(shown(f"{row['from']} to {row['to']}, {row['provider']}", style="bold"))
        for one in row["examples"]:
            where = f"  ({one['origin']})" if one["origin"] else ""
            console.print(shown(f"{one['source']}{where}"), soft_wrap=True)
            console.print(shown(f"  {one['target']}"), soft_wrap=True)


def _shown_rows(memory: Memory, examples_count: int) -> Iterator[dict[str, Any]]:
    """One for each pair of languages and provider, with examples evenly spread over its entries."""
    examples = {}
    sizes = {
        (one.source_language, one.target_language, one.provider): one.entries
        for one in memory.counts()
    }
    for kind, entries in groupby(memory.entries(), key=_kind) if examples_count else ():
        count = min(examples_count, sizes[kind])
        places = {number * sizes[kind] // count for number in range(count)}
        examples[kind] = [
            {"source": one.source, "target": one.target, "origin": one.origin}
            for place, one in enumerate(entries)
            if place in places
        ]
    for kind, size in sizes.items():
        source, target, provider = kind
        digest = memory.digest(source, target, [provider])
        row = {"from": source, "to": target, "provider": provider, "entries": size}
        more = {"examples": examples[kind]} if examples_count else {}
        yield {**row, "digest": digest, **more}


def _kind(entry: Entry) -> tuple[str, str, str]:
    return entry.source_language, entry.target_language, entry.provider


@click.command(
    "missing", epilog="Example: klopt memory missing ours.tm log.jsonl --pages help/ -o todo.jsonl"
)
@MEMORY
@FILE
@gathered_scoring_options
@click.option("--to", "target", default="en", metavar="CODE", help="The target language.")
@click.option(
    "-o",
    "--output",
    type=NEW_FILE,
    help="Write the lines to this file; it appears when it is whole.",
)
def missing(
    scoring: ScoringOptions, path: Path, file: str, target: str, output: Path | None
) -> int:
    """List the sentences of FILE and its pages that MEMORY lacks, to be translated by people.

    One JSON line each, with an empty target: fill that in, keep the marks (⟦1⟧), and give the file
    to klopt memory import. Lines that are still empty are left out there.
    """
    for given in (file, path):
        refuse_overwriting(output, given, "read here")
    failed_count = 0
    with ExitStack() as stack:
        lacking = MissingSentences(_held_or_empty(path, stack), target=target)
        scorer = Scorer.load(
            scoring.profile,
            all_types=scoring.all_types,
            terms=scoring.terms,
            translate=Translate(lacking, required=True),
        )
        check_language(scoring.language, scorer)
        for row in tracked(scoring.rows(file), "Reading", file):
            if row.turn is None:
                failed_count += 1
                warn(row.problem or "")
            else:
                scorer.score(row.turn)
    origin = "" if file == "-" else Path(file).name
    entries = (Entry(source, target, TRUSTED, text, "", origin) for source, text in lacking.found)
    write_rows(map(to_row, entries), output)
    where = f", written to {output}" if output is not None else ""
    is_or_are = "is" if len(lacking.found) == 1 else "are"
    told = f"{counted(len(lacking.found), 'sentence')} {is_or_are} not in {path}{where}."
    click.echo(told, err=True)
    return EXIT_BAD_INPUT if failed_count else 0


def _held_or_empty(path: Path, stack: ExitStack) -> Memory:
    """The memory; an empty one where there is none yet, since then all is lacking."""
    if path.exists():
        return stack.enter_context(Memory.open(path, create=False, read_only=True))
    folder = stack.enter_context(TemporaryDirectory())
    return stack.enter_context(Memory.open(Path(folder) / "empty.sqlite", create=True))


def entry_count(memory: Memory) -> int:
    """How many entries a memory has, of all kinds."""
    return sum(one.entries for one in memory.counts())
