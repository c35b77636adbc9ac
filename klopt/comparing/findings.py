"""What speaks for a statement and against it, which of it tells, and how a reader sees it."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import takewhile
from operator import attrgetter
from typing import Final, Literal, NamedTuple

from klopt.comparing.pairs import Pair
from klopt.matching.index import Relations
from klopt.matching.units import Integers
from klopt.reading.reader import Reading

__all__ = [
    "NOTHING",
    "Differing",
    "Finding",
    "FindingPlaces",
    "Span",
    "Stance",
    "Stretch",
    "differing",
    "findings_of",
    "side_by_side",
    "tells",
]

Span = tuple[int, int]
Stance = Literal["for", "against", "open"]

HINTS: Final = frozenset({"replaced"})
"""Kinds that are found in true statements about as often, and prove nothing by themselves."""
CERTAIN: Final = frozenset({"figure", "role", "row", "turned"})
"""Kinds that true statements hardly have: of pairs of answers that differ in one fact a number of
something else was found in 39 untrue and 2 true ones, a role in 16 and 3, a sentence turned round
in 5 and 0, another row in 2 and 0."""
OF_THE_WHOLE: Final = frozenset({"confirmation", "order", "row", "turned"})
"""Kinds that are about two sentences, and not about the two words at which they are found."""
BESIDE: Final = frozenset({*OF_THE_WHOLE, "negation"})
"""Kinds of which the word of the passage does not stand in the place of the statement's."""
DISPLACED: Final = frozenset({"figure"})
"""Kinds whose first word is wrong where it stands, though the other side may have it too."""
MOST_BESIDE: Final = 3
"""So many words that both sides have are told on either side of those that differ."""
LONG_CHARS: Final = 5
"""A word this long is enough to know the place by."""
_WORD: Final = re.compile(r"\S+")
_ENDS: Final = ".!?:;"
_OWN, _THEIRS = attrgetter("kind", "claim"), attrgetter("kind", "page")
_EDGES: Final = " \t\r\n.,:;!?()[]\"'“”‘’„«»*–—"


@dataclass(frozen=True, slots=True)
class Finding:
    """What a person may read of a statement beside a passage.

    Attributes:
        kind: What it is about, such as ``value`` or ``negation``.
        side: Whether it speaks for the statement, against it, or leaves it open.
        claim: Plain start and end in the answer; None when only the passage has it.
        page: The same on the page; None when only the statement has it.
    """

    kind: str
    side: Stance
    claim: tuple[int, int] | None
    page: tuple[int, int] | None


@dataclass(frozen=True, slots=True, eq=False)
class FindingPlaces:
    """The places where a family finds one thing, in all pairs.

    Attributes:
        kind: As of a `Finding`.
        side: As of a `Finding`.
        places: Pair, word of the statement and word of the passage, -1 for no word, shape
            ``(m, 3)``.
    """

    kind: str
    side: Stance
    places: Integers


def findings_of(pairs: Sequence[Pair], places: Sequence[FindingPlaces]) -> list[list[Finding]]:
    """For each pair what was found, in plain offsets; words that follow one another are one."""
    findings: list[list[Finding]] = [[] for _ in pairs]
    for kind in places:
        stretches: list[tuple[list[int], list[int]]] = []
        for place in kind.places.tolist():
            row, word, other = place
            before = [row, word - 1, other - 1 if other >= 0 else other]
            follows = bool(stretches) and stretches[-1][1] == before
            stretches.append((stretches.pop()[0] if follows else place, place))
        for (row, word, other), (_, last, last_other) in stretches:
            claim = _span(pairs[row].claim.spans, word, last)
            page = _span(pairs[row].page.spans, other, last_other)
            findings[row].append(Finding(kind.kind, kind.side, claim, page))
    return findings


def tells(finding: Finding) -> bool:
    """Whether a finding speaks so clearly against a statement that nothing outvotes it.

    >>> tells(Finding("value", "against", (0, 2), (4, 6)))
    True
    >>> tells(Finding("replaced", "against", (0, 2), (4, 6)))
    False
    >>> tells(Finding("value", "open", (0, 2), None))
    False
    """
    return finding.side == "against" and finding.kind not in HINTS


@dataclass(frozen=True, slots=True)
class Stretch:
    """A stretch of a text that was read, in plain offsets."""

    reading: Reading
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Differing:
    """What differs, in offsets from the start of each stretch.

    Attributes:
        claim: The words of the statement that are wrong; where none are known to be, those that
            its place has nothing of.
        page: The words of the place that say otherwise.
        rivals: What the statement says and what the place says in its stead, in a few words each;
            those that settle it first. Only what can be read by itself.
    """

    claim: tuple[Span, ...]
    page: tuple[Span, ...]
    rivals: tuple[tuple[str, str], ...]


NOTHING: Final = Differing((), (), ())


