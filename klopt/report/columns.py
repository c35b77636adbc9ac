"""Numbers from elsewhere beside klopt's score: metrics, LLM judges, another tool's score."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from klopt.report.agreement import with_bar
from klopt.report.bars import COIN, CORRELATION, around_zero
from klopt.report.elements import Child, Markup, element
from klopt.report.figures import brief, figure, missing, whole
from klopt.report.shape import Estimate, Part
from klopt.report.tables import head, intro, row, section, table, words
from klopt.report.wording import say, texts

_NAME_CHARS: Final = 60
_DIFFERENCES: Final = ("spearman_difference", "auc_difference")


def columns(evaluation: Part) -> Markup | None:
    """Each score against people, klopt's own first; then klopt's less each of the others."""
    if not evaluation.has("columns"):
        return None
    profiles, others = evaluation.parts("profiles"), evaluation.parts("columns")
    said, own = texts()["columns"], _own(profiles[0])
    heads = words("columns", "name", "n", "missing", "spearman", "auc", "kendall", "pearson")
    rows = [_profile(one) for one in profiles] + [_column(one) for one in others]
    return section(
        "columns",
        said["heading"],
        intro("columns"),
        table(said["caption"], head(*heads), rows),
        intro("columns", "difference_intro", own=own),
        table(
            say("columns", "difference_caption", own=own),
            head(*words("columns", "other", "n", *_DIFFERENCES, "says")),
            _less(others),
        ),
    )


def _own(profile: Part) -> str:
    return say("columns", "own", name=brief(profile.text("name"), _NAME_CHARS))


def _profile(profile: Part) -> Markup:
    """The score of a profile on all answers: its first slice."""
    found = profile.parts("agreement")
    one = found[0] if found else Part({})
    n = max(one.estimate("spearman").n, one.estimate("auc").n)
    return row(element("b", _own(profile)), whole(n), None, *_figures(one))


def _column(one: Part) -> Markup:
    name = brief(one.text("name"), _NAME_CHARS)
    return row(name, whole(one.count("n")), whole(one.count("missing_count")), *_figures(one))


def _figures(one: Part) -> Sequence[Child]:
    said = texts()["columns"]
    return (
        with_bar(one.estimate("spearman"), CORRELATION, said["spearman"]),
        with_bar(one.estimate("auc"), COIN, said["auc"]),
        figure(one.estimate("kendall")),
        figure(one.estimate("pearson")),
    )


def _less(others: Sequence[Part]) -> list[Markup]:
    said = texts()["columns"]
    scales = {key: around_zero([one.estimate(key) for one in others]) for key in _DIFFERENCES}
    rows = []
    for one in others:
        found = {key: one.estimate(key) for key in _DIFFERENCES}
        bars = [with_bar(found[key], scales[key], said[key]) for key in _DIFFERENCES]
        n = max(estimate.n for estimate in found.values())
        name = brief(one.text("name"), _NAME_CHARS)
        rows.append(row(name, whole(n), *bars, _verdict(found["spearman_difference"])))
    return rows


def _verdict(difference: Estimate) -> Child:
    if difference.value is None or difference.low is None or difference.high is None:
        return missing(difference.reason)
    key = "better" if difference.low > 0 else "worse" if difference.high < 0 else "level"
    return str(texts()["columns"][key])
