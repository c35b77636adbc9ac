"""Help, version, and the modules that a command imports."""

import re
import subprocess
import sys
from typing import Any

import click
import pytest

from klopt.cli import COMMANDS, command
from klopt.version import VERSION


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


def test_the_module_prints_the_version():
    run = subprocess.run(
        [sys.executable, "-m", "klopt", "--version"], capture_output=True, text=True, check=True
    )
    assert run.stdout == f"klopt, version {VERSION}\n"
    assert run.stderr == ""


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
    run = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "klopt", "score", *given],
        capture_output=True,
        text=True,
        check=False,
    )
    assert len({*re.findall(r"\| +(klopt(?:\.\S+)?)$", run.stderr, re.MULTILINE)}) <= most
