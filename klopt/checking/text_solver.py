"""A solver without a model: fills in key terms and finds steps by comparing words."""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

import Stemmer

from klopt import lexicons, shipped
from klopt.checking.grading import Fill, Sign, Solution, StepFinding
from klopt.checking.reference import BOLD, KeyTerm, Reference
from klopt.checking.step_places import find_steps
from klopt.checking.term_places import find_term, is_emphasis
from klopt.checking.words import CheckedLanguage, Covered, Words, language
from klopt.errors import UnknownLanguageError
from klopt.lexicons import apart
from klopt.reading.html import read_html
from klopt.reading.markup import guess_format
from klopt.reading.reader import vote
from klopt.reading.text import read_plain
from klopt.records import Turn
from klopt.scoring.assessment import Quote

STEP_FROM: Final = 0.5
"""An answer has a step when it has at least this much of it."""
DOUBTS: Final = 3.0
"""So many expressions of doubt make the sign 1 - 1/e, about two thirds."""

_BEFORE_WORDS: Final = re.compile(r"[^\w]*(?:\d{1,3}[.)][^\w]*)?")
_DIGITS: Final = 8


class TextSolver:
    r"""Finds a reference's key terms and steps in an answer by their words; no model, no network.

    A key term is found when the answer has its words, in the same order and next to each other;
    see `klopt.checking.term_places.find_term`. A step is found when the answer has at least
    `STEP_FROM` of its words, by weight: as the same stem, a synonym, or a word with the same
    beginning. An answer in Markdown is read as it stands, one in HTML without its tags. Safe in
    threads; the same input gives the same solution on every machine.

    Args:
        code: ``nl``, ``en``, or ``auto``: the turn's own language, else a vote on question,
            answer and reference.

    Source:
        Ours, for the tests of TechSupportEval, section III-C.

    Differs:
        Theirs asks a model for both. Words do not tell what an answer means: a step in wholly
        other words is not found, and one that is denied is.

    >>> from klopt.checking.reference import read_reference
    >>> turn = Turn("Printer?", "Restart it, then open printers.conf.")
    >>> reference = read_reference("1. Open **printers.conf**.\n2. Restart the printer.")
    >>> solution = TextSolver("en").solve(turn, reference)
    >>> solution.fills[0].text, solution.order
    ('printers.conf', (1, 0))
    """

    name: Final = "text"

    def __init__(self, code: str = "auto") -> None:
        if code != "auto":
            language(code)
        self._code = code

    @property
    def signature(self) -> str:
        """The name, the version of the stemmers, and the digest of the tables."""
        return f"{self.name}|{_tables()}"

    def solve(self, turn: Turn, reference: Reference) -> Solution:
        """Looks for the reference in the turn's answer; reads the question too, and no pages.

        A fill tells what stands in a term's place when at least half of the term is there; a
        finding tells where a step is when its degree is `STEP_FROM` or more.

        Raises:
            UnknownLanguageError: The vote does not decide, or there are no tables.
            PatternTimeoutError: A pattern for doubt took too long.
        """
        source = turn.answer.replace("\r", "\n")
        plain = read_html(source) if guess_format(source) == "html" else read_plain(source)
        tables = self._language(turn, plain.text, reference)
        answer = tables.read(plain)
        places = find_steps(reference.steps, answer, tables)
        fills = tuple(
            _fill(number, term, answer, places[term.step], tables)
            for number, term in enumerate(reference.terms, 1)
        )
        return Solution(
            fills,
            _order(places),
            tuple(_finding(number, place, answer) for number, place in enumerate(places)),
            signs=(
                contradiction(answer, reference.text, tables),
                doubt(answer, reference.text, tables),
                added(answer, turn.question, reference.text, tables),
            ),
        )

    def _language(self, turn: Turn, answer: str, reference: Reference) -> CheckedLanguage:
        code = turn.language if self._code == "auto" else self._code
        if code != "auto":
            return language(code)
        voted = vote([turn.question, answer, reference.text]).language
        if voted is None:
            raise UnknownLanguageError(
                "the vote on the language of question, answer and reference does not decide; "
                f"state one of {', '.join(lexicons.languages())}"
            )
        return language(voted)


