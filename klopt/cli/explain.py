"""``klopt explain``: what the pages support, the path through the tree, the features."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from dataclasses import replace
from itertools import groupby
from typing import Final

import click
from rich.console import Console
from rich.table import Column
from rich.text import Text

from klopt.batch.rows import Row
from klopt.cli import EXIT_BAD_INPUT
from klopt.cli.demo import demo_rows, demo_terms
from klopt.cli.fields import brief
from klopt.cli.opinions import Advising, advising_options
from klopt.cli.options import FILE_OR_DEMO, refuse_both_or_neither, with_options
from klopt.cli.score import STYLES
from klopt.cli.terminal import plain_table, shown
from klopt.cli.translations import (
    ScoringOptions,
    TranslationOptions,
    scoring_options,
    translation_options,
)
from klopt.errors import InputError
from klopt.heuristics import BY_NAME
from klopt.measurement import Evidence, EvidenceKind, Measurement
from klopt.reading.markup import read_text
from klopt.records import Page, Turn
from klopt.report.view import clean
from klopt.scoring.assessment import Assessment
from klopt.scoring.explanation import decimal, said_in, texts
from klopt.scoring.statements import Place, Slot
from klopt.scoring.tree import Visit

_MARKED: Final = (
    ("components_defined", ("unsupported",)),
    ("components_defined", ("supported",)),
    ("subject_combination", ("supported", "unsupported")),
    ("verbatim_guide_defined", ("supported",)),
)
"""The evidence that is marked, the most telling first: it wins where spans overlap. A step that no
guide has word for word is not untrue for that, so only those that one has are marked."""

_BRACKETS: Final = {"supported": ("[+", "+]"), "unsupported": ("[-", "-]")}
_COLOURS: Final = {"supported": "green", "unsupported": "bold red"}
_SIGNS: Final = {"supported": "✓", "unsupported": "✗", "found": "·"}
_SIGN_STYLES: Final = {"supported": "green", "unsupported": "red", "found": "none"}
_MOST_EVIDENCE: Final = 6
_LONGEST_CHARS: Final = 50
_LONGEST_STATEMENT_CHARS: Final = 300


@click.command("explain", epilog="Example: klopt explain log.jsonl --pages help/ --id 42")
@with_options(FILE_OR_DEMO)
@click.option("--id", "row_id", required=True, help="The row to explain.")
@scoring_options
@translation_options
@advising_options
def command(
    advising: Advising,
    translating: TranslationOptions,
    scoring: ScoringOptions,
    file: str | None,
    demo: bool,
    row_id: str,
) -> int:
    """Show one answer of FILE: what the pages support, and the path to its score.

    Every feature is measured, those that the score did not need included.
    """
    refuse_both_or_neither(file, demo)
    with ExitStack() as stack:
        if demo:
            scoring = replace(scoring, terms=demo_terms())
        scorer = scoring.scorer(translating, stack, advising)
        rows = demo_rows() if file is None else scoring.rows(file)
        row = _find(rows, row_id, file or "the demo log")
        if row.turn is None:
            raise InputError(row.problem or "")
        assessment = scorer.score(row.turn, measure_all=True)
        _show(row.turn, assessment, Console(highlight=False))
    return EXIT_BAD_INPUT if assessment.status == "error" else 0


def _find(rows: Iterable[Row], row_id: str, where: str) -> Row:
    seen: list[str] = []
    for row in rows:
        if row.id == row_id:
            return row
        seen.append(row.id)
    close = difflib.get_close_matches(row_id, seen, n=3)
    hint = f"; did you mean {', '.join(close)}?" if close else f"; it has {len(seen)} rows"
    raise InputError(f'{where}: there is no row "{row_id}"{hint}')


def _show(turn: Turn, one: Assessment, console: Console) -> None:
    """Prints a turn and its assessment for a person."""
    colour = console.color_system is not None and not console.no_color
    console.print(Text("Question  ", style="bold").append(clean(turn.question), style="not bold"))
    console.print(_type_line(turn.question, one))
    console.print("\n[bold]Answer[/]")
    console.print(_marked(turn.answer, one, colour=colour))
    if colour and one.measurements:
        legend = "[green]green[/]: a page has it   [bold red]red[/]: no page has it"
        console.print(legend, style="dim")
    console.print()
    console.print(shown(one.explanation, f"bold {STYLES[one.verdict]}"))
    if one.translation is not None:
        console.print(shown(_translation_line(one), "dim"))
    _show_faults(turn, one, console)
    if one.path:
        console.print("\n[bold]Path through the tree[/]")
        for visit in one.path:
            console.print(Text(f"  {visit.node:<18} {_said(visit, one)}"))
        console.print()
        _show_features(turn, one, console)
    console.print()
    console.print(shown(one.fingerprint, "dim"))


def _type_line(question: str, one: Assessment) -> Text:
    line = Text("Type      ", style="bold")
    line.append(one.message_type or "not known", style="none")
    if one.span is not None:
        decided = question[one.span[0] : one.span[1]]
        line.append(f"  (pattern {one.pattern}: “{clean(decided)}”)", style="dim")
    elif one.pattern:
        line.append(f"  ({one.pattern})", style="dim")
    return line


def _marked(answer: str, one: Assessment, *, colour: bool) -> Text:
    """The answer with what pages support, and do not, in colour or between brackets."""
    kinds: list[str] = [""] * len(answer)
    for name, marked in _MARKED:
        found = one.measurements.get(name)
        for item in found.evidence if found is not None else ():
            for place in range(item.start, item.end) if item.kind in marked else ():
                kinds[place] = kinds[place] or item.kind
    text = Text()
    for kind, pairs in groupby(zip(kinds, answer, strict=True), lambda pair: pair[0]):
        piece = clean("".join(character for _, character in pairs))
        before, after = _BRACKETS[kind] if kind and not colour else ("", "")
        text.append(f"{before}{piece}{after}", style=_COLOURS[kind] if kind and colour else None)
    return text


def _show_faults(turn: Turn, one: Assessment, console: Console) -> None:
    """The statements at fault, each with the passage beside it and what speaks against it.

    Where the answer is sent all the same, they are only what the pages support least.
    """
    faults = [statement for statement in one.statements if statement.fault]
    if not faults:
        return
    is_sent = one.verdict == "send"
    heading = "Statements that the pages support least" if is_sent else "Statements at fault"
    sign: EvidenceKind = "found" if is_sent else "unsupported"
    words = texts(one.language)["statements"]
    answer = read_text(turn.answer)
    console.print(f"\n[bold]{heading}[/]")
    for statement in faults[:_MOST_EVIDENCE]:
        said = _on_one_line(answer.quoted(statement.start, statement.end))
        line = Text("  ").append(f"{_SIGNS[sign]} {said}", style=_SIGN_STYLES[sign])
        relation = "" if is_sent else f"  ({words[statement.relation]})"
        console.print(line.append(relation, style="dim"))
        if statement.passage is not None:
            console.print(_passage(statement.passage, turn))
        for told in against(statement.slots, one.language):
            console.print(shown(f"    {told}"))
    if len(faults) > _MOST_EVIDENCE:
        console.print(f"  … {len(faults) - _MOST_EVIDENCE} more", style="dim")


def _passage(place: Place, turn: Turn) -> Text:
    """The words of a page, and where an editor finds them."""
    page = next(page for page in turn.pages if page.id == place.page)
    words = read_text(page.text, page.format).quoted(place.start, place.end)
    return Text(f"    “{_on_one_line(words)}”").append(_line(page, place.start), style="dim")


def against(slots: Sequence[Slot], language: str | None) -> list[str]:
    """What page and answer say in each other's place, in words, the first few."""
    sentence: str = texts(language)["statements"]["rivals"]
    pairs = list(dict.fromkeys(pair for slot in slots if (pair := slot.rivals)))
    return [sentence.format(claim=claim, page=page) for claim, page in pairs[:_MOST_EVIDENCE]]


