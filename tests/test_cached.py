"""What is worked out once holds no lock meanwhile: a process that is forked then goes on."""

import os
import signal
import threading

import pytest

from klopt._internal.cached import cached_property


class Reading:
    def __init__(self) -> None:
        self.begun, self.go_on = threading.Event(), threading.Event()

    @cached_property
    def words(self) -> list[str]:
        self.begun.set()
        assert self.go_on.wait(60)
        return ["klopt"]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="forks are of POSIX")
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_a_process_forked_while_another_thread_works_it_out_goes_on():
    ours, theirs = Reading(), Reading()
    theirs.go_on.set()
    thread = threading.Thread(target=lambda: ours.words)
    thread.start()
    assert ours.begun.wait(60)
    child = os.fork()
    if not child:
        signal.alarm(60)
        os._exit(0 if theirs.words == ["klopt"] else 1)
    ours.go_on.set()
    thread.join()
    assert os.waitpid(child, 0)[1] == 0
    assert ours.words is ours.words == ["klopt"]
