import hashlib
import json
import math
import os
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from klopt.errors import InputError, LlmError
from klopt.llm.calls import Call, Reply, Usage, ordered_map
from klopt.llm.transcripts import Recorder, Transcripts, read_line, to_line
from tests.llm.scripted import Scripted

CALL = Call("w1", "cloze_fact", "Open <BLANK 1>.", "Fill in.", "Fill in: Open <BLANK 1>.")
TEXTS = {"id": "w1", "technique": "cloze_fact", "task": "Open <BLANK 1>.", "model": "tiny-2026"}
SPENT = {"cost_usd": 8e-05, "seconds": 0.98, "retries": 0}
PLAIN = {**TEXTS, "published_score": 1.0, "response": '{"answer": []}', **SPENT}
CHANGED = (
    "holds a reply for row 'w1', cloze_fact, but to another request: the answer or the prompt has "
    "changed since; record to another file"
)


def echo(call):
    return f"{call.user} ({call.attempt})"


def write(path, *rows):
    path.write_text(
        "".join(f"{row if isinstance(row, str) else json.dumps(row)}\n" for row in rows)
    )
    return path


def rejected(make):
    """Return the error message for a file."""
    with pytest.raises(InputError) as caught:
        make()
    return str(caught.value)


@pytest.fixture
def file(tmp_path):
    return tmp_path / "transcripts.jsonl"


# Replaying


def test_a_line_of_another_tool_is_replayed(file):
    replay = Transcripts.read(write(file, PLAIN))
    assert replay.complete(replace(CALL, task="made again", user="other words")) == Reply(
        '{"answer": []}', "Open <BLANK 1>.", "tiny-2026", Usage(0, 0, 8e-05, 0.98, 0, 1)
    )
    assert replay.name == f"recorded:{hashlib.sha256(file.read_bytes()).hexdigest()[:12]}"
    assert (len(replay), replay.models) == (1, ("tiny-2026",))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (replace(CALL, id="w2"), "holds no reply for row 'w2', cloze_fact"),
        (replace(CALL, technique="step_restore"), "holds no reply for row 'w1', step_restore"),
        (replace(CALL, attempt=2), "holds no reply for row 'w1', cloze_fact, try 2"),
        (replace(CALL, user="Fill in: Close <BLANK 1>."), CHANGED),
        (replace(CALL, system="Fill them in."), CHANGED),
    ],
)
def test_a_missing_reply_is_an_error(file, call, message):
    replay = Transcripts.read(write(file, {**PLAIN, "call": CALL.digest}))
    assert replay.complete(CALL).text == '{"answer": []}'
    with pytest.raises(LlmError) as caught:
        replay.complete(call)
    assert (caught.value.reason_code, str(caught.value)) == ("no_transcript", f"{file} {message}")


NUMBER = "is not a number from 0 to 1000000000000"
COUNT = "is not a whole number from 0 to 1000000000000"
OTHER = "another reply to cloze_fact of row 'w1', try 1, than in line 1; keep one"
INVALID = [
    *(("id", 7, "id: 7 is not a text"), ("model", None, "model: null is not a text")),
    *(("response", {}, "response: {} is not a text"), ("call", 1, "call: 1 is not a text")),
    *(
        ("seconds", True, f"seconds: true {NUMBER}"),
        ("cost_usd", "0.1", f'cost_usd: "0.1" {NUMBER}'),
    ),
    *(
        ("cost_usd", -1, f"cost_usd: -1 {NUMBER}"),
        ("cost_usd", math.nan, f"cost_usd: NaN {NUMBER}"),
    ),
    *(
        ("cost_usd", math.inf, f"cost_usd: Infinity {NUMBER}"),
        ("retries", 0.5, f"retries: 0.5 {COUNT}"),
    ),
    *(("prompt_tokens", None, f"prompt_tokens: null {COUNT}"), ("response", "other", OTHER)),
    *(("try", 0, "try: 0 is not a whole number from 1"), ("task", "other", OTHER)),
]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        *((text, "not JSON") for text in ("{", "[" * 100_000, "9" * 5_000)),
        ("[1]", "not a JSON object"),
        ({key: PLAIN[key] for key in PLAIN if key != "task"}, "task: missing; give a text"),
        *(({**PLAIN, name: value}, message) for name, value, message in INVALID),
    ],
    ids=lambda value: str(value)[-60:],
)
def test_an_invalid_line(file, row, message):
    expected = f"{file}, line 2: {message}"
    assert rejected(lambda: Transcripts.read(write(file, PLAIN, row))) == expected


