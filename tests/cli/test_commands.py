"""Help, version and imports of commands, and tests of single ones."""

import os
import re
import subprocess
import sys
from typing import Any

import click
import pytest

from klopt.cli import COMMANDS, command
from klopt.version import VERSION


def run_in_a_process(*arguments, stdin=b"", **settings):
    command = [sys.executable, "-m", "klopt", *map(str, arguments)]
    return subprocess.run(command, input=stdin, capture_output=True, check=True, **settings)


def test_the_module_prints_the_version():
    run = run_in_a_process("--version")
    assert (run.stdout.decode(), run.stderr) == (f"klopt, version {VERSION}\n", b"")


def test_company_terms_of_pages_in_two_languages(klopt, tmp_path):
    (tmp_path / "a.md").write_text("Het dossier van de zeppelin staat in de map.", "utf-8")
    (tmp_path / "b.md").write_text("Je vindt de zeppelin in het dossier.", "utf-8")
    (tmp_path / "c.md").write_text("You will find the blimpery in the folder.", "utf-8")
    run = klopt("company", "terms", "--pages", tmp_path)
    assert run.code == 0
    assert run.err.startswith(
        f"Warning: {tmp_path}: 1 page in en left out: terms are of one language; --language en "
        "extracts those\n2 pages, "
    )
    assert "blimpery" not in run.out
    english = klopt("company", "terms", "--pages", tmp_path, "--language", "en")
    assert '"blimpery"' in english.out
    assert "zeppelin" not in english.out


def test_claims_has_ids_and_slots_with_offsets_in_the_texts(klopt, tmp_path, write):
    passage = "U sluit alle vensters met **Alt+F7** op het toetsenbord."
    row = {"passage": passage, "claim": passage.replace("**Alt+F7**", "`Alt+F8`")}
    run = klopt("claims", write(tmp_path / "claims.jsonl", {"id": "[red]x[/]", **row}, row))
    assert (run.code, [found["id"] for found in run.rows]) == (0, ["[red]x[/]", "row-2"])
    for found in run.rows:
        assert list(found) == ["id", "label", "probabilities", "slots"]
        slot = next(slot for slot in found["slots"] if slot["side"] == "against")
        for name, text, key in (("claim", row["claim"], "Alt+F8"), ("page", passage, "Alt+F7")):
            words = slot[name]
            assert text[words["start"] : words["end"]] == words["text"] == key


def test_judge_scores_every_row_of_the_demo(klopt):
    run = klopt("judge", "--demo")
    assert (run.code, len(run.rows)) == (0, 31)
    assert {row["status"] for row in run.rows} == {"scored"}


def test_the_demo_has_the_same_bytes_in_every_process(klopt, tmp_path):
    variables = {"PYTHONHASHSEED": "1", "LC_ALL": "C", "TZ": "Asia/Tokyo"}
    own = run_in_a_process(
        "demo", "--format", "jsonl", cwd=tmp_path, env={**os.environ, **variables}
    )
    run = klopt("demo", "--format", "jsonl")
    assert (run.code, run.err, own.stderr) == (0, "", b"")
    assert run.out.encode() == own.stdout
    assert len(run.rows) == len({row["id"] for row in run.rows})
    assert {row["language"] for row in run.rows} == {"nl", "en"}
    assert all(row["status"] != "error" for row in run.rows)
    assert list(tmp_path.iterdir()) == []


def test_the_demo_ends_with_three_answers_and_next_commands(klopt):
    run = klopt("demo", terminal=True, COLUMNS="80")
    output = re.sub(r"\x1b\[[\d;]*m", "", run.out)
    lines = output.splitlines()
    assert (run.code, max(map(len, lines)) <= 80) == (0, True)
    verdicts = [line.split()[1] for line in lines if re.match(r"demo-\d+: \w+ ─", line)]
    assert verdicts == ["block", "review", "send"]
    assert [line.split()[1] for line in lines[-3:]] == ["explain", "score", "evaluate"]
    words = " ".join(output.split())
    assert re.search(r"sends \d+ of the \d+ answers that a person rated 1 or 2, and \d+ of", words)
    assert re.search(r"It names a fault in \d+ of the \d+ untrue answers", words)


def test_score_gives_the_same_rows_from_a_pipe_and_from_a_file(klopt, company, tmp_path):
    out = tmp_path / "scores.jsonl"
    run = run_in_a_process(
        *("score", "-", "--pages", company.pages, "-o", out), stdin=company.log.read_bytes()
    )
    message = run.stderr.decode()
    assert (run.stdout, message.startswith("5 answers: ")) == (b"", True)
    assert message.endswith(f"1 unscored. Written to {out}.\n")
    assert list(tmp_path.iterdir()) == [out]
    # With a progress counter on the terminal, which is not in the rows.
    own = klopt("score", company.log, "--pages", company.pages, terminal_err=True)
    assert (own.code, own.out) == (0, out.read_text("utf-8"))
    assert [row["id"] for row in own.rows] == ["missing", "steps", "sum", "english", "nothing"]
    assert all(list(row) == list(own.rows[0]) for row in own.rows)


def leaves() -> list[Any]:
    """Return every command that is not a group, with its name."""
    context = click.Context(command)
    found = []
    for name in COMMANDS:
        own = command.get_command(context, name)
        if isinstance(own, click.Group):
            inner = ((f"{name} {each}", own.get_command(context, each)) for each in own.commands)
        else:
            inner = ((name, own),)
        found += [pytest.param(words, one, id=words) for words, one in inner]
    return found


@pytest.mark.parametrize(("words", "own"), leaves())
def test_help_has_an_example_and_a_sentence_for_each_option(klopt, words, own):
    run = klopt(*words.split(), "--help")
    assert (run.code, run.err) == (0, "")
    assert f"Example: klopt {words}" in run.out
    assert own.help
    for option in own.params:
        assert isinstance(option, click.Argument) or (option.help or "").endswith("."), option.name


@pytest.mark.parametrize(
    ("arguments", "most"), [("--help", 20), ("weg.jsonl --map x", 20), ("LOG -o OUT", 96)]
)
def test_a_command_imports_few_modules(company, tmp_path, arguments, most):
    paths = {"LOG": company.log, "OUT": tmp_path / "out.jsonl"}
    given = [str(paths.get(one, one)) for one in arguments.split()]
    line = [sys.executable, "-X", "importtime", "-m", "klopt", "score", *given]
    run = subprocess.run(line, capture_output=True, text=True, check=False)
    assert len({*re.findall(r"\| +(klopt(?:\.\S+)?)$", run.stderr, re.MULTILINE)}) <= most
