"""Workers that are killed are replaced; an item that kills two workers has no result."""

import os
import signal

import pytest

from klopt._internal.pool import ENDED_TWICE, in_processes
from klopt.errors import ConfigurationError, InputError
from klopt.logs.rows import Row
from klopt.logs.scoring import score_log
from klopt.retrieval import building
from klopt.scoring.scorer import Scorer
from klopt.types import Page, Turn
from tests.logs.deadly import start, work
from tests.retrieval.conftest import built


def results(items: list[str], size: int = 3, *arguments: str) -> list[str | None]:
    groups = [items[at : at + size] for at in range(0, len(items), size)]
    found = list(in_processes(2, work, enumerate(groups), start, *arguments))
    assert [key for key, _ in found] == list(range(len(groups)))
    return [one for _, some in found for one in some]


def test_an_item_that_kills_two_workers_has_no_result():
    items = [f"item {n}" for n in range(40)]
    items[4] = items[30] = "deadly"
    assert results(items) == [None if one == "deadly" else one.upper() for one in items]


def test_an_item_that_kills_one_worker_is_retried(tmp_path):
    once = tmp_path / "once"
    once.touch()
    assert results(["a", str(once), "b"]) == ["A", str(once).upper(), "B"]


@pytest.mark.parametrize(
    ("items", "arguments"), [(["a"], ("never",)), (["deadly"] * 20, ())], ids=["start", "each"]
)
def test_workers_that_keep_dying_end_the_run(items, arguments):
    with pytest.raises(ConfigurationError, match="one of 2 worker processes died, and so did its"):
        results(items, 3, *arguments)


def test_an_error_in_a_worker_is_raised():
    with pytest.raises(ValueError, match="wrong"):
        results(["a", "wrong"])


class Mortal(Scorer):
    """A scorer that kills its worker at one answer, as if memory ran out."""

    def score_many(self, turns, **options):
        if any(turn.answer == "deadly" for turn in turns):
            os.kill(os.getpid(), signal.SIGKILL)
        return super().score_many(turns, **options)


def test_a_row_that_kills_two_workers_has_an_error():
    rows = [
        Row(n, f"t{n}", Turn("Hoe sla ik het op?", f"Klik {n} keer.", id=f"t{n}"))
        for n in range(40)
    ]
    rows[9] = Row(9, "t9", Turn("Hoe sla ik het op?", "deadly", id="t9"))
    found = list(score_log(rows, Mortal.load(), processes=2, alone=2))
    assert [row.id for row, *_ in found] == [row.id for row in rows]
    errors = {row.id: scored.counted.reason for row, scored, _ in found if scored.counted.is_error}
    assert errors == {"t9": ENDED_TWICE}


def kill_worker(_jobs):
    os.kill(os.getpid(), signal.SIGKILL)
    return ()


def test_a_page_that_kills_two_workers_is_named(monkeypatch):
    monkeypatch.setattr(building, "_read", kill_worker)
    with pytest.raises(InputError, match=r"b\.md: .*the worker process died on it, twice"):
        built({"b.md": Page("# Wifi", "b.md")}, language="nl", processes=2)
