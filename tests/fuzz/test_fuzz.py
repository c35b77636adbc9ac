"""What was found stays mended; a hundred inputs break nothing; what breaks is told."""

import os

import pytest
from hypothesis import HealthCheck, given, settings

from tests.fuzz import checks
from tests.fuzz.inputs import KINDS, ROOM, Input
from tests.fuzz.running import run

COUNT = int(os.environ.get("KLOPT_FUZZ") or (200 if os.environ.get("CI") else 100))
ROUND = 500


@pytest.fixture(autouse=True, scope="module")
def loaded():
    """What is read once does not count as time of the first input."""
    for profile in ("default", "afas"):
        for language in checks.LANGUAGES:
            checks.scorer(profile).prepare(language)


@pytest.mark.parametrize("path", sorted(ROOM.glob("found/*.json")), ids=lambda path: path.stem)
def test_what_was_found_stays_mended(path, tmp_path):
    run(Input.from_json(path.read_text(encoding="utf-8")), tmp_path)


@pytest.mark.parametrize("kind", KINDS)
def test_inputs_that_nobody_meant_break_nothing(kind):
    share, fields = KINDS[kind]

    def check(drawn):
        run(Input(kind, drawn))

    left = max(2, round(share * COUNT))
    while left > 0:  # in rounds, since Hypothesis remembers all of one
        bounds = settings(max_examples=min(left, ROUND), suppress_health_check=list(HealthCheck))
        bounds(given(fields)(check))()
        left -= ROUND
