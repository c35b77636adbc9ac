"""Compare the values of a reference with those of an answer: "twee weken" is "14 dagen"."""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from klopt.reference.grading import ValueMismatch
from klopt.reference.reference import Reference, ReferenceStep
from klopt.reference.term_places import find_steps
from klopt.reference.words import CheckedLanguage, Covered, Words, is_camel_case
from klopt.text.quantities import quantities
from klopt.text.quantity import Quantity, are_alike, are_rivals

MOST_VALUES: Final = 200  # Values of a text that are compared
MOST_KNOWN: Final = 64  # Size of the cache of values, in texts


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


@lru_cache(MOST_KNOWN)
def _values(text: str, language: CheckedLanguage) -> tuple[Quantity, ...]:
    """Return the values of a text in NFC; "80 VirtualHost" is a name and not a count."""
    found = quantities(text, language.tokenizer.read(text), language.code)[:MOST_VALUES]
    return tuple(
        one for one in found if not is_camel_case(text[one.start : one.end].rpartition(" ")[2])
    )


def _differ(value: Quantity, other: Quantity) -> bool:
    """Whether values that are not alike measure the same; days and months do."""
    dimensions = {value.dimension, other.dimension}
    return dimensions == {"time", "months"} or are_rivals(value, other)


def _is_among(value: Quantity, values: Iterable[Quantity]) -> bool:
    return any(are_alike(value, one) for one in values)