def _on_one_line(text: str) -> str:
    return brief(" ".join(clean(text).split()), _LONGEST_STATEMENT_CHARS)


def _translation_line(one: Assessment) -> str:
    """What was read in translation, of what is shown."""
    note = one.translation
    if note is None or note.status == "failed":
        return "Nothing was read in translation."
    readers = [name for name in one.measurements if BY_NAME[name].reads_translation]
    what = "everything" if note.scope == "whole" else ", ".join(readers) or "no feature"
    lost = note.unmasked_count
    more = f"; in {lost} of its sentences names and numbers were translated too" if lost else ""
    return f"Read in translation ({note.source} to {note.target}): {what}{more}."


def _said(visit: Visit, one: Assessment) -> str:
    """What a node asked and what came of it."""
    score = decimal(one.own_score or 0.0, "en")
    if visit.heuristic is None:
        if visit.value is None:
            return "nothing measurable → not scored"
        return f"on a scale of 0 to 1: {visit.value:.2f} → 1 + 4 × {visit.value:.2f} = {score}"
    if visit.value is None:
        return f"{visit.heuristic}: {one.measurements[visit.heuristic].reason} → go on"
    end = f"yes: score {score}" if visit.decided else "no, go on"
    return f"{visit.heuristic} = {visit.value:.2f}, {visit.condition}? → {end}"


