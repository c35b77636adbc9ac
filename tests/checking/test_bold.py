"""What is bold in a reference."""

from __future__ import annotations

import pytest

from klopt.checking.bold import find_bold, without_markers


@pytest.mark.parametrize(
    ("text", "texts"),
    [
        ("Open **orl.ini** and **save**.", ["orl.ini", "save"]),
        ("**a****b**", ["a", "b"]),
        ("***both***", ["both"]),
        ("**one * star**", ["one * star"]),
        ("**over\ntwo lines**", ["over\ntwo lines"]),
        ("**over\r\ntwo lines**", ["over\r\ntwo lines"]),
        ("**outer **inner** rest**", ["inner"]),
        ("**x\\y\\**", ["x\\y\\"]),
        ("**unbalanced", []),
        ("unbalanced**", []),
        ("**a** and **b", ["a"]),
        ("2 ** 3 ** 4", []),
        ("**one paragraph\n\nanother**", []),
        ("1. **one step\n2. another**", []),
        ("- **one item\n- another**", []),
        ("****", []),
        ("** **", []),
        ("*emphasis*", []),
        ("", []),
    ],
)
def test_bold(text: str, texts: list[str]):
    assert [text[bold.text.start : bold.text.end] for bold in find_bold(text)] == texts


@pytest.mark.parametrize(
    ("text", "start", "end", "shown"),
    [
        ("a **b** c", 0, 9, "a b c"),
        ("a **b** c", 0, 4, "a "),
        ("a **b** c", 4, 9, "b c"),
        ("a **b** c", 3, 6, "b"),
        ("a **b c", 0, 7, "a **b c"),
        ("**a** **b** **c**", 6, 11, "b"),
        ("**a**", 0, 0, ""),
    ],
)
def test_without_markers(text: str, start: int, end: int, shown: str):
    assert without_markers(text, start, end, find_bold(text)) == shown
