"""``klopt memory``: how a translation memory is filled, what it has, and what it lacks."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Final

import click
from rich.table import Column

from klopt.bilingual.formats import read_file, to_row
from klopt.bilingual.learning import learn
from klopt.bilingual.pairs import TextPair, stated
from klopt.cli import EXIT_BAD_INPUT, Group, options
from klopt.cli.fields import Readable
from klopt.cli.options import (
    argument,
    as_command,
    check_language,
    option,
    output_to,
    pages_in,
    shared,
)
from klopt.cli.scoring import ScoringOptions
from klopt.cli.terminal import bar, counted, figures, give, tell, tracked, warn, write
from klopt.errors import InputError
from klopt.scoring.interpretation import Translate
from klopt.scoring.scorer import Scorer
from klopt.translation.interpreter import MissingSentences
from klopt.translation.memory import TRUSTED, Entry, Memory

_LANGUAGE: Final = re.compile(r"[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*")
_DIGEST_CHARS: Final = 12


def _language(_: click.Context, __: click.Parameter, value: str | None) -> str | None:
    if value is not None and not _LANGUAGE.fullmatch(value):
        raise click.BadParameter(f'"{value}" is not the code of a language, such as nl')
    return value


def _stated(help: str, name: str) -> options.Declared:
    return shared(help, name, metavar="CODE", callback=_language)


_FROM: Final = _stated("The language of the source texts, such as nl.", "--from")
_TO: Final = _stated("The language of the target texts, such as en.", "--to")
_Memory = Annotated[Path, argument("MEMORY")]


@click.group("memory", cls=Group)
def command() -> None:
    """Keep translations: import, export and show a translation memory.

    What a memory holds is never asked of an online translator again, and with --offline it is
    all that klopt translates with.
    """


@as_command("import", "klopt memory import ours.tm nl.po --from nl --to en", command)
def import_files(
    *,
    path: _Memory,
    files: Annotated[tuple[str, ...], argument("FILE...")],
    source: Annotated[str | None, _FROM],
    target: Annotated[str | None, _TO],
) -> None:
    """Put the translations of FILEs into MEMORY, which is made when it is not there.

    TMX and gettext PO of a company's own localisation, in either direction: state the languages
    with --from and --to. What klopt memory export wrote comes back as it was. Nothing is imported
    when one of the files cannot be read.
    """
    entries: list[Entry] = []
    pairs: list[TextPair] = []
    for name in files:
        read = read_file(Path(name), source, target)
        entries += read.entries
        pairs += read.pairs
        count = len(read.entries) + len(read.pairs)
        skipped = ", ".join(f"{n:,} {reason}" for reason, n in sorted(read.skipped.items()))
        if not count and skipped:
            raise InputError(f"{name}: nothing in it can be used: {skipped}")
        left_out = f"; left out: {skipped}" if skipped else ""
        tell(f"{name}: {counted(count, 'translation')}{left_out}.")
    _learn(path, entries, pairs, (source, target))


@as_command("pages", "klopt memory pages ours.tm help/nl help/en --from nl --to en", command)
def import_pages(
    *,
    path: _Memory,
    source_pages: options.SourceFolder,
    target_pages: Annotated[Path, argument("TARGET_DIR")],
    source: Annotated[str, _FROM],
    target: Annotated[str, _TO],
) -> None:
    """Pair the help pages of two folders, by their names, and put what they say into MEMORY."""
    languages = stated(path, source, target)
    theirs = pages_in(target_pages)
    pairs, alone = [], []
    for name, page in pages_in(source_pages).items():
        partner = theirs.get(name) or theirs.get(name.rpartition(".")[0])
        if name == page.id and partner is not None:
            pairs.append(TextPair.of_pages(page, partner, name))
        elif name == page.id:
            alone.append(name)
    if not pairs:
        raise InputError(
            f"{source_pages}: no page has one of the same name in {target_pages}; the first is "
            f"{alone[0]}"
        )
    if alone:
        warn(
            f"{counted(len(alone), 'page')} of {source_pages} without one of the same name in "
            f"{target_pages}; the first: {alone[0]}"
        )
    _learn(path, [], pairs, languages)


def _learn(
    path: Path,
    entries: Sequence[Entry],
    pairs: Sequence[TextPair],
    languages: tuple[str | None, str | None],
) -> None:
    """Puts what was read into the memory, and says what came of it."""
    every, unpaired = list(entries), ""
    if pairs:
        with bar("Pairing sentences", len(pairs)) as advance:
            learnt = learn(pairs, *stated(path, *languages), advance=advance)
        every += learnt.entries
        unpaired = f" {counted(learnt.unpaired_count, 'passage')} could not be paired."
    with Memory.open(path, create=True) as memory:
        before = _size(memory)
        added_count = memory.add(every)
        new_count = _size(memory) - before
    tell(
        f"{path}: {new_count:,} new, {added_count - new_count:,} changed, "
        f"{len(every) - added_count:,} as they were.{unpaired}"
    )


@as_command("export", "klopt memory export ours.tm -o ours.jsonl", command)
def export(
    *,
    path: _Memory,
    output: Path = output_to("The file, .jsonl; it appears when it is whole."),
) -> None:
    """Write all that MEMORY holds as JSON lines, sorted."""
    if output.suffix.lower() != ".jsonl":
        raise click.UsageError(f"{output} must end in .jsonl.")
    with Memory.open(path, create=False, read_only=True) as memory:
        count = _size(memory)
        write(map(to_row, memory.entries()), output=output)
    tell(f"{counted(count, 'entry')} written to {output}.")


@as_command("show", "klopt memory show ours.tm", command)
def show(*, path: _Memory, form: options.Format) -> None:
    """Show how many entries MEMORY has for which languages, and whose they are.

    What they say: klopt memory export.
    """
    with Memory.open(path, create=False, read_only=True) as memory:
        kinds = [
            {
                "from": source,
                "to": target,
                "provider": provider,
                "entries": count,
                "digest": memory.digest(source, target, [provider]),
            }
            for (source, target, provider), count in memory.counts().items()
        ]
    if not kinds:
        tell("The memory is empty.")
        return
    columns = ("from", "to", "provider", figures("entries"), "digest")

    def cells(kind: dict[str, Any]) -> tuple[str, ...]:
        source, target, provider, count, digest = kind.values()
        return source, target, provider, f"{count:,}", digest[:_DIGEST_CHARS]

    give(kinds, columns, cells, dict, form=form)


@as_command(
    "missing", "klopt memory missing ours.tm log.jsonl --pages help/ -o todo.jsonl", command
)
def missing(
    *,
    path: _Memory,
    file: options.File,
    scoring: ScoringOptions,
    target: str = option("The target language.", "--to", default="en", metavar="CODE"),
    output: options.Output,
    form: options.Format,
) -> int:
    """List the sentences of FILE and its pages that MEMORY lacks, to be translated by people.

    One JSON line each, with an empty target: fill that in, keep the marks (⟦1⟧), and give the file
    to klopt memory import. Lines that are still empty are left out there.
    """
    rows = Readable(tracked(scoring.rows(file), "Reading", file), file)
    is_there = path.exists()  # where there is no memory yet, all is lacking
    with Memory.open(path, create=False, read_only=True) if is_there else Memory.empty() as memory:
        lacking = MissingSentences(memory, target=target)
        scorer = Scorer(scoring.loaded(), translate=Translate(lacking, required=True))
        check_language(scoring.language, scorer)
        for row in rows:
            if row.turn is not None:
                scorer.score(row.turn)
    origin = "" if file == "-" else Path(file).name
    entries = (Entry(source, target, TRUSTED, text, "", origin) for source, text in lacking.found)
    give(
        map(to_row, entries),
        ("from", "to", Column("sentence", ratio=1)),
        lambda row: (row["from"], row["to"], row["source"]),
        dict,
        form=form,
        output=output,
    )
    where = f", written to {output}" if output is not None else ""
    is_or_are = "is" if len(lacking.found) == 1 else "are"
    sentences = counted(len(lacking.found), "sentence")
    tell(f"{sentences} {is_or_are} not in {path}{where}.")
    return EXIT_BAD_INPUT if rows.problems else 0


def _size(memory: Memory) -> int:
    """How many entries a memory has, of all kinds."""
    return sum(memory.counts().values())
