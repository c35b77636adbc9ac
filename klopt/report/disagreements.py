"""The answers on which klopt and the person are furthest apart, with what klopt saw."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from klopt.evaluation import Evaluation
from klopt.evaluation.disagreements import Disagreement, Weighed
from klopt.evaluation.evaluation import ProfileEvaluation
from klopt.measurement import Evidence
from klopt.reading.markup import read_text
from klopt.report import wording
from klopt.report.cells import feature, missing, named, table
from klopt.report.evidence import sentences
from klopt.report.view import Bar, Cell, Group, Piece, Section, Sentence, Table
from klopt.report.wording import brief, cut, decimal, plain, say, short, side, texts, whole
from klopt.scoring.tree import HIGHEST, LOWEST

ANSWER_CHARS: Final = 6000
_LINE_CHARS: Final = 90
_EVIDENCE_CHARS: Final = 100
_EVIDENCE_COUNT: Final = 6
_PAGE_COUNT: Final = 8
_TERMINAL_COUNT: Final = 5


def disagreements(found: Evaluation) -> Section:
    """The first profile's answers stand open, the second's are folded."""
    said = texts()["disagreements"]
    first, *others = found.profiles
    if not first.disagreements:
        return Section("disagreements", said["heading"], said["none"], on_terminal=False)
    groups = (_group(first), *(_group(one, is_folded=True) for one in others))
    return Section("disagreements", said["heading"], said["intro"], groups=groups)


def _group(profile: ProfileEvaluation, *, is_folded: bool = False) -> Group:
    cases, name = profile.disagreements, brief(profile.name)
    gaps = [one.score - said for one in cases if (said := person(one)) is not None]
    counted = say(
        "disagreements",
        "counted",
        shown=whole(len(cases)),
        over=whole(sum(side(gap, 1) > 0 for gap in gaps)),
        under=whole(sum(side(gap, 1) < 0 for gap in gaps)),
    )
    title = say("disagreements", "second", name=name, count=whole(len(cases))) if is_folded else ""
    tables = (_worst(cases[:_TERMINAL_COUNT], name),)
    return Group(title, counted, tables, worst_of=profile, is_folded=is_folded)


def _worst(cases: Sequence[Disagreement], name: str) -> Table:
    """The worst in one line each, for a terminal."""
    rows = [
        (
            brief(one.id),
            said_by(one),
            wording.score(one.score),
            decimal(one.gap, 1),
            brief(one.rule or "–"),
            brief(one.message_type or "–"),
        )
        for one in cases
    ]
    keys = ("id", "person", "score", "gap_head", "rule", "message_type")
    drawn = table("disagreements", keys, rows, say("disagreements", "caption", name=name))
    return replace(drawn, on_page=False)


def person(one: Disagreement) -> float | None:
    """What the person said as a rating; a label counts as 1 or 5, as it is rated."""
    if one.rating is not None or one.label is None:
        return one.rating
    return HIGHEST if one.label else LOWEST


def said_by(one: Disagreement) -> Cell:
    """What the person said, in words."""
    if one.rating is not None:
        return Cell(short(one.rating))
    if one.label is None:
        return missing(None)
    return Cell(texts()["disagreements"]["true" if one.label else "untrue"])


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


def rule(one: Disagreement) -> Cell:
    """What decided, in words and as its code."""
    return named(plain("rules", one.rule), one.rule) if one.rule else missing(None)


def pages_behind(one: Disagreement) -> Cell:
    """The pages in which evidence was found."""
    every = (span.page for each in one.measurements for span in each.evidence)
    pages = [Piece(brief(page, _LINE_CHARS)) for page in dict.fromkeys(every) if page]
    return _first(pages, _PAGE_COUNT) if pages else Cell(texts()["disagreements"]["no_pages"])


def expected(said: float | None) -> float | None:
    """What a rating would have each measurement say, from 0 to 1."""
    return None if said is None else (min(max(said, LOWEST), HIGHEST) - LOWEST) / (HIGHEST - LOWEST)


def _first(every: Sequence[Piece], most: int) -> Cell:
    """The first pieces, and how many more there are."""
    if len(every) <= most:
        return Cell(pieces=tuple(every))
    more = Piece(say("disagreements", "more", count=whole(len(every) - most)))
    return Cell(pieces=(*every[:most], more))


def measured(measurements: Sequence[Weighed], expected: float | None) -> Table:
    """What was measured, the furthest from what the rating would have it say, 0 to 1, first."""

    def off(one: Weighed) -> float:
        return -1.0 if one.value is None or expected is None else abs(one.value - expected)

    rows = [
        (
            feature(one.name),
            missing(one.reason) if one.value is None else _value(one.name, one.value, expected),
            missing(one.reason) if off(one) < 0 else Cell(decimal(off(one))),
            _evidence(one),
            missing(None) if one.weight is None else Cell(decimal(one.weight, 1)),
        )
        for one in sorted(measurements, key=lambda one: -off(one))
    ]
    keys = ("feature", "value", "off", "evidence", "weight")
    said = texts()["disagreements"]
    return table("disagreements", keys, rows, said["measurements"], kind="measurements")


def _value(name: str, value: float, expected: float | None) -> Cell:
    said = f"{name}: {decimal(value)}"
    if expected is not None:
        said += say("disagreements", "bar_expected", expected=decimal(expected))
    at = min(max(value, 0.0), 1.0)
    description = texts()["disagreements"]["bar"]
    return Cell(decimal(value), bar=Bar(said, description, at, expected, is_filled=True))


def _evidence(one: Weighed) -> Cell:
    """The first pieces, what no page has before the rest."""
    found = sorted(one.evidence, key=lambda item: item.kind != "unsupported")
    if found:
        return _first([_piece(one.name, item) for item in found], _EVIDENCE_COUNT)
    nothing = texts()["disagreements"]["nothing"]
    return Cell(nothing if one.reason is None else cut(one.reason, 300))


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
