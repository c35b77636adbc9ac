"""What several tests share."""

from __future__ import annotations

import ast
import gc
import json
import os
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from klopt import lexicons
from klopt.matching import Language
from klopt.reading.reader import Reader

ROOT = Path(__file__).parent.parent
DEMO = ROOT / "data" / "demo"
pytest_plugins = ["pytester", "tests.report.browser"]

collect_ignore = [] if os.name == "posix" else ["docs/test_commands.py", "faults"]

# No example is judged by its milliseconds: a busy machine needs more of them.
# CI draws as many as Hypothesis does by itself.
settings.register_profile("klopt", deadline=None, max_examples=100 if os.environ.get("CI") else 40)
settings.load_profile("klopt")


LONG = (
    *("docs/test_commands", "company/test_review_browser", "company/test_review", "fuzz/test_fuzz"),
    *("server/test_workers", "server/test_running", "faults/test_at_once", "test_in_a_build"),
    *("scoring/test_translation", "server/test_changes", "watching/test_page"),
)
"""The files that take longest: they begin first, so that no process is left with one at the end."""
gc.disable()  # what is collected stays to the end, so that looking through it is in vain


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(
        key=lambda item: not item.nodeid.startswith(tuple(f"tests/{one}.py" for one in LONG))
    )


def pytest_collection_finish() -> None:
    gc.freeze()
    gc.enable()


@cache
def demo_rows() -> tuple[dict[str, Any], ...]:
    """The demo company's chat log as it stands in its file."""
    lines = (DEMO / "turns.jsonl").read_text("utf-8").splitlines()
    return tuple(map(json.loads, filter(None, lines)))


@cache
def modules() -> dict[Path, ast.Module]:
    """Each module of klopt, as it is written."""
    paths = sorted((ROOT / "klopt").rglob("*.py"))
    return {path: ast.parse(path.read_text("utf-8")) for path in paths}


def data_folder() -> Path:
    """The real data: ``$KLOPT_DATA``, or ``../shared/data`` beside the checkout."""
    return Path(os.environ.get("KLOPT_DATA") or ROOT / ".." / "shared" / "data").resolve()


@pytest.fixture(scope="session")
def data() -> Path:
    folder = data_folder()
    if not folder.is_dir():
        pytest.skip(f"the real data are not at {folder}; KLOPT_DATA names another folder")
    return folder


@pytest.fixture(scope="session")
def languages() -> dict[str, Language]:
    return {code: Language(lexicons.load(code)) for code in ("nl", "en")}


@pytest.fixture(scope="session")
def dutch(languages: dict[str, Language]) -> Reader:
    return languages["nl"].reader


@pytest.fixture(scope="session")
def english(languages: dict[str, Language]) -> Reader:
    return languages["en"].reader
