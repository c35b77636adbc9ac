"""What can be known of the Dockerfile without Docker."""

from __future__ import annotations

import json
import re
import tomllib

from klopt.cli.serve import command
from tests.conftest import ROOT


def instructions() -> list[tuple[str, str]]:
    """Name and value of each, with continued lines joined."""
    text = re.sub(r"^#.*\n", "", (ROOT / "Dockerfile").read_text("utf-8"), flags=re.MULTILINE)
    lines = re.sub(r"\\\n\s*", "", text).splitlines()
    return [(name, value) for name, _, value in (line.partition(" ") for line in lines) if name]


LAST = dict(instructions())


def test_it_does_not_run_as_root():
    assert int(LAST["USER"]) > 0
    assert f"--uid {LAST['USER']} " in LAST["RUN"]


def test_it_serves_an_index_of_its_volume_on_the_port_that_it_shows():
    arguments = [*json.loads(LAST["ENTRYPOINT"])[2:], *json.loads(LAST["CMD"])]
    given = command.make_context("serve", arguments).params
    assert str(given["index"]).startswith(f"{LAST['VOLUME']}/")
    assert str(given["port"]) == LAST["EXPOSE"]
    assert f":{LAST['EXPOSE']}/readyz" in LAST["HEALTHCHECK"]
    health = json.loads(LAST["HEALTHCHECK"].partition("CMD ")[2])
    compile(health[2], "healthcheck", "exec")


def test_its_python_is_one_that_klopt_runs_on():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    least = tuple(map(int, project["requires-python"].removeprefix(">=").split(".")))
    versions = [
        re.search(r"python:(\d+)\.(\d+)", value) for name, value in instructions() if name == "FROM"
    ]
    assert len(versions) == 2
    for found in versions:
        assert found is not None
        assert (int(found[1]), int(found[2])) >= least


def test_all_that_the_wheel_is_made_of_goes_in_and_nothing_else():
    lines = (ROOT / ".dockerignore").read_text("utf-8").split()
    taken = {line[1:] for line in lines if line.startswith("!")}
    assert lines[0] == "*"
    assert taken == {"LICENSE", "README.md", "data", "klopt", "pyproject.toml", "setup.cfg"}
    assert all((ROOT / name).exists() for name in taken)
