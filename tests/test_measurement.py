"""A measurement has a value between 0 and 1, or a reason."""

from __future__ import annotations

import dataclasses
import math

import pytest

from klopt.measurement import Evidence, Measurement


@pytest.mark.parametrize("value", [0, 0.0, 0.25, 1, 1.0])
def test_value(value: float):
    found = Measurement(value)
    assert found.value == value
    assert found.reason is None
    assert found.evidence == ()


def test_missing_has_a_reason_and_may_have_evidence():
    evidence = (Evidence("found", "dus", 0, 3),)
    assert Measurement.missing("nothing there", evidence) == Measurement(
        None, "nothing there", evidence
    )


@pytest.mark.parametrize("value", [-0.001, 1.001, math.nan, math.inf, -math.inf])
def test_value_outside_its_bounds(value: float):
    with pytest.raises(ValueError, match=r"^a measurement lies between 0 and 1, not ") as caught:
        Measurement(value)
    assert str(caught.value) == f"a measurement lies between 0 and 1, not {value!r}"


@pytest.mark.parametrize(("value", "reason"), [(None, None), (0.5, "nothing there")])
def test_either_value_or_reason(value: float | None, reason: str | None):
    with pytest.raises(
        ValueError, match=r"^a measurement has either a value or a reason, never both or none$"
    ):
        Measurement(value, reason)


def test_frozen():
    with pytest.raises(dataclasses.FrozenInstanceError):
        Measurement(0.5).value = 1.0  # type: ignore[misc]
    with pytest.raises(dataclasses.FrozenInstanceError):
        Evidence("found", "dus", 0, 3).start = 1  # type: ignore[misc]


def test_equal_by_content():
    assert Measurement(0.5) == Measurement(0.5)
    assert hash(Evidence("found", "dus", 0, 3)) == hash(Evidence("found", "dus", 0, 3))
