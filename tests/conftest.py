"""Settings, data and fixtures of all tests."""

import ast
import gc
import json
import os
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from klopt import lexicons
from klopt.verification import Language

ROOT = Path(__file__).parent.parent
DEMO = ROOT / "data" / "demo"
pytest_plugins = ["pytester", "tests.report.browser"]

collect_ignore = [] if os.name == "posix" else ["docs/test_commands.py", "faults"]

# The same examples in each run, without a deadline; `make fuzz` draws others.
settings.register_profile(
    "klopt",
    deadline=None,
    derandomize="KLOPT_FUZZ" not in os.environ,
    max_examples=100 if os.environ.get("CI") else 40,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
settings.load_profile("klopt")

LONG = (
    *("docs/test_commands", "docs/test_runs", "server/test_running", "company/test_review_browser"),
    *("cli/test_lines", "faults/test_runs", "report/test_browser"),
    *("integrations/test_examples", "cli/test_fit", "cli/test_commands"),
)
"""The slowest files, which start first, so that the processes of xdist end together."""
gc.disable()  # collected tests stay alive, so the collector need not search them


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(
        key=lambda item: not item.nodeid.startswith(tuple(f"tests/{name}.py" for name in LONG))
    )


def pytest_collection_finish() -> None:
    gc.freeze()
    gc.enable()


@cache
def demo_rows() -> tuple[dict[str, Any], ...]:
    """The rows of the demo company's chat log."""
    lines = (DEMO / "turns.jsonl").read_text("utf-8").splitlines()
    return tuple(map(json.loads, filter(None, lines)))


@cache
def modules() -> dict[Path, ast.Module]:
    """The syntax tree of each module of klopt."""
    paths = sorted((ROOT / "klopt").rglob("*.py"))
    return {path: ast.parse(path.read_text("utf-8")) for path in paths}


def data_folder() -> Path:
    """The real data: ``$KLOPT_DATA``, or ``../shared/data`` beside the checkout."""
    return Path(os.environ.get("KLOPT_DATA") or ROOT / ".." / "shared" / "data").resolve()


@pytest.fixture(scope="session")
def data():
    folder = data_folder()
    if not folder.is_dir():
        pytest.skip(f"the real data are not at {folder}; KLOPT_DATA names another folder")
    return folder


@pytest.fixture(scope="session")
def languages():
    return {code: Language(lexicons.load(code)) for code in ("nl", "en")}


@pytest.fixture(scope="session")
def dutch(languages):
    return languages["nl"].reader


@pytest.fixture(scope="session")
def english(languages):
    return languages["en"].reader
