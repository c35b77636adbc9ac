"""The parts of answers: the case table, and properties of any answer."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from klopt import Page, Scorer, Turn, lexicons
from klopt.text.answer_parts import VERIFIED, AnswerParts, read_answer
from klopt.text.markup import read_text
from tests.growth.growing import assert_linear, shapes
from tests.tables import flattened, tables
from tests.text.drawn import texts

CASES = flattened(tables("text", "answer_parts"), "language")
PAGE = Page("# Passen\n\nEen pas is gratis. Klik op **Blokkeren**.", id="passen.md")
PIECES = texts("answer_parts", 30)


def parts_of(
    text: str, language: str = "nl", names: tuple[str, ...] = (), pages: tuple[str, ...] = ()
) -> AnswerParts:
    own = lexicons.load(language) if language in lexicons.languages() else None
    return read_answer(read_text(text), language, own, names, pages)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['language']}-{case['text'][:40]}")
def test_case(case):
    text = case["text"]
    more = (tuple(case.get(name, ())) for name in ("names", "pages"))
    found = parts_of(text, case["language"], *more)
    assert [f"{one.kind}: {text[one.start : one.end]}" for one in found.parts] == case["parts"]
    if "kept" in case:
        assert found.verified.text == case["kept"]


def test_steps_on_one_line_are_a_numbered_list():
    found = parts_of("Zo gaat het: 1. Open Passen 2. Kies Blokkeren")
    assert [(one.kind, one.ordered, one.item_number) for one in found.verified.blocks] == [
        ("item", True, 0),
        ("item", True, 1),
    ]


@given(PIECES, st.sampled_from(["nl", "en", "de"]))
def test_parts_contain_every_word_once_in_order(text, language):
    found = parts_of(text, language)
    last = 0
    for part in found.parts:
        assert last <= part.start < part.end <= len(text)
        last = part.end
    plain = read_text(text)
    for place, character in enumerate(plain.text):
        if character.isalpha() and not plain.text.startswith("n2", place):
            origin = plain.origins[place]
            assert any(part.start <= origin < part.end for part in found.parts)


@given(PIECES)
def test_verified_text_has_its_offsets(text):
    verified = parts_of(text).verified
    assert len(verified.origins) == len(verified.text) + 1
    assert list(verified.origins) == sorted(verified.origins)
    plain = read_text(text)
    origins = {plain.origins[n]: character for n, character in enumerate(plain.text)}
    for place, character in enumerate(verified.text):
        if not character.isspace():
            assert character in (origins[verified.origins[place]], *plain.text)
    end = -1
    for block in verified.blocks:
        assert end < block.start < block.end <= len(verified.text)
        end = block.end
    assert all(mark.start < mark.end for mark in verified.marks)


@given(PIECES)
def test_verified_text_has_only_claims(text):
    found = parts_of(text)
    chatter = [part for part in found.parts if part.kind not in VERIFIED]
    for place, character in enumerate(found.verified.text):
        origin = found.verified.origins[place]
        if character.isalpha():
            assert not any(part.start <= origin < part.end for part in chatter)


@shapes("answers")
def test_time_is_linear(shape):
    lexicon = lexicons.load("nl")
    assert_linear(
        lambda chars: read_text(shape.text(chars)),
        16_000,
        read=lambda plain: read_answer(plain, "nl", lexicon, ["Passen"]),
    )


def test_an_assessment_lists_the_parts():
    answer = "Goede vraag! Een pas is gratis [1].\n\nPassen"
    found = Scorer.load().score(Turn("Is een pas gratis?", answer, [PAGE], language="nl"))
    assert [part.kind for part in found.parts] == ["opener", "claim", "source", "source"]
    assert all(part.text == answer[part.start : part.end] for part in found.parts)
    assert [one["kind"] for one in found.to_dict()["parts"]] == [one.kind for one in found.parts]
    assert [one.text for one in found.claims] == ["Een pas is gratis."]
