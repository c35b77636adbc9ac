"""``klopt explain``: the evidence for an answer, the path through the tree, the features."""

from __future__ import annotations

import difflib
import re
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import Any, Final

from rich.console import Console
from rich.table import Column, Table
from rich.text import Text

from klopt.cli import EXIT_BAD_INPUT, options
from klopt.cli.models import OpinionOptions
from klopt.cli.options import as_command, option, refuse_both_or_neither
from klopt.cli.score import STYLES
from klopt.cli.scoring import (
    ScoringOptions,
    TranslationOptions,
    demo_rows,
    demo_terms,
    has_answer,
)
from klopt.cli.terminal import Screen, counted, figures, give_figures, shown, table, warn
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
}  # Sign and colour of each kind of sentence or evidence, in the order in which evidence is shown
_LEGEND: Final = {
    "supported": "is_supported",
    "fault": "is_fault",
    "unconfirmed": "is_unconfirmed",
    "": "is_open",
}
_DIFFERS: Final = {"own": ("[-", "-]", "bold red"), "page": ("[+", "+]", "bold green")}
"""Side → brackets around its differing words without colour, and their style with colour."""
_STANCES: Final = {"against": "-", "open": "?", "for": "+"}  # Side of a finding → its sign
_NUMBERED: Final = re.compile(r"row-\d+")  # names of rows without an id
_MAX_AHEAD: Final = 100_000  # Rows after the explained one that are searched for the same id
_MAX_SENTENCES: Final = 200  # Rows of a table of sentences, parts or claims
_MAX_EVIDENCE: Final = 6  # Pieces of evidence for one claim or feature
_MAX_CHARS: Final = 50  # Characters of one piece of evidence


