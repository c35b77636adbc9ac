"""Which stretch of an answer is marked as what."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from klopt.report.disagreements import Span, kind_of, marked_answer, stretches
from klopt.report.view import Piece

KINDS = ("supported", "unsupported", "loose", "found")
OFFSETS = st.integers(-20, 60) | st.integers()
SPANS = st.lists(
    st.builds(Span, OFFSETS, OFFSETS, st.sampled_from(KINDS), st.sampled_from("ab"), st.none()),
    max_size=12,
)


def kinds(answer: str, *spans: Span) -> list[tuple[str, str | None]]:
    return [(piece, span and span.kind) for piece, span in stretches(answer, spans)]


@given(st.text(max_size=40), SPANS)
def test_the_pieces_are_the_answer(answer, spans):
    found = stretches(answer, spans)
    assert "".join(piece for piece, _ in found) == answer
    assert all(piece for piece, _ in found)


@given(st.text(min_size=1, max_size=40), SPANS)
def test_a_character_is_marked_where_a_span_covers_it(answer, spans):
    at = 0
    for piece, span in stretches(answer, spans):
        for index in range(at, at + len(piece)):
            covering = [one for one in spans if one.start <= index < one.end]
            assert span in covering if covering else span is None
        at += len(piece)


@given(st.text(max_size=40), SPANS)
def test_the_order_of_the_evidence_does_not_matter(answer, spans):
    assert list(marked_answer(answer, spans)) == list(marked_answer(answer, spans[::-1]))
    assert "".join(one.text for one in marked_answer(answer, spans)) == answer


@pytest.mark.parametrize(
    ("spans", "expected"),
    [
        ([(0, 3, "supported")], [("abc", "supported"), ("defg", None)]),
        ([(5, 99, "unsupported")], [("abcde", None), ("fg", "unsupported")]),
        ([(-4, 2, "found")], [("ab", "found"), ("cdefg", None)]),
        ([(4, 4, "found"), (6, 2, "found"), (9, 12, "found")], [("abcdefg", None)]),
        ([(0, 7, "loose"), (0, 7, "found")], [("abcdefg", "loose")]),
        ([(2, 4, "found"), (0, 7, "loose")], [("abcdefg", "loose")]),
        (
            [(0, 6, "unsupported"), (2, 4, "supported")],
            [("ab", "unsupported"), ("cd", "supported"), ("ef", "unsupported"), ("g", None)],
        ),
        (
            [(0, 4, "supported"), (3, 7, "unsupported")],
            [("abcd", "supported"), ("efg", "unsupported")],
        ),
    ],
)
def test_overlaps_and_what_lies_outside(spans, expected):
    assert kinds("abcdefg", *(Span(*one, "feature") for one in spans)) == expected


def test_space_and_punctuation_at_the_edge_are_not_marked():
    loose = Span(0, 11, "loose", "hal")
    assert list(marked_answer(". Ze gaan, nu", [loose])) == [
        Piece(". "),
        Piece(
            "Ze gaan",
            "loose",
            "words that stand side by side in no page; weak on its own (Words that stand together)",
        ),
        Piece(", "),
        Piece("nu"),
    ]
    name = Span(0, 4, "supported", "components_defined", "help.md")
    assert list(marked_answer(" [+] x", [name])) == [
        Piece(" "),
        Piece(
            "[+]",
            "supported",
            "a page has it, help.md (Components)",
        ),
        Piece(""),
        Piece(" x"),
    ]


@pytest.mark.parametrize(
    ("feature", "kind", "shown"),
    [
        ("hal", "unsupported", "loose"),
        ("hal", "supported", "supported"),
        ("subject_combination", "unsupported", "unsupported"),
        ("a new one", "unsupported", "unsupported"),
    ],
)
def test_how_evidence_is_marked(feature, kind, shown):
    assert kind_of(feature, kind) == shown
