"""What stands at the top: which answers there were, and the outcome in plain words."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from klopt.evaluation import Estimate, Evaluation
from klopt.evaluation.estimate import FEWEST_FOR_INTERVAL
from klopt.evaluation.evaluation import ProfileEvaluation
from klopt.evaluation.thresholds import CostAt
from klopt.report.cells import missing
from klopt.report.figures import brief, decimal, interval, percent, whole
from klopt.report.view import Cell, Outcome
from klopt.report.wording import band, plain, say, texts


def lead(found: Evaluation) -> str:
    """How many answers there were, how many rated, how many scored, and why not the others."""
    rows, first = found.rows, found.profiles[0]
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
        "who": "klopt"
        if len(found.profiles) == 1
        else say("page", "profile", name=brief(first.name)),
    }
    if not not_scored:
        return say("headline", "all_scored", **filled)
    reasons = ", ".join(
        f"{whole(count)} {plain('reasons', code)}" for code, count in rows.not_scored.items()
    )
    return say("headline", "counted", reasons=reasons, **filled)


def untranslated(one: ProfileEvaluation) -> str | None:
    """How many answers a profile was to read in translation and could not; None when all were."""
    rows = one.translation
    if rows is None or not (rows.on_original or rows.not_scored):
        return None
    parts = [
        say("headline", key, count=whole(sum(codes.values())), codes=_codes(codes))
        for key, codes in (("on_original", rows.on_original), ("refused", rows.not_scored))
        if codes
    ]
    failed = sum(rows.on_original.values()) + sum(rows.not_scored.values())
    return say(
        "headline",
        "untranslated",
        count=whole(failed),
        total=whole(rows.translated + failed),
        name=brief(one.name),
        what=texts()["page"]["and"].join(parts),
    )


def _codes(codes: Mapping[str, int]) -> str:
    return ", ".join(f"{whole(count)} {brief(code)}" for code, count in codes.items())


def outcome(one: ProfileEvaluation, *, is_only: bool) -> Outcome:
    """A profile in sentences and big figures."""
    name = brief(one.name)
    title = "" if is_only else say("page", "profile", name=name)
    return Outcome(name, title, tuple(_sentences(one)), tuple(_tiles(one)))


def _own_line(one: ProfileEvaluation) -> CostAt | None:
    return next((at for at in one.costs.at if at.threshold == one.send_from), None)


def _overall(one: ProfileEvaluation) -> tuple[Estimate, Estimate]:
    """Spearman and AUC on all rows: the first slice."""
    if not one.agreement:
        return (Estimate.missing(0, texts()["page"]["absent"]),) * 2
    return one.agreement[0].spearman, one.agreement[0].auc


def _sentences(one: ProfileEvaluation) -> Iterator[str]:
    at = _own_line(one)
    if at is not None:
        parts = [
            say("headline", key, count=_part(share, total), share=_share(share))
            for key, share, total in (
                ("caught", at.caught, one.costs.untrue_count),
                ("held_back", at.held_back, one.costs.true_count),
            )
            if share.value is not None
        ]
        if parts:
            threshold = decimal(at.threshold, 1)
            what = texts()["page"]["and"].join(parts)
            yield say("headline", "threshold", threshold=threshold, what=what)
    rho, auc = _overall(one)
    yield from _agreement(rho)
    if auc.value is not None:
        ends = interval(auc, percent)
        time = percent(auc.value)
        yield say("headline", "auc", share=time, ends=f" ({ends})" if ends else "")
    yield from _few(max(rho.n, auc.n))


def _share(share: Estimate) -> str:
    ends = interval(share, percent)
    return percent(share.value or 0.0) + (f", {ends}" if ends else "")


def _part(share: Estimate, total: int) -> str:
    """How many of all, in words."""
    return say(
        "headline", "of", count=whole(round((share.value or 0.0) * total)), total=whole(total)
    )


def _agreement(rho: Estimate) -> Iterator[str]:
    if rho.value is None:
        reason = brief(rho.reason or texts()["page"]["no_reason"], 200)
        yield say("headline", "agreement_unknown", reason=reason)
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
        yield texts()["headline"]["surely" if rho.low > 0 else "worse" if rho.high < 0 else "maybe"]


def _few(n: int) -> Iterator[str]:
    if n < FEWEST_FOR_INTERVAL:
        yield say("headline", "far_too_few", n=whole(n), least=whole(FEWEST_FOR_INTERVAL))
    elif n < texts()["headline"]["few_below"]:
        yield say("headline", "few", n=whole(n))


def _tiles(one: ProfileEvaluation) -> Iterator[tuple[str, Cell]]:
    at, threshold = _own_line(one), decimal(one.send_from, 1)
    absent = Estimate.missing(0, texts()["page"]["absent"])
    for key, share, total in (
        ("caught_tile", at.caught if at else absent, one.costs.untrue_count),
        ("held_back_tile", at.held_back if at else absent, one.costs.true_count),
    ):
        label = say("headline", key, threshold=threshold)
        yield label, _tile(share, percent, _part(share, total))
    rho = _overall(one)[0]
    words = band("agreement", rho.value or 0.0)
    yield texts()["headline"]["agreement_tile"], _tile(rho, decimal, words)


def _tile(estimate: Estimate, write: Callable[[float], str], words: str) -> Cell:
    if estimate.value is None:
        return missing(estimate.reason)
    return Cell(write(estimate.value), note=words)
