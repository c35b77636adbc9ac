"""A clock that is set back: klopt measures with one that only goes forward."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import klopt
from klopt.models.retrying import Patience, RequestError, Tries, retry_after_seconds
from tests.faults.conftest import tasks
from tests.faults.running import Fault
from tests.models.server import FakeClock

WALL = re.compile(r"\btime\.time\b|\b(?:now|utcnow|today|time_ns)\(\)")
LOOK_AT_THE_WALL = {
    "cli/company/init.py",  # the day on which terms were learnt, which they state
    "company/entries.py",  # the day on which a lexicon was begun, which it states
    "models/chat_completions.py",  # Retry-After as a date
    "models/retrying.py",
    "translators/online.py",
}


def test_who_looks_at_the_clock_on_the_wall():
    room = Path(klopt.__file__).parent
    found = {
        str(path.relative_to(room))
        for path in room.rglob("*.py")
        if WALL.search(path.read_text("utf-8"))
    }
    assert found == LOOK_AT_THE_WALL


@pytest.mark.parametrize("task", tasks())
def test_a_run_after_the_clock_was_set_back(task, place, whole):
    undisturbed, _ = whole(task)
    own = place(task)
    own.done(Fault(is_set_back=True))
    own.assert_done_as(undisturbed)


def test_no_row_waits_for_a_date_that_a_clock_set_back_sees_far_ahead():
    class BusyError(RequestError):
        reason_code = "rate_limited"
        wait_seconds = retry_after_seconds("Mon, 23 Nov 2026 12:00:00 GMT", now=0.0)

    def busy() -> None:
        raise BusyError

    time, patience = FakeClock(), Patience(tries=5, longest_wait_seconds=60, longest_seconds=100)
    tries = Tries(patience, time.clock, "seed", "asking orlinde")
    with pytest.raises(BusyError):
        tries.run(busy)
    assert time.slept == [60.0]
