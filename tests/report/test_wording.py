"""Texts of reports: complete in both languages, clean, and no stronger than the figures."""

import dataclasses
import re
from importlib import resources

import pytest
from hypothesis import given
from hypothesis import strategies as st

from klopt._internal import shipped
from klopt.evaluation.agreement import auc, spearman
from klopt.evaluation.agreement import quadratic_weighted_kappa as kappa
from klopt.evaluation.estimate import Estimate, share
from klopt.evaluation.message_types import mean_recognition, recognition_of
from klopt.report.wording import LANGUAGES, Wording
from klopt.types import REPLACEMENT, clean


@pytest.mark.parametrize(
    ("given_text", "shown"),
    [
        ("goed\u202efout", f"goed{REPLACEMENT}fout"),
        ("a\x00b\x1b[8m", f"a{REPLACEMENT}b{REPLACEMENT}[8m"),
        ("a\u200bb\u00adc\ufeff", f"a{REPLACEMENT}b{REPLACEMENT}c{REPLACEMENT}"),
        ("\ud800", REPLACEMENT),
        ("een\r\ntwee\rdrie\tvier", "een\ntwee\ndrie\tvier"),
        ("één\u00a0twee\u3000", "één\u00a0twee\u3000"),
        ("👩\u200d💻 ñ", "👩\u200d💻 ñ"),
    ],
)
def test_hidden_characters_are_replaced(given_text, shown):
    assert clean(given_text) == shown


def test_a_style_sheet_cannot_end_itself():
    assert "<" not in resources.files("klopt.report").joinpath("style.css").read_text("utf-8")


NAMES = {"first": "een", "second": "twee"}
ENGLISH = Wording("en")
VERDICTS = ["comparison", "columns", "ablation"]
NEAR = st.floats(-0.03, 0.03)


def keys(table, path=()):
    """Yield the path of each text and its placeholders, without tables whose keys are texts."""
    for name, value in enumerate(table) if isinstance(table, list) else table.items():
        if isinstance(value, dict | list) and path != ("words",):
            yield from keys(value, (*path, name))
        elif path not in (("because",), ("short",), ("parts",), ("words",)):
            yield (*path, name), tuple(sorted(re.findall(r"\{\w+\}", str(value))))


@pytest.mark.parametrize(
    "file",
    [
        *("report/evaluation_{}.toml", "report/log_{}.toml"),
        *("company.review/review_{}.toml", "company/reasons.toml"),
    ],
)
def test_both_languages_have_the_same_texts(file):
    package, _, name = file.partition("/")
    found = []
    for language in LANGUAGES:
        table = shipped.table(f"klopt.{package}", name.format(language))
        found.append(dict(keys(table.get(language, table))))
    assert found[0] == found[1]


@pytest.mark.parametrize(("n", "true"), [(0, 0), (2, 1), (5, 5), (5, 0), (12, 6)])
def test_every_reason_has_a_dutch_text(n, true):
    truth = [place < true for place in range(n)]
    scores, ratings = [1.0 + place % 4 for place in range(n)], [1.0 + 4 * one for one in truth]
    found = (
        *(figure(some, ratings) for some in (scores, [2.0] * n) for figure in (spearman, kappa)),
        *(auc(scores, truth), share(0, n), mean_recognition(["a"] * n, ["a"] * n).f1),
        *dataclasses.astuple(recognition_of(["a"] * n, ["a"] * n, ["b"])),
    )
    reasons = {figure.reason for figure in found if isinstance(figure, Estimate)} - {None}
    assert reasons <= set(Wording("nl").texts["because"])


@pytest.mark.parametrize("section", VERDICTS)
@given(NEAR, NEAR, NEAR)
def test_no_verdict_is_stronger_than_the_rounded_figures(section, one, two, three):
    low, value, high = sorted((one, two, three))
    least, most = ENGLISH.decimal(low), ENGLISH.decimal(high)
    words = ENGLISH.verdict(section, Estimate(value, low, high), **NAMES)
    if least == most == "0.00":
        assert words == "= no difference"
    elif least != "0.00" and not least.startswith("−"):
        assert words.startswith("▲")
    else:
        assert words.startswith("▼") if most.startswith("−") else words == "= no certain difference"
