"""What ``klopt judge`` says where a library is not installed."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from tests.cli.judged_log import RIGHT, row
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


ASK = ("--solver", "llm", "--model", "tiny", "--base-url", "http://127.0.0.1:9/v1")

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
