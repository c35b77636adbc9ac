from __future__ import annotations

import pytest

from klopt.translators import exchange
from klopt.translators.exchange import Door


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch):
    """Translators look at the environment for proxies; loopback needs none."""
    monkeypatch.setenv("NO_PROXY", "*")
    monkeypatch.setenv("no_proxy", "*")


@pytest.fixture(autouse=True)
def closed(monkeypatch):
    """Ends the threads of translators that a test made."""
    doors: list[Door] = []

    def opened(*arguments, **named):
        doors.append(Door(*arguments, **named))
        return doors[-1]

    monkeypatch.setattr(exchange, "Door", opened)
    yield
    for door in doors:
        door.close()
