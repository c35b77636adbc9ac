"""Ways in which a guide goes wrong: components, steps and their order, the guide itself."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import regex

from klopt.reading.components import component_key
from klopt.tuning.drafts import Draft
from klopt.tuning.setting import Setting
from klopt.tuning.wording import Wording, bare

__all__ = [
    "component_invented",
    "component_swapped",
    "neighbour_guide",
    "step_dropped",
    "steps_reversed",
]

COMPONENT: Final = regex.compile(r"[⟦⟪](?P<name>[^⟦⟧⟪⟫]+)[⟧⟫]", regex.VERSION1)
SAME_STEPS_SHARE: Final = 0.34
"""A neighbour's guide that has more of this one's words in common may be right as well."""
_STEM_CHARS: Final = 6
_CASES: Final = 12
"""So many ways of one corruption are tried on a draft."""


def component_swapped(draft: Draft, setting: Setting, rng: random.Random) -> Draft | None:
    """A component gives way to one of another step or page.

    The new one is not named in the sentence, and neither name is part of the other.
    """
    near = [name for page in setting.contexts for name in page.components]
    far = [name for page in setting.outside for name in page.components]
    for place, old in _components(draft, setting.wording, rng):
        point = bare(draft.points[place]).lower()
        others = near if near and (rng.random() < 0.6 or not far) else far
        fitting = [name for name in others if _fits(name, old) and name.lower() not in point]
        if fitting:
            return _put(draft, place, old, rng.choice(fitting))
    return None


def component_invented(draft: Draft, setting: Setting, rng: random.Random) -> Draft | None:
    """A component gives way to a name made from words of two others, which stands nowhere."""
    names = [name for page in (*setting.contexts, *setting.outside) for name in page.components]
    words = sorted({word for name in names for word in regex.findall(r"\p{L}{4,}", name)})
    outside = "\n".join(page.folded for page in setting.outside)
    for place, old in _components(draft, setting.wording, rng):
        own = regex.findall(r"\p{L}{3,}", old)
        for _ in range(_CASES if own and words else 0):
            pair = [rng.choice(own).lower(), rng.choice(words).lower()]
            rng.shuffle(pair)
            name = " ".join(pair)
            related = pair[0] in pair[1] or pair[1] in pair[0]
            if not related and name not in setting.folded and name not in outside:
                return _put(draft, place, old, name[:1].upper() + name[1:])
    return None


def step_dropped(draft: Draft, setting: Setting, rng: random.Random) -> Draft | None:
    """A step is left out that names a component, is not optional and does not just end the work."""
    if draft.form != "guide" or len(draft.points) < 3:
        return None
    places = [p for p, step in enumerate(draft.points) if _matters(step, setting.wording)]
    if not places:
        return None
    place = rng.choice(places)
    return replace(draft, points=draft.points[:place] + draft.points[place + 1 :])


def steps_reversed(draft: Draft, setting: Setting, rng: random.Random) -> Draft | None:
    """Two steps change places, or all are reversed; each must be a move on the screen."""
    wording = setting.wording
    points = list(draft.points)
    moves = [p for p, s in enumerate(points) if _matters(s, wording) and wording.begins("moves", s)]
    if draft.form != "guide" or len(moves) < 2:
        return None
    if len(moves) == len(points) > 2 and rng.random() < 0.4:
        points.reverse()
    else:
        first, second = sorted(rng.sample(moves, 2))
        points[first], points[second] = points[second], points[first]
    one, other = (
        {component_key(match["name"]) for match in COMPONENT.finditer(point)}
        for point in (points[0], points[-1])
    )
    return None if len(points) == 2 and one & other else replace(draft, points=tuple(points))


def neighbour_guide(draft: Draft, setting: Setting, rng: random.Random) -> Draft | None:
    """The guide of another page, or another guide of this one, answers the question."""
    if draft.form != "guide":
        return None
    words = setting.wording.content_words(" ".join(draft.points))
    asked = _stems(draft.question, setting) & _stems(setting.page.folded, setting)
    title = _stems(setting.page.title, setting)
    fitting = []
    for page in setting.contexts:
        for lead, heading, steps in page.recipes:
            told_apart = asked - _stems(f"{page.title} {lead} {heading}", setting)
            if page is setting.page:
                told_apart -= title
            theirs = setting.wording.content_words(" ".join(steps))
            shared = len(words & theirs) / max(1, min(len(words), len(theirs)))
            if told_apart and shared <= SAME_STEPS_SHARE:
                fitting.append(steps)
    return replace(draft, points=rng.choice(fitting)) if fitting else None


def _components(draft: Draft, wording: Wording, rng: random.Random) -> Sequence[tuple[int, str]]:
    """The components of a draft and where, in random order, without those of optional steps."""
    found = [
        (place, match["name"])
        for place, point in enumerate(draft.points)
        if not wording.mentions("example", point)
        for match in COMPONENT.finditer(point)
        if len(match["name"]) > 2
    ]
    rng.shuffle(found)
    return found[:_CASES]


def _put(draft: Draft, place: int, old: str, name: str) -> Draft:
    """The draft with another component there, also where the sentence names it again."""
    point = draft.points[place]
    for one, other in ("⟦⟧", "⟪⟫"):
        point = point.replace(f"{one}{old}{other}", f"{one}{name}{other}")
    return draft.with_point(place, point)


def _fits(name: str, old: str) -> bool:
    """Whether a name may stand where the old one stood: as long, as capital, and unlike it."""
    one, other = component_key(name), component_key(old)
    return (
        one not in other
        and other not in one
        and name[:1].isupper() == old[:1].isupper()
        and name.isupper() == old.isupper()
        and abs(len(name.split()) - len(old.split())) <= 2
    )


def _matters(step: str, wording: Wording) -> bool:
    return (
        COMPONENT.search(step) is not None
        and not wording.mentions("optional", step)
        and not wording.begins("ending", step)
    )


def _stems(text: str, setting: Setting) -> frozenset[str]:
    """The first letters of the content words, alike for "contract" and "contracten"."""
    return frozenset(word[:_STEM_CHARS] for word in setting.wording.content_words(text))
