"""Ctrl-C, also where a library swallows it."""

import os
import signal

import pytest

from klopt.cli.terminal import listening, stoppable

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals are of POSIX")


@pytest.fixture(autouse=True)
def handler():
    """The handler that a process in the foreground has; what was there comes back."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def swallowed() -> None:
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)


def swallow_at_each(items: list[int], seen: list[int]) -> None:
    with listening():
        for item in stoppable(items):
            seen.append(item)
            swallowed()


def test_what_was_swallowed_stops_the_next_item():
    seen: list[int] = []
    with pytest.raises(KeyboardInterrupt):
        swallow_at_each([1, 2, 3], seen)
    assert seen == [1]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_an_earlier_one_does_not_stop_the_next_command():
    with listening():
        swallowed()
    with listening():
        assert list(stoppable([1, 2])) == [1, 2]
