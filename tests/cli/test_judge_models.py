"""``klopt judge`` with a model: a server on loopback, transcripts, and published ones.

No test waits: the server sends ``Retry-After: 0``.
"""

import json
import os
import re

import pytest

from tests.cli.conftest import started, stopped
from tests.cli.judged_log import RIGHT, ROWS, reply, row
from tests.llm.server import KEY, Server, completes, quotes_the_key, replies, silent, status

GOOD = replies(reply)
NOT_NOW = status(429, {"Retry-After": "0"}, "slow down")
AGREEMENT = {
    "gpt-4o-mini": ("0.9237", "0.6895"),
    "llama-3-70b": ("0.8653", "0.6945"),
    "llama-3-8b": ("0.8937", "0.7869"),
}
AGREES = re.compile(r"people on 141 answers: AUC (\S+), Pearson r (\S+)\.$", re.MULTILINE)


@pytest.fixture
def log(tmp_path, write):
    return write(tmp_path / "log.jsonl", *ROWS)


@pytest.fixture
def judge(klopt, log):
    """Runs the command against a server, with the key in the environment."""

    def start(server, *options, file=log, solver="llm", **settings):
        where = ("--solver", solver, "--model", "tiny", "--base-url", server.base_url)
        return klopt("judge", file, *where, *options, OPENAI_API_KEY=KEY, **settings)

    return start


def without_run(rows):
    """Return the rows without the fields that differ in a replay."""
    differing = ("solver", "fingerprint", "usage", "metric_settings")
    return [{name: row[name] for name in row if name not in differing} for row in rows]


@pytest.mark.parametrize(
    ("options", "replayed"),
    [
        ((), ("--solver", "recorded")),
        (("--metrics", "g_eval.truthfulness"), ("--metrics", "g_eval.truthfulness")),
    ],
    ids=["solver", "judges"],
)
def test_transcripts_give_the_same_rows(klopt, judge, log, tmp_path, options, replayed):
    record = tmp_path / "replies.jsonl"
    solver = "text" if options else "llm"
    with Server([NOT_NOW, completes("prose")], then=GOOD) as server:
        first = judge(server, *options, "--transcripts", record, "--at-once", "1", solver=solver)
    second = klopt("judge", log, *replayed, "--transcripts", record)
    assert (first.code, second.code) == (0, 0)
    assert without_run(second.rows) == without_run(first.rows)
    assert re.search(r"\d+ replies of tiny-2026-01-01, replayed, ", second.err)
    assert any(": the reply is not " in note for note in first.rows[0]["notes"])


@pytest.mark.parametrize("masked", [False, True])
def test_a_wrong_key_ends_the_run(judge, tmp_path, write, masked):
    log = write(tmp_path / "many.jsonl", *(row(f"r{n}", RIGHT) for n in range(200)))
    output, record = tmp_path / "out.jsonl", tmp_path / "replies.jsonl"
    with Server(then=quotes_the_key(401, masked)) as server:
        run = judge(server, "-o", output, "--transcripts", record, file=log)
    assert (run.code, run.out) == (2, "")
    error = run.err.splitlines()[-1]
    assert error.startswith("Error: ")
    assert "OPENAI_API_KEY" in error
    assert error.endswith("answered 401: Incorrect API key provided: ***")
    assert len(server.received) < 100
    assert not output.exists()
    assert record.read_bytes() == b""


@pytest.mark.parametrize("terminal", [False, True])
@pytest.mark.parametrize("code", [200, 400, 401, 403, 404])
def test_the_key_stays_a_secret(judge, tmp_path, caplog, code, terminal):
    record, output = tmp_path / "replies.jsonl", tmp_path / "out.jsonl"
    caplog.set_level(0)
    with Server([GOOD, GOOD], then=quotes_the_key(code)) as server:
        run = judge(
            *(server, "--transcripts", record, "-o", output, "--at-once", "1"), terminal=terminal
        )
    assert run.code == 3
    written = record.read_text("utf-8") + output.read_text("utf-8")
    for text in (run.out, run.err, written, caplog.text):
        assert KEY not in text
        assert KEY[10:24] not in text
    assert "***" in written


@pytest.mark.skipif(os.name != "posix", reason="signals are of POSIX")
def test_control_c_keeps_the_transcripts(judge, log, tmp_path):
    record, output = tmp_path / "replies.jsonl", tmp_path / "out.jsonl"
    with Server([GOOD] * 3, then=silent()) as server:
        where = ("--solver", "llm", "--model", "tiny", "--base-url", server.base_url)
        options = ("--transcripts", record, "-o", output, "--at-once", "1")
        with started("judge", log, *where, *options, OPENAI_API_KEY=KEY) as process:
            code, out, err = stopped(process, lambda: len(server.received) >= 4)
    assert (code, out) == (130, b"")
    assert err == [
        f"Answers and references are sent to {server.base_url} (tiny).",
        "3 replies of tiny, 75 tokens.",
        "Stopped.",
    ]
    assert not output.exists()
    assert len(record.read_text("utf-8").splitlines()) == 3
    with Server(then=GOOD) as server:
        assert judge(server, "--transcripts", record, "-o", output).code == 0
    assert len(server.received) == 5


@pytest.mark.parametrize(
    ("variables", "sent"),
    [
        ({"KLOPT_API_KEY": KEY, "OPENAI_API_KEY": "other"}, f"Bearer {KEY}"),
        ({"KLOPT_API_KEY": "", "OPENAI_API_KEY": "other"}, None),
    ],
)
def test_the_key_of_klopt_precedes_that_of_openai(klopt, log, variables, sent):
    with Server(then=GOOD) as server:
        where = ("--model", "tiny", "--base-url", server.base_url)
        klopt("judge", log, "--solver", "llm", *where, **variables)
    assert {one.headers.get("authorization") for one in server.received} == {sent}


@pytest.fixture(scope="module")
def judged(klopt, data, tmp_path_factory):
    def run(*options):
        log = data / "techqa" / "dev.jsonl"
        if not log.is_file():
            pytest.skip(f"there is no {log}")
        lines = log.read_text("utf-8").splitlines(keepends=True)
        own = tmp_path_factory.mktemp("systems") / "own.jsonl"
        found = {}
        for system in AGREEMENT:
            own.write_text("".join(x for x in lines if json.loads(x)["system"] == system), "utf-8")
            ended = klopt("judge", own, *options)
            assert ended.code == 0
            found[system] = AGREES.findall(ended.err)[0]
        return found

    return run


def test_the_recorded_model_agrees_with_people_as_published(judged, data):
    recorded = data / "techqa" / "transcripts-gpt-4o-mini.jsonl"
    options = ("--solver", "recorded", "--transcripts", recorded, "--grading", "published")
    assert judged(*options) == AGREEMENT


def test_the_text_solver_reaches_its_floor(judged):
    areas = [float(area) for area, _ in judged().values()]
    assert len(areas) == 3
    assert sum(areas) / 3 >= 0.87
