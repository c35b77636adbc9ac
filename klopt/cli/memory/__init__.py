"""``klopt memory``, and how it is filled."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import click
import regex

from klopt.batch.pages import read_pages
from klopt.batch.rows import read_mappings
from klopt.bilingual.formats import read_file
from klopt.bilingual.learning import learn
from klopt.bilingual.markdown_writer import page_markdown
from klopt.bilingual.pairs import Pair, stated
from klopt.cli import EXIT_BAD_INPUT
from klopt.cli.memory.contents import MEMORY, entry_count, export, missing, show
from klopt.cli.options import Option, warn, with_options
from klopt.cli.terminal import bar, counted, tracked
from klopt.errors import InputError
from klopt.translation.memory import Entry, Memory

_LANGUAGE: Final = regex.compile(r"[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*")


def _language(_: click.Context, __: click.Parameter, value: str | None) -> str | None:
    if value is not None and not _LANGUAGE.fullmatch(value):
        raise click.BadParameter(f'"{value}" is not the code of a language, such as nl')
    return value


def _pair(_: click.Context, __: click.Parameter, values: tuple[str, ...]) -> list[tuple[str, str]]:
    pairs = [tuple(part.strip() for part in value.split("=")) for value in values]
    for value, pair in zip(values, pairs, strict=True):
        if len(pair) != 2 or not all(pair):
            raise click.BadParameter(f'"{value}" is not of the form question=question_en')
    return [(pair[0], pair[1]) for pair in pairs]


def _languages(*, required: bool) -> Option:
    """``--from`` and ``--to``."""
    return with_options(
        [
            click.option(
                f"--{word}",
                side,
                required=required,
                metavar="CODE",
                callback=_language,
                help=f"The language of the {side} texts, such as {example}.",
            )
            for word, side, example in (("from", "source", "nl"), ("to", "target", "en"))
        ]
    )


@click.group("memory")
def command() -> None:
    """Keep translations: import, export and show a translation memory.

    What a memory holds is never asked of an online translator again, and with --offline it is
    all that klopt translates with.
    """


for _subcommand in (export, missing, show):
    command.add_command(_subcommand)


@command.command("import", epilog="Example: klopt memory import ours.tm nl.po --from nl --to en")
@MEMORY
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@_languages(required=False)
def import_files(
    path: Path, files: tuple[str, ...], source: str | None, target: str | None
) -> None:
    """Put the translations of FILEs into MEMORY, which is made when it is not there.

    TMX, XLIFF 1.2 and 2 and gettext PO of a company's own localisation, in either direction:
    state the languages with --from and --to. What klopt memory export wrote comes back as it was.
    Nothing is imported when one of the files cannot be read.
    """
    entries: list[Entry] = []
    pairs: list[Pair] = []
    for name in files:
        read = read_file(Path(name), source, target)
        entries += read.entries
        pairs += read.pairs
        count = len(read.entries) + len(read.pairs)
        skipped = ", ".join(f"{n:,} {reason}" for reason, n in sorted(read.skipped.items()))
        if not count and skipped:
            raise InputError(f"{name}: nothing in it can be used: {skipped}")
        left = f"; left out: {skipped}" if skipped else ""
        click.echo(f"{name}: {counted(count, 'translation')}{left}.", err=True)
    _learn(path, entries, pairs, (source, target))


@command.command(
    "pages", epilog="Example: klopt memory pages ours.tm help/nl help/en --from nl --to en"
)
@MEMORY
@click.argument("source_pages", metavar="SOURCE_DIR", type=click.Path(path_type=Path))
@click.argument("target_pages", metavar="TARGET_DIR", type=click.Path(path_type=Path))
@_languages(required=True)
def import_pages(
    path: Path, source_pages: Path, target_pages: Path, source: str, target: str
) -> None:
    """Pair the help pages of two folders, by their names, and put what they say into MEMORY."""
    languages = stated(path, source, target)
    own, theirs = read_pages(source_pages), read_pages(target_pages)
    pairs, alone = [], []
    for name, page in own.items():
        if name != page.id:
            continue
        partner = theirs.get(name) or theirs.get(name.rpartition(".")[0])
        if partner is None:
            alone.append(name)
        else:
            pairs.append(Pair(page_markdown(page), page_markdown(partner), name))
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


@command.command(
    "rows",
    epilog="Example: klopt memory rows ours.tm log.jsonl --pair question=question_en "
    "--pair answer=answer_en --from nl --to en",
)
@MEMORY
@click.argument("log", metavar="LOG")
@click.option(
    "--pair",
    "fields",
    multiple=True,
    required=True,
    callback=_pair,
    metavar="FIELD=FIELD",
    help="A field and the one with its translation; may be given several times.",
)
@_languages(required=True)
def import_rows(
    path: Path, log: str, fields: list[tuple[str, str]], source: str, target: str
) -> int:
    """Put the texts of LOG that its rows have in both languages into MEMORY.

    LOG is JSONL, CSV or Parquet, or - for JSONL on standard input. Exit code 3 when a row could
    not be read; the others are used all the same.
    """
    languages = stated(path, source, target)
    origin = "" if log == "-" else Path(log).name
    pairs: list[Pair] = []
    used = Counter[tuple[str, str]]()
    rows_count = unread_count = 0
    for number, row, warning in tracked(read_mappings(log, None), "Reading", log):
        rows_count += 1
        if warning:
            warn(f"row {number}: {warning}")
        if isinstance(row, str):
            unread_count += 1
            warn(row)
            continue
        for own, theirs in fields:
            texts = row.get(own), row.get(theirs)
            if all(isinstance(text, str) and text.strip() for text in texts):
                pairs.append(Pair(str(texts[0]), str(texts[1]), origin))
                used[own, theirs] += 1
    for own, theirs in fields:
        if not used[own, theirs]:
            raise InputError(f"{log}: no row has a text in both {own} and {theirs}")
        if used[own, theirs] < rows_count:
            without = counted(rows_count - used[own, theirs], "row")
            warn(f"{log}: {without} without a text in both {own} and {theirs}")
    _learn(path, [], pairs, languages)
    return EXIT_BAD_INPUT if unread_count else 0


def _learn(
    path: Path,
    entries: Sequence[Entry],
    pairs: Sequence[Pair],
    languages: tuple[str | None, str | None],
) -> None:
    """Puts what was read into the memory, and says what came of it."""
    with Memory.open(path, create=True) as memory:
        unpaired = ""
        found = list(entries)
        if pairs:
            with bar("Pairing sentences", len(pairs)) as advance:
                learnt = learn(pairs, *stated(path, *languages), advance=advance)
            found += learnt.entries
            unpaired = f" {counted(learnt.unpaired_count, 'passage')} could not be paired."
            if learnt.doubtful_count:
                unpaired += (
                    f" In {counted(learnt.doubtful_count, 'translation')} names of screens were "
                    "paired by their order alone, or have no partner."
                )
        before = entry_count(memory)
        added_count = memory.add(found)
        new_count = entry_count(memory) - before
    click.echo(
        f"{path}: {new_count:,} new, {added_count - new_count:,} changed, "
        f"{len(found) - added_count:,} as they were.{unpaired}",
        err=True,
    )
