"""Rows are scored as `klopt score` does, and counted on their day, for as long as that lasts."""

from __future__ import annotations

import os
from datetime import date, timedelta
from pathlib import Path

import pytest

from klopt.scoring.scorer import Scorer
from klopt.watching import watch as watching
from klopt.watching.store import Bounds, Store
from klopt.watching.watch import Watch, Watched
from tests.waiting import wait_for
from tests.watching.conftest import line

TODAY = date(2026, 11, 23)
PAGE = [{"text": "Klik op **Bestand**. Klik op **Opslaan**."}]


@pytest.fixture
def today(monkeypatch):
    """Sets the day."""

    class Calendar(date):
        day_now = TODAY

        @classmethod
        def today(cls) -> date:
            return cls.day_now

    monkeypatch.setattr(watching, "date", Calendar)
    return lambda day: setattr(Calendar, "day_now", day)


def totals(watch: Watch) -> list[int]:
    return [figures.total for figures in watch.figures.values()]


def test_answers_are_counted_on_their_day_and_move_on_with_it(tmp_path, today, caplog):
    log = tmp_path / "a.jsonl"
    days = (0, 0, 3, 6, 7, 29, 30)
    log.write_text(
        "".join(
            line(number, contexts=PAGE, datum=(TODAY - timedelta(ago)).isoformat())
            for number, ago in enumerate(days)
        )
        + line(8, contexts=PAGE)
        + line(9, contexts=["weg.md"]),
        "utf-8",
    )
    watch = Watch(Store(tmp_path / "kept", Bounds()), Watched([log], Scorer.load()))
    watch.look()
    assert totals(watch) == [3, 5, 7]
    assert watch.figures["all"].verdicts.keys() == {"review"}
    assert watch.figures["today"].unread == 1
    assert watch.too_old_count == 1
    assert caplog.messages == ["rows left out, older than 30 days (--keep-days): 1"]
    (note,) = watch.notes
    assert 'row 9: context "weg.md" is not a page' in note
    version = watch.version
    watch.look()
    assert (totals(watch), watch.version) == ([3, 5, 7], version)
    today(TODAY + timedelta(1))
    watch.look()
    assert totals(watch) == [0, 4, 6]
    assert watch.version != version


def test_a_day_to_come_is_today_and_a_name_that_is_no_utf_8_stops_no_other(tmp_path, today):
    logs = tmp_path / "logs"
    logs.mkdir()
    try:
        Path(os.fsdecode(os.fsencode(logs) + b"/a\xff.jsonl")).write_text(line(1), "utf-8")
    except OSError:
        pytest.skip("this file system has UTF-8 names only")
    (logs / "a.csv").write_bytes("question,answer\n".encode("utf-16"))
    (logs / "b.jsonl").write_text(line(2, datum="2099-01-01", contexts=PAGE), "utf-8")
    watch = Watch(Store(tmp_path / "kept", Bounds(days=3)), Watched([logs], Scorer.load()))
    for day, expected in ((0, [2, 2, 2]), (0, [2, 2, 2]), (1, [0, 2, 2]), (3, [0, 0, 0])):
        today(TODAY + timedelta(day))
        watch.look()
        assert totals(watch) == expected


def test_what_fails_is_told_and_the_next_look_goes_on(tmp_path):
    logs = tmp_path / "logs"
    watch = Watch(Store(tmp_path / "kept", Bounds()), Watched([logs], Scorer.load()))
    watch.start()
    try:
        wait_for(lambda: bool(watch.notes))
        assert "no such file or folder of logs" in watch.notes[0]
        logs.mkdir()
        (logs / "a.jsonl").write_text(line(1, contexts=PAGE), "utf-8")
        wait_for(lambda: totals(watch)[0] == 1)
    finally:
        watch.stop()
