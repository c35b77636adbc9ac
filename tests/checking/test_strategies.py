"""Scores from errors, worked by hand."""

from __future__ import annotations

import pytest

from klopt.checking.grading import Error, ErrorKind
from klopt.checking.reference import read_reference
from klopt.checking.strategies import Strategy, Weights, read_strategy, score
from klopt.errors import ConfigurationError

REFERENCE = read_reference("1. Stop **a** and **b**.\n2. Copy **c** to **d**.")


def error(kind: ErrorKind, number: int, severity: float = 1.0) -> Error:
    term = number if kind == "key_term_mismatch" else None
    return Error(kind, 0, term, "x", None, severity, 0, 1)


TERM, TERM_2 = error("key_term_mismatch", 0), error("key_term_mismatch", 1, 0.5)
MISSING, REVERSED = error("step_missing", 0), error("step_reversal", 0)
WEIGHTS = Weights(0.4, 0.5, 0.2)


@pytest.mark.parametrize(
    ("errors", "strategy", "expected"),
    [
        ([], "strict", 1.0),
        ([], "gate", 1.0),
        ([], WEIGHTS, 1.0),
        ([TERM], "strict", 0.0),
        ([MISSING], "strict", 0.0),
        ([REVERSED], "strict", 0.0),
        ([TERM], "gate", 0.75),
        ([TERM, TERM_2], "gate", 0.5),
        ([TERM, MISSING], "gate", 0.0),
        ([REVERSED], "gate", 0.0),
        ([TERM], WEIGHTS, 0.9),
        ([TERM, TERM_2], WEIGHTS, 0.85),
        ([MISSING], WEIGHTS, 0.75),
        ([REVERSED], WEIGHTS, 0.9),
        ([TERM, TERM_2, MISSING, REVERSED], WEIGHTS, 0.5),
        ([MISSING, MISSING], Weights(step_missing=3.0), 0.0),
        ([TERM], Weights(step_missing=1.0), 1.0),
    ],
)
def test_score(errors: list[Error], strategy: Strategy, expected: float):
    assert score(REFERENCE, errors, strategy) == pytest.approx(expected)


@pytest.mark.parametrize("strategy", ["strict", "gate", WEIGHTS])
def test_a_reference_without_anything(strategy: Strategy):
    assert score(read_reference(" "), [], strategy) == 1.0


@pytest.mark.parametrize(
    ("text", "strategy"),
    [
        ("strict", "strict"),
        ("gate", "gate"),
        ("weights:key_term=0.4, step_missing=0.5,step_reversal=0.2", WEIGHTS),
        ("weights:step_missing=2", Weights(0.0, 2.0, 0.0)),
    ],
)
def test_read_strategy(text: str, strategy: Strategy):
    assert read_strategy(text) == strategy
    assert read_strategy(str(strategy)) == strategy


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", 'strategy "" is not one of strict, gate, graded, weights:NAME=NUMBER,…'),
        ("Strict", 'strategy "Strict" is not one of strict, gate, graded, weights:NAME=NUMBER,…'),
        (
            "weights:",
            'strategy "weights:": "" is not one of key_term, step_missing, step_reversal',
        ),
        (
            "weights:keyterm=1",
            'strategy "weights:keyterm=1": "keyterm" is not one of key_term, step_missing, '
            "step_reversal",
        ),
        (
            "weights:key_term=1,key_term=2",
            'strategy "weights:key_term=1,key_term=2": key_term stands twice',
        ),
        (
            "weights:key_term=much",
            'strategy "weights:key_term=much": key_term is "much", not a number',
        ),
        ("weights:key_term=-1", "strategy: key_term is -1.0, not a number from 0 upwards"),
        ("weights:key_term=nan", "strategy: key_term is nan, not a number from 0 upwards"),
        ("weights:key_term=inf", "strategy: key_term is inf, not a number from 0 upwards"),
        ("weights:key_term=0", "strategy: all weights are 0, so that every answer would score 1"),
    ],
)
def test_a_strategy_that_cannot_be_followed(text: str, message: str):
    with pytest.raises(ConfigurationError) as caught:
        read_strategy(text)
    assert str(caught.value) == message
