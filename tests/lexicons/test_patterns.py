"""Patterns under their time limit."""

import pytest

from klopt.errors import PatternTimeoutError
from klopt.lexicons.patterns import Pattern


class LateOnce:
    """An expression whose clock runs out at the first try, as when other threads drive it."""

    def __init__(self, tries: int) -> None:
        self.tries = tries
        self.timeouts: list[float] = []

    def _late(self, timeout: float) -> None:
        self.timeouts.append(timeout)
        if len(self.timeouts) <= self.tries:
            raise TimeoutError

    def search(self, text: str, *, timeout: float) -> str:
        self._late(timeout)
        return text

    def finditer(self, text: str, *, timeout: float) -> list[str]:
        self._late(timeout)
        return [text]


def with_expression(expression: LateOnce) -> Pattern:
    pattern = Pattern("late", "", "a", ignore_case=True, weight=1.0, hit=(), miss=())
    pattern.__dict__["expression"] = expression
    return pattern


@pytest.mark.parametrize("name", ["search", "finditer"])
def test_a_clock_that_runs_out_once_is_tried_again(name: str):
    expression = LateOnce(1)
    found = getattr(with_expression(expression), name)("Orlanda")
    assert list(found) == (["Orlanda"] if name == "finditer" else list("Orlanda"))
    assert expression.timeouts == [0.5, 1.0]


@pytest.mark.parametrize("name", ["search", "finditer"])
def test_a_clock_that_runs_out_twice_is_an_error(name: str):
    expression = LateOnce(2)
    with pytest.raises(PatternTimeoutError, match='pattern "late" took over'):
        getattr(with_expression(expression), name)("Orlanda")
    assert expression.timeouts == [0.5, 1.0]
