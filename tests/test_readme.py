"""What the README shows runs as it stands."""

from __future__ import annotations

import re

import pytest

from tests.conftest import ROOT

README = (ROOT / "README.md").read_text("utf-8")


def test_the_python_example_gives_what_it_says() -> None:
    (code,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    names: dict[str, object] = {}
    exec(code, names)
    assessment = names["assessment"]
    assert assessment.verdict == "block"  # type: ignore[attr-defined]
    assert assessment.explanation.startswith("Score 1,")  # type: ignore[attr-defined]


@pytest.mark.parametrize("link", re.findall(r"\]\(([^)]+)\)", README))
def test_links_lead_somewhere(link: str) -> None:
    assert (ROOT / link).exists()
