"""What the figures of an evaluation mean, in sentences for a person without statistics."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from klopt.evaluation import ColumnAgreement, Estimate, Evaluation
from klopt.evaluation.comparison import Comparison
from klopt.evaluation.evaluation import ProfileEvaluation
from klopt.evaluation.resampling import FEWEST_FOR_INTERVAL
from klopt.evaluation.thresholds import CostAt, Costs

_FEW_ROWS: Final = 50
_CHANCE: Final = 0.05
_MOST_COLUMNS: Final = 3
_REMEDY: Final = {"company_specific_terms": "; klopt company terms learns the terms from pages"}
_STRENGTHS: Final = ((0.1, "hardly"), (0.3, "weakly"), (0.5, "moderately"))
"""Up to which rho one says what; above the last, strongly. Source: Cohen (1988)."""


def in_words(found: Evaluation) -> Iterator[str]:
    """One sentence after the other."""
    yield _rows(found)
    for one in found.profiles:
        name = f"{one.name}: " if len(found.profiles) > 1 else ""
        untranslated = untranslated_rows(one)
        if untranslated is not None:
            yield untranslated
        for sentence in _profile(one, people="label" if not found.rows.rated else "rating"):
            yield name + sentence
    if found.comparison is not None:
        yield _comparison(found.comparison)
        yield from _feature_differences(found.comparison)
    if found.columns:
        yield from _columns(found.columns, f"klopt ({found.profiles[0].name})")
    yield from _few(found.profiles[0])


def share(value: float) -> str:
    """A share as a whole percentage.

    >>> share(0.724)
    '72%'
    """
    return f"{value:.0%}"


def signed(value: float) -> str:
    """A difference with its sign, two decimals.

    >>> signed(0.046), signed(-0.001)
    ('+0.05', '0.00')
    """
    text = f"{value:+.2f}"
    return "0.00" if text in ("+0.00", "-0.00") else text


def two(value: float) -> str:
    """A figure with two decimals, and no minus before zero.

    >>> two(0.046), two(-0.001)
    ('0.05', '0.00')
    """
    return "0.00" if f"{value:.2f}" == "-0.00" else f"{value:.2f}"


def _rows(found: Evaluation) -> str:
    rows = found.rows
    judged = [
        f"{count} {words}"
        for count, words in ((rows.rated, "rated"), (rows.labelled, "labelled"))
        if count
    ]
    sentence = f"{rows.total} rows, {' and '.join(judged)}"
    missed = sum(rows.not_scored.values())
    if not missed:
        return f"{sentence}; all were scored."
    return f"{sentence}; {missed} could not be scored: {_counts(rows.not_scored)}."


def _counts(reasons: Mapping[str, int]) -> str:
    return ", ".join(f"{count} {code}" for code, count in reasons.items())


def _profile(one: ProfileEvaluation, *, people: str) -> Iterator[str]:
    overall = one.agreement[0]
    yield _relation(overall.spearman, people)
    for feature in one.features:
        if feature.n == 0 and feature.missing_count:
            remedy = _REMEDY.get(feature.name, "")
            yield f"{feature.name} could not be measured on any answer{remedy}."
    if overall.auc.value is not None:
        yield (
            f"Of a true and an untrue answer, the true one scores higher "
            f"{share(overall.auc.value)} of the time{_range(overall.auc)}; a coin would do 50%."
        )
    yield from _costs(one.costs)


def _relation(rho: Estimate, people: str) -> str:
    if rho.value is None:
        return f"Whether scores go with {people}s cannot be said: {rho.reason}."
    rating = "a higher rating" if people == "rating" else 'the label "true"'
    strength = next((word for top, word in _STRENGTHS if abs(rho.value) < top), "strongly")
    if rho.value < 0:
        rating = "a lower rating" if people == "rating" else 'the label "untrue"'
    verb = "hardly goes" if strength == "hardly" else f"{strength} goes"
    chance = "that may be chance" if rho.p is None or rho.p >= _CHANCE else "chance is unlikely"
    return f"A higher score {verb} with {rating} (rho {two(rho.value)}); {chance}."


def _costs(costs: Costs) -> Iterator[str]:
    neutral, *others = costs.at
    yield from _cost(neutral, costs)
    for cautious in others:
        if cautious.caught.value is not None:
            yield (
                f"To hold back at most 10% of the true answers, stop below "
                f"{cautious.threshold:.1f}: that stops {share(cautious.caught.value)}"
                f"{_range(cautious.caught)} of the untrue ones."
            )


def _cost(at: CostAt, costs: Costs) -> Iterator[str]:
    """What a threshold stops and holds back."""
    caught, held_back = at.caught.value, at.held_back.value
    true = f"of the {costs.true_count} true answers {share(held_back or 0)} would be held back"
    if caught is None:
        if held_back is not None:
            yield f"{true.capitalize()} at {at.threshold:.1f}; no answer was called untrue."
        return
    stopped = (
        f"Of the {costs.untrue_count} untrue answers {round(caught * costs.untrue_count)} "
        f"({_figures(at.caught)}) would be stopped at {at.threshold:.1f}"
    )
    yield (
        f"{stopped}; no answer was called true." if held_back is None else f"{stopped}; {true} too."
    )


def _comparison(found: Comparison) -> str:
    difference, better = found.spearman_difference, found.p_first_better
    names = f"{found.first} and {found.second}"
    if difference.value is None:
        return f"{names} cannot be compared on {found.n} answers: {difference.reason}."
    lead = found.first if difference.value >= 0 else found.second
    other = found.second if difference.value >= 0 else found.first
    sentence = (
        f"On the {found.n} answers that both score, {lead} has the higher rho than {other}, by "
        f"{abs(difference.value):.2f}"
    )
    if signed(difference.value) == "0.00":
        return f"On the {found.n} answers that both score, {names} have the same rho."
    if better is None:
        return f"{sentence}; too few rows to say whether that is chance."
    share_better = better if difference.value >= 0 else 1 - better
    verdict = (
        "chance is unlikely" if min(better, 1 - better) < _CHANCE / 2 else "that may well be chance"
    )
    return f"{sentence}; so it is in {share(share_better)} of the resamples: {verdict}."


def _feature_differences(found: Comparison) -> Iterator[str]:
    """Which features that differ agree better with people in which profile."""
    every = [one for one in found.features if one.differ_count]
    if not every:
        return
    ends = [(one.name, one.spearman_difference) for one in every]
    parts = [
        f"{listed(some)} {'agree' if len(some) > 1 else 'agrees'} better with people by {name}, "
        "and chance is unlikely"
        for name, some in (
            (found.first, [one for one, less in ends if less.low is not None and less.low > 0]),
            (found.second, [one for one, less in ends if less.high is not None and less.high < 0]),
        )
        if some
    ]
    unsure = [
        one
        for one, less in ends
        if less.low is None or less.high is None or less.low <= 0 <= less.high
    ]
    if unsure:
        parts.append(f"the difference of {listed(unsure)} may be chance")
    features = "1 feature has" if len(every) == 1 else f"{len(every)} features have"
    yield f"{features} other values: {'; '.join(parts)}."


def untranslated_rows(one: ProfileEvaluation) -> str | None:
    """How many answers were not translated, and why; None when all were."""
    rows = one.translation
    if rows is None or not (rows.on_original or rows.not_scored):
        return None
    parts = [
        f"{sum(reasons.values())} {what} ({_counts(reasons)})"
        for what, reasons in (
            ("scored on the original, in all figures", rows.on_original),
            ("not scored", rows.not_scored),
        )
        if reasons
    ]
    failed = sum(rows.on_original.values()) + sum(rows.not_scored.values())
    of = f"{failed} of {rows.translated + failed} answers"
    return f"{one.name}: {of} could not be read in translation: {' and '.join(parts)}."


def listed(names: Sequence[str]) -> str:
    """Names in a sentence.

    >>> listed(["hal", "polarity", "step_order"]), listed(["hal"])
    ('hal, polarity and step_order', 'hal')
    """
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last


def _columns(columns: Sequence[ColumnAgreement], klopt: str) -> Iterator[str]:
    """Each of a few columns beside klopt's score; how many do better and worse, of many."""
    if len(columns) <= _MOST_COLUMNS:
        for one in columns:
            yield _column(one, klopt)
        return
    ends = [(one.spearman_difference.low, one.spearman_difference.high) for one in columns]
    better = sum(low is not None and low > 0 for low, _ in ends)
    worse = sum(high is not None and high < 0 for _, high in ends)
    unknown = sum(low is None for low, _ in ends)
    sentence = (
        f"Of {len(columns)} other scores, {klopt} agrees better with people than {better} and "
        f"worse than {worse}, each on the answers that both score; with "
        f"{len(columns) - better - worse - unknown} the difference may be chance"
    )
    yield f"{sentence}, and {unknown} cannot be compared." if unknown else f"{sentence}."


