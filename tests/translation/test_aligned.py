"""A translated text leads back: to the sentences, and exactly to the names, of the original."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from klopt.reading.markup import read_text
from klopt.reading.reader import split_sentences
from klopt.reading.text import PlainText, Span, read_plain
from klopt.translation.aligned import AlignedText, AlignedTextBuilder, block_sentences
from klopt.translation.masks import Segment, read_units, restore, segment
from tests.translation.fakes import english, turned_around


def aligned(source: str, translate: Callable[[str], str] = english) -> AlignedText:
    """A text, translated sentence by sentence."""
    plain = read_text(source)
    names = [Span(one.start, one.end) for one in plain.marks if one.kind == "strong"]
    builder = AlignedTextBuilder(plain)
    for unit in read_units(plain, split_sentences(plain.text, frozenset()), names):
        builder.add_sentences(unit, lambda one: (restore(translate(one.text), one, plain), ()))
        builder.end_unit(unit)
    return builder.build()


def led_back(text: AlignedText, part: str) -> str:
    start = text.text.index(part)
    first, last = text.original(start, start + len(part))
    return text.source[first:last]


SOURCE = (
    "# Begin\n\nKlik op **Opslaan**, 3 keer. Sluit &amp; *wacht*.\n\n- 5\n\n```\norl go\nb\n```\n"
)


def test_what_the_translation_is():
    text = aligned(SOURCE, turned_around)
    kinds = [(block.kind, text.text[block.start : block.end]) for block in text.blocks]
    assert kinds == [
        ("heading", "It is that: nigebs."),
        ("paragraph", "It is that: reeks 3 Opslaan pos kilks. It is that: thcaws tiulss."),
        ("item", "5"),
        ("code", "orl go\nb"),
    ]
    assert text.text == "\n".join(block for _, block in kinds)
    assert [text.text[mark.start : mark.end] for mark in text.marks] == ["Opslaan", "orl go\nb"]


@pytest.mark.parametrize(
    ("part", "original"),
    [
        ("Opslaan", "Opslaan"),
        ("psla", "psla"),
        ("3", "3"),
        ("reeks", "Klik op **Opslaan**, 3 keer."),
        ("3 Opslaan", "Klik op **Opslaan**, 3 keer."),
        ("Opslaan po", "Klik op **Opslaan**, 3 keer."),
        ("thcaws", "Sluit &amp; *wacht*."),
        ("kilks. It", "Klik op **Opslaan**, 3 keer. Sluit &amp; *wacht*."),
        ("nigebs.\nIt is that: reeks", "Begin\n\nKlik op **Opslaan**, 3 keer."),
        ("nigebs", "Begin"),
        ("5", "5"),
        ("rl g", "rl g"),
        ("go\nb", "go\nb"),
    ],
)
def test_what_a_stretch_was_translated_from(part: str, original: str):
    assert led_back(aligned(SOURCE, turned_around), part) == original


def test_original_stretches_lead_to_their_translation():
    text = aligned(SOURCE, turned_around)
    start = SOURCE.index("Sluit")
    first, last = text.plain(start, start + 5)
    assert text.text[first:last] == "It is that: thcaws tiulss."
    first, last = text.plain(0, len(SOURCE))
    assert text.text[first:last] == text.text


def test_a_block_that_was_translated_as_a_whole():
    plain = read_text("Een **Af**. Twee.")
    unit = read_units(plain, split_sentences(plain.text, frozenset()), [Span(4, 6)])[0]
    builder = AlignedTextBuilder(plain)
    restored = restore("Second. First ⟦1⟧.", unit.whole, plain)
    first, second = (Span(one.start, one.end) for one in unit.sentences)
    builder.add(restored, unit.whole, ((Span(0, 7), second), (Span(8, 17), first)))
    builder.end_unit(unit)
    text = builder.build()
    assert led_back(text, "Second") == "Twee."
    assert led_back(text, "First") == "Een **Af**."
    assert led_back(text, "Af") == "Af"
    assert list(text.origins) == sorted(text.origins)


def check(text: AlignedText) -> None:
    """What holds of any translated text."""
    assert len(text.origins) == len(text.text) + 1
    assert list(text.origins) == sorted(text.origins)
    assert 0 <= text.origins[0] <= text.origins[-1] == len(text.source)
    for one in (*text.blocks, *text.marks):
        assert 0 <= one.start < one.end <= len(text.text)
    assert all(a.end < b.start for a, b in itertools.pairwise(text.blocks))
    for apart in (text.sentences, text.copies):
        assert all(a.end <= b.start for a, b in itertools.pairwise(apart))
    own = text.original_text
    for copy in text.copies:
        here, there = (copy.start, copy.end), (copy.source_start, copy.source_end)
        assert text.text[slice(*here)] == own.text[slice(*there)]
        assert text.original(*here) == own.original(*there)
    for place, letter in enumerate(text.text):
        inside = [one for one in text.sentences if one.start <= place < one.end]
        assert letter.isspace() or len(inside) == 1


DROPPED = str.maketrans("", "", "⟦⟧")
TRANSLATORS: dict[str, Callable[[str], str]] = {
    "as it was": str,
    "english": english,
    "the other order": turned_around,
    "marks lost": lambda text: text.translate(DROPPED),
    "marks twice": lambda text: f"{text} {text}",
    "the next mark": lambda text: f"{text} ⟦{text.count('⟦') + 1}⟧",
    "marks invented": lambda text: f"⟦77⟧ {text} ⟦0⟧⟦9999⟧",
    "capitals": str.upper,
    "three sentences": lambda text: f"So. {text} Now! And?",
    "marks first": lambda text: "".join(sorted(text)),
}
PIECES = st.sampled_from(
    ["Klik ", "op ", "**Opslaan** ", "**A. B** ", "5 ", "a. ", "B! ", "`x. Y` ", "\n\n", "\r\n",
     "\n- ", "\n  - ", "\n1. ",
     "\n| a | **b** |\n|---|---|\n| 1 | c. D. |\n\n", "\n```\nx. Y\n```\n",
     "\n# ", "⟦1⟧", "<p>", "</p>", "<br>", "<kbd>F2</kbd>", "<table><tr><td>Ja. Nee.</td></tr>",
     "</table>",
     "&amp;", "&#x27e6;", "\u200b", "e\u0301", "😀", "\ud800", "https://wadlinde.example ", "> ",
     "[hulp](x.md) "]
)  # fmt: skip
TEXTS = st.lists(PIECES, max_size=25).map("".join) | st.text(max_size=40)


@given(TEXTS, st.sampled_from(sorted(TRANSLATORS)), st.integers(0, 400), st.integers(0, 60))
def test_any_stretch_of_any_translation_leads_into_the_source(text, name, place, length):
    found = aligned(text, TRANSLATORS[name])
    check(found)
    start, end = (min(at, len(found.text)) for at in (place, place + length))
    first, last = found.original(start, end)
    assert 0 <= first <= last <= len(text)
    if end > start and found.text[start:end].strip():
        assert first < last
        covered = found.plain(first, last)
        assert 0 <= covered[0] <= covered[1] <= len(found.text)


@given(text=TEXTS)
def test_a_translation_word_for_word_keeps_blocks_and_names(text: str):
    found = aligned(text, str)
    original: PlainText = found.original_text
    assert found.text.split() == original.text.split()
    own, theirs = (
        [(b.kind, b.list_number, b.ordered, b.item_number, b.depth) for b in text.blocks]
        for text in (found, original)
    )
    assert own == theirs


# Which stretches of a block that people translated come from which sentences.

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
TOGETHER = "First click the button to keep everything, then close the window again."


@pytest.mark.parametrize(
    ("source", "target"),
    [
        (f"{FIRST} {SECOND}", TOGETHER),
        (FIRST, "First click the button. It keeps everything."),
        (f"{FIRST} Ja.", ONE),
        (f"Ja. {FIRST}", ONE),
    ],
)
def test_sentences_that_come_from_several(source, target):
    assert pairs(source, target) == [(source, target)]


def test_sentences_one_by_one_and_none():
    assert pairs(f"{FIRST} {SECOND}", f"{ONE} {TWO}") == [(FIRST, ONE), (SECOND, TWO)]
    assert pairs(FIRST, "") == []


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
    for stretches, spans in zip(zip(*found, strict=True), (theirs, own), strict=bool(found)):
        assert all(a.end <= b.start for a, b in itertools.pairwise(stretches))
        for span in spans:
            holding = [s for s in stretches if s.start <= span.start and span.end <= s.end]
            assert len(holding) == 1
