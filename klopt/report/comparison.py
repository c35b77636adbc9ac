"""Two profiles against each other, in total and measurement by measurement."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from klopt.report.agreement import with_bar
from klopt.report.bars import Scale, around_zero
from klopt.report.elements import Child, Markup, element
from klopt.report.figures import brief, decimal, missing, percent, whole
from klopt.report.shape import Estimate, Part
from klopt.report.tables import head, intro, row, section, table, words
from klopt.report.wording import named, plain, say, texts

_NAME_CHARS: Final = 60
_FIGURES: Final = ("spearman", "auc")


def comparison(evaluation: Part) -> Markup | None:
    """Which of two profiles agrees better, how sure that is, and where it comes from."""
    if not evaluation.has("comparison"):
        return None
    found, said = evaluation.part("comparison"), texts()["comparison"]
    names = {key: brief(found.text(key), _NAME_CHARS) for key in ("first", "second")}
    share = found.number("p_first_better")
    estimates = {key: found.estimate(f"{key}_difference") for key in _FIGURES}
    scale = around_zero(estimates.values())
    rows = [
        row(
            said[key],
            *(_own(found, f"{key}_{side}") for side in names),
            with_bar(one, scale, said[key]),
        )
        for key, one in estimates.items()
    ]
    sentences = [
        _who(estimates["spearman"], names),
        say("comparison", "rows", n=whole(found.count("n")), **names),
        *([] if share is None else [say("comparison", "share", share=percent(share), **names)]),
    ]
    columns = [said["figure"], *names.values(), say("comparison", "difference", **names)]
    return section(
        "comparison",
        say("comparison", "heading", **names),
        element("p", " ".join(sentences)),
        table(said["caption"], head(*columns), rows),
        *_features(found, names),
    )


def _features(found: Part, names: Mapping[str, str]) -> Sequence[Markup]:
    """The measurements to which the two give other values; the others by name."""
    every = [one for one in found.parts("features") if one.count("n")]
    differ = [one for one in every if one.count("differ_count")]
    same = [one.text("name") for one in every if not one.count("differ_count")]
    parts = []
    if differ:
        said = texts()["comparison"]
        scale = around_zero([one.estimate("spearman_difference") for one in differ])
        columns = [
            *words("comparison", "feature", "n", "differ"),
            *names.values(),
            say("comparison", "difference", **names),
            said["says"],
        ]
        rows = [_feature(one, scale, names) for one in differ]
        parts += [
            element("h3", said["features_heading"]),
            intro("comparison", "features_intro", **names),
            table(said["features_caption"], head(*columns), rows),
        ]
    if same:
        listed = "; ".join(plain("features", name) for name in same)
        parts.append(element("p", say("comparison", "same", names=listed), class_="intro"))
    return parts


def _feature(one: Part, scale: Scale, names: Mapping[str, str]) -> Markup:
    name, estimate = one.text("name"), one.estimate("spearman_difference")
    return row(
        named("features", name),
        whole(one.count("n")),
        whole(one.count("differ_count")),
        _own(one, "first"),
        _own(one, "second"),
        with_bar(estimate, scale, plain("features", name)),
        _verdict(estimate, names),
    )


def _own(found: Part, key: str) -> Child:
    value = found.number(key)
    if value is None:
        return missing(texts()["comparison"]["absent"])
    return element("span", decimal(value), class_="figure")


def _verdict(difference: Estimate, names: Mapping[str, str]) -> Child:
    if difference.value is None or difference.low is None or difference.high is None:
        return missing(difference.reason)
    if difference.low > 0:
        return say("comparison", "feature_better", name=names["first"])
    if difference.high < 0:
        return say("comparison", "feature_worse", name=names["second"])
    return str(texts()["comparison"]["feature_level"])


def _who(estimate: Estimate, names: Mapping[str, str]) -> str:
    if estimate.value is None:
        reason = brief(estimate.reason or texts()["headline"]["no_reason"], 200)
        return say("comparison", "unknown", reason=reason)
    low, high = estimate.low, estimate.high
    key = "better" if low is not None and low > 0 else "level"
    return say("comparison", "worse" if high is not None and high < 0 else key, **names)
