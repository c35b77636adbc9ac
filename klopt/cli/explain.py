"""``klopt explain``: what the pages support, the path through the tree, the features."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from typing import Any, Final

from rich.console import Console
from rich.table import Column, Table
from rich.text import Text

from klopt.batch.rows import Row
from klopt.cli import EXIT_BAD_INPUT, options
from klopt.cli.demo_log import demo_rows, demo_terms
from klopt.cli.options import as_command, option, refuse_both_or_neither
from klopt.cli.score import STYLES
from klopt.cli.scoring import ANY, OpinionOptions, ScoringOptions, TranslationOptions
from klopt.cli.terminal import Screen, figures, give_figures, shown, table
from klopt.errors import InputError
from klopt.heuristics import BY_NAME
from klopt.reading.markup import read_text
from klopt.records import Evidence, Measurement, Page, Turn, clean
from klopt.report.evidence import DIFFERS, Piece, Sentence, sentences
from klopt.report.wording import brief
from klopt.scoring.assessment import Assessment, CheckedStatement, Slot
from klopt.scoring.explanation import decimal, said_in, texts, whole
from klopt.scoring.tree import Visit

_SIGNS: Final = {
    "unsupported": ("✗", "red"),
    "fault": ("✗", "red"),
    "unconfirmed": ("?", "yellow"),
    "supported": ("✓", "green"),
    "found": ("·", "none"),
    "": ("·", "none"),
}
"""Of sentences, and of evidence: in the order in which evidence is told."""
_LEGEND: Final = {
    "supported": "is_supported",
    "fault": "is_fault",
    "unconfirmed": "is_unconfirmed",
    "": "is_open",
}
_DIFFERS: Final = {"own": ("[-", "-]", "bold red"), "page": ("[+", "+]", "bold green")}
"""How words that differ are set off: without colour before and after them, and in colour."""
_STANCES: Final = {"for": "+", "against": "-", "open": "?"}
_MOST_SENTENCES: Final = 200
_MOST_EVIDENCE: Final = 6
_LONGEST_CHARS: Final = 50


@as_command("explain", "klopt explain log.jsonl --pages help/ --id 42")
def command(
    *,
    file: options.FileOrNone,
    demo: options.Demo,
    row_id: str = option("The row to explain.", "--id", required=True),
    is_all: bool = option("Also what was measured, and the path.", "--all"),
    scoring: ScoringOptions,
    translating: TranslationOptions,
    advising: OpinionOptions,
    form: options.Format,
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
        turn = replace(row.turn, contexts=assessment.retrieved or row.turn.pages)

        def show_whole(console: Screen) -> None:
            show(turn, assessment, console, reads_any=translating.translate == ANY)
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
    hint = f"; did you mean {', '.join(close)}?" if close else f"; it has {len(seen)} rows"
    raise InputError(f'{where}: there is no row "{row_id}"{hint}')


def show(turn: Turn, assessment: Assessment, console: Console, *, reads_any: bool = False) -> None:
    """Prints what a person needs to see of a turn and its assessment.

    ``reads_any`` is whether a language without word lists was read as it stands.
    """
    words = _labels(assessment)
    width = max(len(words["question"]), len(words["type"])) + 2
    label = Text(words["question"], style="bold")
    console.print(_beside(label, width, Text(clean(turn.question))))
    console.print(
        _beside(Text(words["type"], style="bold"), width, _type(turn.question, assessment))
    )
    console.print()
    console.print(shown(assessment.sentences[0], f"bold {STYLES[assessment.verdict]}"))
    if len(assessment.sentences) > 1:
        console.print(shown(assessment.why))
    console.print()
    every = in_sentences(turn, assessment)
    for sentence in every[:_MOST_SENTENCES]:
        _show_sentence(sentence, console)
    if len(every) > _MOST_SENTENCES:
        further = whole(len(every) - _MOST_SENTENCES, assessment.language)
        console.print(Text(words["others"].format(count=further), style="dim"))
    if assessment.retrieved:
        pages = ", ".join(page.id for page in assessment.retrieved)
        console.print(shown(f"\n{words['retrieved'].format(pages=pages)}", "dim"))
    if assessment.translation is not None:
        console.print(shown(f"\n{_translated(assessment, words, reads_any=reads_any)}", "dim"))


def _show_legend(turn: Turn, assessment: Assessment, console: Console) -> None:
    """What the signs before sentences, and the marks in them, stand for."""
    words = _labels(assessment)
    shown_sentences = in_sentences(turn, assessment)[:_MOST_SENTENCES]
    kinds = {sentence.kind for sentence in shown_sentences}
    signs = [f"{_SIGNS[kind][0]} {words[told]}" for kind, told in _LEGEND.items() if kind in kinds]
    console.print(Text("\n" + "   ".join(signs), style="dim"))
    if any(piece.kind == DIFFERS for each in shown_sentences for piece in each.passage):
        own, page = Piece(words["answer"], DIFFERS), Piece(words["page"], DIFFERS)
        marks = _marked([own], "own", console), " ", _marked([page], "page", console)
        console.print(Text.assemble((f"{words['differs']} ", "dim"), *marks))


def in_sentences(turn: Turn, assessment: Assessment) -> tuple[Sentence, ...]:
    """The answer, with what the pages say of each sentence."""
    return sentences(
        read_text(turn.answer),
        [_at_its_words(statement, turn.pages) for statement in assessment.statements],
        assessment.measurements,
        assessment.explanation,
        assessment.language,
        is_sent=assessment.verdict == "send",
    )


def _at_its_words(statement: CheckedStatement, pages: Sequence[Page]) -> CheckedStatement:
    """The statement, whose passage is on the line where the page's words begin to differ."""
    place = statement.passage
    texts_there = [page.text for page in pages if place is not None and page.id == place.page]
    if place is None or not statement.differing or len(texts_there) != 1:
        return statement
    start, end = statement.differing[0]
    text, words, at = texts_there[0], place.text[start:end], place.start
    for number in range(place.text.count(words, 0, start) + 1):
        at = text.find(words, at + (len(words) if number else 0), place.end)
        if at < 0:  # markup stands between them
            return statement
    return replace(statement, passage=replace(place, line=text.count("\n", 0, at) + 1))


