"""The answers on which klopt and the person are furthest apart, with what klopt saw."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from string import punctuation, whitespace
from typing import Final

from klopt.evaluation import Evaluation
from klopt.evaluation.disagreements import Disagreement, Weighed
from klopt.evaluation.evaluation import ProfileEvaluation
from klopt.measurement import Evidence
from klopt.report import wording
from klopt.report.cells import feature, missing, named, table
from klopt.report.view import Bar, Card, Cell, Group, Piece, Section, Table
from klopt.report.wording import brief, cut, decimal, feature_name, plain, say, short, texts, whole
from klopt.scoring.tree import HIGHEST, LOWEST

_OPEN_COUNT: Final = 3
_ANSWER_CHARS: Final = 6000
_QUESTION_CHARS: Final = 2000
_LINE_CHARS: Final = 90
_EVIDENCE_CHARS: Final = 100
_EVIDENCE_COUNT: Final = 6
_PAGE_COUNT: Final = 8
_TERMINAL_COUNT: Final = 5
_STRENGTH: Final = {"unsupported": 0, "supported": 0, "loose": 1, "found": 2}


def disagreements(found: Evaluation) -> Section:
    """The first profile's answers stand open, the second's are folded."""
    said = texts()["disagreements"]
    first, *others = found.profiles
    if not first.disagreements:
        return Section("disagreements", said["heading"], said["none"], on_terminal=False)
    scores = {
        one.name: {case.id: case.score for case in one.disagreements} for one in found.profiles
    }
    marked = [span for one in first.disagreements for span in spans(one.measurements)]
    groups = (_group(first, scores, _OPEN_COUNT), *(_group(one, scores, 0) for one in others))
    return Section(
        "disagreements", said["heading"], said["intro"], groups=groups, legend=legend(marked)
    )


def _group(
    profile: ProfileEvaluation, scores: Mapping[str, Mapping[str, float]], open_count: int
) -> Group:
    cases, name = profile.disagreements, brief(profile.name)
    gaps = [one.score - person for one in cases if (person := _person(one)) is not None]
    counted = say(
        "disagreements",
        "counted",
        shown=whole(len(cases)),
        over=whole(sum(gap > 0 for gap in gaps)),
        under=whole(sum(gap < 0 for gap in gaps)),
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
    person, answer, said = _person(one), one.answer, texts()["disagreements"]
    tail = cut(answer, _ANSWER_CHARS)[_ANSWER_CHARS:]
    direction, hint, expected = "", said["unrated"], None
    if person is not None:
        gap = one.score - person
        sign = said["over" if gap > 0 else "under" if gap < 0 else "level"]
        direction = say("disagreements", "gap", sign=sign, gap=decimal(abs(gap), 1))
        expected = (min(max(person, LOWEST), HIGHEST) - LOWEST) / (HIGHEST - LOWEST)
        filled = {"rating": short(person), "expected": decimal(expected)}
        hint = say("disagreements", "expected", **filled)
    return Card(
        id=brief(one.id, 40),
        person=_said(one),
        direction=direction,
        line=brief(one.question, _LINE_CHARS),
        texts=(
            (said["question"], (Piece(cut(one.question, _QUESTION_CHARS)),)),
            (
                said["answer"],
                (*marked_answer(answer[:_ANSWER_CHARS], spans(one.measurements)), Piece(tail)),
            ),
            (said["why"], (Piece(cut(one.explanation or "–", _QUESTION_CHARS)),)),
        ),
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
    caption = texts()["disagreements"]["measurements"]
    return table("disagreements", keys, rows, caption, kind="measurements")


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
    return Piece(brief(pair or item.text, _EVIDENCE_CHARS), kind_of(name, item.kind), where=where)


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of the answer, which may lie outside it, and what a measurement saw there.

    Its kind is ``supported``, ``unsupported``, ``loose`` or ``found``; a page has it, or None.
    """

    start: int
    end: int
    kind: str
    feature: str
    page: str | None = None


def kind_of(feature: str, kind: str) -> str:
    """The kind as it is marked: what covers much of any answer is marked more lightly.

    >>> kind_of("hal", "unsupported"), kind_of("components_defined", "unsupported")
    ('loose', 'unsupported')
    """
    is_loose = kind == "unsupported" and feature in texts()["loose"]["features"]
    return "loose" if is_loose else kind


def spans(measurements: Sequence[Weighed]) -> list[Span]:
    """All evidence of the measurements."""
    return [
        Span(one.start, one.end, kind_of(each.name, one.kind), each.name, one.page)
        for each in measurements
        for one in each.evidence
    ]


def stretches(answer: str, marked: Iterable[Span]) -> list[tuple[str, Span | None]]:
    """The answer cut where the mark changes; the stretches together are the answer.

    Where spans overlap the clearer kind wins, then the shorter, then the one that starts first.
    What lies outside the answer is left out.

    >>> long, short = Span(0, 9, "unsupported", "a"), Span(3, 5, "supported", "b")
    >>> [(text, span and span.kind) for text, span in stretches("abcdefg", [long, short])]
    [('abc', 'unsupported'), ('de', 'supported'), ('fg', 'unsupported')]
    """
    owners: list[Span | None] = [None] * len(answer)
    for span in sorted(marked, key=_rank, reverse=True):
        for index in range(max(span.start, 0), min(span.end, len(answer))):
            owners[index] = span
    found = []
    for _, run in groupby(zip(answer, owners, strict=True), key=lambda pair: id(pair[1])):
        characters, same = zip(*run, strict=True)
        found.append(("".join(characters), same[0]))
    return found


def _rank(span: Span) -> tuple[int, int, int, str, str, str]:
    length = span.end - span.start
    return _STRENGTH[span.kind], length, span.start, span.kind, span.feature, span.page or ""


def marked_answer(answer: str, marked: Iterable[Span]) -> Iterator[Piece]:
    """The answer with its spans marked; space and loose punctuation at their edges is not."""
    for text, span in stretches(answer, marked):
        if span is None:
            yield Piece(text)
            continue
        edges = whitespace + punctuation * (span.kind in ("loose", "found"))
        words = text.strip(edges)
        before, _, after = text.partition(words) if words else (text, "", "")
        yield Piece(before)
        if words:
            where = f", {brief(span.page, 80)}" if span.page else ""
            yield Piece(
                words,
                span.kind,
                f"{texts()['kinds'][span.kind]}{where} ({feature_name(span.feature)})",
            )
        yield Piece(after)


def legend(marked: Iterable[Span]) -> tuple[Piece, ...]:
    """What the marks mean, for the kinds that occur."""
    present = {span.kind for span in marked}
    return tuple(
        Piece(texts()["signs"][kind], kind, words)
        for kind, words in texts()["kinds"].items()
        if kind in present
    )
