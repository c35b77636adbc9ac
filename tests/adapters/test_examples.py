"""The examples of docs/adapters.md run as they stand, and reach for no other machine."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from importlib.util import find_spec
from pathlib import Path

import pytest

from klopt.extras import install
from tests.adapters.adapted import HERE, NAMES, OPT_OUTS, PACKAGES, adapter, example, module
from tests.adapters.environments import PAGE, page
from tests.conftest import ROOT

ADAPTERS = ROOT / "klopt" / "adapters"
each_package = pytest.mark.parametrize("extra", PACKAGES)


@each_package
def test_example(extra: str, tmp_path: Path) -> None:
    adapter(extra)
    for needed in PACKAGES[extra].get("beside", ()):
        if find_spec(needed.partition("<")[0].replace("-", "_")) is None:
            pytest.skip(f"{needed} is not there; make test-adapters has it")
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
    assert run.stdout.splitlines()[-1] == PACKAGES[extra]["prints"]


@each_package
def test_module_is_at_most_a_page(extra: str) -> None:
    path = ROOT / f"{module(extra).replace('.', '/')}.py"
    assert len(path.read_text("utf-8").splitlines()) <= 62


def test_each_adapter_has_a_package_an_example_and_an_extra() -> None:
    modules = {path.stem for path in ADAPTERS.glob("*.py")} - {"__init__"}
    assert {extra.replace("-", "_") for extra in PACKAGES} == modules
    assert {path.stem for path in (HERE / "examples").glob("*.py")} == {
        f"with_{name}" for name in modules
    }
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert {NAMES.get(one, one) for one in PACKAGES} <= set(project["optional-dependencies"])


def test_without_its_package_an_adapter_names_the_extra() -> None:
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
    for extra, said in zip(extras, run.stdout.splitlines(), strict=True):
        assert said.startswith("ExtraMissingError klopt's adapter needs ")
        assert said.endswith(f"; install with: {install(NAMES.get(extra, extra))}")


def test_the_page_is_what_the_command_writes() -> None:
    assert PAGE.read_text("utf-8") == page()
