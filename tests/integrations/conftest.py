"""Ignores warnings of the packages, and opts out of their telemetry."""

from pathlib import Path

import pytest

from klopt import Scorer
from tests.integrations.adapted import OPT_OUTS


def pytest_itemcollected(item: pytest.Item) -> None:
    if Path(__file__).parent in item.path.parents:
        item.add_marker(pytest.mark.filterwarnings("ignore"))


@pytest.fixture(scope="session")
def scorer():
    return Scorer.load()


@pytest.fixture(autouse=True)
def isolated(tmp_path, monkeypatch):
    """Each test runs in a folder of its own, without telemetry."""
    monkeypatch.chdir(tmp_path)
    for name, value in OPT_OUTS.items():
        monkeypatch.setenv(name, value)
