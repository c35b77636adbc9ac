"""The pictures as figures of matplotlib: what is drawn, where, and in which words."""

from __future__ import annotations

import io

import pytest

from klopt import plots
from tests.report.wadlinde import evaluated, example

SCORES = {"rating": 5, "n": 12, "low": 2.0, "quarter": 3.0, "median": 4.0, "three_quarters": 4.5}
CHOSEN = {"line": 4.4, "sent": 0.4, "untrue": 0.1}


@pytest.fixture(scope="module")
def evaluation():
    figures = example(second=False)
    drawn = figures["profiles"][0]["pictures"]
    drawn |= {"scores": [SCORES | {"high": 5.0}], "chosen": CHOSEN}
    drawn["risk"] = [CHOSEN, CHOSEN | {"sent": 0.9, "untrue": 0.3}]
    drawn["bands"][0] |= {"low": 4.0, "high": 4.5}
    return evaluated(figures)


@pytest.mark.parametrize("name", plots.__all__)
@pytest.mark.parametrize(
    ("language", "title"),
    [("en", "Agreement Risk Reliability"), ("nl", "Overeenstemming Risico Betrouwbaarheid")],
)
def test_every_picture_is_drawn_in_words(evaluation, name, language, title):
    figure = getattr(plots, name)(evaluation, language=language)
    assert figure.axes[0].get_title() in title.split()
    written = io.BytesIO()
    figure.savefig(written, format="svg")
    assert b"<svg" in written.getvalue()
    with pytest.raises(IndexError):
        getattr(plots, name)(evaluation, profile=1)


def test_what_is_drawn_is_what_was_found(evaluation):
    lines = plots.risk(evaluation).axes[0].get_lines()
    assert [(*line.get_xdata(), *line.get_ydata()) for line in lines] == [
        (0.4, 0.9, 0.1, 0.3),
        (0.4, 0.1),
    ]
    drawn = [tuple(line.get_ydata()) for line in plots.agreement(evaluation).axes[0].get_lines()]
    assert drawn[-3:-1] == [(4.0, 4.0), (4.4, 4.4)]
    texts = [text.get_text() for text in plots.reliability(evaluation).axes[0].texts]
    assert texts == [f"{evaluation.profiles[0].pictures.bands[0].true.n}"]
