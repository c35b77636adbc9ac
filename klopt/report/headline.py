"""What stands at the top: the outcome in plain words, and its four figures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from klopt.report.elements import Child, Markup, element, join
from klopt.report.figures import brief, decimal, missing, percent, whole
from klopt.report.shape import Estimate, Part
from klopt.report.wording import band, say, texts

THRESHOLD: Final = 3.0
_FEW: Final = 30
_NAME_CHARS: Final = 60


def headline(evaluation: Part) -> Markup:
    """A lead for each profile: sentences, then tiles."""
    profiles = evaluation.parts("profiles")
    said = [sentence for one in profiles if (sentence := _untranslated(one)) is not None]
    leads = (_lead(one, is_only=len(profiles) == 1) for one in profiles)
    return join(
        element("p", _counted(evaluation.part("rows"), profiles), class_="lead"),
        *(element("p", sentence) for sentence in said),
        element("div", *leads, class_="outcomes"),
    )


def at_threshold(profile: Part, threshold: float) -> Part | None:
    """What the profile's threshold costs, where the evaluation says it."""
    entries = profile.part("costs").parts("at")
    return next((one for one in entries if one.number("threshold") == threshold), None)


def _counted(rows: Part, profiles: Sequence[Part]) -> str:
    """How many answers there were, how many judged, how many the first profile scored."""
    total, rated, labelled = (rows.count(key) for key in ("total", "rated", "labelled"))
    scored = max(total - sum(rows.counts("not_scored").values()), 0)
    judged = [
        say("headline", f"all_{key}" if count == total else key, count=whole(count))
        for key, count in (("rated", rated), ("labelled", labelled))
        if count
    ]
    people = texts()["headline"]["and"].join(judged) or texts()["headline"]["unjudged"]
    who = "klopt"
    if len(profiles) > 1:
        who = say("page", "profile", name=brief(profiles[0].text("name"), _NAME_CHARS))
    filled = {"total": whole(total), "judged": people, "scored": whole(scored)}
    return say("headline", "counted", who=who, **filled)


def _untranslated(profile: Part) -> str | None:
    """How many answers a profile was to read in translation and could not; None when all were."""
    found = profile.part("translation")
    on_original = sum(found.counts("on_original").values())
    refused = sum(found.counts("not_scored").values())
    if not on_original + refused:
        return None
    what = texts()["headline"]["and"].join(
        say("headline", key, count=whole(count))
        for key, count in (("on_original", on_original), ("refused", refused))
        if count
    )
    return say(
        "headline",
        "untranslated",
        count=whole(on_original + refused),
        total=whole(found.count("translated") + on_original + refused),
        name=brief(profile.text("name"), _NAME_CHARS),
        what=what,
    )


def _lead(profile: Part, *, is_only: bool) -> Markup:
    name = brief(profile.text("name"), _NAME_CHARS)
    return element(
        "div",
        None if is_only else element("h2", say("page", "profile", name=name)),
        element("p", " ".join(_sentences(profile))),
        element("div", *_tiles(profile), class_="tiles"),
        class_="outcome",
    )


def _sentences(profile: Part) -> list[str]:
    costs, at = profile.part("costs"), at_threshold(profile, THRESHOLD)
    found = []
    if at is not None and (at.estimate("caught").value, at.estimate("held_back").value) != (
        None,
        None,
    ):
        found.append(say("headline", "threshold", threshold=decimal(THRESHOLD, 1)))
        parts = [
            _share("caught", at.estimate("caught"), costs.count("untrue_count")),
            _share("held_back", at.estimate("held_back"), costs.count("true_count")),
        ]
        found.append(texts()["headline"]["and"].join(part for part in parts if part) + ".")
    return found + _agreement(_overall(profile))


def _share(key: str, estimate: Estimate, total: int) -> str | None:
    if estimate.value is None:
        return None
    count = whole(round(estimate.value * total))
    return f"{say('headline', key, count=count, total=whole(total))} ({percent(estimate.value)})"


def _overall(profile: Part) -> Estimate:
    """Spearman on all rows: the first slice."""
    slices = profile.parts("agreement")
    return slices[0].estimate("spearman") if slices else Estimate(None)


def _agreement(estimate: Estimate) -> list[str]:
    if estimate.value is None:
        reason = brief(estimate.reason or texts()["headline"]["no_reason"], 200)
        return [say("headline", "agreement_unknown", reason=reason)]
    filled = {
        "n": whole(estimate.n),
        "words": band("agreement", estimate.value),
        "value": decimal(estimate.value),
    }
    if estimate.low is None or estimate.high is None:
        return [say("headline", "agreement", **filled)]
    ends = {"low": decimal(estimate.low), "high": decimal(estimate.high)}
    found = [say("headline", "agreement_interval", **filled, **ends)]
    sure = "surely" if estimate.low > 0 else "worse" if estimate.high < 0 else "maybe"
    found.append(texts()["headline"][sure])
    if estimate.n < _FEW:
        found.append(texts()["headline"]["few"])
    return found


def _tiles(profile: Part) -> list[Markup]:
    costs, at = profile.part("costs"), at_threshold(profile, THRESHOLD)
    found = []
    for key, total in (("caught", "untrue_count"), ("held_back", "true_count")):
        estimate = at.estimate(key) if at is not None else Estimate(None)
        small = None
        if estimate.value is not None:
            count = whole(round(estimate.value * costs.count(total)))
            small = say("headline", "of", count=count, total=whole(costs.count(total)))
        label = say("headline", f"{key}_tile", threshold=decimal(THRESHOLD, 1))
        shown = None if estimate.value is None else percent(estimate.value)
        found.append(_tile(label, shown, small, estimate))
    overall = _overall(profile)
    shown = None if overall.value is None else decimal(overall.value)
    small = None if overall.value is None else band("agreement", overall.value)
    found.append(_tile(texts()["headline"]["agreement_tile"], shown, small, overall))
    return found


def _tile(label: str, shown: str | None, small: str | None, estimate: Estimate) -> Markup:
    big: Child = missing(estimate.reason) if shown is None else shown
    return element(
        "div",
        element("div", big, class_="big"),
        element("div", label),
        None if small is None else element("div", small, class_="small"),
        class_="tile",
    )
