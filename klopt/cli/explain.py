"""``klopt explain``: what the pages support, the path through the tree, the features."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from dataclasses import replace
from typing import Any, Final

from rich.console import Console
from rich.table import Column, Table
from rich.text import Text

from klopt.batch.rows import Row
from klopt.cli import EXIT_BAD_INPUT
from klopt.cli.asking import OpinionOptions
from klopt.cli.demo_log import demo_rows, demo_terms
from klopt.cli.options import Demo, FileOrNone, as_command, option, refuse_both_or_neither
from klopt.cli.score import STYLES
from klopt.cli.terminal import Screen, figures, shown, table
from klopt.cli.translations import ScoringOptions, TranslationOptions
from klopt.errors import InputError
from klopt.heuristics import BY_NAME
from klopt.measurement import Evidence, Measurement
from klopt.reading.markup import read_text
from klopt.records import Turn
from klopt.report.evidence import DIFFERS, sentences
from klopt.report.view import Piece, Sentence, clean
from klopt.report.wording import brief
from klopt.scoring.assessment import Assessment, CheckedStatement
from klopt.scoring.explanation import decimal, said_in, texts, whole
from klopt.scoring.tree import Visit

_SIGNS: Final = {
    "supported": ("✓", "green"),
    "unsupported": ("✗", "red"),
    "fault": ("✗", "red"),
    "found": ("·", "none"),
    "": ("·", "none"),
}
"""Of sentences, and of evidence."""
_DIFFERS: Final = {"own": ("[-", "-]", "bold red"), "page": ("[+", "+]", "bold green")}
"""How words that differ are set off: without colour before and after them, and in colour."""
_STANCES: Final = {"for": "+", "against": "-", "open": "?"}
_MOST_SENTENCES: Final = 200
_MOST_EVIDENCE: Final = 6
_LONGEST_CHARS: Final = 50


@as_command("explain", "klopt explain log.jsonl --pages help/ --id 42")
def command(
    *,
    file: FileOrNone,
    demo: Demo,
    row_id: str = option("The row to explain.", "--id", required=True),
    is_all: bool = option("Also what was measured, and the path.", "--all"),
    scoring: ScoringOptions,
    translating: TranslationOptions,
    advising: OpinionOptions,
) -> int:
    """Show one answer of FILE, sentence by sentence: what the pages say of it.

    With --all every feature is measured, those that the score did not need included, and the path
    through the tree is shown.
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
        assessment = scorer.score(row.turn, measure_all=is_all)
        console = Screen()
        turn = replace(row.turn, contexts=assessment.retrieved or row.turn.pages)
        show(turn, assessment, console)
        if is_all:
            _show_all(turn, assessment, console)
        else:
            console.print(Text(f"\n{_labels(assessment)['more']}", style="dim"))
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


def show(turn: Turn, one: Assessment, console: Console) -> None:
    """Prints what a person needs to see of a turn and its assessment."""
    words = _labels(one)
    width = max(len(words["question"]), len(words["type"])) + 2
    label = Text(words["question"], style="bold")
    console.print(_beside(label, width, Text(clean(turn.question))))
    console.print(_beside(Text(words["type"], style="bold"), width, _type(turn.question, one)))
    console.print()
    console.print(shown(one.sentences[0], f"bold {STYLES[one.verdict]}"))
    if len(one.sentences) > 1:
        console.print(shown(one.why))
    console.print()
    every = in_sentences(turn, one)
    for sentence in every[:_MOST_SENTENCES]:
        _show_sentence(sentence, console)
    if len(every) > _MOST_SENTENCES:
        further = whole(len(every) - _MOST_SENTENCES, one.language)
        console.print(Text(words["others"].format(count=further), style="dim"))
    if one.retrieved:
        pages = ", ".join(page.id for page in one.retrieved)
        console.print(shown(f"\n{words['retrieved'].format(pages=pages)}", "dim"))
    if one.translation is not None:
        console.print(shown(f"\n{_translated(one, words)}", "dim"))


