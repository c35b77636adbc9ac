"""A solver without a model: fills in key terms and finds steps by comparing words."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final

import Stemmer

from klopt.checking.blanks import tables_digest
from klopt.checking.reference import BOLD, KeyTerm, Reference
from klopt.checking.signs import added, contradiction, doubt
from klopt.checking.solution import Fill, Solution, StepFinding
from klopt.checking.step_places import StepPlace, find_steps
from klopt.checking.term_places import Place, find_term, is_emphasis
from klopt.checking.words import Language, Words, language
from klopt.errors import UnknownLanguageError
from klopt.lexicons import languages
from klopt.reading.html import read_html
from klopt.reading.language import vote
from klopt.reading.markup import guess_format
from klopt.reading.stems import STEMMERS
from klopt.records import Turn

__all__ = ["TextSolver"]

STEP_FROM: Final = 0.5
"""An answer has a step when it has at least this much of it."""
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

    def __init__(self, code: str = "auto") -> None:
        if code != "auto":
            language(code)
        self._code = code

    @property
    def name(self) -> str:
        """``text``."""
        return "text"

    @property
    def signature(self) -> str:
        """The name, the version of the stemmers, and the digest of the tables."""
        return f"{self.name}|{_tables()}"

    def solve(self, turn: Turn, reference: Reference) -> Solution:
        """Looks for the reference in the turn's answer.

        Args:
            turn: Its question is read too, for what the answer adds; its pages are not.
            reference: What the answer should say.

        Returns:
            A fill and a finding with a degree for each key term and step, and three signs:
            ``contradiction``, ``doubt`` and ``added``. A fill tells what stands in a term's place
            when at least half of the term is there; a finding tells where a step is when its
            degree is `STEP_FROM` or more.

        Raises:
            UnknownLanguageError: The vote does not decide, or there are no tables.
            PatternTimeoutError: A pattern for doubt took too long.
        """
        text = _without_tags(turn.answer)
        tables = self._language(turn, text, reference)
        answer = tables.read(text)
        places = find_steps(reference.steps, answer, tables)
        fills = tuple(
            _fill(
                number, _places(term, answer, tables, places[term.step]), places[term.step], answer
            )
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

    def _language(self, turn: Turn, answer: str, reference: Reference) -> Language:
        code = turn.language if self._code == "auto" else self._code
        if code != "auto":
            return language(code)
        voted = vote([turn.question, answer, reference.text]).language
        if voted is None:
            raise UnknownLanguageError(
                "the vote on the language of question, answer and reference does not decide; "
                f"state one of {', '.join(languages())}"
            )
        return language(voted)


def _without_tags(source: str) -> str:
    """An answer in HTML with blanks for its tags: each character stays where it is."""
    if guess_format(source) != "html":
        return source
    plain = read_html(source)
    characters = [" "] * len(source)
    for place, character in enumerate(plain.text):
        at = plain.origins[place]
        if character == "\n":
            at = max(0, plain.origins[place + 1] - 1)
        if characters[at] == " ":
            characters[at] = character
    return "".join(characters)


def _places(term: KeyTerm, answer: Words, tables: Language, step: StepPlace) -> tuple[Place, ...]:
    """Where a term is; a bold "must" is emphasis, and is there when its step is."""
    found = find_term(term.text, answer, tables)
    if term.kind == BOLD and step.degree >= STEP_FROM and is_emphasis(term.text, tables):
        return tuple(replace(place, degree=1.0) for place in found)
    return found


def _fill(blank: int, places: Sequence[Place], step: StepPlace, answer: Words) -> Fill:
    """The place of a term that is in its step, or next to it."""
    begin, end = step.first or 0, step.last or 0
    place = min(places, key=lambda one: max(begin - (one.first or 0), (one.last or 0) - end, 0))
    if place.first is None or place.last is None:
        return Fill(blank, None, "unanswerable", place.degree)
    start, end = answer.words[place.first].start, answer.words[place.last].end
    text = " ".join(answer.source[start:end].replace("**", "").split())
    return Fill(blank, text, "filled", place.degree, start, end)


def _finding(step: int, place: StepPlace, answer: Words) -> StepFinding:
    if place.degree < STEP_FROM or place.first is None or place.last is None:
        return StepFinding(step, place.degree)
    start, end = answer.words[place.first].start, answer.words[place.last].end
    return StepFinding(step, place.degree, start, end)


def _order(places: Sequence[StepPlace]) -> tuple[int, ...]:
    """The steps that the answer has, by where they begin; one without words keeps its place."""
    found = [number for number, place in enumerate(places) if place.degree >= STEP_FROM]
    begins: dict[int, int] = {}
    last = 0
    for number in found:
        first = places[number].first
        last = last if first is None else first
        begins[number] = last
    return tuple(sorted(found, key=lambda number: (begins[number], number)))


@lru_cache(maxsize=1)
def _tables() -> str:
    digests = "".join(language(code).tables.digest for code in sorted(STEMMERS)) + tables_digest()
    together = hashlib.sha256(digests.encode()).hexdigest()[:_DIGITS]
    return f"snowball:{Stemmer.version()}|tables:{together}"
