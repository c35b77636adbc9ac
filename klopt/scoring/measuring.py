"""Measures one turn: each heuristic when it is first asked for, on the text that it reads."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from klopt import heuristics
from klopt.heuristics import Context, Heuristic, Material
from klopt.heuristics.declaration import Option
from klopt.matching import Alignment, Indexes, Synonyms, align
from klopt.measurement import Measurement
from klopt.reading.parse import Parse
from klopt.reading.reader import Reader, Reading

HEURISTICS: Final[Mapping[str, Heuristic]] = {one.name: one for one in heuristics.ALL}


@dataclass(frozen=True, slots=True)
class TurnTexts:
    """The texts of a turn, read in one language.

    Attributes:
        question: The question.
        answer: The answer.
        contexts: The pages.
        reader: Reads and parses that language.
        synonyms: Of that language.
    """

    question: Reading
    answer: Reading
    contexts: tuple[Context, ...]
    reader: Reader
    synonyms: Synonyms


class Measurements:
    """The measurements of one turn, made at the first call for each.

    Args:
        texts: The turn as it is.
        translated: The turn in another language; heuristics that the paper marks with 𝔄 read
            this one. None when there is no such reading.
        options: Heuristic → options.
        indexes: Of pages, shared between turns.
    """

    def __init__(
        self,
        texts: TurnTexts,
        translated: TurnTexts | None,
        options: Mapping[str, Mapping[str, Option]],
        indexes: Indexes,
    ) -> None:
        self._original = _material(texts, indexes, _parser(texts))
        # Of a translated turn hardly ever more than the answer is parsed.
        self._translated = (
            None if translated is None else _material(translated, indexes, _one_by_one(translated))
        )
        self._options = options
        self._made: dict[str, Measurement] = {}

    def measure(self, name: str) -> Measurement:
        """The measurement of one heuristic."""
        if name not in self._made:
            heuristic = HEURISTICS[name]
            material = self._original
            if self._translated is not None and heuristic.reads_translation:
                material = self._translated
            self._made[name] = heuristic.measure(material(self._options[name]))
        return self._made[name]

    def made(self) -> dict[str, Measurement]:
        """What was measured so far, in the order of the heuristics."""
        return {name: self._made[name] for name in HEURISTICS if name in self._made}


def _material(
    texts: TurnTexts, indexes: Indexes, parser: Callable[[Reading], Parse]
) -> Callable[[Mapping[str, Option]], Material]:
    """Options → material; one parser and one aligner for all heuristics of a turn."""
    aligner = _aligner(texts, parser, indexes)

    def material(options: Mapping[str, Option]) -> Material:
        return Material(
            texts.question,
            texts.answer,
            texts.contexts,
            texts.reader.lexicons,
            parser,
            aligner,
            options,
        )

    return material


def _one_by_one(texts: TurnTexts) -> Callable[[Reading], Parse]:
    return lambda reading: texts.reader.parse(reading)[0]


def _parser(texts: TurnTexts) -> Callable[[Reading], Parse]:
    """Parses question and answer together when either is first asked for."""
    own: dict[int, Parse] = {}

    def parse(reading: Reading) -> Parse:
        if reading is not texts.question and reading is not texts.answer:
            return texts.reader.parse(reading)[0]
        if not own:
            first, second = texts.reader.parse(texts.question, texts.answer)
            own[id(texts.question)], own[id(texts.answer)] = first, second
        return own[id(reading)]

    return parse


def _aligner(
    texts: TurnTexts, parser: Callable[[Reading], Parse], indexes: Indexes
) -> Callable[[], Alignment]:
    """Aligns the answer with the pages when a heuristic first asks for it."""
    made: list[Alignment] = []

    def aligner() -> Alignment:
        if not made:
            pages = ((one.page, one.reading) for one in texts.contexts)
            made.append(
                align(
                    texts.question,
                    texts.answer,
                    pages,
                    parser=parser,
                    indexes=indexes,
                    synonyms=texts.synonyms,
                )
            )
        return made[0]

    return aligner