def in_sentences(turn: Turn, one: Assessment) -> tuple[Sentence, ...]:
    """The answer, with what the pages say of each sentence."""
    return sentences(
        read_text(turn.answer),
        one.statements,
        one.measurements,
        one.explanation,
        one.language,
        is_sent=one.verdict == "send",
    )


def _show_sentence(one: Sentence, console: Console) -> None:
    colour = console.color_system is not None and not console.no_color
    sign = Text(*_SIGNS[one.kind])
    lead = Text(f"{one.lead} " if one.lead else "", style="bold" if one.is_heading else "none")
    console.print(_beside(sign, 2, lead.append(_marked(one.words, "own", colour=colour))))
    if not one.said:
        return
    where = f" ({one.where})" if one.where else ""
    console.print(_beside(Text(), 4, shown(f"{one.said}{where}", "dim")))
    if one.passage:
        passage = Text("“").append(_marked(one.passage, "page", colour=colour)).append("”")
        console.print(_beside(Text(), 4, passage))


def _beside(sign: Text, columns: int, text: Text) -> Table:
    """A text with a margin of so many columns, in which a sign may stand."""
    grid = Table.grid(Column(width=columns), Column(overflow="fold"))
    grid.add_row(sign, text)
    return grid


def _marked(pieces: Iterable[Piece], side: str, *, colour: bool) -> Text:
    """Pieces on one line, those that differ in colour or between brackets."""
    before, after, style = _DIFFERS[side]
    text = Text(style="none")
    for piece in pieces:
        words = clean(piece.text)
        if piece.kind != DIFFERS:
            text.append(words)
        elif colour:
            text.append(words, style=style)
        else:
            text.append(f"{before}{words}{after}")
    return text


def _labels(one: Assessment) -> Any:  # noqa: ANN401 (a table of texts)
    return texts(one.language)["explain"]


def _type(question: str, one: Assessment) -> Text:
    line = Text(one.message_type or _labels(one)["type_unknown"])
    if one.span is not None:
        decided = question[one.span[0] : one.span[1]]
        line.append(f"  (pattern {one.pattern}: “{clean(decided)}”)", style="dim")
    elif one.pattern:
        line.append(f"  ({one.pattern})", style="dim")
    return line


def _translated(one: Assessment, words: Mapping[str, Any]) -> str:
    """What was read in translation, of what is shown."""
    note = one.translation
    if note is None or note.status == "failed":
        return str(words["untranslated"])
    readers = [name for name in one.measurements if BY_NAME[name].reads_translation]
    what = words["everything"] if note.scope == "whole" else ", ".join(readers) or "–"
    line = words["translated"].format(source=note.source, target=note.target, what=what)
    unmasked = words["unmasked"].format(count=note.unmasked_count)
    return f"{line} {unmasked}" if note.unmasked_count else str(line)


def _show_all(turn: Turn, one: Assessment, console: Console) -> None:
    """All that was said, the path through the tree, what was measured, and what was used."""
    words = _labels(one)
    console.print()
    console.print(shown(one.explanation))
    if one.statements:
        console.print()
        _show_statements(one, words, console)
    if one.path:
        console.print(Text(f"\n{words['path']}", style="bold"))
        for visit in one.path:
            console.print(Text(f"  {visit.node:<18} {_of_visit(visit, one, words)}"))
        console.print()
        _show_features(turn, one, words, console)
    console.print()
    console.print(shown(one.fingerprint, "dim"))


def _show_statements(one: Assessment, words: Mapping[str, Any], console: Console) -> None:
    """How true each statement is held to be, what was found for and against it, and where."""
    columns = (
        Column(words["statement"], ratio=3),
        figures(words["chance"]),
        Column(words["found"], ratio=2),
        Column(words["evidence"], ratio=2),
    )
    rows = (
        (
            shown(brief(each.text)),
            decimal(each.truth, one.language, 2),
            ", ".join(dict.fromkeys(f"{slot.kind} {_STANCES[slot.side]}" for slot in each.slots)),
            shown(_place(each, words)),
        )
        for each in one.statements[:_MOST_SENTENCES]
    )
    console.print(table(columns, rows))


