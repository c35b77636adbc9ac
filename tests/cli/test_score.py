"""``klopt score``: rows in, rows out, and every option."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib import resources

import pytest

FIELDS = (
    "id",
    "score",
    "stars",
    "verdict",
    "status",
    "reason",
    "message_type",
    "rule",
    "abstained",
    "measurements",
    "statements",
    "explanation",
    "fingerprint",
)
IDS = ["missing", "steps", "sum", "english", "nothing"]


@pytest.fixture(scope="module")
def to_file(company):
    """The command as a user starts it, with an output file."""
    path = company.folder / "scores.jsonl"
    arguments = ["score", company.log, "--pages", company.pages, "-o", path]
    run = subprocess.run(
        [sys.executable, "-m", "klopt", *map(str, arguments)], capture_output=True, check=False
    )
    return run, path.read_bytes()


@pytest.fixture(scope="module")
def rows(to_file):
    return {row["id"]: row for row in map(json.loads, to_file[1].splitlines())}


def test_to_a_file(to_file, company):
    run, _ = to_file
    assert run.returncode == 0
    assert run.stdout == b""
    said = run.stderr.decode()
    assert said.startswith("5 answers: ")
    assert said.endswith(f"1 unscored. Written to {company.folder / 'scores.jsonl'}.\n")
    assert sorted(one.name for one in company.folder.iterdir()) == [
        "log.jsonl",
        "pages",
        "scores.jsonl",
    ]


def test_to_standard_output_from_standard_input_gives_the_same_bytes(to_file, company):
    run = subprocess.run(
        [sys.executable, "-m", "klopt", "score", "-", "--pages", str(company.pages)],
        input=company.log.read_bytes(),
        capture_output=True,
        check=False,
    )
    assert (run.returncode, run.stderr) == (0, b"")
    assert run.stdout == to_file[1]


def test_rows_in_input_order_with_id_first_and_the_documented_fields(to_file):
    rows = [json.loads(line) for line in to_file[1].splitlines()]
    assert [row["id"] for row in rows] == IDS
    for row in rows:
        assert next(iter(row)) == "id"
        assert set(FIELDS) <= set(row)
        assert list(row) == list(rows[0])


def test_a_counter_on_the_terminal_does_not_get_into_the_rows(klopt, company, to_file):
    run = klopt("score", company.log, "--pages", company.pages, terminal_err=True)
    assert (run.code, run.out.encode()) == (0, to_file[1])


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