# Recording


def test_recorded_replies_are_replayed(file):
    calls = [replace(CALL, id=f"w{number}") for number in range(200)]
    with Recorder(Scripted(echo), file) as recorder:
        assert recorder.name == "scripted"
        recorded = list(ordered_map(recorder.complete, calls, threads=8))
    replay = Transcripts.read(file)
    assert [replay.complete(call) for call in calls] == recorded
    assert json.loads(file.read_text().splitlines()[0]).keys() == {
        *(PLAIN.keys() - {"published_score"}),
        *("prompt_tokens", "completion_tokens", "call", "try"),
    }


def test_replies_but_no_errors_are_recorded_immediately(file):
    with Recorder(Scripted(echo, LlmError("timeout", "too slow")), file) as recorder:
        recorder.complete(CALL)
        assert read_line(file.read_text()).reply.text == "Fill in: Open <BLANK 1>. (1)"
        before = file.read_bytes()
        with pytest.raises(LlmError, match="too slow"):
            recorder.complete(replace(CALL, id="w2"))
    assert file.read_bytes() == before


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('{"name": "no recording', ", line 1: not JSON"),
        (
            '{"id": "w1", "model": "", "task": "", "response": ""}\n{"id": "w2',
            ", line 1: technique: missing; give a text",
        ),
        ("Hallo", ", line 1: not JSON"),
    ],
)
def test_a_file_without_transcripts_is_refused_and_unchanged(file, content, message):
    file.write_text(content)
    assert rejected(lambda: Recorder(Scripted(echo), file)) == f"{file}{message}"
    assert file.read_text() == content


@pytest.mark.skipif(os.name != "posix", reason="needs POSIX devices and locks")
def test_a_locked_or_unwritable_file_is_refused(file):
    another = "wait until it ends, or record to another file"
    with Recorder(Scripted(echo), file):
        for path, message in (
            (file, f"another run is recording to it; {another}"),
            (Path("/dev/zero"), "not a regular file; record to another"),
            (file.parent / "none" / "t", "cannot be written: No such file or directory"),
        ):
            assert rejected(lambda at=path: Recorder(Scripted(echo), at)) == f"{path}: {message}"


@pytest.mark.parametrize("kept", [1, 6, 8, 30, -2])
def test_an_incomplete_last_line_is_removed_and_requested_again(file, caplog, kept):
    calls = [replace(CALL, id="w1 één"), replace(CALL, id="w2 één")]
    with Recorder(Scripted(echo), file) as recorder:
        first = [recorder.complete(call) for call in calls]
    whole = file.read_bytes()
    begin = whole.index(b"\n") + 1
    file.write_bytes(whole[:begin] + whole[begin:][:kept])
    model = Scripted(echo)
    with Recorder(model, file) as recorder:
        assert [recorder.complete(call) for call in calls] == first
    assert len(model.calls) == 1
    assert file.read_bytes() == whole
    assert caplog.messages == [f"{file}: klopt removed an incomplete last line"]


counts, figures = st.integers(0, 10**9), st.floats(0, 1e9)
usages = st.builds(Usage, counts, counts, st.none() | figures, figures, counts, st.just(1))
replies = st.builds(Reply, st.text(), st.text(), st.text(), usages)
texts = dict.fromkeys(("id", "technique", "task", "system", "user"), st.text())


@given(st.builds(Call, **texts, attempt=st.integers(1, 9)), replies)
def test_a_written_line_is_read_back(call, reply):
    line = to_line(call, reply)
    assert "\n" not in line
    read = read_line(line)
    assert (read.key, read.digest) == ((call.id, call.technique, call.attempt), call.digest)
    assert read.reply == reply
