"""``klopt judge`` asked for what it cannot do: the message says what to do, and exits with 2."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from tests.cli.judged_log import RIGHT, ROWS, row
from tests.models.server import KEY

EXTRAS = {
    "httpx": "llm",
    "sacrebleu": "metrics",
    "rouge_score": "metrics",
    "rapidfuzz": "metrics",
    "bert_score": "bertscore",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("misuse")


@pytest.fixture(scope="module")
def log(folder, write):
    return write(folder / "log.jsonl", *ROWS)


@pytest.fixture(scope="module")
def replies(folder):
    path = folder / "replies.jsonl"
    path.write_text(
        '{"id": "right", "model": "m", "technique": "cloze_fact", "task": "", "response": "{}"}\n'
    )
    return path


KNOWN = (
    "Known are anthropic, cohere, deepseek, gemini, groq, mistral, ollama, openai, openrouter, "
    "together, xai; for any other give its address as the base URL."
)
ASK = ("--solver", "llm", "--model", "tiny", "--base-url", "http://127.0.0.1:9/v1")
REPLAY = ("--solver", "recorded", "--transcripts", "REPLIES")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--solver", "none"), "--solver none leaves nothing to do without --metrics."),
        (
            ("--solver", "llm"),
            "asking a model needs --model NAME, such as gpt-4o-mini; or --transcripts FILE to "
            "replay what one said before.",
        ),
        (
            ("--metrics", "g_eval"),
            "asking a model needs --model NAME, such as gpt-4o-mini; or --transcripts FILE to "
            "replay what one said before.",
        ),
        (
            ("--model", "tiny"),
            "--model is for asking a model, and --solver text asks none; --solver llm does.",
        ),
        (
            ("--record", "new.jsonl"),
            "--record is for asking a model, and --solver text asks none; --solver llm does.",
        ),
        (
            ("--transcripts", "REPLIES"),
            "--transcripts is for --solver recorded, or for judges; --solver text reads none.",
        ),
        (
            ("--solver", "recorded"),
            "a replay needs --transcripts FILE: what a model said before.",
        ),
        (
            (*ASK, "--transcripts", "REPLIES"),
            "--transcripts is for --solver recorded; --solver llm asks a model.",
        ),
        (
            (*REPLAY, "--record", "new.jsonl"),
            "--record is for asking a model, and --transcripts asks none.",
        ),
        (
            (*REPLAY, "--strategy", "graded"),
            "--strategy graded goes by how much of each term and step is there, which only "
            "--solver text tells.",
        ),
        (
            ("--strategy", "gated"),
            'strategy "gated" is not one of strict, gate, graded, weights:NAME=NUMBER,…',
        ),
        (("--language", "fr"), 'language "fr" is not one of en, nl, auto'),
        (
            ("--metrics", "bert_score"),
            "bert_score needs --bert-model DIR: the folder of a model on this machine.",
        ),
        (
            ("--bert-layer", "3"),
            "--bert-layer has no use without --metrics bert_score.",
        ),
        (
            ("--by", "tean"),
            '--by: no row of LOG has a field "tean". Did you mean "team"? The fields are id, '
            "question, answer, contexts, language, reference, label, team.",
        ),
        (
            ("--reference-field", "referense"),
            '--reference-field: no row of LOG has a field "referense". Did you mean "reference"? '
            "The fields are id, question, answer, contexts, language, reference, label, team.",
        ),
        (
            ("--metrics", "retrieval"),
            '--gold-field: no row of LOG has a field "gold_context". Did you mean "contexts"? The '
            "fields are id, question, answer, contexts, language, reference, label, team.",
        ),
        (("-o", "LOG"), "LOG is the input; choose another file for -o."),
        ((*ASK, "--record", "LOG"), "LOG is the input; choose another file for --record."),
        (
            (*REPLAY, "-o", "REPLIES"),
            "REPLIES is read by --transcripts; choose another file for -o.",
        ),
        ((*ASK, "-o", "new", "--record", "new"), "-o and --record are both new."),
        (
            (*ASK, "--key-variable", KEY),
            "Invalid value for '--key-variable': give the name of a variable, such as "
            "OPENAI_API_KEY, and never the key itself",
        ),
        (
            ("--solver", "llm", "--model", "x", "--provider", "azure"),
            f"there is no provider 'azure'. {KNOWN}",
        ),
        (
            ("--solver", "llm", "--model", "x", "--provider", "mistral"),
            "MISTRAL_API_KEY is not set; put the key of the LLM server in it",
        ),
        (
            (*ASK, "--prices", "-1,2"),
            "Invalid value for '--prices': \"-1,2\" is not of the form 0.15,0.60",
        ),
        (
            (*ASK, "--prices", "0.15"),
            "Invalid value for '--prices': \"0.15\" is not of the form 0.15,0.60",
        ),
        (
            (*ASK, "--timeout", "nan"),
            "Invalid value for '--timeout': nan is not a number of seconds above 0",
        ),
        (
            (*ASK[:4], "--base-url", f"http://me:{KEY}@127.0.0.1/v1"),
            "base_url must not hold a user name, a password or anything after ? or #; a key is "
            "given as api_key",
        ),
    ],
)
def test_wrong_use(klopt, log, replies, options, message):
    paths = {"LOG": str(log), "REPLIES": str(replies)}
    run = klopt("judge", log, *(paths.get(one, one) for one in options), OPENAI_API_KEY=KEY)
    for name, path in paths.items():
        message = message.replace(name, path)
    assert run.code == 2
    assert run.err.endswith(f"Error: {message}\n")
    assert KEY not in run.err
    assert "Traceback" not in run.err


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("bluee", ' Did you mean "bleu"?'),
        ("ROUGE-L", ' Did you mean "rouge_l"?'),
        ("g_eval.truth", ' Did you mean "g_eval.truthfulness"?'),
        ("retrieval_top_0", ' Did you mean "retrieval_top_1"?'),
        ("meteor", ""),
    ],
)
def test_an_unknown_metric(klopt, log, name, hint):
    run = klopt("judge", log, "--metrics", f"bleu,{name}")
    assert (run.code, run.out) == (2, "")
    assert run.err.startswith(
        f'Error: metric "{name}" is not known.{hint} There are: bleu; rouge (rouge_1, rouge_2, '
        "rouge_l); bert_score ("
    )
    assert "; prometheus (prometheus.readability, " in run.err


def test_nothing_is_written_when_a_field_is_not_there(klopt, log, tmp_path):
    output = tmp_path / "out.jsonl"
    assert klopt("judge", log, "--by", "tean", "-o", output).code == 2
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("value", "met"), [(None, "not set"), (" ", "empty")])
def test_a_missing_key_names_its_variable(klopt, log, monkeypatch, value, met):
    monkeypatch.delenv("WADLINDE_KEY", raising=False)
    variables = {} if value is None else {"WADLINDE_KEY": value}
    run = klopt("judge", log, *ASK, "--key-variable", "WADLINDE_KEY", **variables)
    assert (run.code, run.out) == (2, "")
    assert run.err == f"Error: WADLINDE_KEY is {met}; put the key of the LLM server in it\n"


WITHOUT = """
import contextlib, io, json, sys

