"""How figures and texts are written, and what the page's own pieces let in."""

from __future__ import annotations

from importlib import resources

import pytest
from hypothesis import given
from hypothesis import strategies as st

from klopt.evaluation import Estimate
from klopt.report.view import REPLACEMENT, clean
from klopt.report.wording import decimal, texts, verdict


@pytest.mark.parametrize(
    ("given_text", "shown"),
    [
        ("goed\u202efout", f"goed{REPLACEMENT}fout"),
        ("a\x00b\x1b[8m", f"a{REPLACEMENT}b{REPLACEMENT}[8m"),
        ("a\u200bb\u00adc\ufeff", f"a{REPLACEMENT}b{REPLACEMENT}c{REPLACEMENT}"),
        ("\ud800", REPLACEMENT),
        ("een\r\ntwee\rdrie\tvier", "een\ntwee\ndrie\tvier"),
        ("één\u00a0twee\u3000", "één\u00a0twee\u3000"),
        ("👩\u200d💻 ñ", "👩\u200d💻 ñ"),
    ],
)
def test_hidden_characters_are_seen(given_text, shown):
    assert clean(given_text) == shown


def test_a_style_sheet_cannot_end_itself():
    assert "<" not in resources.files("klopt.report").joinpath("style.css").read_text("utf-8")


NAMES = {"first": "een", "second": "twee"}
VERDICTS = [
    name for name, said in texts().items() if isinstance(said, dict) and "verdict_level" in said
]
NEAR = st.floats(-0.03, 0.03)


def test_every_table_of_differences_has_the_same_four_verdicts():
    keys = {"verdict_better", "verdict_worse", "verdict_level", "verdict_none"}
    assert VERDICTS == ["comparison", "columns", "ablation"]
    for name in VERDICTS:
        assert {key for key in texts()[name] if key.startswith("verdict_")} == keys


@pytest.mark.parametrize("section", VERDICTS)
@given(NEAR, NEAR, NEAR)
def test_no_verdict_says_more_than_the_figures_as_written(section, one, two, three):
    low, value, high = sorted((one, two, three))
    least, most = decimal(low), decimal(high)
    words = verdict(section, Estimate(value, low, high), **NAMES)
    if least == most == "0.00":
        assert words == "= no difference"
    elif least != "0.00" and not least.startswith("−"):
        assert words.startswith("▲")
    else:
        assert words.startswith("▼") if most.startswith("−") else words == "= no certain difference"
