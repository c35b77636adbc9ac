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


@pytest.mark.parametrize(
    ("arguments", "most"), [("--help", 20), ("weg.jsonl --map x", 20), ("LOG -o OUT", 70)]
)
def test_a_command_imports_what_it_needs(company, tmp_path, arguments, most):
    paths = {"LOG": company.log, "OUT": tmp_path / "out.jsonl"}
    given = [str(paths.get(one, one)) for one in arguments.split()]
    run = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "klopt", "score", *given],
        capture_output=True,
        text=True,
        check=False,
    )
    assert len({*re.findall(r"\| +(klopt(?:\.\S+)?)$", run.stderr, re.MULTILINE)}) <= most
