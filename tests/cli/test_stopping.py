"""Ctrl-C stops a command, even if a library swallows the signal."""

import os
import signal

import pytest

from klopt.cli.terminal import listening, stoppable

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals are of POSIX")


@pytest.fixture(autouse=True)
def handler():
    """The handler of a process in the foreground, for the length of a test."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def swallowed() -> None:
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)


def test_a_swallowed_signal_stops_the_next_item():
    done: list[int] = []
    with pytest.raises(KeyboardInterrupt), listening():  # noqa: PT012
        for item in stoppable([1, 2, 3]):
            done.append(item)
            swallowed()
    assert done == [1]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_swallowed_signal_does_not_stop_the_next_command():
    with listening():
        swallowed()
    with listening():
        assert list(stoppable([1, 2])) == [1, 2]
