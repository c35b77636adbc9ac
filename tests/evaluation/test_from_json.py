"""An evaluation read back from JSON: what has another shape is refused with its place."""

from __future__ import annotations

import json
import math

import pytest

from klopt.errors import InputError
from klopt.evaluation import Evaluation
from tests.report.wadlinde import example

STATEMENT = ("profiles", 0, "disagreements", 0, "statements", 3)
AT = ".".join(map(str, STATEMENT))


def test_what_was_written_comes_back():
    written = Evaluation.from_dict(example()).to_dict()
    assert Evaluation.from_dict(json.loads(json.dumps(written))).to_dict() == written


@pytest.mark.parametrize("figure", [math.nan, math.inf, -math.inf])
def test_what_is_not_a_number_is_refused(figure):
    evaluation = example()
    evaluation["comparison"]["auc_first"] = figure
    with pytest.raises(InputError, match=r"evaluation: .* write the evaluation anew"):
        Evaluation.from_dict(evaluation)


def test_figures_of_an_older_version_are_refused():
    evaluation = example()
    del evaluation["profiles"][0]["send_from"]
    with pytest.raises(InputError, match=r"profiles\.0\.send_from: met nothing, allowed: a value"):
        Evaluation.from_dict(evaluation)


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (("comparison",), 3, 'evaluation, comparison: met "3", allowed: an object'),
        (("profiles",), [], "evaluation, profiles: met 0, allowed: one or two"),
        (("profiles",), "x", 'evaluation, profiles: met "x", allowed: a list'),
        (
            ("profiles", 0, "name"),
            None,
            "evaluation, profiles.0.name: met nothing, allowed: a text",
        ),
        (("profiles", 0), 3, 'evaluation, profiles.0: met "3", allowed: an object'),
        (("seed",), True, 'evaluation, seed: met "True", allowed: a whole number'),
        (
            ("rows", "languages", "nl"),
            1.5,
            'evaluation, rows.languages.nl: met "1.5", allowed: a whole number',
        ),
        (
            ("profiles", 0, "features", 1, "selected"),
            "yes",
            'evaluation, profiles.0.features.1.selected: met "yes", allowed: true or false',
        ),
        (
            ("profiles", 0, "fingerprints"),
            [1],
            'evaluation, profiles.0.fingerprints.0: met "1", allowed: a text',
        ),
        (
            ("profiles", 0, "disagreements", 0, "score"),
            "4",
            'evaluation, profiles.0.disagreements.0.score: met "4", allowed: a number',
        ),
        (
            ("profiles", 0, "disagreements", 0, "measurements", 0, "evidence", 0, "start"),
            None,
            "evaluation, profiles.0.disagreements.0.measurements.0.evidence.0.start: met nothing, "
            "allowed: a whole number",
        ),
        (
            (*STATEMENT, "fault"),
            "yes",
            f'evaluation, {AT}.fault: met "yes", allowed: true or false',
        ),
        (
            (*STATEMENT, "relation"),
            "denied",
            f"""evaluation, {AT}.relation: met "denied", allowed: 'supported', 'contradicted' """
            "or 'not_stated'",
        ),
        (
            (*STATEMENT, "passage", "line"),
            "7",
            f'evaluation, {AT}.passage.line: met "7", allowed: a whole number',
        ),
        (
            (*STATEMENT, "slots", 0, "page"),
            "90",
            f'evaluation, {AT}.slots.0.page: met "90", allowed: an object',
        ),
    ],
)
def test_what_is_no_evaluation_is_refused(path, value, message):
    inner = evaluation = example(second=False)
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = value
    with pytest.raises(InputError) as caught:
        Evaluation.from_dict(evaluation)
    assert str(caught.value) == f"{message}; write the evaluation anew with klopt evaluate"
