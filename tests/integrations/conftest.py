"""The packages warn and phone home as they please; the tests let them do neither."""

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
def alone(tmp_path, monkeypatch):
    """In a folder of its own, and opted out."""
    monkeypatch.chdir(tmp_path)
    for name, value in OPT_OUTS.items():
        monkeypatch.setenv(name, value)
