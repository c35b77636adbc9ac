"""The parts of answers: the case table, and what holds for any answer."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from klopt import Page, Scorer, Turn, lexicons
from klopt.text.answer_parts import VERIFIED, AnswerParts, read_answer
from klopt.text.markup import read_text
from tests.growth.growing import assert_linear
from tests.tables import tables

CASES: list[dict[str, Any]] = tables("text", "answer_parts")["case"]
PAGE = Page("# Passen\n\nEen pas is gratis. Klik op **Blokkeren**.", id="passen.md")
HOSTILE: dict[str, Callable[[int], str]] = {
    "citations only": lambda size: "[1] " * (size // 4),
    "headings": lambda size: "\n\n".join(f"## Kop {n}" for n in range(size // 12)),
    "no sentence end": lambda size: "een pas is gratis en verder " * (size // 27),
    "nested lists": lambda size: "\n".join(
        "  " * (n % 10) + "- een pas" for n in range(size // 20)
    ),
    "mixed scripts": lambda size: "Een паs is 免费 مجانا. " * (size // 22),
    "open brackets": lambda size: "(zie [" * (size // 6),
    "numbers": lambda size: " ".join(f"{n}. Open" for n in range(1, size // 9)),
    "pleasantries": lambda size: "Vervelend dat " * (size // 14),
    "questions": lambda size: "Kan dat? " * (size // 9),
}
PIECES = st.lists(
    st.sampled_from(
        [
            *("Goede vraag! ", "Sorry, ", "Een pas is gratis", " [1]", ". ", "\n\n", "\n- ", "1. "),
            *("Open **Passen** ", "2. Kies Nieuw ", "**Tip:** ", "(bron: a.md)", "Bron: Passen"),
            *("Heb je nog vragen? ", "| a | b |\n| - | - |\n", "```\n", "Groetjes, Wim", "[x](y)"),
            *("é̂", "&amp;", "👍", "Ik weet het niet. ", "## Kop\n", "\\n2. Klik", "【1†a】", " "),
        ]
    ),
    max_size=30,
).map("".join)


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
def test_parts_hold_every_word_once_and_in_order(text, language):
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
def test_what_stays_has_its_offsets(text):
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
def test_nothing_but_claims_stays(text):
    found = parts_of(text)
    chatter = [part for part in found.parts if part.kind not in VERIFIED]
    for place, character in enumerate(found.verified.text):
        origin = found.verified.origins[place]
        if character.isalpha():
            assert not any(part.start <= origin < part.end for part in chatter)


@pytest.mark.parametrize("name", HOSTILE)
def test_time_is_linear(name):
    tables_ = lexicons.load("nl")
    assert_linear(
        lambda size: read_text(HOSTILE[name](size)),
        16_000,
        read=lambda plain: read_answer(plain, "nl", tables_, ["Passen"]),
    )


def test_the_assessment_lists_the_parts():
    answer = "Goede vraag! Een pas is gratis [1].\n\nPassen"
    found = Scorer.load().score(Turn("Is een pas gratis?", answer, [PAGE], language="nl"))
    assert [part.kind for part in found.parts] == ["opener", "claim", "source", "source"]
    assert all(part.text == answer[part.start : part.end] for part in found.parts)
    assert [one["kind"] for one in found.to_dict()["parts"]] == [one.kind for one in found.parts]
    assert [one.text for one in found.claims] == ["Een pas is gratis."]
