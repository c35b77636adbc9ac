"""A solver without a model: finds key terms and steps by comparing words."""

from __future__ import annotations

import hashlib
import math
import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

import Stemmer

from klopt import lexicons
from klopt._internal import shipped
from klopt.errors import UnknownLanguageError
from klopt.lexicons import matched_spans
from klopt.reference.grading import TERM_FROM, Fill, Sign, Solution, StepFinding, ValueMismatch
from klopt.reference.reference import BOLD, KeyTerm, Reference, ReferenceStep
from klopt.reference.term_places import find_steps, find_term, is_emphasis
from klopt.reference.words import CheckedLanguage, Covered, Words, is_camel_case, language
from klopt.scoring.assessment import Quote
from klopt.text.building import read_plain
from klopt.text.html import read_html
from klopt.text.language import vote
from klopt.text.markup import guess_format
from klopt.text.quantities import Quantity, are_alike, are_rivals, quantities
from klopt.types import Turn

MAX_VALUES: Final = 200  # Values of a text that are compared
MAX_KNOWN: Final = 64  # Size of the cache of values, in texts


@dataclass(frozen=True, slots=True)
class AnswerValues:
    """The values of an answer and its words, compared as in verification, in base units."""

    answer: Words
    language: CheckedLanguage
    values: tuple[Quantity, ...]

    @classmethod
    def of(cls, answer: Words, language: CheckedLanguage) -> AnswerValues:
        """Read the values of an answer."""
        return cls(answer, language, _values(answer.source, language))

    def reworded(self, text: str) -> str:
        """Return a text with its values as the answer writes them, where it has them.

        >>> from klopt.reference.words import language
        >>> dutch = language("nl")
        >>> answer = AnswerValues.of(dutch.read("Het kost 5 euro en duurt 14 dagen."), dutch)
        >>> answer.reworded("Betaal € 5 binnen twee weken, of € 6 later.")
        'Betaal 5 euro binnen 14 dagen, of € 6 later.'
        """
        text = unicodedata.normalize("NFC", text)
        own = _values(text, self.language) if self.values else ()
        for value in reversed(own):
            same = next((one for one in self.values if are_alike(value, one)), None)
            if same is not None:
                written = self.answer.source[same.start : same.end]
                text = text[: value.start] + written + text[value.end :]
        return text

    def places(self, steps: Sequence[ReferenceStep]) -> tuple[Covered, ...]:
        """Find the steps in the answer, whatever the units of their values."""
        reworded = [
            replace(step, title=self.reworded(step.title), text=self.reworded(step.text))
            for step in steps
        ]
        return find_steps(reworded, self.answer, self.language)

    def mismatches(
        self, question: str, reference: Reference, places: Sequence[Covered], step_from: float
    ) -> Iterator[tuple[ValueMismatch, Covered]]:
        """Yield the values of the reference that the answer states differently.

        That is a value of a step that is nowhere in the answer, while the sentences with the rest
        of the step state another one of the same dimension and unit, which neither reference nor
        question has.
        """
        if not self.values:
            return
        texts = (unicodedata.normalize("NFC", text) for text in (question, reference.text))
        known = [one for text in texts for one in _values(text, self.language)]
        others = [one for one in self.values if not _is_among(one, known)]
        for step, place in zip(reference.steps, places, strict=True):
            own = _values(unicodedata.normalize("NFC", step.text), self.language) if others else ()
            missing = [one for one in own if not _is_among(one, self.values)]
            if not missing:
                continue
            if place.degree < step_from:
                place = self._place_without(step, missing)
            for value in missing if place.degree >= step_from else ():
                near = self._near(others, place)
                rival = next((one for one in near if _differ(value, one)), None)
                if rival is not None:
                    yield self._mismatch(step, value, rival), place
                    others.remove(rival)

    def _place_without(self, step: ReferenceStep, missing: Sequence[Quantity]) -> Covered:
        """Find a step without some of its values."""
        text = unicodedata.normalize("NFC", step.text)
        for value in reversed(missing):
            text = text[: value.start] + text[value.end :]
        rest = replace(step, title=text, text=text)
        return find_steps([rest], self.answer, self.language)[0]

    def _near(self, values: Iterable[Quantity], place: Covered) -> Iterator[Quantity]:
        """Yield the values in the sentences of a place; all of them where it has no words."""
        words, run = self.answer, place.run
        for value in values:
            number = min(bisect_right(words.ends, value.start), len(words.ends) - 1)
            if run is None or (
                words.sentences[run[0]] <= words.sentences[number] <= words.sentences[run[1]]
            ):
                yield value

    def _mismatch(self, step: ReferenceStep, value: Quantity, rival: Quantity) -> ValueMismatch:
        expected = unicodedata.normalize("NFC", step.text)[value.start : value.end]
        found = self.answer.source[rival.start : rival.end]
        return ValueMismatch(
            step.number, expected, found, *self.answer.original(rival.start, rival.end)
        )


@lru_cache(MAX_KNOWN)
def _values(text: str, language: CheckedLanguage) -> tuple[Quantity, ...]:
    """Return the values of a text in NFC; "80 VirtualHost" is a name and not a count."""
    found = quantities(text, language.tokenizer.read(text), language.code)[:MAX_VALUES]
    return tuple(
        one for one in found if not is_camel_case(text[one.start : one.end].rpartition(" ")[2])
    )


