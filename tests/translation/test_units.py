"""A text as a translator sees it: blocks, sentences, masks; and a block as people translated it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from klopt.reading.markup import read_text
from klopt.reading.reader import Reader
from klopt.reading.sentences import split_sentences
from klopt.reading.text import Span
from klopt.translation.masks import Unit, read_units

PAGE = """# Document opslaan

Klik op **Opslaan**. Wacht 5 tellen.

1. Open `orl.ini`.
   - Zet `a = 1`. Klaar!
2. Sluit af.

| Knop | Wat |
|---|---|
| **Nieuw** | Maakt iets. Nu. |

```
echo a. Exit nu.
```
"""


def units(reader: Reader, text: str) -> tuple[Unit, ...]:
    reading = reader.read(text)
    names = [Span(one.start, one.end) for one in reading.components]
    return read_units(reading.plain, reading.sentences, names)


def test_a_page_block_by_block(dutch: Reader):
    found = units(dutch, PAGE)
    assert [(one.block.kind, one.whole.text) for one in found if one.block.kind != "code"] == [
        ("heading", "Document opslaan"),
        ("paragraph", "Klik op ⟦1⟧. Wacht ⟦2⟧ tellen."),
        ("item", "Open ⟦1⟧."),
        ("item", "Zet ⟦1⟧. Klaar!"),
        ("item", "Sluit af."),
        ("cell", "Knop"),
        ("cell", "Wat"),
        ("cell", "Nieuw"),
        ("cell", "Maakt iets. Nu."),
    ]
    assert [one.text for one in found[1].sentences] == ["Klik op ⟦1⟧.", "Wacht ⟦1⟧ tellen."]


def test_blocks_of_code_are_not_translated(dutch: Reader):
    code = [one for one in units(dutch, PAGE) if one.block.kind == "code"]
    assert len(code) == 1
    assert code[0].sentences == ()


@pytest.mark.parametrize("text", ["", " \n\u200b", "<p></p>"])
def test_nothing(dutch: Reader, text: str):
    assert units(dutch, text) == ()


def test_a_name_over_two_sentences_stays_at_home(dutch: Reader):
    own = units(dutch, "Typ `echo geheim. Exit nu` en wacht.")[0]
    assert [one.text for one in own.sentences] == ["Typ ⟦1⟧", "⟦1⟧ en wacht."]
    assert own.whole.text == "Typ ⟦1⟧ en wacht."


PIECES = st.sampled_from(
    ["Klik ", "op ", "**Opslaan** ", "5 ", "a. ", "B! ", "`x. Y` ", "\n", "\n\n", "\r\n", "- ",
     "1. ", "| a | b |\n", "```\n", "# ", "⟦1⟧", "<p>", "</p>", "<br>", "<kbd>F2</kbd>", "&amp;",
     "\u200b", "e\u0301", "😀", "https://wadlinde.example ", "> "]
)  # fmt: skip
TEXTS = st.lists(PIECES, max_size=30).map("".join)


@given(text=TEXTS)
def test_of_any_text_every_sentence_is_there_once(text: str):
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


def test_a_long_block_takes_its_time_once(dutch: Reader):
    """20,000 characters, all numbers and sentences: not every number beside every sentence."""
    own = units(dutch, "Nu 1. " * 3_300)
    assert len(own[0].sentences) > 3_000
    assert all(1 <= len(one.masks) <= 2 for one in own[0].sentences)
