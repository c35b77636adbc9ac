"""The examples of the page about the service."""

import json
import re
import shutil
import subprocess

import pytest

from klopt.server.gate import OPEN
from tests.conftest import ROOT
from tests.server.conftest import running
from tests.server.test_answers import events

TEXT = (ROOT / "docs" / "how-to" / "service.md").read_text("utf-8")


@pytest.fixture(scope="module")
def service(tmp_path_factory, build_index):
    """A service with the pages of the examples."""
    folder = tmp_path_factory.mktemp("demo")
    (pages,) = re.findall(r"klopt index build --pages (\S+) -o help.klopt", TEXT)
    build_index(ROOT / pages, folder / "help.klopt")
    with running(folder, "--index", folder / "help.klopt", "--workers", 1) as found:
        yield found


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")
@pytest.mark.parametrize(
    ("command", "shown"),
    re.findall(r"```sh\n(.*?)```(?:\n\n```json\n(.*?)```)?", TEXT, re.DOTALL),
)
def test_an_example_has_the_documented_result(service, command, shown):
    here = command.replace("http://127.0.0.1:8765", service.url)
    assert here != command
    run = subprocess.run(["bash", "-c", here], capture_output=True, text=True, check=True)
    assert run.stderr == ""
    if "/v1/stream" in command:
        *faults, (last, _) = events(run.stdout)
        assert ({name for name, _ in faults}, last) == ({"fault"}, "assessment")
        assert [(fault["kind"], fault["text"]) for _, fault in faults] == [
            ("contradicted", "Klik op Salarissen berekenen."),
            ("unknown_name", "Salarissen berekenen"),
        ]
        return
    rows = [json.loads(line) for line in run.stdout.splitlines()]
    assert len(rows) == (2 if "batch" in command else 1)
    for row in rows:
        assert "error" not in row
        assert row.get("status", "scored") == "scored"
    assert json.loads(shown or "{}").items() <= rows[0].items()


def test_all_paths_and_codes_are_documented():
    for path in OPEN - {"/docs.js", "/try.css", "/try.js"}:
        assert f"`{path}`" in TEXT
    for path in (ROOT / "klopt" / "server").glob("*.py"):
        for code in re.findall(r'RefusedError\(\s*\d+,\s*"(\w+)"', path.read_text("utf-8")):
            assert f"`{code}`" in TEXT or code == "gone"
