"""Masks: hits and misses of every rule, masked texts, and restored translations."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from klopt._internal import shipped
from klopt.text.building import read_plain
from klopt.text.key_terms import RuleHit
from klopt.text.markup import read_text
from klopt.text.plain import PlainText, Span
from klopt.text.reader import Reader, split_sentences
from klopt.translation.masks import (
    MARKER,
    Segment,
    faults,
    find_again,
    find_masks,
    read_units,
    restore,
    segment,
)
from tests.tables import tables
from tests.translation.fakes import PIECES

CASES = tables("translation", "masks")

RULES = shipped.table("klopt.translation", "masks.toml")["rule"]
HITS = [
    pytest.param(rule["id"], hit["text"], hit["terms"], id=f"{rule['id']}: {hit['text']}")
    for rule in RULES
    for hit in rule["hit"]
]
MISSES = [
    pytest.param(rule["id"], miss, id=f"{rule['id']}: {miss}")
    for rule in RULES
    for miss in rule["miss"]
]


def found(plain: PlainText, kind: str) -> list[str]:
    return [plain.text[one.start : one.end] for one in find_masks(plain) if one.kind == kind]


def whole(plain: PlainText, names: tuple[Span, ...] = ()) -> Segment:
    return segment(plain, 0, len(plain.text), find_masks(plain, names))


def masked(reader: Reader, text: str) -> str:
    reading = reader.read(text)
    return whole(reading.plain, tuple(Span(c.start, c.end) for c in reading.components)).text


@pytest.mark.parametrize(("rule", "text", "terms"), HITS)
def test_hits_of_a_rule(rule, text, terms):
    """In plain text, unless another mask is longer."""
    plain = read_plain(text)
    masks = [plain.text[one.start : one.end] for one in find_masks(plain)]
    assert [term for term in masks if term in terms] == terms
    assert set(found(plain, rule)) <= set(terms)


@pytest.mark.parametrize(("rule", "text"), MISSES)
def test_near_misses_of_a_rule(rule, text):
    assert found(read_plain(text), rule) == []


@pytest.mark.parametrize(("text", "expected"), CASES["masked"])
def test_masked_texts(dutch, text, expected):
    assert masked(dutch, text) == expected


def test_a_mask_across_two_sentences_is_masked_in_both():
    """The sentence splitter ends a sentence within ``echo a. Exit``."""
    plain = read_text("Typ `echo a. Exit nu` in.")
    masks = find_masks(plain)
    at = plain.text.index("Exit")
    first, second = segment(plain, 0, at - 1, masks), segment(plain, at, len(plain.text), masks)
    assert (first.text, second.text) == ("Typ ⟦1⟧", "⟦1⟧ in.")
    assert first.masks == (RuleHit(4, at - 1, "code"),)
    assert second.masks == (RuleHit(at, at + 7, "code"),)


@pytest.mark.parametrize(
    ("text", "count", "expected"),
    [
        ("Click ⟦1⟧.", 1, None),
        ("⟦2⟧, then ⟦1⟧.", 2, None),
        ("Click.", 0, None),
        ("Click.", 1, "⟦1⟧ is lost"),
        ("⟦1⟧ ⟦1⟧", 1, "⟦1⟧ occurs twice"),
        ("Click ⟦3⟧.", 2, "⟦1⟧ is lost, ⟦2⟧ is lost, ⟦3⟧ is invented"),
        ("⟦0⟧ ⟦1⟧", 1, "⟦0⟧ is invented"),
        ("⟦1 ⟧", 1, "⟦1⟧ is lost"),
    ],
)
def test_faults_of_placeholders(text, count, expected):
    assert faults(text, count) == expected


TEXTS = st.text(st.sampled_from("ab Kl1⟦⟧.,*`_</>@:%{}$-é́😀\u200b\r\n|#&;"), max_size=80) | st.text(
    max_size=60
)


@given(text=TEXTS)
def test_masks_of_any_text_are_restored(text):
    plain = read_text(text)
    masks = find_masks(plain, [Span(one.start, one.end) for one in plain.marks])
    assert all(0 <= one.start < one.end <= len(plain.text) for one in masks)
    assert all(one.end <= other.start for one, other in itertools.pairwise(masks))
    for block in plain.blocks:
        own = segment(plain, block.start, block.end, masks)
        numbers = [int(one[1]) for one in MARKER.finditer(own.text)]
        assert numbers == [*range(1, len(own.masks) + 1)]
        assert restore(own.text, own, plain).text == plain.text[block.start : block.end]
        bare = MARKER.sub("", own.text)
        assert "⟦" not in bare
        assert "⟧" not in bare


# Blocks and sentences of a text


NO_TABLES = st.sampled_from([one for one in PIECES if "|" not in one and "table" not in one])


@given(text=st.lists(NO_TABLES, max_size=30).map("".join))
def test_units_of_any_text_have_each_sentence_once(text):
    plain = read_text(text)
    sentences = split_sentences(plain.text, frozenset())
    names = [Span(one.start, one.end) for one in plain.marks if one.kind == "strong"]
    found = read_units(plain, sentences, names)
    assert [one.block for one in found] == list(plain.blocks)
    for unit in found:
        assert (unit.whole.start, unit.whole.end) == (unit.block.start, unit.block.end)
        for own in unit.sentences:
            assert "\n" not in own.text
            assert own.text == own.text.strip() != ""
            assert unit.block.start <= own.start < own.end <= unit.block.end
    assert [Span(one.start, one.end) for unit in found for one in unit.sentences] == [
        one
        for one in sentences
        if not any(b.kind == "code" and b.start <= one.start < b.end for b in plain.blocks)
    ]


# Translations without placeholders


@pytest.mark.parametrize(("text", "translated", "kept"), CASES["found_again"])
def test_masked_texts_are_found_in_a_translation(text, translated, kept):
    plain = read_text(text)
    names = tuple(Span(one.start, one.end) for one in plain.marks if one.kind == "strong")
    own = whole(plain, names)
    restored = find_again(translated, own, plain)
    assert restored.text == translated
    assert [translated[place.start : place.end] for _, place in restored.places] == kept
    for number, place in restored.places:
        mask = own.masks[number]
        assert plain.text[mask.start : mask.end] == translated[place.start : place.end]
