"""Fixtures of the tests of verification."""

import pytest


@pytest.fixture(scope="session")
def nl(languages):
    return languages["nl"]
