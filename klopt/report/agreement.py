"""Scores beside people, beside other scores, and two profiles against each other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from klopt.evaluation import ColumnAgreement, Estimate, Evaluation
from klopt.evaluation.agreement import Agreement
from klopt.evaluation.comparison import Comparison
from klopt.evaluation.evaluation import ProfileEvaluation
from klopt.report.cells import (
    COIN,
    CORRELATION,
    around_zero,
    by_chance,
    count,
    figure,
    in_words,
    missing,
    named,
    people,
    per_profile,
    table,
    verdict,
)
from klopt.report.figures import brief, decimal, percent, signed, whole
from klopt.report.view import Cell, Column, Group, Section, Table
from klopt.report.wording import plain, say, texts

_FIGURES: Final = ("spearman", "auc", "kendall", "pearson", "kappa_quadratic", "accuracy_margin_1")


def agreement(found: Evaluation) -> Section | None:
    """All answers with every figure, then each group of them, for each profile."""
    against = people(found)
    return per_profile(
        "agreement",
        "agreement",
        found,
        lambda one: Group(tables=tuple(_agreement(one, against))) if one.agreement else None,
    )


def _agreement(one: ProfileEvaluation, against: str) -> Iterator[Table]:
    said, (overall, *parts) = texts()["agreement"], one.agreement
    filled = {"people": against, "name": brief(one.name)}
    yield table(
        "agreement",
        ("figure", "value", "n", "p"),
        [
            (Cell(said[key]), _figure(overall, key), count(estimate.n), by_chance(estimate))
            for key in _FIGURES
            if (estimate := _estimate(overall, key)).n
        ],
        say("agreement", "caption", **filled),
        intervals=("value",),
    )
    if parts:
        yield table(
            "agreement",
            ("slice", "n", "spearman", "p", *_FIGURES[1:]),
            [
                (
                    Cell(brief(part.slice)),
                    count(max(part.spearman.n, part.auc.n)),
                    _figure(part, "spearman"),
                    by_chance(part.spearman),
                    *(_figure(part, key) for key in _FIGURES[1:]),
                )
                for part in parts
            ],
            say("agreement", "parts_caption", **filled),
            intervals=("spearman", "auc"),
            page_only=_FIGURES[2:],
        )


def _estimate(one: Agreement | ColumnAgreement, key: str) -> Estimate:
    found: Estimate = getattr(one, key)
    return found


def _figure(one: Agreement | ColumnAgreement, key: str) -> Cell:
    """A figure of agreement, drawn where there is a coin or a reverse to hold it against."""
    name, estimate = texts()["agreement"][key], _estimate(one, key)
    if key == "accuracy_margin_1":
        return figure(estimate, percent)
    return figure(estimate, scale=COIN if key == "auc" else CORRELATION, name=name)


def columns(found: Evaluation) -> Section | None:
    """Each score against people, klopt's own first; then klopt's less each of the others."""
    if not found.columns:
        return None
    said = texts()["columns"]
    own = _own(found.profiles[0])
    keys = ("spearman", "auc", "kendall", "pearson")
    scores = table(
        "columns",
        ("name", "n", "missing", *keys),
        [
            *(
                (Cell(_own(one), tone="own"), *_score(one.agreement[0], keys))
                for one in found.profiles
                if one.agreement
            ),
            *(
                (
                    Cell(brief(one.name)),
                    count(one.n),
                    count(one.missing_count),
                    *(_figure(one, key) for key in keys),
                )
                for one in found.columns
            ),
        ],
        said["caption"],
        intervals=("spearman", "auc"),
    )
    names = [brief(one.name) for one in found.columns]
    verdicts = [verdict("columns", one.spearman_difference) for one in found.columns]
    less = table(
        "columns",
        ("other", "n", "spearman_difference", "auc_difference", "says"),
        [
            (Cell(name), count(max(one.spearman_difference.n, one.auc_difference.n)), *bars, says)
            for name, one, bars, says in zip(
                names, found.columns, _differences(found.columns), verdicts, strict=True
            )
        ],
        say("columns", "difference_caption", own=own),
        intervals=("spearman_difference", "auc_difference"),
        page_only=("says",),
    )
    sums = say("columns", "sums", own=own, verdicts=in_words(zip(names, verdicts, strict=True)))
    between = say("columns", "difference_intro", own=own)
    groups = (Group(tables=(scores,)), Group(intro=between, tables=(less,)))
    return Section("columns", said["heading"], said["intro"], (sums,), groups)


def _own(profile: ProfileEvaluation) -> str:
    return say("columns", "own", name=brief(profile.name))


def _score(one: Agreement, keys: Sequence[str]) -> tuple[Cell, ...]:
    n = count(max(one.spearman.n, one.auc.n))
    return n, Cell(), *(_figure(one, key) for key in keys)


def _differences(found: Sequence[ColumnAgreement]) -> Iterator[tuple[Cell, Cell]]:
    said = texts()["columns"]
    by_rank = around_zero([one.spearman_difference for one in found])
    by_class = around_zero([one.auc_difference for one in found])
    for one in found:
        yield (
            figure(one.spearman_difference, signed, by_rank, said["spearman_difference"]),
            figure(one.auc_difference, signed, by_class, said["auc_difference"]),
        )


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
    says, parts = _features(found, names)
    groups = (Group(tables=(_scores(found, names),)), *parts)
    heading = say("comparison", "heading", **names)
    return Section("comparison", heading, "", (*sentences, *says), groups)


def _heads(names: Mapping[str, str]) -> tuple[Column, Column]:
    return Column(names["first"]), Column(names["second"])


def _scores(found: Comparison, names: Mapping[str, str]) -> Table:
    said = texts()["comparison"]
    every = (
        ("spearman", found.spearman_first, found.spearman_second, found.spearman_difference),
        ("auc", found.auc_first, found.auc_second, found.auc_difference),
    )
    scale = around_zero([less for *_, less in every])
    return table(
        "comparison",
        ("figure", "n", "differ", *_heads(names), "difference"),
        [
            (
                Cell(said[key]),
                count(less.n),
                count(found.differ_count),
                _alone(first),
                _alone(second),
                figure(less, signed, scale, said[key]),
            )
            for key, first, second, less in every
        ],
        say("comparison", "caption", **names),
        intervals=("difference",),
    )


def _features(
    found: Comparison, names: Mapping[str, str]
) -> tuple[tuple[str, ...], tuple[Group, ...]]:
    """What differs in a sentence; the measurements that differ as a table, the others by name."""
    differ = [one for one in found.features if one.n and one.differ_count]
    same = [plain("features", one.name) for one in found.features if one.n and not one.differ_count]
    notes = (say("comparison", "same", names="; ".join(same)),) if same else ()
    if not differ:
        return (), (Group(notes=notes),)
    scale = around_zero([one.spearman_difference for one in differ])
    verdicts = [verdict("comparison", one.spearman_difference, **names) for one in differ]
    rows = [
        (
            named("features", one.name),
            count(one.n),
            count(one.differ_count),
            _alone(one.first),
            _alone(one.second),
            figure(one.spearman_difference, signed, scale, plain("features", one.name)),
            says,
        )
        for one, says in zip(differ, verdicts, strict=True)
    ]
    caption = say("comparison", "features_caption", **names)
    keys = ("feature", "n", "differ", *_heads(names), "difference", "says")
    drawn = table("comparison", keys, rows, caption, intervals=("difference",), page_only=("says",))
    said = in_words((one.name, says) for one, says in zip(differ, verdicts, strict=True))
    sums = say("comparison", "sums", count=whole(len(differ)), verdicts=said)
    title = texts()["comparison"]["features_heading"]
    intro = say("comparison", "features_intro", **names)
    return (sums,), (Group(title, intro, (drawn,), notes=notes),)


def _alone(value: float | None) -> Cell:
    return missing(texts()["comparison"]["absent"]) if value is None else Cell(decimal(value))


def _who(less: Estimate, names: Mapping[str, str]) -> str:
    if less.value is None:
        reason = brief(less.reason or texts()["page"]["no_reason"], 200)
        return say("comparison", "unknown", reason=reason)
    key = "better" if less.low is not None and less.low > 0 else "level"
    return say("comparison", "worse" if less.high is not None and less.high < 0 else key, **names)
