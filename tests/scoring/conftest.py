"""Scorers of the built-in profiles."""

import pytest

from klopt import Scorer


@pytest.fixture(scope="module")
def scorer():
    return Scorer.load("default")


@pytest.fixture(scope="module")
def afas():
    return Scorer.load("afas")
