"""What several tests share."""

from __future__ import annotations

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
pytest_plugins = ["pytester"]

collect_ignore = [] if os.name == "posix" else ["docs/test_commands.py", "faults"]

# No example is judged by its milliseconds: a busy machine needs more of them.
# CI draws as many as Hypothesis does by itself.
settings.register_profile("klopt", deadline=None, max_examples=100 if os.environ.get("CI") else 40)
settings.load_profile("klopt")


@cache
def demo_rows() -> tuple[dict[str, Any], ...]:
    """The demo company's chat log as it stands in its file."""
    lines = (DEMO / "turns.jsonl").read_text("utf-8").splitlines()
    return tuple(map(json.loads, filter(None, lines)))


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
