"""Earlier failures stay fixed, and a hundred drawn inputs do not fail."""

import os

import pytest
from hypothesis import HealthCheck, given, settings

from tests.fuzz import checks
from tests.fuzz.inputs import FOLDER, KINDS, Input
from tests.fuzz.running import run

COUNT = int(os.environ.get("KLOPT_FUZZ") or (200 if os.environ.get("CI") else 100))
ROUND = 500


@pytest.fixture(autouse=True, scope="module")
def loaded():
    """Load all tables, whose time does not count for the first input."""
    for profile in ("default", "afas"):
        for language in checks.LANGUAGES:
            checks.scorer(profile).prepare(language)


@pytest.mark.parametrize("path", sorted(FOLDER.glob("found/*.json")), ids=lambda path: path.stem)
def test_earlier_failures_stay_fixed(path, tmp_path):
    run(Input.from_json(path.read_text(encoding="utf-8")), tmp_path)


@pytest.mark.parametrize("kind", KINDS)
def test_drawn_inputs_do_not_fail(kind):
    share, fields = KINDS[kind]

    def check(drawn):
        run(Input(kind, drawn))

    left = max(2, round(share * COUNT))
    while left > 0:  # in rounds, since Hypothesis keeps all inputs of a round
        bounds = settings(max_examples=min(left, ROUND), suppress_health_check=list(HealthCheck))
        bounds(given(fields)(check))()
        left -= ROUND
