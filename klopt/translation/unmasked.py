"""Sentences that a translator gave back without their marks: sent again as they are."""

from __future__ import annotations

from typing import Final

from klopt.reading.text import PlainText, Span
from klopt.translation.masks import Restored, Segment

NO_MARK: Final = str.maketrans("⟦⟧", "[]")
"""Brackets of a text itself, which might read as marks."""


def written_out(segment: Segment, plain: PlainText) -> str:
    """The sentence without marks, as it stands; the same as its text when it has none.

    Its own brackets ⟦ ⟧ are written otherwise, or it might read as another one with marks.
    """
    if not segment.masks:
        return segment.text
    return plain.text[segment.start : segment.end].translate(NO_MARK)


def find_again(translated: str, segment: Segment, plain: PlainText) -> Restored:
    """A sentence that was translated without marks, with the masked parts that it kept.

    A part is kept when it stands in the translation as often as in the sentence.

    Args:
        translated: The translation of the sentence as it stands.
        segment: The sentence.
        plain: The text that it comes from.
    """
    places: list[tuple[int, Span]] = []
    texts = [plain.text[mask.start : mask.end] for mask in segment.masks]
    taken: list[Span] = []
    for number, text in sorted(enumerate(texts), key=lambda one: -len(one[1])):
        earlier = texts[:number].count(text)
        at = _occurrence(translated, text, earlier)
        if at < 0 or translated.count(text) != texts.count(text):
            continue
        place = Span(at, at + len(text))
        if all(place.end <= other.start or other.end <= place.start for other in taken):
            taken.append(place)
            places.append((number, place))
    return Restored(translated, tuple(sorted(places)))


def _occurrence(text: str, part: str, earlier: int) -> int:
    """Where the part stands for the time after ``earlier`` times; -1 when it does not."""
    at = text.find(part)
    for _ in range(earlier):
        if at < 0:
            break
        at = text.find(part, at + len(part))
    return at
