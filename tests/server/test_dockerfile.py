"""What can be known of the Dockerfile without Docker."""

import json
import re

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
