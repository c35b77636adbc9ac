"""What the guide for bots shows runs as it stands."""

from __future__ import annotations

import re

import pytest

from tests.conftest import ROOT

GUIDE = ROOT / "docs" / "decide-before-you-answer.md"
TEXT = GUIDE.read_text("utf-8")


def test_each_example_prints_what_is_shown(capsys: pytest.CaptureFixture[str]):
    examples = re.findall(r"```python\n(.*?)```\n```text\n(.*?)```", TEXT, re.DOTALL)
    assert len(examples) == TEXT.count("```python")
    names: dict[str, object] = {}
    for code, shown in examples:
        exec(code, names)
        assert capsys.readouterr().out == shown


def test_a_bot_has_twenty_lines():
    code = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)[0]
    own = code[code.index("def reply") : code.index("print(reply")]
    assert len(own.strip().splitlines()) <= 20
