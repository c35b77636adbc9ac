"""Findings for and against a claim, which of them decide, and how a reader sees them."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import takewhile
from operator import attrgetter
from typing import Final, Literal, NamedTuple

from klopt.text.quantities import Quantity, quantities_of
from klopt.text.reader import Reading
from klopt.verification.index import Relations
from klopt.verification.pairs import Pair
from klopt.verification.units import Integers

Span = tuple[int, int]
Stance = Literal["for", "against", "open"]

CERTAIN: Final = frozenset(
    {
        *("amount", "column", "figure", "row"),
        *("actor", "obligation", "polarity", "quantifier", "sequence", "timing", "yes_no"),
    }
)
"""Kinds that true claims rarely have. Of 2,960 pairs that differ in one fact, so many untrue and
true answers have each: figure 104 and 17, amount 113 and 12, row or column 32 and 1; the kinds of
`klopt.verification.reversals` and of the order of steps 69 and 3."""
OF_THE_WHOLE: Final = frozenset({"sequence", "yes_no"})
"""Kinds about whole sentences, not about the two words at which they are found."""
BESIDE: Final = frozenset({*OF_THE_WHOLE, "negation"})
"""Kinds whose word of the passage does not replace the word of the claim."""
QUOTED: Final = frozenset({"amount", "column", "row"})
"""Kinds whose words are a quotation by themselves: values with units, and cells."""
DISPLACED: Final = frozenset({"amount", "column", "figure", "row"})
"""Kinds whose words are wrong in their position, even if the other side has them too."""
LIKE: Final = {"count", "months", "number", "time"}
"""Dimensions of quantities that may replace one another."""
MAX_BESIDE: Final = 3
"""Shared words shown on either side of words that differ."""
LONG_CHARS: Final = 5
"""Characters of a shared word that is enough context by itself."""
_WORD: Final = re.compile(r"\S+")
_ENDS: Final = ".!?:;"
_OWN, _THEIRS = attrgetter("kind", "claim"), attrgetter("kind", "page")
_EDGES: Final = " \t\r\n.,:;!?()[]\"'“”‘’„«»*–—"


@dataclass(frozen=True, slots=True)
class Finding:
    """Words of a claim and of its passage that agree or differ.

    Attributes:
        kind: What they are about, such as ``value`` or ``negation``.
        side: Evidence ``for`` the claim, ``against`` it, or ``open``.
        claim: Plain start and end in the answer; None when only the passage has words.
        page: Plain start and end on the page; None when only the claim has words.
    """

    kind: str
    side: Stance
    claim: tuple[int, int] | None
    page: tuple[int, int] | None


@dataclass(frozen=True, slots=True, eq=False)
class FindingPlaces:
    """The findings of one kind in all pairs.

    Attributes:
        kind: As of a `Finding`.
        side: As of a `Finding`.
        places: Pair, word of the claim, and word of the passage or -1, shape ``(m, 3)``.
    """

    kind: str
    side: Stance
    places: Integers


def findings_of(pairs: Sequence[Pair], places: Sequence[FindingPlaces]) -> list[list[Finding]]:
    """Return the findings of each pair in plain offsets; adjacent words are joined."""
    findings: list[list[Finding]] = [[] for _ in pairs]
    for kind in places:
        stretches: list[tuple[list[int], list[int]]] = []
        for place in kind.places.tolist():
            row, word, other = place
            before = [row, word - 1, other - 1 if other >= 0 else other]
            follows = bool(stretches) and stretches[-1][1] == before
            follows = follows and (other < 0 or _is_next(pairs[row].page.spans[:, 0], other))
            stretches.append((stretches.pop()[0] if follows else place, place))
        for (row, word, other), (_, last, last_other) in stretches:
            claim = _span(pairs[row].claim.spans, word, last)
            page = _span(pairs[row].page.spans, other, last_other)
            findings[row].append(Finding(kind.kind, kind.side, claim, page))
    return findings


def _is_next(starts: Integers, word: int) -> bool:
    """Return whether a word of a passage follows the one before it on the page, too.

    In a row of a table the headings of its columns stand between its cells.
    """
    low, high = starts[word - 1], starts[word]
    return bool(low < high) and not ((low < starts) & (starts < high)).any()


@dataclass(frozen=True, slots=True)
class Stretch:
    """A span of a text, in plain offsets."""

    reading: Reading
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Differing:
    """The words that differ, in offsets from the start of claim and passage.

    Attributes:
        claim: The wrong words of the claim; if none are known, those that the passage lacks.
        page: The words of the passage that contradict them.
        rivals: The words of the claim and those of the passage in their place, decisive ones
            first; only pairs that can be read without context.
    """

    claim: tuple[Span, ...]
    page: tuple[Span, ...]
    rivals: tuple[tuple[str, str], ...]


NOTHING: Final = Differing((), (), ())


def differing(
    findings: Sequence[Finding], claim: Stretch, page: Stretch, relations: Relations
) -> Differing:
    """Return the words that differ between a claim and its passage."""
    against, still_open = list[Finding](), list[Finding]()
    for finding in findings:
        if finding.side == "open":
            still_open.append(finding)
        elif finding.side == "for" or finding.kind in OF_THE_WHOLE:
            continue
        elif finding.kind != "value" or _are_like(claim, page, finding):
            against.append(finding)
    if not against and not still_open:
        return NOTHING
    mine, theirs = _words(claim, page, relations)
    wrong = _marked(claim, mine, map(_OWN, against))
    otherwise = _marked(page, theirs, map(_THEIRS, against))
    if not wrong and not otherwise:
        wrong = _marked(claim, mine, map(_OWN, still_open))
    own, other, alone = list[Span](), list[Span](), list[bool]()
    rivals = dict[tuple[str, str], None]()
    for finding in against:
        if finding.kind in QUOTED and finding.claim and finding.page:
            rivals[_quoted(claim, finding.claim), _quoted(page, finding.page)] = None
    for finding in sorted(against, key=lambda finding: finding.kind not in CERTAIN):
        if finding.claim and finding.page and finding.kind not in BESIDE | QUOTED:
            is_new = any(mine[at].is_new for at in _within(mine, finding.claim))
            whole = _with_unit(claim, finding.claim), _with_unit(page, finding.page)
            if is_new or finding.kind == "figure":
                has_units = finding.kind == "value" and whole[0] and whole[1]
                own.append((has_units and whole[0]) or finding.claim)
                other.append((has_units and whole[1]) or finding.page)
                alone.append(bool(has_units))
    text, wrong, own = _as_written(claim, wrong, own)
    there, otherwise, other = _as_written(page, otherwise, other)
    for span, beside, is_whole in zip(own, other, alone, strict=True):
        pair = side_by_side(text, span, there, beside)
        if pair is None and is_whole:
            pair = text[slice(*span)], there[slice(*beside)]
        if pair:
            rivals[pair] = None
    return Differing(tuple(wrong), tuple(otherwise), tuple(rivals))


def _quantity(stretch: Stretch, span: Span | None) -> Quantity | None:
    """Return the quantity around a number, if there is one."""
    start, end = span or (-1, -1)
    found = quantities_of(stretch.reading, stretch.start, stretch.end)
    return next((one for one in found if one.start <= start and end <= one.end), None)


def _are_like(claim: Stretch, page: Stretch, finding: Finding) -> bool:
    """Return whether two values may be of one kind, as far as that is known."""
    own, other = _quantity(claim, finding.claim), _quantity(page, finding.page)
    if own is None or other is None or own.dimension == other.dimension:
        return True
    return {own.dimension, other.dimension} <= LIKE


def _with_unit(stretch: Stretch, span: Span) -> Span | None:
    """Return the span of the quantity around a number; None without a unit."""
    whole = _quantity(stretch, span)
    if whole is None or whole.first == whole.last or whole.dimension == "label":
        return None
    return whole.start, whole.end


def _quoted(stretch: Stretch, span: Span) -> str:
    """Return the words of a finding as they are written."""
    text, ((start, end),) = stretch.reading.plain.as_written([span])
    return text[start:end]


def side_by_side(mine: str, own: Span, theirs: str, other: Span) -> tuple[str, str] | None:
    """Return words that replace each other, with the words around them that both sides share.

    None without shared words: such a pair does not show what is wrong ("is ruled out", "date can
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
    shown = " ".join([*before[:left][::-1], *words, *after[:right]]).strip(_EDGES)
    beside = " ".join([*there[:left][::-1], *others, *behind[:right]]).strip(_EDGES)
    return (shown, beside) if shown.casefold() != beside.casefold() else None


class _Word(NamedTuple):
    start: int
    end: int
    is_stop: bool
    is_new: bool


def _words(claim: Stretch, page: Stretch, relations: Relations) -> tuple[list[_Word], list[_Word]]:
    """Return the words of both stretches, in plain offsets, and which the other one lacks."""
    sides = [
        (one.reading.tokens, one.reading.tokens.between(one.start, one.end))
        for one in (claim, page)
    ]
    known = [set(tokens.keys[own.start : own.stop]) for tokens, own in sides]
    for keys in known:
        keys.update(*map(relations.synonyms, keys))
    mine, theirs = (
        [
            _Word(own.starts[at], own.ends[at], bool(own.stops[at]), own.keys[at] not in others)
            for at in numbers
        ]
        for (own, numbers), others in zip(sides, reversed(known), strict=True)
    )
    return mine, theirs


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
    """Return the words of a span as written, and some spans relative to them."""
    whole = stretch.start, stretch.end
    text, ((first, last), *spans) = stretch.reading.plain.as_written([whole, *marked, *paired])
    spans = [(start - first, end - first) for start, end in spans]
    return text[first:last], spans[: len(marked)], spans[len(marked) :]


def _around(text: str, span: Span) -> tuple[list[str], list[str], list[str]]:
    """Return the words before a span in its sentence, nearest first, in it, and after it."""
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
    """Return how many words in a row are the same, up to a long one."""
    count = 0
    for word, other in zip(mine[:MAX_BESIDE], theirs[:MAX_BESIDE], strict=False):
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