def _differ(value: Quantity, other: Quantity) -> bool:
    """Whether values that are not alike measure the same; days and months do."""
    dimensions = {value.dimension, other.dimension}
    return dimensions == {"time", "months"} or are_rivals(value, other)


def _is_among(value: Quantity, values: Iterable[Quantity]) -> bool:
    return any(are_alike(value, one) for one in values)


STEP_FROM: Final = 0.5  # An answer has a step from this share of its words on
DOUBTS: Final = 3.0  # This many expressions of doubt give a sign of 1 - 1/e, about two thirds

_BEFORE_WORDS: Final = re.compile(r"[^\w]*(?:\d{1,3}[.)][^\w]*)?")
_DIGITS: Final = 8


class TextSolver:
    r"""Finds a reference's key terms and steps in an answer by their words, without a model.

    A key term is found when the answer has its words in order and adjacent (`find_term`), a step
    when it has `STEP_FROM` of its words by weight, as the same stem or a synonym. Thread-safe and
    deterministic. ``auto`` is the turn's language, else a vote on question, answer and reference.
    Ours, for the tests of TechSupportEval, section III-C. Words do not show meaning: a paraphrased
    step is not found, and a denied one is.

    >>> from klopt.reference.reference import read_reference
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
        """Find the reference in the answer; UnknownLanguageError if the vote does not decide."""
        source = turn.answer.replace("\r", "\n")
        plain = read_html(source) if guess_format(source) == "html" else read_plain(source)
        tables = self._language(turn, plain.text, reference)
        answer = tables.read(plain)
        values = AnswerValues.of(answer, tables)
        places = list(values.places(reference.steps))
        differing = list(values.mismatches(turn.question, reference, places, STEP_FROM))
        for mismatch, place in differing:
            places[mismatch.step] = place
        mismatches = [mismatch for mismatch, _ in differing]
        fills = tuple(
            _fill(number, term, values, places[term.step], mismatches)
            for number, term in enumerate(reference.terms, 1)
        )
        text, terms = reference.text, reference.terms
        signs = (
            contradiction(answer, text, tables, mismatches),
            doubt(answer, text, tables),
            added(answer, turn.question, values.reworded(text), tables),
        )
        others = (one for one in mismatches if not any(one.is_in(term) for term in terms))
        steps = tuple(_finding(number, place, answer) for number, place in enumerate(places))
        return Solution(fills, _order(places), steps, signs=signs, values=tuple(others))

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


def _fill(
    blank: int,
    term: KeyTerm,
    values: AnswerValues,
    step: Covered,
    mismatches: Sequence[ValueMismatch],
) -> Fill:
    """The place of a term nearest to its step; a bold "must" is found when its step is."""
    answer, tables = values.answer, values.language
    begin, end = step.run or (0, 0)

    def distance(place: Covered) -> int:
        first, last = place.run or (0, 0)
        return max(begin - first, last - end, 0)

    place = min(find_term(values.reworded(term.text), answer, tables), key=distance)
    degree = place.degree
    if term.kind == BOLD and step.degree >= STEP_FROM and is_emphasis(term.text, tables):
        degree = 1.0
    if degree < TERM_FROM:
        for mismatch in mismatches:
            if mismatch.is_in(term):
                return Fill(blank, mismatch.found, "filled", 0.0, mismatch.start, mismatch.end)
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
    """The steps found, by where they begin; one without words keeps its place."""
    begins: dict[int, int] = {}
    last = 0
    for number, place in enumerate(places):
        if place.degree >= STEP_FROM:
            begins[number] = last = last if place.run is None else place.run[0]
    return tuple(sorted(begins, key=lambda number: (begins[number], number)))


def doubt(answer: Words, reference: str, language: CheckedLanguage) -> Sign:
    """1 - exp(-n / `DOUBTS`) for n more expressions of doubt ("not mentioned") than expected."""
    patterns = language.tables["doubts"].patterns
    spans = matched_spans(patterns, answer.source)
    more = max(0, len(spans) - len(matched_spans(patterns, reference))) if spans else 0
    return Sign("doubt", 1.0 - math.exp(-more / DOUBTS), _places(answer, spans if more else ()))


def contradiction(
    answer: Words,
    reference: str,
    language: CheckedLanguage,
    mismatches: Sequence[ValueMismatch] = (),
) -> Sign:
    """1 when a value differs, or the answer opens with yes and the reference with no, or v.v."""
    places = [Quote(one.found, one.start, one.end) for one in mismatches]
    given, expected = _opening(answer.source, language), _opening(reference, language)
    if given is not None and expected is not None and given[0] != expected[0]:
        places += _places(answer, [given[1]])
    return Sign("contradiction", float(bool(places)), tuple(places))


def added(answer: Words, question: str, reference: str, language: CheckedLanguage) -> Sign:
    """The weighted share of the answer's words in neither reference nor question."""
    known = {key for text in (question, reference) for key in language.read(text).keys}
    total = sum(answer.weights)
    if not total:
        return Sign("added", float(not answer.keys))
    new = (
        weight for key, weight in zip(answer.keys, answer.weights, strict=True) if key not in known
    )
    return Sign("added", sum(new) / total)


def _opening(text: str, language: CheckedLanguage) -> tuple[bool, tuple[int, int]] | None:
    """Whether a text opens with yes or no, and where; None for any other opening."""
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
    digests += shipped.digest("klopt.reference", "blanks.toml")
    together = hashlib.sha256(digests.encode()).hexdigest()[:_DIGITS]
    return f"snowball:{Stemmer.version()}|tables:{together}"
