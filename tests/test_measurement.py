"""A measurement has a value between 0 and 1, or a reason."""

import math

import pytest

from klopt.types import Evidence, Measurement


def test_missing_has_a_reason_and_may_have_evidence():
    evidence = (Evidence("found", "dus", 0, 3),)
    assert Measurement.missing("empty", evidence) == Measurement(None, "empty", evidence)
    assert (Measurement(0.25).value, Measurement(0.25).reason) == (0.25, None)


@pytest.mark.parametrize(
    ("value", "reason"),
    [*((one, None) for one in (-0.001, 1.001, math.nan, math.inf, None)), (0.5, "empty")],
)
def test_another_combination_is_refused(value, reason):
    with pytest.raises(ValueError, match="measurement"):
        Measurement(value, reason)
