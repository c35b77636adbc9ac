"""``klopt memory``: how a translation memory is filled, what it has, and what it lacks."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import Annotated, Any, Final

import click

from klopt.batch.output import whole_file, write_rows
from klopt.batch.rows import read_mappings
from klopt.bilingual.formats import read_file, to_row
from klopt.bilingual.learning import learn
from klopt.bilingual.pairs import Pair, stated
from klopt.bilingual.tmx import write_tmx
from klopt.cli import EXIT_BAD_INPUT
from klopt.cli.options import (
    MULTIPLE,
    Declared,
    File,
    Output,
    SourceFolder,
    argument,
    as_command,
    check_language,
    option,
    output_to,
    pages_in,
    refuse_overwriting,
    shared,
    warn,
)
from klopt.cli.terminal import Screen, bar, counted, figures, shown, table, tracked
from klopt.cli.translations import ScoringOptions
from klopt.errors import InputError
from klopt.scoring.interpretation import Translate
from klopt.scoring.scorer import Scorer
from klopt.translation.interpreter import MissingSentences
from klopt.translation.memory import TRUSTED, Count, Entry, Memory

_LANGUAGE: Final = re.compile(r"[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*")
_FORMATS: Final = (".jsonl", ".tmx")
_DIGEST_CHARS: Final = 12


def _language(_: click.Context, __: click.Parameter, value: str | None) -> str | None:
    if value is not None and not _LANGUAGE.fullmatch(value):
        raise click.BadParameter(f'"{value}" is not the code of a language, such as nl')
    return value


def _pair(_: click.Context, __: click.Parameter, values: tuple[str, ...]) -> list[tuple[str, str]]:
    pairs = []
    for value in values:
        own, _sign, theirs = map(str.strip, value.partition("="))
        if not own or not theirs or "=" in theirs:
            raise click.BadParameter(f'"{value}" is not of the form question=question_en')
        pairs.append((own, theirs))
    return pairs


def _from_or_to(word: str, side: str, example: str, *, is_needed: bool = False) -> Declared:
    return shared(
        f"The language of the {side} texts, such as {example}.",
        word,
        required=is_needed,
        metavar="CODE",
        callback=_language,
    )


_Memory = Annotated[Path, argument("MEMORY")]
_From = Annotated[str, _from_or_to("--from", "source", "nl", is_needed=True)]
_To = Annotated[str, _from_or_to("--to", "target", "en", is_needed=True)]


@click.group("memory")
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
    source: Annotated[str | None, _from_or_to("--from", "source", "nl")],
    target: Annotated[str | None, _from_or_to("--to", "target", "en")],
) -> None:
    """Put the translations of FILEs into MEMORY, which is made when it is not there.

    TMX and gettext PO of a company's own localisation, in either direction: state the languages
    with --from and --to. What klopt memory export wrote comes back as it was. Nothing is imported
    when one of the files cannot be read.
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


@as_command("pages", "klopt memory pages ours.tm help/nl help/en --from nl --to en", command)
def import_pages(
    *,
    path: _Memory,
    source_pages: SourceFolder,
    target_pages: Annotated[Path, argument("TARGET_DIR")],
    source: _From,
    target: _To,
) -> None:
    """Pair the help pages of two folders, by their names, and put what they say into MEMORY."""
    languages = stated(path, source, target)
    own, theirs = pages_in(source_pages), pages_in(target_pages)
    pairs, alone = [], []
    for name, page in own.items():
        if name != page.id:
            continue
        partner = theirs.get(name) or theirs.get(name.rpartition(".")[0])
        if partner is None:
            alone.append(name)
        else:
            pairs.append(Pair.of_pages(page, partner, name))
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


