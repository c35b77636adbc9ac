"""The answers on which klopt and the person are furthest apart, with what klopt saw."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from klopt.evaluation.disagreements import Disagreement, Weighed
from klopt.measurement import Evidence
from klopt.reading.markup import read_text
from klopt.report.evidence import sentences
from klopt.report.view import Piece, Sentence
from klopt.report.wording import brief, say, short, texts
from klopt.scoring.tree import HIGHEST, LOWEST

ANSWER_CHARS: Final = 6000
_LINE_CHARS: Final = 90
_EVIDENCE_CHARS: Final = 100


def person(one: Disagreement) -> float | None:
    """What the person said as a rating; a label counts as 1 or 5, as it is rated."""
    if one.rating is not None or one.label is None:
        return one.rating
    return HIGHEST if one.label else LOWEST


def said_by(one: Disagreement) -> str:
    """What the person said, in words; empty where that is nothing."""
    if one.rating is not None:
        return short(one.rating)
    if one.label is None:
        return ""
    return str(texts()["disagreements"]["true" if one.label else "untrue"])


def in_sentences(one: Disagreement) -> tuple[Sentence, ...]:
    """The answer, beside what the pages say."""
    return sentences(
        read_text(one.answer[:ANSWER_CHARS]),
        one.statements,
        {each.name: each for each in one.measurements},
        one.explanation,
        one.language,
        is_sent=one.verdict == "send",
    )


def pages_behind(one: Disagreement) -> list[Piece]:
    """The pages in which evidence was found."""
    every = (span.page for each in one.measurements for span in each.evidence)
    return [Piece(brief(page, _LINE_CHARS)) for page in dict.fromkeys(every) if page]


def expected(said: float | None) -> float | None:
    """What a rating would have each measurement say, from 0 to 1."""
    return None if said is None else (min(max(said, LOWEST), HIGHEST) - LOWEST) / (HIGHEST - LOWEST)


def measured(
    measurements: Sequence[Weighed], expected: float | None
) -> list[tuple[Weighed, float | None]]:
    """What was measured, the furthest from what the rating would have it say first, and how far."""
    apart = [
        (one, None if one.value is None or expected is None else abs(one.value - expected))
        for one in measurements
    ]
    return sorted(apart, key=lambda each: 1.0 if each[1] is None else -each[1])


def evidence(one: Weighed) -> list[Piece]:
    """What was found, what no page has before the rest."""
    found = sorted(one.evidence, key=lambda item: item.kind != "unsupported")
    return [_piece(one.name, item) for item in found]


def _piece(name: str, item: Evidence) -> Piece:
    """A pair of words that no page has is shown instead of the stretch that it was read in."""
    pair = item.entry if item.kind == "unsupported" and " – " in (item.entry or "") else None
    where = ""
    if item.page is not None:
        where = say("disagreements", "page", page=brief(item.page, _EVIDENCE_CHARS))
    kind = kind_of(name, item.kind)
    words = brief(pair or item.text, _EVIDENCE_CHARS)
    return Piece(words, kind, texts()["kinds"][kind], where)


def kind_of(feature: str, kind: str) -> str:
    """The kind as it is marked: what covers much of any answer is marked more lightly.

    >>> kind_of("hal", "unsupported"), kind_of("components_defined", "unsupported")
    ('loose', 'unsupported')
    """
    is_loose = kind == "unsupported" and feature in texts()["loose"]["features"]
    return "loose" if is_loose else kind
