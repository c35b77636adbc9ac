"""An evaluation in words, for page and terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Final

from klopt.evaluation import Estimate, Evaluation
from klopt.evaluation.comparison import FeatureDifference, ProfileComparison
from klopt.evaluation.disagreements import Disagreement
from klopt.evaluation.estimate import FEWEST_FOR_INTERVAL
from klopt.evaluation.evaluation import ProfileEvaluation
from klopt.reading.markup import read_text
from klopt.report.evidence import sentences as evidence_sentences
from klopt.report.view import Sentence
from klopt.report.wording import (
    agreement_in_words,
    brief,
    cut,
    decimal,
    feature_name,
    interval,
    listed,
    percent,
    plain,
    say,
    short,
    side,
    sure,
    texts,
    threshold,
    unknown,
    verdict,
    whole,
    with_interval,
)
from klopt.scoring.tree import HIGHEST, LOWEST

FIGURES: Final = ("spearman", "auc", "kendall", "pearson", "kappa_quadratic", "accuracy_margin_1")
"""The figures of agreement, in order."""
_FEW: Final = 10
ANSWER_CHARS: Final = 6000
_LINE_CHARS: Final = 90
_PAGES: Final = 8


def sections(found: Evaluation) -> list[str]:
    """The sections that have something to say, in the order of the page."""
    there = {
        "disagreements": True,
        "comparison": found.comparison,
        "agreement": True,
        "columns": found.columns,
        "costs": True,
        "asked": any(one.asked for one in found.profiles),
        "stars": found.rows.rated,
        "features": True,
        "ablation": True,
        "message_types": found.message_types,
    }
    return [key for key, is_there in there.items() if is_there]


def heading(key: str, found: Evaluation) -> dict[str, str]:
    """What stands above a section, and how to read it."""
    filled = {"people": people(found), "few": whole(_FEW)}
    if found.message_types is not None:
        filled["n"] = whole(found.message_types.n)
    if found.comparison is not None:
        filled |= _names(found.comparison)
    said = {name: texts()[key].get(name, "").format(**filled) for name in ("heading", "intro")}
    if key == "disagreements" and not found.profiles[0].disagreements:
        said["intro"] = texts()[key]["none"]
    return said


def people(found: Evaluation) -> str:
    """What the scores are held against: ratings, or labels where nobody rated."""
    return str(texts()["people"]["rated" if found.rows.rated else "labelled"])


def sums(key: str, found: Evaluation) -> list[str]:
    """What a section comes to, in sentences."""
    if key == "comparison" and found.comparison is not None:
        return list(_compared(found.comparison))
    if key == "columns":
        own = say("columns", "own", name=brief(found.profiles[0].name))
        verdicts = _in_words(
            (brief(one.name), verdict("columns", one.spearman_difference), one.spearman_difference)
            for one in found.columns
        )
        return [say("columns", "sums", own=own, verdicts=verdicts)]
    return []


def sources(found: ProfileComparison) -> tuple[list[FeatureDifference], list[str]]:
    """The measurements by which two profiles differ, and the names of those that are the same."""
    differ = [one for one in found.features if one.n and one.differ_count]
    same = [feature_name(one.name) for one in found.features if one.n and not one.differ_count]
    return differ, same


def _names(found: ProfileComparison) -> dict[str, str]:
    return {"first": brief(found.first), "second": brief(found.second)}


def _compared(found: ProfileComparison) -> Iterator[str]:
    """Which of two profiles agrees better, how sure that is, and where it comes from."""
    names, less = _names(found), found.spearman_difference
    if less.value is None:
        yield say("comparison", "unknown", reason=unknown(less))
    else:
        yield say("comparison", sure(less), **names)
    yield say("comparison", "rows", n=whole(found.n), **names)
    if differ := sources(found)[0]:
        lines = ((one.name, one.spearman_difference) for one in differ)
        said = _in_words((name, verdict("comparison", one, **names), one) for name, one in lines)
        yield say("comparison", "sums", count=whole(len(differ)), verdicts=said)


def _in_words(found: Iterable[tuple[str, str, Estimate]]) -> str:
    """Verdicts in one sentence, each with the names that it holds for."""
    groups: dict[str, list[str]] = {}
    for name, words, less in found:
        reason = cut(less.reason or texts()["page"]["no_reason"], 200)
        groups.setdefault(words or say("page", "unknown", reason=reason), []).append(name)
    return "; ".join(f"{words}: {listed(names)}" for words, names in groups.items()) + "."


def captions(one: ProfileEvaluation) -> Iterator[str]:
    """What each threshold that stands out costs, in a sentence."""
    marked = {at.threshold: at for at in one.costs.at}
    is_both = len(marked) < len(one.costs.at)
    for line, at in marked.items():
        if at.caught.value is not None or at.held_back.value is not None:
            key = "best" if line != one.send_from else "both" if is_both else "at"
            caught, held_back = (with_interval(x, percent) for x in (at.caught, at.held_back))
            yield say("costs", key, threshold=threshold(line), caught=caught, held_back=held_back)


def counted(one: ProfileEvaluation) -> str:
    """Which way the disagreements that are shown go."""
    gaps = [each.score - said for each in one.disagreements if (said := person(each)) is not None]
    return say(
        "disagreements",
        "counted",
        shown=whole(len(one.disagreements)),
        over=whole(sum(side(gap, 1) > 0 for gap in gaps)),
        under=whole(sum(side(gap, 1) < 0 for gap in gaps)),
    )


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


def sentences(one: ProfileEvaluation) -> Iterator[str]:
    """The profile in sentences."""
    at, overall = one.costs.at[0], one.agreement[0]
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
    rho, auc = overall.spearman, overall.auc
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
        words=agreement_in_words(rho.value),
        value=decimal(rho.value) + (say("headline", "interval", ends=ends) if ends else ""),
    )
    if rho.low is not None and rho.high is not None:
        keys = {"better": "surely", "worse": "worse"}
        yield texts()["headline"][keys.get(sure(rho), "maybe")]


def tiles(
    one: ProfileEvaluation,
) -> Iterator[tuple[str, Estimate, Callable[[float], str], str]]:
    """The profile in big figures: what each is, the figure, how it is written, and in words."""
    at, at_least = one.costs.at[0], threshold(one.send_from)
    for key, share, total in (
        ("caught_tile", at.caught, one.costs.untrue_count),
        ("held_back_tile", at.held_back, one.costs.true_count),
    ):
        yield say("headline", key, threshold=at_least), share, percent, _part(share, total)
    rho = one.agreement[0].spearman
    words = agreement_in_words(rho.value or 0.0)
    yield texts()["headline"]["agreement_tile"], rho, decimal, words


def person(one: Disagreement) -> float | None:
    """What the person said as a rating; a label counts as 1 or 5, as it is rated."""
    if one.rating is not None or one.label is None:
        return one.rating
    return HIGHEST if one.label else LOWEST


def said_by(one: Disagreement) -> str:
    """What the person said, in words; empty where that is nothing."""
    if one.rating is not None:
        return short(one.rating)
    if one.label is None:
        return ""
    return str(texts()["disagreements"]["true" if one.label else "untrue"])


def in_sentences(one: Disagreement) -> tuple[Sentence, ...]:
    """The answer, beside what the pages say."""
    return evidence_sentences(
        read_text(one.answer[:ANSWER_CHARS]),
        one.statements,
        {each.name: each for each in one.measurements},
        one.explanation,
        one.language,
        is_sent=one.verdict == "send",
    )


def pages_behind(one: Disagreement) -> list[str]:
    """The first pages in which evidence was found."""
    every = (span.page for each in one.measurements for span in each.evidence)
    return [brief(page, _LINE_CHARS) for page in dict.fromkeys(every) if page][:_PAGES]
