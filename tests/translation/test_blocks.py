"""Which stretches of a block that people translated come from which sentences."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from klopt.reading.plain import read_plain
from klopt.reading.sentences import split_sentences
from klopt.translation.aligned import block_sentences
from klopt.translation.masks import Segment, segment

NONE: frozenset[str] = frozenset()


def sentences(text: str) -> list[Segment]:
    plain = read_plain(text)
    return [segment(plain, one.start, one.end, ()) for one in split_sentences(plain.text, NONE)]


def pairs(source: str, target: str, abbreviations: frozenset[str] = NONE) -> list[tuple[str, str]]:
    found = block_sentences(target, sentences(source), abbreviations)
    return [
        (source[there.start : there.end], target[here.start : here.end]) for here, there in found
    ]


FIRST, SECOND = "Klik eerst op de knop om alles te bewaren.", "Sluit daarna het venster weer."
ONE, TWO = "First click the button to keep everything.", "Then close the window again."


@pytest.mark.parametrize(
    ("source", "target", "expected"),
    [
        (f"{FIRST} {SECOND}", f"{ONE} {TWO}", [(FIRST, ONE), (SECOND, TWO)]),
        (
            f"{FIRST} {SECOND}",
            "First click the button to keep everything, then close the window again.",
            [
                (
                    f"{FIRST} {SECOND}",
                    "First click the button to keep everything, then close the window again.",
                )
            ],
        ),
        (FIRST, "First click the button. It keeps everything.", None),
        (f"{FIRST} Ja.", ONE, [(f"{FIRST} Ja.", ONE)]),
        (f"Ja. {FIRST}", ONE, [(f"Ja. {FIRST}", ONE)]),
        (FIRST, "", []),
    ],
)
def test_sentences(source: str, target: str, expected: list[tuple[str, str]] | None):
    assert pairs(source, target) == ([(source, target)] if expected is None else expected)


def test_abbreviations_end_no_sentence():
    target = "Click e.g. Save now to keep it."
    assert pairs(FIRST, target, frozenset({"e.g."})) == [(FIRST, target)]


WORDS = st.lists(st.sampled_from(["Ja.", "Nee!", "Klik op de knop.", "a", "1.", "Wacht.", "😀"]))


@given(source=WORDS.filter(bool), target=WORDS)
def test_stretches_cover_every_sentence_once_and_in_order(source: list[str], target: list[str]):
    own, text = sentences(" ".join(source)), " ".join(target)
    found = block_sentences(text, own, NONE)
    theirs = split_sentences(text, NONE)
    assert bool(found) is bool(theirs)
    if found:
        for side, spans in ((0, theirs), (1, own)):
            stretches = [one[side] for one in found]
            assert all(a.end <= b.start for a, b in itertools.pairwise(stretches))
            for one in spans:
                holding = [s for s in stretches if s.start <= one.start and one.end <= s.end]
                assert len(holding) == 1
