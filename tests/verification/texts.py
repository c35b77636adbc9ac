"""Pairs of claim and passage for the tests of verification."""

from collections.abc import Iterable

import numpy as np

from klopt.verification import Comparator, Language, Match
from klopt.verification.comparator import Passage, best_places
from klopt.verification.pairs import MARKS, Pair, Pairing, PairSide
from klopt.verification.words import FLAGS, Side, side_of
from tests.heuristics.materials import material, numbered


def side(language: Language, text: str) -> Side:
    return side_of(language.reader.read(text), language.lexicons)


def paired(
    language: Language, answer: str, pages: Iterable[str], question: str = ""
) -> tuple[Match, Pairing]:
    """The match of a turn with its pages, and its pairing."""
    given = material(language, question, answer, numbered(pages))
    comparator = Comparator.load(language.code)
    pairing = comparator.pairing(given.match, language)
    return given.match, pairing


def random_pair(random: np.random.Generator, claim: int, page: int, rows: int) -> Pair:
    """A random pair with this number of words on each side."""
    marks = len(MARKS) - 6
    assert marks == len(FLAGS) + 3

    def side(count: int, first: int, *, is_claim: bool) -> PairSide:
        known = random.random((count, marks)).astype(np.float32)
        known[:, len(FLAGS) + 1] *= not is_claim
        return PairSide(
            random.integers(0, rows, count) + first,
            known,
            np.column_stack([np.arange(count), np.arange(count) + 1]),
            np.zeros(count, np.int64),
            np.zeros(count, np.int64) if is_claim else np.sort(random.integers(0, 3, count)),
        )

    return Pair(
        side(claim, 0, is_claim=True),
        side(page, rows, is_claim=False),
        random.integers(0, 5, (claim, page)).astype(np.uint8),
        random.random((claim, page)).astype(np.float32),
    )


def places(match: Match) -> list[Passage | None]:
    return best_places(match, range(len(match.answer)))


def text_of(match: Match, place: Passage | None) -> str:
    assert place is not None
    start, end = place.span
    return match.contexts[place.page].index.reading.plain.text[start:end]
