"""Help, version, typing errors and exit codes."""

from __future__ import annotations

import re
import subprocess
import sys

import click
import pytest

from klopt.cli import COMMANDS, command
from klopt.version import VERSION


def leaves() -> list[tuple[str, ...]]:
    """Every command that does something, by its words."""
    context = click.Context(command)
    found: list[tuple[str, ...]] = []
    for name in COMMANDS:
        own = command.get_command(context, name)
        if isinstance(own, click.Group):
            found += [(name, inner) for inner in own.commands]
        else:
            found.append((name,))
    return found


def test_version_by_module():
    run = subprocess.run(
        [sys.executable, "-m", "klopt", "--version"], capture_output=True, text=True, check=True
    )
    assert run.stdout == f"klopt, version {VERSION}\n"
    assert run.stderr == ""


@pytest.mark.parametrize("words", leaves(), ids=" ".join)
def test_help_of_every_command_has_an_example_that_fits_it(klopt, words):
    run = klopt(*words, "--help")
    assert (run.code, run.err) == (0, "")
    example = re.search(r"Example: (klopt .*)", run.out)
    assert example is not None
    assert example.group(1).startswith(f"klopt {' '.join(words)}")


@pytest.mark.parametrize("words", leaves(), ids=" ".join)
def test_every_option_has_a_sentence_of_help(words):
    context = click.Context(command)
    found: click.Command | None = command
    for word in words:
        assert isinstance(found, click.Group)
        found = found.get_command(context, word)
    assert found is not None
    assert found.help
    for option in found.params:
        assert isinstance(option, click.Argument) or (option.help or "").endswith("."), option.name


def test_help_of_all_lists_every_command_with_its_own_sentence(klopt):
    run = klopt("--help")
    assert run.code == 0
    assert "klopt demo" in run.out
    for name, sentence in COMMANDS.items():
        assert re.search(rf"^  {name} +{re.escape(sentence[:30])}", run.out, re.MULTILINE)
        own = command.get_command(click.Context(command), name)
        assert own is not None
        assert (own.help or "").split("\n")[0] != ""


@pytest.mark.parametrize("short", ["-h", "--help"])
def test_help_is_asked_for_in_two_ways(klopt, short):
    assert "Usage:" in klopt("score", short).out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["scor"], 'There is no command "scor". Did you mean "score"?'),
        (["clasify"], 'Did you mean "classify"?'),
        (
            ["zzz"],
            "There are: claims, classify, company, demo, doctor, evaluate, explain, fit, index, "
            "judge, memory, report, score, serve.",
        ),
        (["score", "--profil", "afas", "x.jsonl"], "--profile"),
        (["score", "--all-typs", "x.jsonl"], "--all-types"),
        (["company", "term"], "terms"),
    ],
)
def test_a_typing_error_gets_a_suggestion(klopt, arguments, message):
    run = klopt(*arguments)
    assert (run.code, run.out) == (2, "")
    assert message in run.err
    assert "Traceback" not in run.err


WRONG_USE = {
    "no file": (["score"], "Missing argument 'FILE...'"),
    "unknown profile": (
        ["score", "LOG", "--profile", "afs"],
        'there is no profile "afs": give one of afas, default, a file, or a folder with',
    ),
    "map without sign": (["score", "LOG", "--map", "answer"], "is not of the form answer=bot_text"),
    "map without field": (["score", "LOG", "--map", "=x"], "is not of the form answer=bot_text"),
    "map of no field": (
        ["score", "LOG", "--map", "antwoord=answer"],
        'there is no field "antwoord" to map; the fields are answer, contexts, id,',
    ),
    "language without tables": (["score", "LOG", "--language", "fr"], "fr"),
    "language without tables, classify": (["classify", "LOG", "--language", "fr"], "fr"),
    "output is a folder": (["score", "LOG", "-o", "PAGES"], "is a directory"),
    "classify nothing": (["classify"], "Give either a FILE or one message with -m."),
    "classify both": (["classify", "LOG", "-m", "Hoe?"], "Give either a FILE or one message"),
    "explain without id": (["explain", "LOG"], "Missing option '--id'"),
    "explain nothing": (["explain", "--id", "a"], "Give either a FILE or --demo."),
    "explain both": (["explain", "LOG", "--demo", "--id", "a"], "Give either a FILE or --demo."),
    "terms without pages": (["company", "terms"], "Missing option '--pages'"),
}


@pytest.mark.parametrize("name", WRONG_USE)
def test_wrong_use_is_exit_code_2(klopt, company, name):
    arguments, message = WRONG_USE[name]
    named = {"LOG": company.log, "PAGES": company.pages}
    run = klopt(*(named.get(one, one) for one in arguments))
    assert (run.code, run.out) == (2, "")
    assert message in " ".join(run.err.split())
    assert "Traceback" not in run.err


UNREADABLE = {
    "log": (["score", "weg.jsonl"], "weg.jsonl: there is no such file"),
    "log, classify": (["classify", "weg.jsonl"], "weg.jsonl: there is no such file"),
    "log, explain": (["explain", "weg.jsonl", "--id", "a"], "weg.jsonl: there is no such file"),
    "ending": (["score", "PAGE"], '".md" is not one of .arrow, .csv, .feather, .jsonl'),
    "pages": (["score", "LOG", "--pages", "weg"], "weg: there is no such folder of pages"),
    "empty pages": (["score", "LOG", "--pages", "EMPTY"], "there is no page in it; pages end in"),
    "terms": (["score", "LOG", "--terms", "weg.toml"], "weg.toml: there is no such lexicon file"),
    "terms of no pages": (["company", "terms", "--pages", "weg"], "no such folder of pages"),
    "output": (["score", "LOG", "-o", "weg/out.jsonl"], "weg/out.jsonl: cannot be written: No "),
}


@pytest.mark.parametrize("name", UNREADABLE)
def test_what_cannot_be_read_or_written_is_exit_code_3(klopt, company, tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    arguments, message = UNREADABLE[name]
    (tmp_path / "empty").mkdir()
    named = {"LOG": company.log, "PAGE": company.pages / "opslaan.md", "EMPTY": "empty"}
    run = klopt(*(named.get(one, one) for one in arguments))
    assert (run.code, run.out) == (3, "")
    assert run.err.startswith("Error: ")
    assert message in run.err
    assert [one.name for one in tmp_path.iterdir()] == ["empty"]


@pytest.mark.parametrize(
    "name", ["out.csv", "out.parquet", "out.arrow", "out.xlsx", "out.jsonl.gz"]
)
@pytest.mark.parametrize("words", [("claims",), ("judge",), ("memory", "missing", "own.tm")])
def test_json_lines_are_not_written_under_a_name_of_something_else(klopt, tmp_path, words, name):
    run = klopt(*words, tmp_path / "log.jsonl", "-o", tmp_path / name)
    assert run.code == 2
    assert f"{name}: this command writes JSON lines; give a name that ends in .jsonl" in run.err
    assert list(tmp_path.iterdir()) == []
