"""``klopt score``: rows in, rows out, and every option."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib import resources

import pytest

FIELDS = {
    *("id", "score", "stars", "verdict", "status", "reason", "message_type", "rule", "abstained"),
    *("measurements", "statements", "explanation", "fingerprint"),
}


def test_in_a_process_of_its_own_from_a_file_or_a_pipe(klopt, company, tmp_path):
    arguments = ["--pages", str(company.pages), "-o", str(tmp_path / "scores.jsonl")]
    run = subprocess.run(
        [sys.executable, "-m", "klopt", "score", "-", *arguments],
        input=company.log.read_bytes(),
        capture_output=True,
        check=True,
    )
    said = run.stderr.decode()
    assert (run.stdout, said.startswith("5 answers: ")) == (b"", True)
    assert said.endswith(f"1 unscored. Written to {tmp_path / 'scores.jsonl'}.\n")
    assert [one.name for one in tmp_path.iterdir()] == ["scores.jsonl"]
    # With a counter on the terminal, which does not get into the rows.
    own = klopt("score", company.log, "--pages", company.pages, terminal_err=True)
    assert (own.code, own.out) == (0, (tmp_path / "scores.jsonl").read_text("utf-8"))
    assert [row["id"] for row in own.rows] == ["missing", "steps", "sum", "english", "nothing"]
    for row in own.rows:
        assert next(iter(row)) == "id"
        assert set(row) >= FIELDS
        assert list(row) == list(own.rows[0])


def test_map(klopt, company, tmp_path, write):
    turn = json.loads(company.log.read_text().splitlines()[0])
    turn["bot_text"], turn["nr"] = turn.pop("answer"), turn.pop("id")
    log = write(tmp_path / "log.jsonl", turn)
    run = klopt(
        "score", log, "--pages", company.pages, "--map", "answer=bot_text", "--map", "id=nr",
        "--profile", "afas",
    )  # fmt: skip
    assert run.code == 0
    assert (run.rows[0]["id"], run.rows[0]["rule"]) == ("missing", "missing_component")


def test_all_types(klopt, company, tmp_path, write):
    turn = json.loads(company.log.read_text().splitlines()[0])
    log = write(tmp_path / "log.jsonl", {**turn, "message_type": "action"})
    within = klopt("score", log, "--pages", company.pages).rows[0]
    assert (within["status"], within["reason_code"]) == ("not_scorable", "out_of_scope")
    assert within["reason"] == "the profile does not score messages of the type action"
    every = klopt("score", log, "--pages", company.pages, "--all-types").rows[0]
    assert (every["status"], every["message_type"]) == ("scored", "action")
    known = klopt("score", company.log, "--pages", company.pages).rows[0]
    assert (every["score"], every["rule"]) == (known["score"], known["rule"])


TERMS = """[lexicon]
id = "company_terms"
language = "{language}"
source = "made for this test"
licence = "Apache-2.0"
retrieved = 2026-01-01
changes = "none"

[lists]
terms = ["printer"]
"""


def test_terms(klopt, company, tmp_path):
    terms = tmp_path / "terms.toml"
    terms.write_text(TERMS.format(language="nl"))
    arguments = ("score", company.log, "--pages", company.pages, "--all-types")
    without = {row["id"]: row for row in klopt(*arguments, "--profile", "afas").rows}
    run = klopt(*arguments, "--profile", "afas", "--terms", terms)
    given = {row["id"]: row for row in run.rows}
    assert run.code == 0
    assert without["sum"]["measurements"]["company_specific_terms"]["value"] is None
    assert given["sum"]["measurements"]["company_specific_terms"]["value"] is not None
    assert given["sum"]["fingerprint"] != without["sum"]["fingerprint"]
    assert given["english"]["fingerprint"] == without["english"]["fingerprint"]


@pytest.fixture
def own_profile(tmp_path):
    folder = resources.files("klopt.scoring").joinpath("profiles")
    path = tmp_path / "own.toml"

    def write(base: str = "default", /, **changes: str):
        text = changed = folder.joinpath(f"{base}.toml").read_text("utf-8")
        for old, new in changes.items():
            key, _, value = new.partition("=")
            before = next(line for line in text.splitlines() if line.startswith(f"{old} ="))
            changed = changed.replace(before, f"{key or old} = {value}")
        path.write_text(changed)
        return path

    return write


def test_a_profile_of_ones_own(klopt, company, own_profile):
    path = own_profile(name='name="own"', block_below="block_below=1", send_from="send_from=1")
    run = klopt("score", company.log, "--pages", company.pages, "--profile", path)
    assert run.code == 0
    # Never sent, whatever the score: the first row names a component that no page names, and the
    # third says of every employee what the page says of administrators alone.
    assert [row["verdict"] for row in run.rows] == ["review", "send", "review", "send", "unscored"]
    assert all("|profile:own@" in row["fingerprint"] for row in run.rows)
