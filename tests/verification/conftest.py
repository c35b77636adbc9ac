"""What the tests of the room share."""

import pytest


@pytest.fixture(scope="session")
def nl(languages):
    return languages["nl"]