def _fill(blank: int, term: KeyTerm, answer: Words, step: Covered, tables: CheckedLanguage) -> Fill:
    """The place of a term that is in its step, or next to it.

    A bold "must" is emphasis, and is there when its step is.
    """
    begin, end = step.run or (0, 0)

    def distance(place: Covered) -> int:
        first, last = place.run or (0, 0)
        return max(begin - first, last - end, 0)

    place = min(find_term(term.text, answer, tables), key=distance)
    degree = place.degree
    if term.kind == BOLD and step.degree >= STEP_FROM and is_emphasis(term.text, tables):
        degree = 1.0
    if place.run is None:
        return Fill(blank, None, "unanswerable", degree)
    start, end = answer.span(place.run)
    text = " ".join(answer.source[start:end].replace("**", "").split())
    return Fill(blank, text, "filled", degree, *answer.original(start, end))


def _finding(step: int, place: Covered, answer: Words) -> StepFinding:
    if place.degree < STEP_FROM or place.run is None:
        return StepFinding(step, place.degree)
    return StepFinding(step, place.degree, *answer.original(*answer.span(place.run)))


def _order(places: Sequence[Covered]) -> tuple[int, ...]:
    """The steps that the answer has, by where they begin; one without words keeps its place."""
    begins: dict[int, int] = {}
    last = 0
    for number, place in enumerate(places):
        if place.degree >= STEP_FROM:
            begins[number] = last = last if place.run is None else place.run[0]
    return tuple(sorted(begins, key=lambda number: (begins[number], number)))


def doubt(answer: Words, reference: str, language: CheckedLanguage) -> Sign:
    """How far the answer doubts its sources: "not mentioned", "based on the provided context".

    1 - exp(-n / `DOUBTS`) for n expressions of the lexicon ``doubts`` more than the reference has.
    Advice ("you can try") and chance ("perhaps") are none: they tell little more of an answer.
    """
    patterns = language.tables["doubts"].patterns
    spans = apart(patterns, answer.source)
    more = max(0, len(spans) - len(apart(patterns, reference))) if spans else 0
    return Sign("doubt", 1.0 - math.exp(-more / DOUBTS), _places(answer, spans if more else ()))


def contradiction(answer: Words, reference: str, language: CheckedLanguage) -> Sign:
    """1 where the answer opens with a yes and the reference with a no, or the reverse.

    The openings are those of the lexicons ``confirmations`` and ``negations``.
    """
    given, expected = _opening(answer.source, language), _opening(reference, language)
    if given is None or expected is None or given[0] == expected[0]:
        return Sign("contradiction", 0.0)
    return Sign("contradiction", 1.0, _places(answer, [given[1]]))


def added(answer: Words, question: str, reference: str, language: CheckedLanguage) -> Sign:
    """The share of the answer's words, by weight, that neither reference nor question has.

    1 for an answer without any word, 0 for one of stop words only; no places: it is of the whole.
    """
    known = {key for text in (question, reference) for key in language.read(text).keys}
    total = sum(answer.weights)
    if not total:
        return Sign("added", float(not answer.keys))
    new = (
        weight for key, weight in zip(answer.keys, answer.weights, strict=True) if key not in known
    )
    return Sign("added", sum(new) / total)


def _opening(text: str, language: CheckedLanguage) -> tuple[bool, tuple[int, int]] | None:
    """Whether a text opens with a yes or a no, and where; None for any other opening."""
    start = _BEFORE_WORDS.match(text)
    at = start.end() if start is not None else 0
    for is_yes, lexicon in ((True, "confirmations"), (False, "negations")):
        match = language.tables[lexicon].phrases["openings"].match(text, at)
        if match is not None:
            return is_yes, match.span()
    return None


def _places(answer: Words, spans: Sequence[tuple[int, int]]) -> tuple[Quote, ...]:
    return tuple(Quote(answer.source[slice(*span)], *answer.original(*span)) for span in spans)


@lru_cache(maxsize=1)
def _tables() -> str:
    digests = "".join(lexicons.load(code).digest for code in sorted(lexicons.languages()))
    digests += shipped.digest("klopt.checking", "blanks.toml")
    together = hashlib.sha256(digests.encode()).hexdigest()[:_DIGITS]
    return f"snowball:{Stemmer.version()}|tables:{together}"
