"""One check from turn to row, and every way in which there is no score."""

from __future__ import annotations

import json

import pytest

from klopt import Turn
from klopt.checking.check import Checker
from klopt.checking.grading import Grading
from klopt.checking.reference import KeyTermMode, Reference
from klopt.checking.solution import Fill, Solution
from klopt.checking.strategies import Weights
from klopt.errors import ConfigurationError, LlmError, PatternTimeoutError
from klopt.models.calls import CallError, Usage
from klopt.reading.key_terms import rules_digest
from klopt.version import VERSION

TEXT = "1. Stop **orl**.\n2. Copy **orl.ini**."


class Fixed:
    """Finds the first key term and the first step, or raises."""

    name, signature = "fixed", "fixed@1"

    def __init__(self, error: Exception | None = None) -> None:
        self.error = error
        self.references: list[Reference] = []

    def solve(self, turn: Turn, reference: Reference) -> Solution:
        self.references.append(reference)
        if self.error is not None:
            raise self.error
        return Solution(
            (Fill(1, "orl", "filled", 1.0, 5, 8),), (0,), (), ("a note",), Usage(calls=2)
        )


def turn(reference: str | None = TEXT, answer: str = "Stop orl.") -> Turn:
    return Turn("How?", answer, id="row-1", reference=reference)


def test_a_scored_row():
    check = Checker(Fixed(), strategy=Weights(0.5, 0.5)).check(turn())
    assert (check.status, check.reason_code, check.reason) == ("scored", None, None)
    assert check.score == 0.5
    assert [error.kind for error in check.errors] == ["key_term_mismatch", "step_missing"]
    rules = rules_digest()[:8]
    row = check.to_dict()
    assert row == {
        "id": "row-1",
        "score": 0.5,
        "errors": [
            {
                "kind": "key_term_mismatch",
                "step": 2,
                "term": 2,
                "expected": "orl.ini",
                "found": None,
                "severity": 1.0,
                "reference_start": 27,
                "reference_end": 34,
                "start": None,
                "end": None,
            },
            {
                "kind": "step_missing",
                "step": 2,
                "term": None,
                "expected": "Copy orl.ini.",
                "found": None,
                "severity": 1.0,
                "reference_start": 17,
                "reference_end": 37,
                "start": None,
                "end": None,
            },
        ],
        "signs": [],
        "status": "scored",
        "reason_code": None,
        "reason": None,
        "solver": "fixed",
        "grading": "strict",
        "strategy": "weights:key_term=0.5,step_missing=0.5,step_reversal=0.0",
        "notes": ["a note"],
        "usage": {
            "prompt_tokens": 0,
            "completion_tokens": 0,
            "cost_usd": None,
            "seconds": 0.0,
            "retries": 0,
            "calls": 2,
        },
        "fingerprint": f"klopt:{VERSION}|solver:fixed@1|grading:strict|"
        "strategy:weights:key_term=0.5,step_missing=0.5,step_reversal=0.0|"
        f"key_terms:auto@{rules}",
    }
    assert json.loads(json.dumps(row)) == row
    assert next(iter(row)) == "id"


@pytest.mark.parametrize(
    ("given", "code", "reason"),
    [
        (turn(reference=None), "no_reference", "the row has no reference answer"),
        (turn(reference=""), "no_reference", "the row has no reference answer"),
        (turn(reference=" \n\t"), "no_reference", "the row has no reference answer"),
        (turn(reference="1. \n2."), "no_steps", "the reference answer has no step with a text"),
    ],
)
def test_nothing_to_compare(given: Turn, code: str, reason: str):
    solver = Fixed()
    check = Checker(solver).check(given)
    assert (check.status, check.reason_code, check.reason) == ("not_scorable", code, reason)
    assert (check.score, check.errors, check.usage) == (None, (), Usage())
    assert solver.references == []


@pytest.mark.parametrize(
    ("reference", "strict", "published"),
    [
        ("1. Press **Save\nas** or **orl**.", ["Save\nas", "orl"], [" or "]),
        ("1. Set **/\\* ** in **orl.ini**.", ["orl.ini"], ["/\\* ", "orl.ini"]),
        ("1. Press **Save **now** or **later**.", ["now", "later"], ["Save ", " or "]),
        ("1. Press **** and ** **.", [], ["", " "]),
        ("1. Press **Save\r\nas** it.\n2. Press **New.", ["Save\r\nas"], []),
    ],
)
def test_bold_is_read_as_the_grading_does(reference: str, strict: list[str], published: list[str]):
    """The released code takes the shortest run from ``**`` to ``**`` on a line, whatever it is."""
    gradings: dict[Grading, list[str]] = {"strict": strict, "published": published}
    for grading, terms in gradings.items():
        solver = Fixed()
        Checker(solver, grading, key_terms="bold").check(turn(reference))
        assert [term.text for term in solver.references[0].terms] == terms


@pytest.mark.parametrize(
    ("grading", "mode", "terms", "told"),
    [
        ("strict", "auto", ["orl.ini"], "auto@"),
        ("strict", "rules", ["orl.ini"], "rules@"),
        ("strict", "bold", [], "bold"),
        ("strict", "none", [], "none"),
        ("published", "auto", [], "bold"),
        ("published", "rules", ["orl.ini"], "rules@"),
    ],
)
def test_key_terms(grading: Grading, mode: KeyTermMode, terms: list[str], told: str):
    solver = Fixed()
    checker = Checker(solver, grading, key_terms=mode)
    checker.check(turn(reference="1. Copy orl.ini."))
    assert [term.text for term in solver.references[0].terms] == terms
    assert checker.fingerprint.rpartition("key_terms:")[2].startswith(told)
    assert ("@" in told) == checker.fingerprint.endswith(rules_digest()[:8])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"grading": "lax"}, 'grading "lax" is not one of strict, published'),
        ({"key_terms": "all"}, 'key_terms "all" is not one of auto, bold, rules, none'),
    ],
)
def test_options_that_do_not_exist(options: dict[str, str], message: str):
    with pytest.raises(ConfigurationError) as caught:
        Checker(Fixed(), **options)  # type: ignore[arg-type]
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("error", "code", "usage", "notes"),
    [
        (LlmError("server", "down"), "server", Usage(), ()),
        (
            CallError("bad_json", "down", Usage(calls=3), ("a", "b")),
            "bad_json",
            Usage(calls=3),
            ("a", "b"),
        ),
        (PatternTimeoutError("down"), "pattern_timeout", Usage(), ()),
    ],
)
def test_a_solver_that_fails(error: Exception, code: str, usage: Usage, notes: tuple[str, ...]):
    check = Checker(Fixed(error)).check(turn())
    assert (check.status, check.reason_code, check.reason) == ("error", code, "down")
    assert (check.score, check.usage, check.notes) == (None, usage, notes)
    with pytest.raises(ZeroDivisionError):
        Checker(Fixed(ZeroDivisionError())).check(turn())
