"""What the tests of the room share."""

from __future__ import annotations

import pytest

from klopt.matching import Language


@pytest.fixture(scope="session")
def nl(languages: dict[str, Language]) -> Language:
    return languages["nl"]
