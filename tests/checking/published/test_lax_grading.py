"""The rule of the paper's released code for what has a key term."""

from __future__ import annotations

import pytest

from klopt.checking.published.lax_grading import published_matches


@pytest.mark.parametrize(
    ("term", "fill", "matched"),
    [
        ("httpd.conf", "", True),
        ("httpd.conf", "HTTPD . conf", True),
        ("10.1.2", "1", True),
        ("1", "10.1.2", True),
        ("**Save**", "_save_.", True),
        ("Save", "Unanswerable", False),
        ("httpd.conf", "httpd.cfg", False),
        ("a-b", "ab", False),
    ],
)
def test_published_rule(term: str, fill: str, matched: bool):
    assert published_matches(term, fill) is matched


@pytest.mark.parametrize("piece", [" ", ".", "_", "*a ", "(", "not 9.7 ", "/", "= ", "'", "a (B"])
def test_long_hostile_fills_are_answered(piece: str):
    fill = piece * (100_000 // len(piece)) + "x"
    assert published_matches("9.7", fill) is ("9.7" in fill)
