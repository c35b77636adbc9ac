"""The packages warn and phone home as they please; the tests let them do neither."""

from __future__ import annotations

from pathlib import Path

import pytest

from klopt import Scorer
from tests.adapters.adapted import OPT_OUTS


def pytest_itemcollected(item: pytest.Item) -> None:
    if Path(__file__).parent in item.path.parents:
        item.add_marker(pytest.mark.filterwarnings("ignore"))


@pytest.fixture(scope="session")
def scorer() -> Scorer:
    return Scorer.load()


@pytest.fixture(autouse=True)
def alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a folder of its own, and opted out."""
    monkeypatch.chdir(tmp_path)
    for name, value in OPT_OUTS.items():
        monkeypatch.setenv(name, value)
