"""Scores beside people, beside other scores, and two profiles against each other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from klopt.evaluation import ColumnAgreement, Estimate, Evaluation
from klopt.evaluation.agreement import Agreement
from klopt.evaluation.comparison import Comparison, FeatureDifference
from klopt.evaluation.evaluation import ProfileEvaluation
from klopt.report.cells import (
    COIN,
    CORRELATION,
    around_zero,
    by_chance,
    feature,
    figure,
    in_words,
    missing,
    people,
    sure,
    table,
    verdict,
)
from klopt.report.view import Cell, Column, Group, Section, Table
from klopt.report.wording import (
    brief,
    decimal,
    feature_name,
    percent,
    say,
    signed,
    texts,
    unknown,
    whole,
)

_FIGURES: Final = ("spearman", "auc", "kendall", "pearson", "kappa_quadratic", "accuracy_margin_1")
_BOTH: Final = ("spearman", "auc")


def agreement(one: ProfileEvaluation, found: Evaluation) -> Group | None:
    """All answers with every figure, then each group of them."""
    if not one.agreement:
        return None
    said, (overall, *parts) = texts()["agreement"], one.agreement
    filled = {"people": people(found), "name": brief(one.name)}
    estimates = ((key, getattr(overall, key)) for key in _FIGURES)
    everything = table(
        "agreement",
        ("figure", "value", "n", "p"),
        [
            (said[key], _figure(overall, key), estimate.n, by_chance(estimate))
            for key, estimate in estimates
            if estimate.n
        ],
        say("agreement", "caption", **filled),
        intervals=("value",),
    )
    if not parts:
        return Group(tables=(everything,))
    by_group = table(
        "agreement",
        ("slice", "n", "spearman", "p", *_FIGURES[1:]),
        [
            (
                brief(part.slice),
                max(part.spearman.n, part.auc.n),
                _figure(part, "spearman"),
                by_chance(part.spearman),
                *(_figure(part, key) for key in _FIGURES[1:]),
            )
            for part in parts
        ],
        say("agreement", "parts_caption", **filled),
        intervals=_BOTH,
        page_only=_FIGURES[2:],
    )
    return Group(tables=(everything, by_group))


def _figure(one: Agreement | ColumnAgreement, key: str) -> Cell:
    """A figure of agreement, drawn where there is a coin or a reverse to hold it against."""
    estimate: Estimate = getattr(one, key)
    if key == "accuracy_margin_1":
        return figure(estimate, percent)
    scale = COIN if key == "auc" else CORRELATION
    return figure(estimate, scale=scale, name=texts()["agreement"][key])


def columns(found: Evaluation) -> Section | None:
    """Each score against people, klopt's own first; then klopt's less each of the others."""
    if not found.columns:
        return None
    said, keys = texts()["columns"], _FIGURES[:4]
    mine = [(_own(one), one.agreement[0]) for one in found.profiles if one.agreement]
    rows: list[tuple[Cell | str | int, ...]] = [
        (
            Cell(name, tone="own"),
            max(one.spearman.n, one.auc.n),
            Cell(),
            *(_figure(one, key) for key in keys),
        )
        for name, one in mine
    ]
    rows += [
        (brief(one.name), one.n, one.missing_count, *(_figure(one, key) for key in keys))
        for one in found.columns
    ]
    heads = ("name", "n", "missing", *keys)
    scores = table("columns", heads, rows, said["caption"], intervals=_BOTH)

    own, differences = _own(found.profiles[0]), ("spearman_difference", "auc_difference")
    by_rank, by_class = (
        around_zero(getattr(one, key) for one in found.columns) for key in differences
    )
    verdicts = [
        (brief(one.name), verdict("columns", one.spearman_difference)) for one in found.columns
    ]
    less = table(
        "columns",
        ("other", "n", *differences, "says"),
        [
            (
                name,
                max(one.spearman_difference.n, one.auc_difference.n),
                figure(one.spearman_difference, signed, by_rank, said["spearman_difference"]),
                figure(one.auc_difference, signed, by_class, said["auc_difference"]),
                says,
            )
            for one, (name, says) in zip(found.columns, verdicts, strict=True)
        ],
        say("columns", "difference_caption", own=own),
        intervals=differences,
        page_only=("says",),
    )
    sums = say("columns", "sums", own=own, verdicts=in_words(verdicts))
    between = say("columns", "difference_intro", own=own)
    groups = (Group(tables=(scores,)), Group(intro=between, tables=(less,)))
    return Section("columns", said["heading"], said["intro"], (sums,), groups)


def _own(profile: ProfileEvaluation) -> str:
    return say("columns", "own", name=brief(profile.name))


def comparison(evaluation: Evaluation) -> Section | None:
    """Which of two profiles agrees better, how sure that is, and where it comes from."""
    found = evaluation.comparison
    if found is None:
        return None
    names = {"first": brief(found.first), "second": brief(found.second)}
    sentences = [_who(found.spearman_difference, names)]
    sentences.append(say("comparison", "rows", n=whole(found.n), **names))
    if found.p_first_better is not None:
        share = percent(found.p_first_better)
        sentences.append(say("comparison", "share", share=share, **names))
    differ = [one for one in found.features if one.n and one.differ_count]
    same = [feature_name(one.name) for one in found.features if one.n and not one.differ_count]
    notes = (say("comparison", "same", names="; ".join(same)),) if same else ()
    source = Group(notes=notes)
    if differ:
        verdicts = [verdict("comparison", one.spearman_difference, **names) for one in differ]
        said = in_words((one.name, says) for one, says in zip(differ, verdicts, strict=True))
        sentences.append(say("comparison", "sums", count=whole(len(differ)), verdicts=said))
        title = texts()["comparison"]["features_heading"]
        intro = say("comparison", "features_intro", **names)
        lines = [(feature(one.name), one) for one in differ]
        drawn = _less("feature", lines, names, "features_caption", verdicts)
        source = Group(title, intro, (drawn,), notes=notes)
    total = _less("figure", list(_scores(found)), names, "caption")
    groups = (Group(tables=(total,)), source)
    heading = say("comparison", "heading", **names)
    return Section("comparison", heading, "", tuple(sentences), groups)


def _scores(found: Comparison) -> Iterator[tuple[Cell, FeatureDifference]]:
    for key, first, second, less in (
        ("spearman", found.spearman_first, found.spearman_second, found.spearman_difference),
        ("auc", found.auc_first, found.auc_second, found.auc_difference),
    ):
        line = FeatureDifference(key, less.n, found.differ_count, first, second, less)
        yield Cell(texts()["comparison"][key]), line


def _less(
    head: str,
    lines: Sequence[tuple[Cell, FeatureDifference]],
    names: Mapping[str, str],
    caption: str,
    verdicts: Sequence[Cell] = (),
) -> Table:
    """Both profiles' figures, and the first less the second, with verdicts where there are any."""
    scale = around_zero(one.spearman_difference for _, one in lines)
    says = ("says",) if verdicts else ()
    return table(
        "comparison",
        (head, "n", "differ", *map(Column, names.values()), "difference", *says),
        [
            (
                name,
                one.n,
                one.differ_count,
                _alone(one.first),
                _alone(one.second),
                figure(one.spearman_difference, signed, scale, name.text),
                *verdicts[place : place + 1],
            )
            for place, (name, one) in enumerate(lines)
        ],
        say("comparison", caption, **names),
        intervals=("difference",),
        page_only=says,
    )


def _alone(value: float | None) -> Cell:
    return missing(texts()["comparison"]["absent"]) if value is None else Cell(decimal(value))


def _who(less: Estimate, names: Mapping[str, str]) -> str:
    if less.value is None:
        return say("comparison", "unknown", reason=unknown(less))
    return say("comparison", sure(less), **names)