def _column(one: ColumnAgreement, klopt: str) -> str:
    found, name = one.spearman_difference, one.name.replace("\n", " ")
    if found.value is None:
        return f"{klopt} and {name} cannot be compared on {found.n} answers: {found.reason}."
    where = f"On the {found.n} answers that both score, "
    if signed(found.value) == "0.00":
        return f"{where}{klopt} and {name} have the same rho."
    lead, other = (klopt, name) if found.value > 0 else (name, klopt)
    sentence = f"{where}{lead} has the higher rho than {other}, by {abs(found.value):.2f}"
    if found.low is None or found.high is None:
        return f"{sentence}; whether that is chance cannot be said: {found.reason}."
    sure = found.low > 0 or found.high < 0
    return f"{sentence}; {'chance is unlikely' if sure else 'that may well be chance'}."


def _few(one: ProfileEvaluation) -> Iterator[str]:
    n = max(one.agreement[0].spearman.n, one.agreement[0].auc.n)
    if n < FEWEST_FOR_INTERVAL:
        yield (
            f"Only {n} answers were both scored and judged: too few for any conclusion, and for "
            f"intervals (at least {FEWEST_FOR_INTERVAL})."
        )
    elif n < _FEW_ROWS:
        yield f"{n} judged answers are few: trust the intervals more than the figures."


def _figures(figure: Estimate) -> str:
    """A share and its interval: ``72%, 56 to 86%``."""
    if figure.value is None:
        return ""
    text = share(figure.value)
    if figure.low is None or figure.high is None:
        return text
    return f"{text}, {100 * figure.low:.0f} to {share(figure.high)}"


def _range(figure: Estimate) -> str:
    if figure.low is None or figure.high is None:
        return ""
    return f" ({100 * figure.low:.0f} to {share(figure.high)})"
