"""How figures and texts are written, and what the page's own pieces let in."""

from __future__ import annotations

from importlib import resources

import pytest
from hypothesis import given
from hypothesis import strategies as st

from klopt.report.html import coordinate, digest
from klopt.report.view import REPLACEMENT, clean


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


@given(st.floats(-1e6, 1e6))
def test_coordinates_have_two_decimals_at_most(value):
    written = coordinate(value)
    assert float(written) == pytest.approx(value, abs=0.0051)
    assert len(written.partition(".")[2]) <= 2
    assert not written.startswith("-0") or float(written) < 0


def test_a_style_sheet_cannot_end_itself():
    assert "<" not in resources.files("klopt.report").joinpath("style.css").read_text("utf-8")


def test_the_policy_names_the_style_sheet():
    # printf 'p{}' | openssl dgst -sha256 -binary | base64
    assert digest("p{}") == "'sha256-gG2yISYereRMiG2lMXrbiUgi0Ubw9p7QCeWcroOvy9Y='"
