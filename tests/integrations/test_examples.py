"""The examples of docs/how-to/adapters.md run unchanged, without connections to other machines."""

import os
import re
import subprocess
import sys
import tomllib
from importlib.util import find_spec

import pytest

from klopt._internal.imports import install
from tests.conftest import ROOT
from tests.integrations.adapted import HERE, NAMES, OPT_OUTS, PACKAGES, adapter, example, module
from tests.integrations.environments import PAGE, page

ADAPTERS = ROOT / "klopt" / "integrations"
each_package = pytest.mark.parametrize("extra", PACKAGES)


@each_package
def test_example(extra, tmp_path):
    adapter(extra)
    for needed in PACKAGES[extra].get("beside", ()):
        if find_spec(needed.partition("<")[0].replace("-", "_")) is None:
            pytest.skip(f"{needed} is not installed; make test-adapters installs it")
    home = {"HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path), "PYTHONPATH": str(ROOT)}
    run = subprocess.run(
        [sys.executable, "-W", "ignore", str(HERE / "watched.py"), str(example(extra))],
        capture_output=True,
        cwd=tmp_path,
        env={**os.environ, **OPT_OUTS, **home, "PYTHONIOENCODING": "utf-8"},
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert run.returncode == 0, run.stderr[-3_000:]
    printed, expected = (
        re.sub(r"(?<=\d[.,])\d+", "0", line)  # decimals of scores change with the weights
        for line in (run.stdout.splitlines()[-1], PACKAGES[extra]["prints"])
    )
    assert printed == expected


def test_each_adapter_has_a_package_an_example_and_an_extra():
    modules = {path.stem for path in ADAPTERS.glob("*.py")} - {"__init__", "pytest_plugin"}
    assert {extra.replace("-", "_") for extra in PACKAGES} == modules
    assert {path.stem for path in (HERE / "examples").glob("*.py")} == {
        f"with_{name}" for name in modules
    }
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert {NAMES.get(one, one) for one in PACKAGES} <= set(project["optional-dependencies"])


def test_without_its_package_an_adapter_names_the_extra():
    extras = sorted(PACKAGES)
    tops = {"haystack": "haystack", "langchain": "langchain_core", "rasa": "rasa_sdk"}
    missing = {extra: tops.get(extra, extra.replace("-", "_")) for extra in extras}
    code = "import importlib, sys\n" + "".join(
        f"sys.modules[{missing[extra]!r}] = None\n"
        f"try:\n    importlib.import_module({module(extra)!r})\n"
        "except ImportError as error:\n    print(type(error).__name__, error)\n"
        for extra in extras
    )
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
    )
    for extra, line in zip(extras, run.stdout.splitlines(), strict=True):
        assert line.startswith("ExtraMissingError klopt's adapter needs ")
        assert line.endswith(f"; install with: {install(NAMES.get(extra, extra))}")


def test_the_page_is_up_to_date():
    assert PAGE.read_text("utf-8") == page()
