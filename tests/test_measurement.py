"""A measurement has a value between 0 and 1, or a reason."""

from __future__ import annotations

import math

import pytest

from klopt.records import Evidence, Measurement


@pytest.mark.parametrize("value", [0, 0.0, 0.25, 1, 1.0])
def test_value(value: float):
    found = Measurement(value)
    assert (found.value, found.reason, found.evidence) == (value, None, ())


def test_missing_has_a_reason_and_may_have_evidence():
    evidence = (Evidence("found", "dus", 0, 3),)
    missing = Measurement.missing("nothing there", evidence)
    assert missing == Measurement(None, "nothing there", evidence)


@pytest.mark.parametrize("value", [-0.001, 1.001, math.nan, math.inf, -math.inf])
def test_value_outside_its_bounds(value: float):
    with pytest.raises(ValueError, match=rf"^a measurement lies between 0 and 1, not {value!r}$"):
        Measurement(value)


@pytest.mark.parametrize(("value", "reason"), [(None, None), (0.5, "nothing there")])
def test_either_value_or_reason(value: float | None, reason: str | None):
    with pytest.raises(ValueError, match=r"has either a value or a reason, never both or none$"):
        Measurement(value, reason)