def differing(
    findings: Sequence[Finding], claim: Stretch, page: Stretch, relations: Relations
) -> Differing:
    """What findings come to for a reader: a word that the other side has too hardly ever differs.

    Args:
        findings: Of the statement beside its place, in plain offsets of the two texts.
        claim: The statement.
        page: Its place.
        relations: Say which words are the same.
    """
    against, hints, still_open = list[Finding](), list[Finding](), list[Finding]()
    for finding in findings:
        if finding.side == "open":
            still_open.append(finding)
        elif finding.side == "against" and finding.kind not in OF_THE_WHOLE:
            (hints if finding.kind in HINTS else against).append(finding)
    against = against or hints
    if not against and not still_open:
        return NOTHING
    mine, theirs = _words(claim, page, relations), _words(page, claim, relations)
    wrong = _marked(claim, mine, map(_OWN, against))
    otherwise = _marked(page, theirs, map(_THEIRS, against))
    if not wrong and not otherwise:
        wrong = _marked(claim, mine, map(_OWN, still_open))
    own, other = list[Span](), list[Span]()
    for finding in sorted(against, key=lambda finding: finding.kind not in CERTAIN):
        if finding.claim and finding.page and finding.kind not in BESIDE | HINTS:
            is_new = any(mine[at].is_new for at in _within(mine, finding.claim))
            if is_new or finding.kind in DISPLACED:
                own.append(finding.claim)
                other.append(finding.page)
    text, wrong, own = _as_written(claim, wrong, own)
    there, otherwise, other = _as_written(page, otherwise, other)
    rivals = dict[tuple[str, str], None]()
    for span, beside in zip(own, other, strict=True):
        if pair := side_by_side(text, span, there, beside):
            rivals[pair] = None
    return Differing(tuple(wrong), tuple(otherwise), tuple(rivals))


def side_by_side(mine: str, own: Span, theirs: str, other: Span) -> tuple[str, str] | None:
    """Words in each other's place, with those around them that both sides have.

    None where there are none: such a pair does not show what is wrong ("is ruled out", "date can
    be").

    >>> page = "U heeft 90 dagen na de datum."
    >>> side_by_side("Dan heeft u 60 dagen de tijd.", (12, 14), page, (8, 10))
    ('60 dagen', '90 dagen')
    """
    (before, words, after), (there, others, behind) = _around(mine, own), _around(theirs, other)
    while len(words) > 1 < len(others) and _bare(words[-1]) == _bare(others[-1]):
        after.insert(0, words.pop())
        behind.insert(0, others.pop())
    left, right = _shared(before, there), _shared(after, behind)
    if not left and not right:
        return None
    told = " ".join([*before[:left][::-1], *words, *after[:right]]).strip(_EDGES)
    beside = " ".join([*there[:left][::-1], *others, *behind[:right]]).strip(_EDGES)
    return (told, beside) if told.casefold() != beside.casefold() else None


class _Word(NamedTuple):
    start: int
    end: int
    is_stop: bool
    is_new: bool


def _words(stretch: Stretch, beside: Stretch, relations: Relations) -> list[_Word]:
    """The words of a stretch, in plain offsets, and which of them the other one has not."""
    there = beside.reading.tokens
    numbers = there.between(beside.start, beside.end)
    known = set(there.keys[numbers.start : numbers.stop])
    known.update(*map(relations.synonyms, known))
    own = stretch.reading.tokens
    return [
        _Word(own.starts[at], own.ends[at], bool(own.stops[at]), own.keys[at] not in known)
        for at in own.between(stretch.start, stretch.end)
    ]


def _within(words: Sequence[_Word], span: Span) -> range:
    return range(bisect_left(words, span[:1]), bisect_left(words, span[1:]))


def _marked(
    stretch: Stretch, words: Sequence[_Word], found: Iterable[tuple[str, Span | None]]
) -> list[Span]:
    """The words of what was found that the other side has not, those side by side together."""
    text, chosen = stretch.reading.plain.text, set[int]()
    for kind, span in found:
        inside = _within(words, span) if span else range(0)
        own = [at for at in inside if words[at].is_new]
        if not own and kind in DISPLACED:
            own = list(inside[:1])
        chosen.update(own)
        if own and kind == "negation":  # the rest of it: "but does not", "no longer"
            for beside in (range(own[0] - 1, -1, -1), range(own[-1] + 1, len(words))):
                chosen.update(takewhile(lambda at: words[at].is_stop and words[at].is_new, beside))
    spans: list[Span] = []
    for start, end, *_ in map(words.__getitem__, sorted(chosen)):
        is_next = bool(spans) and not text[spans[-1][1] : start].strip(" ")
        spans.append((spans.pop()[0] if is_next else start, end))
    return spans


def _as_written(
    stretch: Stretch, marked: Sequence[Span], paired: Sequence[Span]
) -> tuple[str, list[Span], list[Span]]:
    """The words of a stretch as they were written, and where in them some of it stands."""
    whole = stretch.start, stretch.end
    text, ((first, last), *spans) = stretch.reading.plain.as_written([whole, *marked, *paired])
    spans = [(start - first, end - first) for start, end in spans]
    return text[first:last], spans[: len(marked)], spans[len(marked) :]


def _around(text: str, span: Span) -> tuple[list[str], list[str], list[str]]:
    """The words of a stretch; those before it in its sentence, the nearest first, and after it."""
    start = text.rfind("\n", 0, span[0]) + 1
    stop = text.find("\n", span[1])
    before, words, after = list[str](), list[str](), list[str]()
    for word in _WORD.finditer(text, start, stop if stop >= 0 else len(text)):
        if word.end() <= span[0]:
            before.append(word[0])
            if word[0][-1] in _ENDS:
                before.clear()
        elif word.start() < span[1]:
            words.append(word[0])
        else:
            after.append(word[0])
        if (words or after) and word[0][-1] in _ENDS and word.end() >= span[1]:
            break
    return before[::-1], words, after


def _shared(mine: Sequence[str], theirs: Sequence[str]) -> int:
    """How many words in a row are the same, up to one to know the place by."""
    count = 0
    for word, other in zip(mine[:MOST_BESIDE], theirs[:MOST_BESIDE], strict=False):
        bare = _bare(word)
        if not bare or bare != _bare(other):
            break
        count += 1
        if len(bare) >= LONG_CHARS:
            break
    return count


def _bare(word: str) -> str:
    return word.strip(_EDGES).casefold()


def _span(spans: Integers, first: int, last: int) -> Span | None:
    return (int(spans[first, 0]), int(spans[last, 1])) if first >= 0 else None
