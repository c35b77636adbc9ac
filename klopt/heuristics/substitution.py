"""Substitution: does the answer put another number, key, side or state where the page has one?"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, cast

from klopt.heuristics.declaration import NO_CONTEXT, Heuristic, Material
from klopt.matching import AlignedPage, Index, Resembling, Unit
from klopt.matching.rivals import Rivals, rivals_of
from klopt.measurement import Evidence, Measurement

_PREPOSITION: Final = "ADP"
_PARTICLE: Final = "compound:prt"

Known = dict[tuple[int, int], dict[str, tuple[int, int]]]
"""Page and sentence → its words with their places."""


def measure(material: Material) -> Measurement:
    """How far the answer keeps the values of the sentences that it follows.

    "The screen is shown for 30 seconds", where the page says 20: all other words are supported.

    Args:
        material: Reads the answer and the pages; needs the alignment.

    Returns:
        0 to 1: 1 minus the weight of the words that were put in the place of another, at most 1
        together. A word weighs as much as its sentence resembles that of the page. It was put in
        place of another when none of the sentences that resemble its sentence most (at least
        ``near_share`` of the likest one's resemblance) has it or a word like it, and one of them
        has its rival: another number, another key or code, its antonym, or another member of a
        set of contrasts, such as a colour. None when no sentence resembles one of the pages, or
        no page has text. Evidence: each such word, ``unsupported``, with the sentence of the
        page and the rival.

    Source:
        Lassche et al., section 4.4.2 (Error Mismatch, Off-Context); techsupporteval, section 3
        (ClozeFact: a key term that is another than the reference's).

    Differs:
        No reference and no LLM: the sentence of the page that the answer's sentence resembles is
        the reference. Words that have no rival are left to Statement Support.
    """
    if not material.contexts:
        return Measurement.missing(NO_CONTEXT)
    alignment = material.alignment
    rivals = rivals_of(material.lexicons)
    near_share = cast(float, material.options["near_share"])
    known: Known = {}
    conflict, compared = 0.0, False
    evidence: list[Evidence] = []
    for unit in alignment.units:
        resembling = alignment.resembling(unit)
        if not resembling:
            continue
        compared = True
        highest = max(one.share for one in resembling)
        near = [one for one in resembling if one.share >= near_share * highest]
        own = _words(unit, alignment.answer, rivals)
        for word, (start, end) in own.items():
            if not rivals.has(word):
                continue
            found = _replaced(word, own.keys(), near, alignment.pages, rivals, known)
            if found is not None:
                conflict += found.by.share
                place = found.by.unit
                at = (material.contexts[found.by.page], place.start, place.end)
                entry = f"instead of {found.rival.lstrip('#@')}"
                evidence.append(material.evidence("unsupported", start, end, entry=entry, at=at))
    if not compared:
        return Measurement.missing("no sentence of the answer resembles one of the pages")
    return Measurement(max(0.0, 1.0 - conflict), evidence=tuple(evidence))


@dataclass(frozen=True, slots=True)
class _Replaced:
    """What a word was put in the place of, and the sentence of the page that has it."""

    rival: str
    by: Resembling


def _words(unit: Unit, index: Index, rivals: Rivals) -> dict[str, tuple[int, int]]:
    """Words with their places: the tokens, and stop words with an opposite that mean something.

    "Uit" is a stop word; in "Zet wifi UIT" and "Turn off the light" it is the point of the
    sentence. The lemma of a Dutch verb has its particle, so there it need not count by itself.
    """
    found = {token.key: (token.start, token.end) for token in unit.tokens}
    parse = index.parse
    for at in parse.word_indices[unit.first : unit.last]:
        word = parse.words[at]
        if not parse.stops[at] or not rivals.has_opposite(word.lower()):
            continue
        verb = parse.lemmas[parse.heads[at]] if parse.deps[at] == _PARTICLE else word.lower()
        means = parse.pos[at] != _PREPOSITION or not verb.startswith(word.lower())
        if means or word.isupper():
            span = parse.spans[at]
            found.setdefault(word.lower(), (span.start, span.end))
    return found


def _replaced(
    word: str,
    own: Iterable[str],
    near: list[Resembling],
    pages: tuple[AlignedPage, ...],
    rivals: Rivals,
    known: Known,
) -> _Replaced | None:
    """What stands in the sentences near by in place of a word; None when one of them has it."""
    found: _Replaced | None = None
    kept = set(own)
    for other in near:
        page = pages[other.page]
        theirs = known.get((other.page, other.unit.number))
        if theirs is None:
            theirs = _words(other.unit, page.index, rivals)
            known[other.page, other.unit.number] = theirs
        if word in theirs or any(one in theirs for one in page.likes.get(word, ())):
            return None
        for rival in theirs:
            if rival not in kept and rivals.exclude(word, rival):
                if found is None or other.share > found.by.share:
                    found = _Replaced(rival, other)
                break
    return found


HEURISTIC = Heuristic(
    name="substitution",
    symbol="",
    reads=frozenset({"answer", "contexts"}),
    needs=frozenset({"alignment"}),
    lexicons=frozenset({"antonyms", "contrasts", "numbers", "synonyms"}),
    measure=measure,
    options={"near_share": 0.9},
    message_types=("general", "error", "reasoning", "binary", "instruction"),
)
