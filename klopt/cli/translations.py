"""``klopt translations``: import and export the translation cache, and list what it lacks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Final

import click

from klopt.cli import EXIT_BAD_INPUT, Group, options
from klopt.cli.fields import Readable
from klopt.cli.options import argument, as_command, check_language, option, output_to
from klopt.cli.scoring import ScoringOptions
from klopt.cli.terminal import counted, give, next_steps, tell, tracked, write
from klopt.errors import InputError, TranslationError
from klopt.logs.rows import read_mappings
from klopt.scoring.scorer import Scorer
from klopt.translation import CachedTranslator, CacheEntry, Translate, TranslationCache
from klopt.translation.masks import MARKER, faults

FIELDS: Final = ("from", "to", "source", "target")  # both languages, sentence, translation
MAX_PROBLEMS: Final = 10  # Invalid rows that a message lists

_LANGUAGE: Final = re.compile(r"[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*")
_Cache = Annotated[Path, argument("CACHE")]


@click.group("translations", cls=Group)
def command() -> None:
    """Import and export the translation cache, and list what it lacks.

    klopt score --translate uses the cache first, and a translator only if you name one. Files are
    CSV, Excel or JSON lines with the fields from, to, source and target: nl, en, a sentence, its
    translation.
    """


@as_command("import", "klopt translations import ours.sqlite nl-en.csv", command)
def import_files(*, path: _Cache, files: Annotated[tuple[str, ...], argument("FILE...")]) -> None:
    """Add the translations of FILEs to CACHE, which is created when it does not exist.

    They replace other translations of the same sentences. Rows with an empty target are skipped.
    Nothing is imported when a row is invalid.
    """
    rows = [entry for file in files for entry in read_entries(Path(file))]
    filled = [entry for entry in rows if entry.translation.strip()]
    with TranslationCache(path, create=True) as cache:
        changed_count = cache.add(filled, replace=True)
    skipped = f", {len(rows) - len(filled):,} without a target" if len(rows) > len(filled) else ""
    tell(
        f"{path}: {changed_count:,} new or changed, {len(filled) - changed_count:,} unchanged"
        f"{skipped}."
    )


@as_command("export", "klopt translations export ours.sqlite -o ours.csv", command)
def export(
    *,
    path: _Cache,
    output: Path | None = output_to(
        "The file, .csv or .jsonl.", callback=options.csv_or_json_lines
    ),
) -> None:
    """Write all translations of CACHE, sorted: CSV if the file ends in .csv, else JSON lines."""
    with TranslationCache(path) as cache:
        entries = cache.entries()
    write(map(_row, entries), output=output)
    if output is not None:
        tell(f"{counted(len(entries), 'translation')} written to {output}.")


@as_command(
    "missing", "klopt translations missing ours.sqlite log.jsonl --pages help/ -o todo.csv", command
)
def missing(
    *,
    path: _Cache,
    file: options.File,
    scoring: ScoringOptions,
    target: str = option("The target language.", "--to", default="en", metavar="CODE"),
    output: options.Output,
    form: options.Format,
) -> int:
    """List the sentences of FILE and its pages that CACHE lacks, for people to translate.

    Fill in the empty target, keep the placeholders (⟦1⟧), and import the file with
    klopt translations import.
    """
    rows = Readable(tracked(scoring.rows(file, needed=("question",)), "Reading", file), file)
    found = _Missing()
    with TranslationCache(path, create=not path.exists()) as cache:
        translator = CachedTranslator(cache, target=target, translator=found)
        scorer = Scorer(scoring.loaded(), translate=Translate(translator, "whole", required=True))
        check_language(scoring.language, scorer)
        for row in rows:
            if row.turn is not None:
                scorer.score(row.turn)
    entries = [CacheEntry(source, target, text, "") for source, text in found.sentences]
    give(
        map(_row, entries), FIELDS[:3], lambda row: [row[name] for name in FIELDS[:3]], dict,
        form=form, output=output,
    )  # fmt: skip
    written = f", written to {output}" if output is not None else ""
    tell(f"{counted(len(entries), 'sentence')} missing from {path}{written}.")
    if entries and output is not None:
        command = ["klopt", "translations", "import", path, output]
        tell(next_steps((command, "after you have filled in the column target")))
    return EXIT_BAD_INPUT if rows.problems else 0


class _Missing:
    """A translator that only collects sentences."""

    name = destination = "missing"

    def __init__(self) -> None:
        self.sentences: dict[tuple[str, str], None] = {}

    def translate(self, texts: Sequence[str], source: str, target: str) -> Iterable[str]:
        self.sentences.update(dict.fromkeys((source, text) for text in texts))
        raise TranslationError("not_in_cache", f"{len(texts)} sentences are not in the cache")


def _row(entry: CacheEntry) -> dict[str, str]:
    return dict(zip(FIELDS, entry, strict=True))


def read_entries(path: Path) -> list[CacheEntry]:
    """Return the translations of a CSV, JSON lines or Excel file; InputError for invalid rows."""
    entries: list[CacheEntry] = []
    problems: list[str] = []
    for number, row, _ in read_mappings(str(path), {}):
        entry = _entry(row)
        if isinstance(entry, CacheEntry):
            entries.append(entry)
        else:
            problems.append(f"row {number}: {entry.removeprefix(f'{path}, ')}")
    if problems:
        more = (
            [f"and {len(problems) - MAX_PROBLEMS:,} more"] if len(problems) > MAX_PROBLEMS else []
        )
        listed = "\n".join([*problems[:MAX_PROBLEMS], *more])
        raise InputError(f"{path}: nothing imported:\n{listed}")
    return entries


def _entry(row: Mapping[str, Any] | str) -> CacheEntry | str:
    """Return the entry of a row, or what is wrong with it; fields beside `FIELDS` are ignored."""
    if isinstance(row, str):
        return row
    values: list[Any] = [row.get(name) for name in FIELDS]
    for name, value in zip(FIELDS, values, strict=True):
        if not isinstance(value, str):
            return f'"{name}" is missing' if value is None else f'"{name}" is not text'
    entry = CacheEntry(*values)
    for code in entry[:2]:
        if not _LANGUAGE.fullmatch(code):
            return f'"{code[:40]}" is not a language code such as nl'
    if entry.source_language == entry.target_language:
        return f'"from" and "to" are both {entry.source_language}'
    if not entry.text.strip():
        return '"source" is empty'
    count = len(MARKER.findall(entry.text)) if entry.translation.strip() else 0
    lost = faults(entry.translation, count, invented_too=False)
    return f"{lost}; keep each placeholder of the source" if lost else entry
