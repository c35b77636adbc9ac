"""A block that people translated as a whole: which of its sentences come from which."""

from __future__ import annotations

from collections.abc import Sequence

from klopt.reading.sentences import split_sentences
from klopt.reading.text import Span
from klopt.translation.gale_church import align_sentences
from klopt.translation.masks import Segment


def block_sentences(translated: str, sentences: Sequence[Segment]) -> tuple[tuple[Span, Span], ...]:
    """Stretches of a translated block with the plain stretches that they come from.

    Sentences without a partner go with the ones before them, at the beginning with those after.

    Args:
        translated: The block, with its masked parts back.
        sentences: The sentences of the block that was translated; at least one.

    Returns:
        In order; they cover all sentences of both.
    """
    targets = split_sentences(translated, frozenset())
    groups = align_sentences(
        [one.end - one.start for one in sentences], [one.end - one.start for one in targets]
    )
    found: list[tuple[Span, Span]] = []
    first_source, first_target = 0, 0
    for sources, partners in groups:
        last_source = max(sources, default=first_source - 1)
        last_target = max(partners, default=first_target - 1)
        if last_source >= first_source and last_target >= first_target:
            found.append(
                (
                    Span(targets[first_target].start, targets[last_target].end),
                    Span(sentences[first_source].start, sentences[last_source].end),
                )
            )
            first_source, first_target = last_source + 1, last_target + 1
        elif found:
            here, there = found.pop()
            found.append(
                (
                    Span(here.start, targets[last_target].end),
                    Span(there.start, sentences[last_source].end),
                )
            )
            first_source, first_target = last_source + 1, last_target + 1
    return tuple(found)
