"""Substitution: does the answer put another number, key, side or state where the page has one?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias, cast

from klopt.heuristics.declaration import Heuristic, Material, Options
from klopt.matching import Near
from klopt.measurement import Evidence, Measurement
from klopt.reading.reader import Reading
from klopt.reading.tokens import Kind, ends_clause

Words: TypeAlias = dict[str, tuple[int, int]]
"""The words of a sentence with their places."""


def measure(material: Material, options: Options) -> Measurement:
    """How far the answer keeps the values of the sentences that it follows.

    "The screen is shown for 30 seconds", where the page says 20: all other words are supported.

    Args:
        material: Reads the answer and the pages.
        options: ``near_share``.

    Returns:
        0 to 1: 1 minus the weight of the words that were put in the place of another, at most 1
        together. A word weighs as much as its sentence resembles that of the page. It was put in
        place of another when none of the sentences that resemble its sentence most (at least
        ``near_share`` of the likest one's resemblance) has it or a word like it, and one of them
        has its rival: another number, another key or code, its antonym, or another member of a
        set of contrasts, such as a colour; a value of a page is replaced once. None when no
        sentence resembles one of the pages. Evidence: each such word, ``unsupported``, with the
        sentence of the page and the rival.

    Source:
        Lassche et al., section 4.4.2 (Error Mismatch, Off-Context); techsupporteval, section 3
        (ClozeFact: a key term that is another than the reference's).

    Differs:
        No reference and no LLM: the sentence of the page that the answer's sentence resembles is
        the reference. Words that have no rival are left to Statement Support.
    """
    match = material.match
    near_share = cast(float, options["near_share"])
    conflict, compared = 0.0, False
    evidence: list[Evidence] = []
    told: set[tuple[int, int]] = set()
    for unit in match.statements:
        near = _near(unit, near_share, material)
        compared = compared or bool(near)
        own = _words(match.answer.starts[unit], match.answer.ends[unit], material.answer, material)
        for word, place in own.items():
            found = _replaced(word, own, near, material)
            if found is not None:
                rival, by = found
                value = (by.near.page, by.words[rival][0])
                if value in told:
                    continue
                told.add(value)
                conflict += by.near.share
                entry = f"instead of {by.text[slice(*by.words[rival])]}"
                at = (by.near.page, *match.span(by.near))
                evidence.append(material.evidence("unsupported", *place, entry=entry, at=at))
    if not compared:
        return Measurement.missing("no sentence of the answer resembles one of the pages")
    return Measurement(max(0.0, 1.0 - conflict), evidence=tuple(evidence))


@dataclass(frozen=True, slots=True)
class _Near:
    """A sentence of the pages that resembles one of the answer, with its words."""

    near: Near
    words: Words
    text: str


def _near(unit: int, near_share: float, material: Material) -> list[_Near]:
    """The sentences of the pages that resemble one most, the likest first."""
    match, found = material.match, []
    for near in match.near[unit]:
        if near.share < near_share * match.near[unit][0].share:
            break
        reading = material.contexts[near.page].index.reading
        words = _words(*match.span(near), reading, material)
        found.append(_Near(near, words, reading.plain.text))
    return found


def _words(start: int, end: int, reading: Reading, material: Material) -> Words:
    """The words of a sentence that have content, and stop words with an opposite that mean it.

    "Uit" is a stop word; in "Zet wifi UIT" and "De wifi is uit" it is the point of the sentence,
    in "uit de lijst" it is not. A particle that was joined with its verb counts there, and is
    the verb's place: what "aanzetten" and "uitzetten" differ in.
    """
    tokens, text = reading.tokens, reading.plain.text
    found: Words = {}
    is_joined = material.language.reader.tokenizer.is_joined
    for number in tokens.between(start, end):
        key, place = tokens.keys[number], (tokens.starts[number], tokens.ends[number])
        if tokens.stops[number]:
            if tokens.kinds[number] == Kind.PARTICLE:
                particle = text[slice(*place)].lower()
                verb = next((one for one in reversed(found) if is_joined(one, particle)), None)
                if verb is not None:
                    found[verb] = place
                continue
            if not material.language.relations.opposites(key):
                continue
            is_last = ends_clause(text, tokens.starts, tokens.ends, number)
            if not is_last and not text[slice(*place)].isupper():
                continue
        found[key] = place
    return found


def _replaced(
    word: str, own: Words, near: list[_Near], material: Material
) -> tuple[str, _Near] | None:
    """What the likest sentence has in place of a word; None when one near by has the word."""
    match, relations = material.match, material.language.relations
    if not relations.has_rival(word):
        return None
    row = match.words.get(word)
    found: tuple[str, _Near] | None = None
    for other in near:
        if word in other.words or (
            row is not None and match.likes[other.near.page][row, other.near.unit]
        ):
            return None
        for rival in other.words:
            if found is None and rival not in own and relations.exclude(word, rival):
                found = rival, other
    return found


HEURISTIC = Heuristic(
    name="substitution",
    symbol="",
    reads=frozenset({"answer", "contexts"}),
    needs=frozenset({"match"}),
    measure=measure,
    options={"near_share": 0.9},
)