def _show_sentence(sentence: Sentence, console: Console) -> None:
    sign = Text(*_SIGNS[sentence.kind])
    style = "bold" if sentence.is_heading else "none"
    lead = Text(f"{sentence.lead} " if sentence.lead else "", style=style)
    console.print(_beside(sign, 2, lead.append(_marked(sentence.words, "own", console))))
    if not sentence.said:
        return
    where = f" ({sentence.where})" if sentence.where else ""
    console.print(_beside(Text(), 4, shown(f"{sentence.said}{where}", "dim")))
    if sentence.passage:
        passage = Text("“").append(_marked(sentence.passage, "page", console)).append("”")
        console.print(_beside(Text(), 4, passage))


def _beside(sign: Text, columns: int, text: Text) -> Table:
    """A text with a margin of so many columns, in which a sign may stand."""
    grid = Table.grid(Column(width=columns), Column(overflow="fold"))
    grid.add_row(sign, text)
    return grid


def _marked(pieces: Iterable[Piece], side: str, console: Console) -> Text:
    """Pieces on one line, those that differ in colour or between brackets."""
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
    line = Text(assessment.message_type or _labels(assessment)["type_unknown"])
    if assessment.span is not None:
        decided = question[assessment.span[0] : assessment.span[1]]
        line.append(f"  (pattern {assessment.pattern}: “{clean(decided)}”)", style="dim")
    elif assessment.pattern:
        line.append(f"  ({assessment.pattern})", style="dim")
    return line


def _translated(assessment: Assessment, words: Mapping[str, Any], *, reads_any: bool) -> str:
    """What was read in translation, of what is shown."""
    note = assessment.translation
    if note is None or note.status == "failed":
        return str(words["untranslated"])
    from klopt.translation.word_for_word import SOURCES

    if reads_any and note.source not in (*SOURCES, note.target):
        return str(words["as_it_stands"].format(source=note.source))
    readers = [name for name in assessment.measurements if BY_NAME[name].reads_translation]
    what = words["everything"] if note.scope == "whole" else ", ".join(readers) or "–"
    line = words["translated"].format(source=note.source, target=note.target, what=what)
    unmasked = words["unmasked"].format(count=note.unmasked_count)
    return f"{line} {unmasked}" if note.unmasked_count else str(line)


