"""Scorers that several tests of scoring share."""

from __future__ import annotations

import pytest

from klopt import Scorer


@pytest.fixture(scope="module")
def scorer() -> Scorer:
    return Scorer.load("default")


@pytest.fixture(scope="module")
def afas() -> Scorer:
    return Scorer.load("afas")