def _place(each: CheckedStatement, words: Mapping[str, Any]) -> str:
    place = each.passage
    return "" if place is None else str(words["where"].format(page=place.page, line=place.line))


def _of_visit(visit: Visit, one: Assessment, words: Mapping[str, Any]) -> str:
    """What a node asked and what came of it."""
    score = one.own_score or 0.0
    if visit.heuristic is None:
        if visit.value is None:
            return str(words["nothing"])
        value = decimal(visit.value, one.language, 3)
        return str(words["scale"].format(value=value, score=decimal(score, one.language, 2)))
    if visit.value is None:
        reason = _reason(one.measurements[visit.heuristic], words)
        return f"{visit.heuristic}: {reason} → {words['go_on']}"
    end = words["decides_not"]
    if visit.decided:
        end = words["decides"].format(score=decimal(score, one.language))
    asked = f"{visit.heuristic} = {visit.value:.2f}, {visit.condition}?"
    return f"{asked} → {end}"


def _reason(measurement: Measurement, words: Mapping[str, Any]) -> str:
    """Why something was not measured, in the language of the explanation."""
    reason = measurement.reason or ""
    return str(words["reasons"].get(reason, reason))


def _show_features(turn: Turn, one: Assessment, words: Mapping[str, Any], console: Console) -> None:
    """The features that could be measured, the heaviest first; the others by name, with why."""
    language = said_in(one.language)
    columns = (
        Column(words["feature"], ratio=2),
        *map(figures, (words["value"], words["weight"])),
        Column(words["evidence"], ratio=3),
    )
    rows = (
        (
            Text(f"{BY_NAME[name].texts[language]['asks']} ").append(name, style="dim"),
            decimal(measurement.value, one.language, 2),
            decimal(one.weights[name], one.language),
            _evidence(measurement, turn, words),
        )
        for name in sorted(one.measurements, key=lambda name: -one.weights[name])
        if (measurement := one.measurements[name]).value is not None
    )
    console.print(table(columns, rows))
    missing = {name: _reason(m, words) for name, m in one.measurements.items() if m.value is None}
    if missing:
        console.print(Text(f"\n{words['missing']}", style="bold"))
        for name, reason in missing.items():
            console.print(Text(f"  {name}: ").append(shown(reason, "dim")))


def _evidence(measurement: Measurement, turn: Turn, words: Mapping[str, Any]) -> Text:
    """The first pieces of evidence, what no page supports before the rest."""
    text = Text()
    ranked = sorted(measurement.evidence, key=lambda item: item.kind != "unsupported")
    for item in ranked[:_MOST_EVIDENCE]:
        # A pair of words that no page has says more than the stretch between them.
        is_pair = item.kind == "unsupported" and item.entry is not None and " – " in item.entry
        stretch = clean(brief((item.entry or "") if is_pair else item.text, _LONGEST_CHARS))
        sign, style = _SIGNS[item.kind]
        text.append(f"{sign}\u00a0{stretch}", style=style)
        text.append(f"{_where(item, turn, words)}  ", style="dim")
    if len(ranked) > _MOST_EVIDENCE:
        text.append(words["others"].format(count=len(ranked) - _MOST_EVIDENCE), style="dim")
    return text


def _where(item: Evidence, turn: Turn, words: Mapping[str, Any]) -> str:
    """The page, and the line as an editor counts where no other context has the same name."""
    if not item.page:
        return ""
    where = clean(item.page)
    same = [page for page in turn.pages if page.id == item.page]
    if len(same) == 1:
        line = same[0].text.count("\n", 0, item.page_start or 0) + 1
        where = words["where"].format(page=where, line=line)
    return f" ({where})"
