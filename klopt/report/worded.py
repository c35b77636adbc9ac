"""An evaluation in words, for page and terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from klopt.evaluation import Estimate, Evaluation
from klopt.evaluation.estimate import FEWEST_FOR_INTERVAL
from klopt.evaluation.evaluation import ProfileEvaluation
from klopt.evaluation.thresholds import CostAt
from klopt.report import tables
from klopt.report.agreement import agreement, columns, comparison
from klopt.report.cells import missing, per_profile, sure
from klopt.report.costs import costs
from klopt.report.disagreements import disagreements
from klopt.report.view import Cell, Section
from klopt.report.wording import (
    band,
    brief,
    decimal,
    interval,
    percent,
    plain,
    say,
    texts,
    threshold,
    unknown,
    whole,
)


def sections(found: Evaluation) -> list[Section]:
    """In the order of the page; sections without data are left out."""
    every = (
        disagreements(found),
        comparison(found),
        per_profile("agreement", found, agreement),
        columns(found),
        per_profile("costs", found, costs),
        per_profile("asked", found, tables.asked),
        per_profile("stars", found, tables.stars),
        per_profile("features", found, tables.features),
        per_profile("ablation", found, tables.ablation),
        tables.heat(found),
        tables.message_types(found),
        tables.labellers(found),
        tables.answers(found),
    )
    return [one for one in every if one is not None]


def notes(found: Evaluation) -> list[str]:
    """What is to be known of the answers, profile by profile."""
    every = (note(one) for one in found.profiles for note in (learnt_from, untranslated))
    return [one for one in every if one is not None]


def lead(found: Evaluation) -> str:
    """How many answers there were, how many rated, how many scored, and why not the others."""
    rows, (first, *others) = found.rows, found.profiles
    not_scored = sum(rows.not_scored.values())
    people = [
        say("headline", f"all_{key}" if count == rows.total else key, count=whole(count))
        for key, count in (("rated", rows.rated), ("labelled", rows.labelled))
        if count
    ]
    filled = {
        "total": whole(rows.total),
        "people": texts()["page"]["and"].join(people) or texts()["headline"]["unrated"],
        "scored": whole(max(rows.total - not_scored, 0)),
        "who": say("page", "profile", name=brief(first.name)) if others else "klopt",
    }
    if not not_scored:
        return say("headline", "all_scored", **filled)
    reasons = ", ".join(
        f"{whole(count)} {plain('reasons', code)}" for code, count in rows.not_scored.items()
    )
    return say("headline", "counted", reasons=reasons, **filled)


def learnt_from(one: ProfileEvaluation) -> str | None:
    """How many answers the profile was learnt from; None when of none is known that it was."""
    rows = one.learnt_rows
    if rows is None:
        return None
    counts = {"count": whole(rows.count), "total": whole(rows.total)}
    share = percent(rows.count / rows.total)
    return say("headline", "learnt_from", name=brief(one.name), share=share, **counts)


def untranslated(one: ProfileEvaluation) -> str | None:
    """How many answers a profile was to read in translation and could not; None when all were."""
    rows = one.translation
    if rows is None or not (rows.on_original or rows.not_scored):
        return None
    parts, failed_count = [], 0
    for key, codes in (("on_original", rows.on_original), ("refused", rows.not_scored)):
        if codes:
            count = sum(codes.values())
            failed_count += count
            listed = ", ".join(f"{whole(number)} {brief(code)}" for code, number in codes.items())
            parts.append(say("headline", key, count=whole(count), codes=listed))
    return say(
        "headline",
        "untranslated",
        count=whole(failed_count),
        total=whole(rows.translated + failed_count),
        name=brief(one.name),
        what=texts()["page"]["and"].join(parts),
    )


def _sent(one: ProfileEvaluation) -> CostAt:
    """What the profile's own threshold costs."""
    absent = Estimate.missing(0, texts()["page"]["absent"])
    own = (at for at in one.costs.at if at.threshold == one.send_from)
    return next(own, CostAt(one.send_from, absent, absent))


def _overall(one: ProfileEvaluation) -> tuple[Estimate, Estimate]:
    """Spearman and AUC on all rows: the first slice."""
    if not one.agreement:
        return (Estimate.missing(0, texts()["page"]["absent"]),) * 2
    return one.agreement[0].spearman, one.agreement[0].auc


def sentences(one: ProfileEvaluation) -> Iterator[str]:
    """The profile in sentences."""
    at = _sent(one)
    parts = []
    for key, share, total in (
        ("caught", at.caught, one.costs.untrue_count),
        ("held_back", at.held_back, one.costs.true_count),
    ):
        if share.value is not None:
            ends = interval(share, percent)
            found = percent(share.value) + (f", {ends}" if ends else "")
            parts.append(say("headline", key, count=_part(share, total), share=found))
    if parts:
        what = texts()["page"]["and"].join(parts)
        yield say("headline", "threshold", threshold=threshold(at.threshold), what=what)
    rho, auc = _overall(one)
    yield from _agreement(rho)
    if auc.value is not None:
        ends = interval(auc, percent)
        time = percent(auc.value)
        yield say("headline", "auc", share=time, ends=f" ({ends})" if ends else "")
    n = max(rho.n, auc.n)
    if n < FEWEST_FOR_INTERVAL:
        yield say("headline", "far_too_few", n=whole(n), least=whole(FEWEST_FOR_INTERVAL))
    elif n < texts()["headline"]["few_below"]:
        yield say("headline", "few", n=whole(n))


def _part(share: Estimate, total: int) -> str:
    """How many of all, in words."""
    count = whole(round((share.value or 0.0) * total))
    return say("headline", "of", count=count, total=whole(total))


def _agreement(rho: Estimate) -> Iterator[str]:
    if rho.value is None:
        yield say("headline", "agreement_unknown", reason=unknown(rho))
        return
    ends = interval(rho)
    yield say(
        "headline",
        "agreement",
        n=whole(rho.n),
        words=band("agreement", rho.value),
        value=decimal(rho.value) + (say("headline", "interval", ends=ends) if ends else ""),
    )
    if rho.low is not None and rho.high is not None:
        keys = {"better": "surely", "worse": "worse"}
        yield texts()["headline"][keys.get(sure(rho), "maybe")]


def tiles(one: ProfileEvaluation) -> Iterator[tuple[str, Cell]]:
    """The profile in big figures, with what each is."""
    at, at_least = _sent(one), threshold(one.send_from)
    for key, share, total in (
        ("caught_tile", at.caught, one.costs.untrue_count),
        ("held_back_tile", at.held_back, one.costs.true_count),
    ):
        label = say("headline", key, threshold=at_least)
        yield label, _tile(share, percent, _part(share, total))
    rho = _overall(one)[0]
    words = band("agreement", rho.value or 0.0)
    yield texts()["headline"]["agreement_tile"], _tile(rho, decimal, words)


def _tile(estimate: Estimate, write: Callable[[float], str], words: str) -> Cell:
    if estimate.value is None:
        return missing(estimate.reason)
    return Cell(write(estimate.value), note=words)
