"""Whether the first sentence of an answer says yes, no, or only under conditions."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from klopt import lexicons

SENTENCES: list[dict[str, Any]] = tomllib.loads(
    Path(__file__).with_name("answers.toml").read_text("utf-8")
)["sentence"]


@pytest.mark.parametrize("case", SENTENCES, ids=lambda case: case["text"])
def test_first_pattern_decides(case: dict[str, Any]) -> None:
    patterns = lexicons.load(case["language"])["answers"].patterns
    said = next((one.group for one in patterns if one.search(case["text"]) is not None), "nothing")
    assert said == case["says"]


@pytest.mark.parametrize("language", lexicons.languages())
def test_order(language: str) -> None:
    groups = [pattern.group for pattern in lexicons.load(language)["answers"].patterns]
    assert list(dict.fromkeys(groups)) == ["conditional", "no", "yes"]


@pytest.mark.parametrize("language", lexicons.languages())
def test_only_at_the_start(language: str) -> None:
    for pattern in lexicons.load(language)["answers"].patterns:
        for text in pattern.hit:
            assert pattern.search(f"De knop staat rechts.\n{text}") is None