class Blocker:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in missing:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

told = []
sys.meta_path.insert(0, Blocker())
for missing, arguments in json.load(sys.stdin):
    from klopt.cli import main
    for name in [name for name in sys.modules if name.split(".")[0] in missing]:
        del sys.modules[name]
    sys.argv = ["klopt", *arguments]
    err, code = io.StringIO(), None
    with contextlib.redirect_stderr(err):
        try:
            main()
        except SystemExit as stop:
            code = stop.code
    told.append([code, err.getvalue()])
print(json.dumps(told))
"""
"""Runs commands in a process in which modules are not there."""


def test_a_missing_extra_is_named(folder, write):
    model = folder / "model"
    model.mkdir()
    (model / "config.json").write_text("{}")
    log = write(folder / "gold.jsonl", row("a", RIGHT, gold_context="In Beheer kunt u importeren."))
    cases = {
        "httpx": ASK,
        "sacrebleu": ("--metrics", "bleu"),
        "rouge_score": ("--metrics", "rouge_l"),
        "rapidfuzz": ("--metrics", "retrieval_top_1"),
        "bert_score": ("--metrics", "bert_score", "--bert-model", str(model)),
    }
    runs = [([name], ["judge", str(log), *options]) for name, options in cases.items()]
    runs.append((["httpx"], ["judge", str(log), *ASK[2:], "--metrics", "g_eval"]))
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT],
        input=json.dumps(runs),
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "OPENAI_API_KEY": KEY},
    )
    for ((missing,), _), (code, err) in zip(runs, json.loads(done.stdout), strict=True):
        assert code == 2
        assert err.startswith("Error: ")
        assert missing.replace("_", "-") in err
        assert f"klopt[{EXTRAS[missing]}]" in err


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"{\n", "line 1: not JSON"),
        (b"[]\n", "line 1: not a JSON object"),
        (b'{"id": "a"}\n', "line 1: model must be a text, and is missing"),
    ],
)
def test_transcripts_that_are_none(klopt, log, tmp_path, line, message):
    path = tmp_path / "replies.jsonl"
    path.write_bytes(line)
    run = klopt("judge", log, "--solver", "recorded", "--transcripts", path)
    assert (run.code, run.err) == (3, f"Error: {path}, {message}\n")


def test_files_that_are_not_there(klopt, log, tmp_path):
    path = tmp_path / "weg.jsonl"
    run = klopt("judge", path)
    assert (run.code, run.err) == (3, f"Error: {path}: there is no such file\n")
    run = klopt("judge", log, "--solver", "recorded", "--transcripts", path)
    assert run.code == 3
    assert run.err == f"Error: {path}: cannot be read: No such file or directory\n"
