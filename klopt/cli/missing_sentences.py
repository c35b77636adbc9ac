"""``klopt memory missing``."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from klopt.batch.output import open_output
from klopt.bilingual.memory_lines import to_row
from klopt.cli import EXIT_BAD_INPUT
from klopt.cli.options import check_language, open_rows, same_file, scoring_options, warn
from klopt.cli.progress import counted
from klopt.scoring.interpretation import Translate
from klopt.scoring.scorer import Scorer
from klopt.translation.interpreter import MemoryInterpreter
from klopt.translation.memory import TRUSTED, Entry, Memory
from klopt.translation.missing import MissingSentences


@click.command(
    "missing",
    epilog="Example: klopt memory missing ours.tm log.jsonl --pages help/ -o todo.jsonl",
)
@click.argument("path", metavar="MEMORY", type=click.Path(path_type=Path))
@scoring_options
@click.option(
    "--to", "target", default="en", show_default=True, metavar="CODE", help="The target language."
)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write the lines to this file; it appears when it is whole.",
)
def command(
    path: Path,
    file: str,
    profile: str,
    pages: Path | None,
    terms: tuple[Path, ...],
    language: str,
    all_types: bool,
    names: dict[str, str],
    target: str,
    output: Path | None,
) -> int:
    """List the sentences of FILE and its pages that MEMORY lacks, to be translated by people.

    One JSON line each, with an empty target: fill that in, keep the marks (⟦1⟧), and give the file
    to klopt memory import. Lines that are still empty are left out there.
    """
    if same_file(output, file) or same_file(output, str(path)):
        raise click.UsageError(f"{output} is read here; choose another file for -o.")
    failed_count = 0
    with ExitStack() as stack:
        lacking = MissingSentences(MemoryInterpreter(_memory(path, stack), target=target))
        translate = Translate(lacking, required=True)
        scorer = Scorer.load(profile, all_types=all_types, terms=terms, translate=translate)
        check_language(language, scorer)
        for row in counted(open_rows(file, pages, language, names), file, "Reading"):
            if row.turn is None:
                failed_count += 1
                warn(row.problem or "")
            else:
                scorer.score(row.turn)
    origin = "" if file == "-" else Path(file).name
    with open_output(output) as write:
        for source, sentence in lacking.found:
            write(to_row(Entry(source, target, TRUSTED, sentence, "", origin)))
    where = f", written to {output}" if output is not None else ""
    count = len(lacking.found)
    are = "sentence is" if count == 1 else "sentences are"
    click.echo(f"{count:,} {are} not in {path}{where}.", err=True)
    return EXIT_BAD_INPUT if failed_count else 0


def _memory(path: Path, stack: ExitStack) -> Memory:
    """The memory; an empty one where there is none yet, since then all is lacking."""
    if path.exists():
        return stack.enter_context(Memory.open(path, create=False, read_only=True))
    folder = stack.enter_context(TemporaryDirectory())
    return stack.enter_context(Memory.open(Path(folder) / "empty.sqlite", create=True))