def _show_all(turn: Turn, assessment: Assessment, console: Console) -> None:
    """All that was said, the path through the tree, what was measured, and what was used."""
    words = _labels(assessment)
    console.print()
    console.print(shown(assessment.explanation))
    if assessment.statements:
        console.print()
        _show_statements(turn, assessment, words, console)
    if assessment.path:
        console.print(Text(f"\n{words['path']}", style="bold"))
        for visit in assessment.path:
            console.print(Text(f"  {visit.node:<18} {_of_visit(visit, assessment, words)}"))
        console.print()
        _show_features(turn, assessment, words, console)
    console.print()
    console.print(shown(assessment.fingerprint, "dim"))


def _show_statements(
    turn: Turn, assessment: Assessment, words: Mapping[str, Any], console: Console
) -> None:
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
            decimal(each.truth, assessment.language, 2),
            shown(", ".join(dict.fromkeys(map(_finding, each.slots)))),
            shown(_place(_at_its_words(each, turn.pages), words)),
        )
        for each in assessment.statements[:_MOST_SENTENCES]
    )
    console.print(table(columns, rows))
    console.print(Text(words["stances"], style="dim"))


def _finding(slot: Slot) -> str:
    """What was found, and for or against; of what speaks against, the words of answer and page."""
    told = f"{slot.kind} {_STANCES[slot.side]}"
    if slot.side != "against":
        return told
    return f"{told} ({' | '.join(brief(side.text) for side in (slot.claim, slot.page) if side)})"


def _place(each: CheckedStatement, words: Mapping[str, Any]) -> str:
    place = each.passage
    return "" if place is None else str(words["where"].format(page=place.page, line=place.line))


def _of_visit(visit: Visit, assessment: Assessment, words: Mapping[str, Any]) -> str:
    """What a node asked and what came of it."""
    score = assessment.own_score or 0.0
    if visit.heuristic is None:
        if visit.value is None:
            return str(words["nothing"])
        value = decimal(visit.value, assessment.language, 3)
        return str(words["scale"].format(value=value, score=decimal(score, assessment.language, 2)))
    if visit.value is None:
        reason = _reason(assessment.measurements[visit.heuristic], words)
        return f"{visit.heuristic}: {reason} → {words['go_on']}"
    end = words["decides_not"]
    if visit.decided:
        end = words["decides"].format(score=decimal(score, assessment.language))
    asked = f"{visit.heuristic} = {visit.value:.2f}, {visit.condition}?"
    return f"{asked} → {end}"


def _reason(measurement: Measurement, words: Mapping[str, Any]) -> str:
    """Why something was not measured, in the language of the explanation."""
    reason = measurement.reason or ""
    return str(words["reasons"].get(reason, reason))


def _show_features(
    turn: Turn, assessment: Assessment, words: Mapping[str, Any], console: Console
) -> None:
    """The features that could be measured, the heaviest first; the others by name, with why."""
    language = said_in(assessment.language)
    every = in_sentences(turn, assessment)
    kinds = {(own.start, own.end): each.kind for each in every if (own := each.statement)}
    columns = (
        Column(words["feature"], ratio=2),
        *map(figures, (words["value"], words["weight"])),
        Column(words["evidence"], ratio=3),
    )
    rows = (
        (
            Text(f"{BY_NAME[name].texts[language]['asks']} ").append(name, style="dim"),
            decimal(measurement.value, assessment.language, 2),
            decimal(assessment.weights[name], assessment.language),
            _evidence(measurement, turn, kinds, words),
        )
        for name in sorted(assessment.measurements, key=lambda name: -assessment.weights[name])
        if (measurement := assessment.measurements[name]).value is not None
    )
    console.print(table(columns, rows))
    missing = {
        name: _reason(m, words) for name, m in assessment.measurements.items() if m.value is None
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
    """The first pieces of evidence, faults first; of statements the kind is that of ``kinds``."""
    text = Text()
    known = [(item, kinds.get((item.start, item.end), item.kind)) for item in measurement.evidence]
    order = list(_SIGNS)
    ranked = sorted(known, key=lambda each: order.index(each[1]))
    for item, kind in ranked[:_MOST_EVIDENCE]:
        # A pair of words that no page has says more than the stretch between them.
        is_pair = kind == "unsupported" and item.entry is not None and " – " in item.entry
        stretch = clean(brief((item.entry or "") if is_pair else item.text, _LONGEST_CHARS))
        sign, style = _SIGNS[kind]
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
