"""``klopt explain``: the evidence for an answer, the path through the tree, the features."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from typing import Any, Final

from rich.console import Console
from rich.table import Column, Table
from rich.text import Text

from klopt.cli import EXIT_BAD_INPUT, options
from klopt.cli.models import OpinionOptions
from klopt.cli.options import as_command, option, refuse_both_or_neither
from klopt.cli.score import STYLES
from klopt.cli.scoring import ScoringOptions, TranslationOptions, demo_rows, demo_terms
from klopt.cli.terminal import Screen, counted, figures, give_figures, shown, table
from klopt.errors import InputError
from klopt.heuristics import BY_NAME
from klopt.logs.rows import Row
from klopt.report.evidence import DIFFERS, Piece, Sentence, sentences
from klopt.report.wording import brief, in_report, log_texts
from klopt.scoring.assessment import Assessment, CheckedClaim
from klopt.scoring.explanation import decimal, heuristic_name, text_language, texts, whole
from klopt.scoring.tree import Visit
from klopt.text.markup import read_text, without_html
from klopt.types import Evidence, Measurement, Page, Turn, clean

_SIGNS: Final = {
    "unsupported": ("✗", "red"),
    "fault": ("✗", "red"),
    "unconfirmed": ("?", "yellow"),
    "supported": ("✓", "green"),
    "found": ("›", "none"),
    "": ("·", "none"),
}  # Sign and colour of sentences and of evidence, in the order in which evidence is shown
_LEGEND: Final = {
    "supported": "is_supported",
    "fault": "is_fault",
    "unconfirmed": "is_unconfirmed",
    "": "is_open",
}
_DIFFERS: Final = {"own": ("[-", "-]", "bold red"), "page": ("[+", "+]", "bold green")}
"""Brackets around differing words without colour, and their style with colour."""
_STANCES: Final = {"against": "-", "open": "?", "for": "+"}
_NUMBERED: Final = re.compile(r"row-\d+")  # names of rows without an id
_MAX_SENTENCES: Final = 200
_MAX_EVIDENCE: Final = 6
_MAX_CHARS: Final = 50


@as_command("explain", "klopt explain log.jsonl --pages help/ --id 42")
def command(
    *,
    file: options.FileOrNone,
    demo: options.Demo,
    row_id: str = option("The row to explain.", "--id", required=True),
    is_all: bool = option("Also show all features, and the path through the tree.", "--all"),
    scoring: ScoringOptions,
    encoding: options.Encoding = None,
    translating: TranslationOptions,
    advising: OpinionOptions,
    form: options.Format,
) -> int:
    """Show one answer of FILE with the evidence for each sentence.

    With --all klopt measures every feature, also those that the score does not need.
    """
    refuse_both_or_neither(file, demo)
    with ExitStack() as stack:
        if demo:
            scoring = replace(scoring, terms=demo_terms())
        scorer = scoring.scorer(translating, stack, advising)
        rows = demo_rows() if file is None else scoring.rows(file, encoding=encoding)
        row = _find(rows, row_id, file or "the demo log")
        if row.turn is None:
            raise InputError(row.problem or "")
        assessment = scorer.score(row.turn, measure_all=is_all)
        turn = replace(row.turn, contexts=assessment.retrieved or row.turn.pages)

        def show_whole(console: Screen) -> None:
            show(turn, assessment, console)
            _show_legend(turn, assessment, console)
            if is_all:
                _show_all(turn, assessment, console)
            else:
                console.print(Text(_labels(assessment)["more"], style="dim"))

        give_figures(assessment.to_dict(), show_whole, form)
    return EXIT_BAD_INPUT if assessment.status == "error" else 0


def _find(rows: Iterable[Row], row_id: str, where: str) -> Row:
    seen: list[str] = []
    for row in rows:
        if row.id == row_id:
            return row
        seen.append(row.id)
    close = difflib.get_close_matches(row_id, seen, n=3)
    hint = f"; did you mean {', '.join(close)}?" if close else _ids(seen)
    raise InputError(f'{where}: there is no row "{row_id}"{hint}')


def _ids(seen: Sequence[str]) -> str:
    """Return how the rows of a log are called, for a message."""
    if not seen:
        return "; it has no rows"
    if all(_NUMBERED.fullmatch(one) for one in seen):
        return (
            f"; its rows have no id and are called {seen[0]} to {seen[-1]}; --map id=FIELD names "
            "a field with ids"
        )
    return f"; it has {counted(len(seen), 'row')}, such as {seen[0]}"


def show(turn: Turn, assessment: Assessment, console: Console) -> None:
    """Print a turn with its assessment."""
    words = _labels(assessment)
    width = max(len(words["question"]), len(words["type"])) + 2
    label = Text(words["question"], style="bold")
    console.print(_beside(label, width, Text(clean(without_html(turn.question)))))
    console.print(
        _beside(Text(words["type"], style="bold"), width, _type(turn.question, assessment))
    )
    console.print()
    console.print(shown(assessment.sentences[0], f"bold {STYLES[assessment.verdict]}"))
    if len(assessment.sentences) > 1:
        console.print(shown(assessment.why))
    console.print()
    every = in_sentences(turn, assessment)
    for sentence in every[:_MAX_SENTENCES]:
        _show_sentence(sentence, console)
    if len(every) > _MAX_SENTENCES:
        further = whole(len(every) - _MAX_SENTENCES, assessment.language)
        console.print(Text(words["others"].format(count=further), style="dim"))
    if assessment.retrieved:
        pages = ", ".join(page.id for page in assessment.retrieved)
        console.print(shown(f"\n{words['retrieved'].format(pages=pages)}", "dim"))
    if assessment.translation is not None:
        console.print(shown(f"\n{_translated(assessment, words)}", "dim"))


def _show_legend(turn: Turn, assessment: Assessment, console: Console) -> None:
    words = _labels(assessment)
    shown_sentences = in_sentences(turn, assessment)[:_MAX_SENTENCES]
    kinds = {sentence.kind for sentence in shown_sentences}
    signs = [f"{_SIGNS[kind][0]} {words[name]}" for kind, name in _LEGEND.items() if kind in kinds]
    console.print(Text("\n" + "   ".join(signs), style="dim"))
    if any(piece.kind == DIFFERS for each in shown_sentences for piece in each.passage):
        own, page = Piece(words["answer"], DIFFERS), Piece(words["page"], DIFFERS)
        marks = _marked([own], "own", console), " ", _marked([page], "page", console)
        console.print(Text.assemble((f"{words['differs']} ", "dim"), *marks))


def in_sentences(turn: Turn, assessment: Assessment) -> tuple[Sentence, ...]:
    """Return the sentences of the answer with their evidence."""
    return sentences(
        read_text(turn.answer),
        [_at_its_words(claim, turn.pages) for claim in assessment.claims],
        assessment.measurements,
        assessment.explanation,
        assessment.language,
        is_sent=assessment.verdict == "send",
    )


def _at_its_words(claim: CheckedClaim, pages: Sequence[Page]) -> CheckedClaim:
    """Return the claim with the line of its passage on which the words begin to differ."""
    place = claim.passage
    texts_there = [page.text for page in pages if place is not None and page.id == place.page]
    if place is None or not claim.differing or len(texts_there) != 1:
        return claim
    start, end = claim.differing[0]
    text, words, at = texts_there[0], place.text[start:end], place.start
    for number in range(place.text.count(words, 0, start) + 1):
        at = text.find(words, at + (len(words) if number else 0), place.end)
        if at < 0:  # markup stands between them
            return claim
    return replace(claim, passage=replace(place, line=text.count("\n", 0, at) + 1))


def _show_sentence(sentence: Sentence, console: Console) -> None:
    sign = Text(*_SIGNS[sentence.kind])
    style = "bold" if sentence.is_heading else "none"
    lead = Text(f"{sentence.lead} " if sentence.lead else "", style=style)
    console.print(_beside(sign, 2, lead.append(_marked(sentence.words, "own", console))))
    if not sentence.note:
        return
    where = f" ({sentence.where})" if sentence.where else ""
    console.print(_beside(Text(), 4, shown(f"{sentence.note}{where}", "dim")))
    if sentence.passage:
        passage = Text("“").append(_marked(sentence.passage, "page", console)).append("”")
        console.print(_beside(Text(), 4, passage))


def _beside(sign: Text, columns: int, text: Text) -> Table:
    """Return a text with a margin for a sign."""
    grid = Table.grid(Column(width=columns), Column(overflow="fold"))
    grid.add_row(sign, text)
    return grid


def _marked(pieces: Iterable[Piece], side: str, console: Console) -> Text:
    """Return pieces as one text; differing words have a colour or brackets."""
    colour = console.color_system is not None and not console.no_color
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


def _labels(assessment: Assessment) -> Any:  # noqa: ANN401 (a table of texts)
    return texts(assessment.language)["explain"]


def _type(question: str, assessment: Assessment) -> Text:
    words = _labels(assessment)
    kinds = log_texts(in_report(assessment.language))["kinds"]
    line = Text(kinds.get(assessment.message_type, words["type_unknown"]))
    if assessment.span is not None:
        decided = clean(question[assessment.span[0] : assessment.span[1]])
        line.append(f"  ({words['type_from'].format(text=decided)})", style="dim")
    return line


def _translated(assessment: Assessment, words: Mapping[str, Any]) -> str:
    note = assessment.translation
    if note is None or note.status == "failed":
        return str(words["untranslated"])
    readers = [
        _name(name, assessment)
        for name in assessment.measurements
        if BY_NAME[name].reads_translation
    ]
    what = words["everything"] if note.scope == "whole" else ", ".join(readers) or "–"
    line = words["translated"].format(source=note.source, target=note.target, what=what)
    unmasked = words["unmasked"].format(count=note.unmasked_count)
    return f"{line} {unmasked}" if note.unmasked_count else str(line)


def _show_all(turn: Turn, assessment: Assessment, console: Console) -> None:
    words = _labels(assessment)
    if len(assessment.sentences) > 2:  # the first two are above the answer
        console.print()
        console.print(shown(" ".join(assessment.sentences[2:])))
    if assessment.parts:
        console.print()
        _show_parts(assessment, words, console)
    if assessment.claims:
        console.print()
        _show_claims(turn, assessment, words, console)
    if assessment.path:
        console.print(Text(f"\n{words['path']}", style="bold"))
        for number, visit in enumerate(assessment.path, 1):
            console.print(Text(f"  {number}. {_of_visit(visit, assessment, words)}"))
        console.print()
        _show_features(turn, assessment, words, console)


def _show_parts(assessment: Assessment, words: Mapping[str, Any], console: Console) -> None:
    columns = Column(words["part"], ratio=1), Column(words["answer"], ratio=4)
    rows = (
        (Text(words["parts"][part.kind]), shown(brief(clean(part.text))))
        for part in assessment.parts[:_MAX_SENTENCES]
    )
    console.print(table(columns, rows))


def _show_claims(
    turn: Turn, assessment: Assessment, words: Mapping[str, Any], console: Console
) -> None:
    columns = (
        Column(words["statement"], ratio=3),
        figures(words["chance"]),
        Column(words["found"], ratio=2),
        Column(words["evidence"], ratio=2),
    )
    rows = (
        (
            shown(brief(each.text)),
            decimal(each.truth, assessment.language, 2),
            shown(_findings(each)),
            shown(_place(_at_its_words(each, turn.pages), words)),
        )
        for each in assessment.claims[:_MAX_SENTENCES]
    )
    console.print(table(columns, rows))
    console.print(Text(words["stances"], style="dim"))


def _findings(claim: CheckedClaim) -> str:
    """Return the words of claim and passage that agree or differ, those that differ first."""
    ranked = sorted(claim.slots, key=lambda slot: list(_STANCES).index(slot.side))
    found = (
        f"{_STANCES[slot.side]} "
        + " | ".join(brief(side.text, _MAX_CHARS) for side in (slot.claim, slot.page) if side)
        for slot in ranked
    )
    return ", ".join(list(dict.fromkeys(found))[:_MAX_EVIDENCE])


def _place(each: CheckedClaim, words: Mapping[str, Any]) -> str:
    place = each.passage
    return "" if place is None else str(words["where"].format(page=place.page, line=place.line))


def _of_visit(visit: Visit, assessment: Assessment, words: Mapping[str, Any]) -> str:
    score = assessment.own_score or 0.0
    if visit.heuristic is None:
        if visit.value is None:
            return str(words["nothing"])
        value = decimal(visit.value, assessment.language, 3)
        return str(words["scale"].format(value=value, score=decimal(score, assessment.language, 2)))
    name = _name(visit.heuristic, assessment)
    if visit.value is None:
        reason = _reason(assessment.measurements[visit.heuristic], words)
        return f"{name}: {reason} → {words['go_on']}"
    end = words["decides_not"]
    if visit.decided:
        end = words["decides"].format(score=decimal(score, assessment.language))
    value = decimal(visit.value, assessment.language, 2)
    return f"{name} = {value}, {visit.condition}? → {end}"


def _name(heuristic: str, assessment: Assessment) -> str:
    return heuristic_name(heuristic, assessment.language)


def _reason(measurement: Measurement, words: Mapping[str, Any]) -> str:
    reason = measurement.reason or ""
    return str(words["reasons"].get(reason, reason))


def _show_features(
    turn: Turn, assessment: Assessment, words: Mapping[str, Any], console: Console
) -> None:
    language = text_language(assessment.language)
    every = in_sentences(turn, assessment)
    kinds = {(own.start, own.end): each.kind for each in every if (own := each.claim)}
    columns = (
        Column(words["feature"], ratio=2),
        *map(figures, (words["value"], words["weight"])),
        Column(words["evidence"], ratio=3),
    )
    rows = (
        (
            BY_NAME[name].texts[language]["asks"],
            decimal(measurement.value, assessment.language, 2),
            decimal(assessment.weights[name], assessment.language),
            _evidence(measurement, turn, kinds, words),
        )
        for name in sorted(assessment.measurements, key=lambda name: -assessment.weights[name])
        if (measurement := assessment.measurements[name]).value is not None
    )
    console.print(table(columns, rows))
    missing = {
        _name(name, assessment): _reason(m, words)
        for name, m in assessment.measurements.items()
        if m.value is None
    }
    if missing:
        console.print(Text(f"\n{words['missing']}", style="bold"))
        for name, reason in missing.items():
            console.print(Text(f"  {name}: ").append(shown(reason, "dim")))


def _evidence(
    measurement: Measurement,
    turn: Turn,
    kinds: Mapping[tuple[int, int], str],
    words: Mapping[str, Any],
) -> Text:
    """Return the first pieces of evidence, contradictions first; claims have their own kind."""
    text = Text()
    known = [(item, kinds.get((item.start, item.end), item.kind)) for item in measurement.evidence]
    order = list(_SIGNS)
    ranked = sorted(known, key=lambda each: order.index(each[1]))
    for item, kind in ranked[:_MAX_EVIDENCE]:
        # A pair of words that no page has says more than the text between them.
        is_pair = kind == "unsupported" and item.entry is not None and " – " in item.entry
        stretch = clean(brief((item.entry or "") if is_pair else item.text, _MAX_CHARS))
        sign, style = _SIGNS[kind]
        text.append(f"{sign}\u00a0{stretch}", style=style)
        text.append(f"{_where(item, turn, words)}  ", style="dim")
    if len(ranked) > _MAX_EVIDENCE:
        text.append(words["others"].format(count=len(ranked) - _MAX_EVIDENCE), style="dim")
    return text


def _where(item: Evidence, turn: Turn, words: Mapping[str, Any]) -> str:
    """Return the page, with the line unless several contexts have its name."""
    if not item.page:
        return ""
    where = clean(item.page)
    same = [page for page in turn.pages if page.id == item.page]
    if len(same) == 1:
        line = same[0].text.count("\n", 0, item.page_start or 0) + 1
        where = words["where"].format(page=where, line=line)
    return f" ({where})"
