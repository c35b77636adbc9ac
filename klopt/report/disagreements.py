"""The answers on which klopt and the person are furthest apart, with what klopt saw."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
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
from klopt.report.view import Bar, Card, Cell, Group, Piece, Section, Table
from klopt.report.wording import brief, cut, decimal, plain, say, short, side, texts, whole
from klopt.scoring.explanation import said_in
from klopt.scoring.tree import HIGHEST, LOWEST

_OPEN_COUNT: Final = 3
_ANSWER_CHARS: Final = 6000
_QUESTION_CHARS: Final = 2000
_LINE_CHARS: Final = 90
_EVIDENCE_CHARS: Final = 100
_EVIDENCE_COUNT: Final = 6
_PAGE_COUNT: Final = 8
_TERMINAL_COUNT: Final = 5
_LANGUAGE: Final = re.compile(r"[a-z]{2,3}")


def disagreements(found: Evaluation) -> Section:
    """The first profile's answers stand open, the second's are folded."""
    said = texts()["disagreements"]
    first, *others = found.profiles
    if not first.disagreements:
        return Section("disagreements", said["heading"], said["none"], on_terminal=False)
    scores = {
        one.name: {case.id: case.score for case in one.disagreements} for one in found.profiles
    }
    groups = (_group(first, scores, _OPEN_COUNT), *(_group(one, scores, 0) for one in others))
    legend = tuple(Piece(said["signs"][kind], kind, words) for kind, words in said["marks"].items())
    return Section("disagreements", said["heading"], said["intro"], groups=groups, legend=legend)


def _group(
    profile: ProfileEvaluation, scores: Mapping[str, Mapping[str, float]], open_count: int
) -> Group:
    cases, name = profile.disagreements, brief(profile.name)
    gaps = [one.score - person for one in cases if (person := _person(one)) is not None]
    counted = say(
        "disagreements",
        "counted",
        shown=whole(len(cases)),
        over=whole(sum(side(gap, 1) > 0 for gap in gaps)),
        under=whole(sum(side(gap, 1) < 0 for gap in gaps)),
    )
    others = {other: known for other, known in scores.items() if other != profile.name}
    title = say("disagreements", "second", name=name, count=whole(len(cases)))
    return Group(
        "" if open_count else title,
        counted,
        tables=(_worst(cases[:_TERMINAL_COUNT], name),),
        cards=tuple(
            _card(one, others, is_open=place < open_count) for place, one in enumerate(cases)
        ),
        is_folded=not open_count,
    )


def _worst(cases: Sequence[Disagreement], name: str) -> Table:
    """The worst in one line each, for a terminal."""
    rows = [
        (
            brief(one.id),
            _said(one),
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


def _person(one: Disagreement) -> float | None:
    """What the person said as a rating; a label counts as 1 or 5, as it is rated."""
    if one.rating is not None or one.label is None:
        return one.rating
    return HIGHEST if one.label else LOWEST


def _said(one: Disagreement) -> Cell:
    if one.rating is not None:
        return Cell(short(one.rating))
    if one.label is None:
        return missing(None)
    return Cell(texts()["disagreements"]["true" if one.label else "untrue"])


def _card(one: Disagreement, others: Mapping[str, Mapping[str, float]], *, is_open: bool) -> Card:
    person, said = _person(one), texts()["disagreements"]
    language = one.language or ""
    direction, hint, expected = "", said["unrated"], None
    if person is not None:
        gap = one.score - person
        sign = said[("level", "over", "under")[side(gap, 1)]]
        direction = say("disagreements", "gap", sign=sign, gap=decimal(abs(gap), 1))
        expected = (min(max(person, LOWEST), HIGHEST) - LOWEST) / (HIGHEST - LOWEST)
        filled = {"rating": short(person), "expected": decimal(expected)}
        hint = say("disagreements", "expected", **filled)
    return Card(
        id=brief(one.id, 40),
        person=_said(one),
        direction=direction,
        line=brief(one.question, _LINE_CHARS),
        question=cut(one.question, _QUESTION_CHARS),
        sentences=sentences(
            read_text(one.answer[:_ANSWER_CHARS]),
            one.statements,
            {each.name: each for each in one.measurements},
            one.explanation,
            one.language,
            is_sent=one.verdict == "send",
        ),
        cut=cut(one.answer, _ANSWER_CHARS)[_ANSWER_CHARS:],
        why=cut(one.explanation or "–", _QUESTION_CHARS),
        language=language if _LANGUAGE.fullmatch(language) else "",
        told_in=said_in(one.language),
        rating=person,
        score=one.score,
        facts=_facts(one),
        others=tuple(
            say("disagreements", "other", name=brief(name, 40), score=wording.score(known[one.id]))
            for name, known in others.items()
            if one.id in known
        ),
        measurements=_measured(one.measurements, expected) if one.measurements else None,
        hint=hint,
        is_open=is_open,
    )


def _facts(one: Disagreement) -> tuple[tuple[str, Cell], ...]:
    said = texts()["disagreements"]
    every = (span.page for each in one.measurements for span in each.evidence)
    pages = [Piece(brief(page, _LINE_CHARS)) for page in dict.fromkeys(every) if page]
    rule, kind = one.rule, one.message_type
    return (
        (said["verdict"], Cell(plain("verdicts", one.verdict))),
        (said["rule"], named(plain("rules", rule), rule) if rule else missing(None)),
        (said["message_type"], Cell(brief(kind)) if kind else missing(None)),
        (said["pages"], _first(pages, _PAGE_COUNT) if pages else Cell(said["no_pages"])),
    )


def _first(every: Sequence[Piece], most: int) -> Cell:
    """The first pieces, and how many more there are."""
    if len(every) <= most:
        return Cell(pieces=tuple(every))
    more = Piece(say("disagreements", "more", count=whole(len(every) - most)))
    return Cell(pieces=(*every[:most], more))


def _measured(measurements: Sequence[Weighed], expected: float | None) -> Table:
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
    drawn = table("disagreements", keys, rows, said["measurements"], kind="measurements")
    return replace(drawn, fold=said["measured"])


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
