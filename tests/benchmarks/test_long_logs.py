"""What tells how far a run is, and what of the stored figures stays."""

from __future__ import annotations

import json

from benchmarks.long_logs import KeptRows
from benchmarks.timing import long_runs, store_long
from klopt import Scorer
from klopt.batch.cores import score_log
from klopt.batch.going_on import RunSettings, open_run
from klopt.batch.rows import Row


def test_rows_of_a_run_are_counted_as_they_are_kept(tmp_path, monkeypatch):
    monkeypatch.setattr("klopt.batch.going_on.KEEP_ROWS", 2)
    output = tmp_path / "scores.jsonl"
    kept, counts = KeptRows(output), []
    unread = [Row(number, f"row-{number}", None, "no JSON") for number in range(5)]
    with open_run(RunSettings(output, "jsonl", {}), print) as run:
        for result in score_log(unread, Scorer.load()):
            run.add(result)
            counts.append(kept.count())
    assert counts == [0, 2, 2, 4, 4]
    assert kept.count() == 4, "a run that is over has no file any more"


def test_long_runs_stay_with_their_age(tmp_path):
    output = tmp_path / "results.json"
    output.write_text(json.dumps({"about": {}, "results": {"process": {"import_s": 0.1}}}))
    store_long("long log", {"seconds": 9.0}, output)
    ((name, own),) = long_runs(output).items()
    assert (name, own["seconds"], set(own)) == ("long log", 9.0, {"seconds", "date", "klopt"})
    assert json.loads(output.read_text())["results"]["process"] == {"import_s": 0.1}