@as_command(
    "rows",
    "klopt memory rows ours.tm log.jsonl --pair question=question_en --pair answer=answer_en "
    "--from nl --to en",
    command,
)
def import_rows(
    *,
    path: _Memory,
    log: Annotated[str, argument("LOG")],
    fields: list[tuple[str, str]] = option(
        f"A field and the one with its translation; {MULTIPLE}",
        "--pair",
        multiple=True,
        required=True,
        callback=_pair,
        metavar="FIELD=FIELD",
    ),
    source: _From,
    target: _To,
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
    found, unpaired = list(entries), ""
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
    with Memory.open(path, create=True) as memory:
        before = entry_count(memory)
        added_count = memory.add(found)
        new_count = entry_count(memory) - before
    click.echo(
        f"{path}: {new_count:,} new, {added_count - new_count:,} changed, "
        f"{len(found) - added_count:,} as they were.{unpaired}",
        err=True,
    )


@as_command("export", "klopt memory export ours.tm -o ours.tmx", command)
def export(
    *,
    path: _Memory,
    output: Path = output_to("The file, .tmx or .jsonl; it appears when it is whole."),
) -> None:
    """Write all that MEMORY holds as TMX or JSON lines, sorted."""
    suffix = output.suffix.lower()
    if suffix not in _FORMATS:
        raise click.UsageError(f"{output} must end in {' or '.join(_FORMATS)}.")
    refuse_overwriting({"-o": output}, {"the memory": [path]})
    with Memory.open(path, create=False, read_only=True) as memory:
        count = entry_count(memory)
        if suffix == ".tmx":
            with whole_file(output) as file:
                write_tmx(memory.entries(), file)
        else:
            write_rows(map(to_row, memory.entries()), output)
    click.echo(f"{counted(count, 'entry')} written to {output}.", err=True)


@as_command("show", "klopt memory show ours.tm --examples 3", command)
def show(
    *,
    path: _Memory,
    examples: int = option(
        "How many entries to show of each kind, from its first to its last.",
        type=click.IntRange(0, 1000),
        default=0,
    ),
    as_json: bool = option("JSON lines, one for each kind.", "--json"),
) -> None:
    """Show how many entries MEMORY has for which languages, and whose they are."""
    with Memory.open(path, create=False, read_only=True) as memory:
        rows = list(_shown_rows(memory, examples))
    if as_json:
        write_rows(rows, None)
        return
    console = Screen()
    if not rows:
        console.print("The memory is empty.")
        return
    cells = (
        (
            *(row[name] for name in ("from", "to", "provider")),
            f"{row['entries']:,}",
            row["digest"][:_DIGEST_CHARS],
        )
        for row in rows
    )
    console.print(table(["from", "to", "provider", figures("entries"), "digest"], cells))
    for row in rows if examples else ():
        console.print()
        console.print(shown(f"{row['from']} to {row['to']}, {row['provider']}", style="bold"))
        for one in row["examples"]:
            where = f"  ({one['origin']})" if one["origin"] else ""
            console.print(shown(f"{one['source']}{where}"), soft_wrap=True)
            console.print(shown(f"  {one['target']}"), soft_wrap=True)


def _shown_rows(memory: Memory, examples_count: int) -> Iterator[dict[str, Any]]:
    """One for each pair of languages and provider, with examples evenly spread over its entries."""
    sizes = {_kind(one): one.entries for one in memory.counts()}
    examples = {}
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


def _kind(one: Entry | Count) -> tuple[str, str, str]:
    return one.source_language, one.target_language, one.provider


@as_command(
    "missing", "klopt memory missing ours.tm log.jsonl --pages help/ -o todo.jsonl", command
)
def missing(
    *,
    path: _Memory,
    file: File,
    scoring: ScoringOptions,
    target: str = option("The target language.", "--to", default="en", metavar="CODE"),
    output: Output,
) -> int:
    """List the sentences of FILE and its pages that MEMORY lacks, to be translated by people.

    One JSON line each, with an empty target: fill that in, keep the marks (⟦1⟧), and give the file
    to klopt memory import. Lines that are still empty are left out there.
    """
    refuse_overwriting({"-o": output}, {"read here": [file, path]})
    failed_count = 0
    with _held_or_empty(path) as memory:
        lacking = MissingSentences(memory, target=target)
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


def _held_or_empty(path: Path) -> Memory:
    """The memory; an empty one where there is none yet, since then all is lacking."""
    return Memory.open(path, create=False, read_only=True) if path.exists() else Memory.empty()


def entry_count(memory: Memory) -> int:
    """How many entries a memory has, of all kinds."""
    return sum(one.entries for one in memory.counts())