@as_command("explain", "klopt explain log.jsonl --pages help/ --id 42")
def command(
    *,
    file: options.FileOrNone,
    demo: options.Demo,
    row_id: str = option(
        "Id of the row to explain, or row-2 for the second.", "--id", required=True
    ),
    is_all: bool = option(
        "Also show all features, and the path through the decision tree.", "--all"
    ),
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
        rows = (
            demo_rows() if file is None else scoring.rows(file, encoding=encoding, is_answered=True)
        )
        row = _find(rows, row_id, file or "the demo log")
        if row.turn is None:
            raise InputError(row.problem or "")
        if not has_answer(row):
            deque(rows, 0)  # raises if no row has one
        assessment = scorer.score(row.turn, measure_all=is_all)
        turn = replace(row.turn, contexts=assessment.retrieved or row.turn.pages)

        def show_whole(console: Screen) -> None:
            explained = Explained(turn, assessment, console)
            explained.show()
            explained.show_rest(is_all=is_all)

        give_figures(assessment.to_dict(), show_whole, form)
    return EXIT_BAD_INPUT if assessment.status == "error" else 0


def _find(rows: Iterator[Row], row_id: str, where: str) -> Row:
    """Return the first row with an id, or of a number such as row-2; warn if others have the id."""
    seen: list[str] = []
    for row in rows:
        if row.id == row_id:
            same = [own for own in islice(rows, _MAX_AHEAD) if own.id == row_id]
            if same:
                others = counted(len(same), "more row")
                again = f"--id row-{same[0].number} explains the next"
                warn(f'{where}: {others} with the id "{row_id}"; {again}')
            return row
        if row_id == f"row-{row.number}":
            return row
        seen.append(row.id)
    close = difflib.get_close_matches(row_id, seen, n=3)
    hint = f"; did you mean {', '.join(close)}?" if close else _ids(seen)
    raise InputError(f'{where}: there is no row "{row_id}"{hint}')


def _ids(seen: Sequence[str]) -> str:
    """Return which ids the rows of a log have, for the message that one is missing."""
    if not seen:
        return "; it has no rows"
    if not all(map(_NUMBERED.fullmatch, seen)):
        return f"; it has {counted(len(seen), 'row')}, such as {seen[0]}"
    called = f"called {seen[0]} to {seen[-1]}"
    return f"; its rows have no id and are {called}; --map id=FIELD names a field with ids"


class Explained:
    """A turn with its assessment, printed on a console in the language of the answer."""

    def __init__(self, turn: Turn, assessment: Assessment, console: Console) -> None:
        self._turn, self._found, self._console = turn, assessment, console
        self._words: Any = texts(assessment.language)["explain"]
        self._every = sentences_of(turn, assessment)
        # Where nothing was verified, a sentence without a sign is not one without a claim.
        self._is_verified = assessment.score is not None or bool(assessment.claims)
        self._decimal = partial(decimal, language=assessment.language)
        self._name = partial(heuristic_name, language=assessment.language)

    def _print(self, text: str | Text | Table = "", style: str = "") -> None:
        self._console.print(Text(text, style=style) if isinstance(text, str) else text)

    def show(self) -> None:
        """Print question, verdict, and the sentences of the answer beside their evidence."""
        words, found = self._words, self._found
        width = max(len(words["question"]), len(words["type"])) + 2
        question = Text(clean(without_html(self._turn.question)))
        for name, text in (("question", question), ("type", self._type())):
            self._print(_beside(Text(words[name], style="bold"), width, text))
        self._print()
        self._print(shown(found.sentences[0], f"bold {STYLES[found.verdict]}"))
        if len(found.sentences) > 1:
            self._print(shown(found.why))
        self._print()
        for sentence in self._every[:_MAX_SENTENCES]:
            self._show_sentence(sentence)
        if (more := len(self._every) - _MAX_SENTENCES) > 0:
            self._print(words["others"].format(count=whole(more, found.language)), "dim")
        if found.retrieved:
            pages = ", ".join(page.id for page in found.retrieved)
            self._print(shown(f"\n{words['retrieved'].format(pages=pages)}", "dim"))
        if found.translation is not None:
            self._print(shown(f"\n{self._translated()}", "dim"))

    def show_rest(self, *, is_all: bool) -> None:
        """Print what signs and marks mean, and with ``is_all`` the whole way to the score."""
        words, found = self._words, self._found
        every = self._every[:_MAX_SENTENCES]
        kinds = {one.kind for one in every if one.kind or self._is_verified}
        signs = (
            f"{_SIGNS[kind][0]} {words[name]}" for kind, name in _LEGEND.items() if kind in kinds
        )
        self._print("\n" + "   ".join(signs) if kinds else "", "dim")
        if any(piece.kind == DIFFERS for each in every for piece in each.passage):
            own, page = ([Piece(words[name], DIFFERS)] for name in ("answer", "page"))
            marks = self._marked(own, "own"), " ", self._marked(page, "page")
            self._print(Text.assemble((f"{words['differs']} ", "dim"), *marks))
        if not is_all:
            self._print(words["more"], "dim")
            return
        if len(found.sentences) > 2:  # the first two are above the answer
            self._print()
            self._print(shown(" ".join(found.sentences[2:])))
        if found.parts:
            self._print()
            columns = Column(words["part"], ratio=1), Column(words["answer"], ratio=4)
            parts = ((words["parts"][one.kind], brief(clean(one.text))) for one in found.parts)
            rows = ((Text(kind), shown(text)) for kind, text in islice(parts, _MAX_SENTENCES))
            self._print(table(columns, rows))
        if found.claims:
            self._print()
            self._show_claims()
        if found.path:
            self._print(f"\n{words['path']}", "bold")
            for number, visit in enumerate(found.path, 1):
                self._print(f"  {number}. {self._visit_line(visit)}")
            self._print()
            self._show_features()

    def _show_sentence(self, sentence: Sentence) -> None:
        style = "bold" if sentence.is_heading else "none"
        lead = Text(f"{sentence.lead} " if sentence.lead else "", style=style)
        words = lead.append(self._marked(sentence.words, "own"))
        is_signed = sentence.kind or self._is_verified
        self._print(_beside(Text(*_SIGNS[sentence.kind]) if is_signed else Text(), 2, words))
        if not sentence.note:
            return
        where = f" ({sentence.where})" if sentence.where else ""
        self._print(_beside(Text(), 4, shown(f"{sentence.note}{where}", "dim")))
        if sentence.passage:
            passage = Text("“").append(self._marked(sentence.passage, "page")).append("”")
            self._print(_beside(Text(), 4, passage))

    def _marked(self, pieces: Iterable[Piece], side: str) -> Text:
        """Return pieces as one text; differing words have a colour or brackets."""
        colour = self._console.color_system is not None and not self._console.no_color
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

    def _type(self) -> Text:
        kinds, span = log_texts(in_report(self._found.language))["kinds"], self._found.span
        line = Text(kinds.get(self._found.message_type, self._words["type_unknown"]))
        if span is not None:
            decided = self._words["type_from"].format(text=clean(self._turn.question[slice(*span)]))
            line.append(f"  ({decided})", style="dim")
        return line

    def _translated(self) -> str:
        note, words = self._found.translation, self._words
        if note is None or note.status == "failed":
            return str(words["untranslated"])
        readers = (name for name in self._found.measurements if BY_NAME[name].reads_translation)
        names = ", ".join(map(self._name, readers))
        what = words["everything"] if note.scope == "whole" else names or "–"
        line = words["translated"].format(source=note.source, target=note.target, what=what)
        unmasked = words["unmasked"].format(count=note.unmasked_count)
        return f"{line} {unmasked}" if note.unmasked_count else str(line)

    def _show_claims(self) -> None:
        words = self._words
        found, evidence = (Column(words[name], ratio=2) for name in ("found", "evidence"))
        columns = Column(words["statement"], ratio=3), figures(words["chance"]), found, evidence

        def cells(each: CheckedClaim) -> tuple[Text, str, Text, Text]:
            at = _at_first_difference(each, self._turn.pages).passage
            place = "" if at is None else words["where"].format(page=at.page, line=at.line)
            truth = self._decimal(each.truth, places=2)
            return shown(brief(each.text)), truth, shown(_findings(each)), shown(place)

        self._print(table(columns, map(cells, self._found.claims[:_MAX_SENTENCES])))
        self._print(words["stances"], "dim")

    def _visit_line(self, visit: Visit) -> str:
        words, score = self._words, self._found.own_score or 0.0
        if visit.heuristic is None:
            if visit.value is None:
                return str(words["nothing"])
            value = self._decimal(visit.value, places=3)
            return str(words["scale"].format(value=value, score=self._decimal(score, places=2)))
        name = self._name(visit.heuristic)
        if visit.value is None:
            reason = self._reason(self._found.measurements[visit.heuristic])
            return f"{name}: {reason} → {words['go_on']}"
        end = words["decides_not"]
        if visit.decided:
            end = words["decides"].format(score=self._decimal(score))
        return f"{name} = {self._decimal(visit.value, places=2)}, {visit.condition}? → {end}"

    def _reason(self, measurement: Measurement) -> str:
        reason = measurement.reason or ""
        return str(self._words["reasons"].get(reason, reason))

    def _show_features(self) -> None:
        words, found = self._words, self._found
        language = text_language(found.language)
        kinds = {
            (claim.start, claim.end): each.kind for each in self._every if (claim := each.claim)
        }
        value, weight = map(figures, (words["value"], words["weight"]))
        feature, evidence = Column(words["feature"], ratio=2), Column(words["evidence"], ratio=3)
        rows = []
        for name in sorted(found.measurements, key=lambda name: -found.weights[name]):
            own = found.measurements[name]
            if own.value is not None:
                figure, weighs = self._decimal(own.value, places=2), found.weights[name]
                asks, evidence_shown = (
                    BY_NAME[name].texts[language]["asks"],
                    self._evidence(own, kinds),
                )
                rows.append((asks, figure, self._decimal(weighs), evidence_shown))
        self._print(table((feature, value, weight, evidence), rows))
        missing = {name: own for name, own in found.measurements.items() if own.value is None}
        if missing:
            self._print(f"\n{words['missing']}", "bold")
        for name, own in missing.items():
            self._print(Text(f"  {self._name(name)}: ").append(shown(self._reason(own), "dim")))

    def _evidence(self, measurement: Measurement, kinds: Mapping[tuple[int, int], str]) -> Text:
        """Return the first pieces of evidence, contradictions first; claims have their own kind."""
        text, order = Text(), list(_SIGNS)
        known = [(own, kinds.get((own.start, own.end), own.kind)) for own in measurement.evidence]
        for item, kind in sorted(known, key=lambda each: order.index(each[1]))[:_MAX_EVIDENCE]:
            # For a pair of words that no page has, show the pair, not the text between them.
            is_pair = kind == "unsupported" and item.entry is not None and " – " in item.entry
            stretch = clean(brief((item.entry or "") if is_pair else item.text, _MAX_CHARS))
            sign, style = _SIGNS[kind]
            text.append(f"{sign}\u00a0{stretch}", style=style)
            text.append(f"{self._where(item)}  ", style="dim")
        if (more := len(known) - _MAX_EVIDENCE) > 0:
            text.append(self._words["others"].format(count=more), style="dim")
        return text

    def _where(self, item: Evidence) -> str:
        """Return the page, with the line unless several contexts have its name."""
        if not item.page:
            return ""
        where, same = clean(item.page), [own for own in self._turn.pages if own.id == item.page]
        if len(same) == 1:
            line = same[0].text.count("\n", 0, item.page_start or 0) + 1
            where = self._words["where"].format(page=where, line=line)
        return f" ({where})"


def sentences_of(turn: Turn, assessment: Assessment) -> tuple[Sentence, ...]:
    """Return the sentences of the answer with their evidence."""
    claims = [_at_first_difference(claim, turn.pages) for claim in assessment.claims]
    is_sent, about = assessment.verdict == "send", (assessment.explanation, assessment.language)
    return sentences(
        read_text(turn.answer), claims, assessment.measurements, *about, is_sent=is_sent
    )


def _at_first_difference(claim: CheckedClaim, pages: Sequence[Page]) -> CheckedClaim:
    """Return the claim with its passage's line set to that of the first differing word."""
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


def _beside(sign: Text, columns: int, text: Text) -> Table:
    """Return a text with a margin for a sign."""
    grid = Table.grid(Column(width=columns), Column(overflow="fold"))
    grid.add_row(sign, text)
    return grid


def _findings(claim: CheckedClaim) -> str:
    """Return the words of claim and passage that agree or differ, those that differ first."""
    found: dict[str, None] = {}
    for slot in sorted(claim.slots, key=lambda slot: list(_STANCES).index(slot.side)):
        sides = (brief(side.text, _MAX_CHARS) for side in (slot.claim, slot.page) if side)
        found[f"{_STANCES[slot.side]} {' | '.join(sides)}"] = None
    return ", ".join(list(found)[:_MAX_EVIDENCE])