def _show_features(turn: Turn, one: Assessment, console: Console) -> None:
    """The features that could be measured, the heaviest first; the others by name, with why."""
    language = said_in(one.language)
    figures = (Column(name, justify="right") for name in ("value", "weight"))
    table = plain_table(Column("feature", ratio=2), *figures, Column("evidence", ratio=3))
    for name in sorted(one.measurements, key=lambda name: -one.weights[name]):
        measurement = one.measurements[name]
        if measurement.value is not None:
            feature = Text(f"{BY_NAME[name].texts[language]['asks']} ").append(name, style="dim")
            value, weight = f"{measurement.value:.2f}", f"{one.weights[name]:.1f}"
            table.add_row(feature, value, weight, _evidence(measurement, turn))
    console.print(table)
    missing = {name: m.reason for name, m in one.measurements.items() if m.value is None}
    if missing:
        console.print("\n[bold]Not measured[/]")
        for name, reason in missing.items():
            console.print(Text(f"  {name}: ").append(shown(reason or "", "dim")))


def _evidence(measurement: Measurement, turn: Turn) -> Text:
    """The first pieces of evidence, what no page supports before the rest."""
    text = Text()
    ranked = sorted(measurement.evidence, key=lambda item: item.kind != "unsupported")
    for item in ranked[:_MOST_EVIDENCE]:
        words = clean(" ".join(_words(item).split()))
        words = words if len(words) <= _LONGEST_CHARS else words[: _LONGEST_CHARS - 1] + "…"
        text.append(f"{_SIGNS[item.kind]}\u00a0{words}", style=_SIGN_STYLES[item.kind])
        text.append(f"{_place(item, turn)}  ", style="dim")
    if len(ranked) > _MOST_EVIDENCE:
        text.append(f"… {len(ranked) - _MOST_EVIDENCE} more", style="dim")
    return text


def _words(item: Evidence) -> str:
    """A pair of words that no page has says more than the stretch between them."""
    entry = item.entry or ""
    return entry if item.kind == "unsupported" and " – " in entry else item.text


def _place(item: Evidence, turn: Turn) -> str:
    """Where a page has it, as an editor counts lines."""
    for page in turn.pages:
        if page.id == item.page:
            return _line(page, item.page_start or 0)
    return ""


def _line(page: Page, start: int) -> str:
    line = page.text.count("\n", 0, start) + 1
    return f" ({clean(page.id)}, line {line})"
