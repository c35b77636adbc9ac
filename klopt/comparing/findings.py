"""What speaks for a statement and against it, which of it tells, and how a reader sees it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from klopt.cached import cached_property
from klopt.comparing.pairs import Pair
from klopt.matching.index import Relations
from klopt.matching.units import Integers
from klopt.reading.reader import Reading

__all__ = [
    "Differing",
    "Finding",
    "FindingPlaces",
    "Span",
    "Stance",
    "Stretch",
    "differing",
    "findings_of",
    "nearest",
    "side_by_side",
    "tells",
]

Span = tuple[int, int]
_Keys = Sequence[tuple[str, Span, bool]]
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
_SENTENCE: Final = re.compile(r"(?:[^.!?\n]|[.!?](?=\S))+[.!?]?")
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


@dataclass(frozen=True)
class Stretch:
    """A stretch of a text that was read, in plain offsets."""

    reading: Reading
    start: int
    end: int

    @property
    def text(self) -> str:
        """Its words."""
        return self.reading.plain.text[self.start : self.end]

    def as_written(self, start: int, end: int) -> tuple[str, Span]:
        """The words of the stretch as they were written, and where in them a part of it stands."""
        words, first = self._written
        _, own, other = self.reading.plain.as_written(self.start + start, self.start + end)
        return words, (own - first, other - first)

    @cached_property
    def _written(self) -> tuple[str, int]:
        """The words as they were written, and where they begin there."""
        text, first, last = self.reading.plain.as_written(self.start, self.end)
        return text[first:last], first

    def words(self) -> list[tuple[str, Span, bool]]:
        """Key, place from the start of the stretch, and whether it has no content of its own."""
        tokens, keyed = self.reading.tokens, []
        for number in tokens.between(self.start, self.end):
            span = tokens.starts[number] - self.start, tokens.ends[number] - self.start
            keyed.append((tokens.keys[number], span, bool(tokens.stops[number])))
        return keyed


@dataclass(frozen=True, slots=True)
class Differing:
    """What differs, in offsets from the start of each stretch.

    Attributes:
        claim: The words of the statement that are wrong; where none are known to be, those that
            its place has nothing of.
        page: The words of the place that say otherwise.
        rivals: What the statement says and what the place says in its stead, in a few words each.
    """

    claim: tuple[Span, ...]
    page: tuple[Span, ...]
    rivals: tuple[tuple[str, str], ...]


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
    against = [
        finding
        for finding in findings
        if finding.side == "against" and finding.kind not in OF_THE_WHOLE
    ]
    if not against and all(finding.side != "open" for finding in findings):
        return Differing((), (), ())
    own_words, other_words = claim.words(), page.words()
    mine = _Words(claim, own_words, other_words, relations)
    theirs = _Words(page, other_words, own_words, relations)
    wrong = mine.marked((finding.kind, finding.claim) for finding in against)
    otherwise = theirs.marked((finding.kind, finding.page) for finding in against)
    rivals = dict[tuple[str, str], None]()
    for finding in against:
        if finding.kind in BESIDE or not (finding.claim and finding.page):
            continue
        if finding.kind in DISPLACED or mine.differs(finding.claim):
            at, there = claim.start, page.start
            pair = side_by_side(
                *claim.as_written(finding.claim[0] - at, finding.claim[1] - at),
                *page.as_written(finding.page[0] - there, finding.page[1] - there),
            )
            if pair[0].casefold() != pair[1].casefold():
                rivals[pair] = None
    if not wrong and not otherwise:
        wrong = mine.marked(
            (finding.kind, finding.claim) for finding in findings if finding.side == "open"
        )
    return Differing(
        tuple(claim.as_written(*span)[1] for span in wrong),
        tuple(page.as_written(*span)[1] for span in otherwise),
        tuple(rivals),
    )


def side_by_side(mine: str, own: Span, theirs: str, other: Span) -> tuple[str, str]:
    """Words in each other's place, with those around them that both sides have.

    Where they have none around them in common, each is told with its own neighbours.

    >>> page = "U heeft 90 dagen na de datum."
    >>> side_by_side("Dan heeft u 60 dagen de tijd.", (12, 14), page, (8, 10))
    ('60 dagen', '90 dagen')
    """
    left = _shared(_before(mine, own[0]), _before(theirs, other[0]))
    right = _shared(_after(mine, own[1]), _after(theirs, other[1]))
    if left or right:
        return _told(mine, own, left, right), _told(theirs, other, left, right)
    return _told(mine, own, 1, 1), _told(theirs, other, 1, 1)


def nearest(text: str, claim: str) -> int:
    """Where in a text the sentence begins that has most of a statement's words.

    >>> nearest("Kies een datum. Wacht negentig dagen.", "Na negentig dagen mag het.")
    16
    """
    wanted = {_bare(word[0]) for word in _WORD.finditer(claim)}

    def share(sentence: re.Match[str]) -> float:
        words = {_bare(word[0]) for word in _WORD.finditer(sentence[0])}
        return sum(len(word) for word in wanted & words if word)

    sentences = [sentence for sentence in _SENTENCE.finditer(text) if sentence[0].strip()]
    best = max(sentences, key=share, default=None)
    if best is None:
        return 0
    return best.start() + len(best[0]) - len(best[0].lstrip())


class _Words:
    """One side, and which of its words the other has not."""

    def __init__(self, stretch: Stretch, own: _Keys, other: _Keys, relations: Relations) -> None:
        keys = {key for key, _, _ in other}
        known = keys.union(*map(relations.synonyms, keys))
        self._start = stretch.start
        self._text = stretch.text
        self._words = [(span, stop, key not in known) for key, span, stop in own]

    def differs(self, span: Span) -> bool:
        """Whether there is a word in a plain stretch that the other side has not."""
        return any(is_new for _, _, is_new in self._in(span))

    def marked(self, stretches: Iterable[tuple[str, Span | None]]) -> tuple[Span, ...]:
        """The words of stretches that the other side has not, those side by side together."""
        chosen = set[Span]()
        for kind, span in stretches:
            in_span = self._in(span) if span else []
            own = [word for word in in_span if word[2]]
            if not own and kind in DISPLACED:
                own = in_span[:1]
            chosen.update(one[0] for one in own)
            if own and kind == "negation":
                chosen.update(self._beside(own))
        spans: list[Span] = []
        for start, end in sorted(chosen):
            if spans and not self._text[spans[-1][1] : start].strip(" "):
                start = spans.pop()[0]
            spans.append((start, end))
        return tuple(spans)

    def _in(self, span: Span) -> list[tuple[Span, bool, bool]]:
        start, end = span[0] - self._start, span[1] - self._start
        return [word for word in self._words if start <= word[0][0] < end]

    def _beside(self, own: list[tuple[Span, bool, bool]]) -> Iterator[Span]:
        """The rest of a negation of several words, of which one was found."""
        first, last = self._words.index(own[0]), self._words.index(own[-1])
        for numbers in (range(first - 1, -1, -1), range(last + 1, len(self._words))):
            for number in numbers:
                span, is_stop, is_new = self._words[number]
                if not (is_stop and is_new):
                    break
                yield span


def _before(text: str, at: int) -> list[str]:
    """The words of the sentence before a place, the nearest first."""
    words: list[str] = []
    for word in reversed(list(_WORD.finditer(text[:at].rpartition("\n")[2]))):
        if word[0][-1] in ".!?:;":
            break
        words.append(word[0])
    return words


def _after(text: str, at: int) -> list[str]:
    """The words of the sentence after a place."""
    words: list[str] = []
    if text[at : at + 1] in (*".!?:;", ""):
        return words
    for word in _WORD.finditer(text[at:].partition("\n")[0]):
        words.append(word[0])
        if word[0][-1] in ".!?:;":
            break
    return words


def _shared(mine: list[str], theirs: list[str]) -> int:
    """How many words in a row are the same, up to one to know the place by."""
    count = 0
    for one, other in zip(mine[:MOST_BESIDE], theirs[:MOST_BESIDE], strict=False):
        if _bare(one) != _bare(other) or not _bare(one):
            break
        count += 1
        if len(_bare(one)) >= LONG_CHARS:
            break
    return count


def _told(text: str, span: Span, left: int, right: int) -> str:
    """A stretch with so many words before and after it."""
    before = list(reversed(_before(text, span[0])[:left]))
    after = _after(text, span[1])[:right]
    return " ".join([*before, " ".join(text[slice(*span)].split()), *after]).strip(_EDGES)


def _bare(word: str) -> str:
    return word.strip(_EDGES).casefold()


def _span(spans: Integers, first: int, last: int) -> tuple[int, int] | None:
    return (int(spans[first, 0]), int(spans[last, 1])) if first >= 0 else None
