"""A block that people translated as a whole: which of its sentences come from which."""

from __future__ import annotations

from collections.abc import Sequence

from klopt.reading.sentences import split_sentences
from klopt.reading.text import Span
from klopt.translation.gale_church import align_sentences, joined
from klopt.translation.masks import Segment


def block_sentences(
    translated: str, sentences: Sequence[Segment], abbreviations: frozenset[str]
) -> tuple[tuple[Span, Span], ...]:
    """Stretches of a translated block with the plain stretches that they come from.

    Args:
        translated: The block, with its masked parts back.
        sentences: The sentences of the block that was translated; at least one.
        abbreviations: Of the language that it was translated to.

    Returns:
        In order; they cover all sentences of both.
    """
    targets = split_sentences(translated, abbreviations)
    groups = align_sentences(
        [one.end - one.start for one in sentences], [one.end - one.start for one in targets]
    )
    return tuple(
        (
            Span(targets[theirs[0]].start, targets[theirs[-1]].end),
            Span(sentences[own[0]].start, sentences[own[-1]].end),
        )
        for own, theirs in joined(groups)
        if own and theirs
    )
