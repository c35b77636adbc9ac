"""Ways in which a guide goes wrong: components, steps and their order, the guide itself."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

import regex

from klopt.reading.components import component_key
from klopt.tuning.drafts import Draft
from klopt.tuning.excerpts import bare
from klopt.tuning.setting import Setting, content_words
from klopt.tuning.wording import Wording

__all__ = [
    "component_invented",
    "component_swapped",
    "neighbour_guide",
    "step_dropped",
    "steps_reversed",
]

COMPONENT: Final = regex.compile(r"(?P<open>[⟦⟪])(?P<name>[^⟦⟧⟪⟫]+)(?P<close>[⟧⟫])", regex.VERSION1)
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
    for place, match in _components(draft, setting.asker.wording, rng):
        others = near if near and (rng.random() < 0.6 or not far) else far
        fitting = [
            name
            for name in others
            if _fits(name, match["name"]) and not _named(name, draft.points[place])
        ]
        if fitting:
            return _put(draft, place, match, rng.choice(fitting))
    return None


def component_invented(draft: Draft, setting: Setting, rng: random.Random) -> Draft | None:
    """A component gives way to a name made from words of two others, which stands nowhere."""
    names = [name for page in (*setting.contexts, *setting.outside) for name in page.components]
    words = sorted({w for name in names for w in regex.findall(r"\p{L}{4,}", name)})
    outside = "\n".join(page.folded for page in setting.outside)
    for place, match in _components(draft, setting.asker.wording, rng):
        own = regex.findall(r"\p{L}{3,}", match["name"])
        if not own or not words:
            continue
        for _ in range(_CASES):
            pair = [rng.choice(own).lower(), rng.choice(words).lower()]
            rng.shuffle(pair)
            name = " ".join(pair)
            related = pair[0] in pair[1] or pair[1] in pair[0]
            if not related and name not in setting.folded and name not in outside:
                return _put(draft, place, match, name[:1].upper() + name[1:])
    return None


def step_dropped(draft: Draft, setting: Setting, rng: random.Random) -> Draft | None:
    """A step is left out that names a component, is not optional and does not just end the work."""
    if draft.form != "guide" or len(draft.points) < 3:
        return None
    wording = setting.asker.wording
    places = [p for p, step in enumerate(draft.points) if _matters(step, wording)]
    if not places:
        return None
    place = rng.choice(places)
    return replace(draft, points=draft.points[:place] + draft.points[place + 1 :])


def steps_reversed(draft: Draft, setting: Setting, rng: random.Random) -> Draft | None:
    """Two steps change places, or all are reversed; each must be a move on the screen."""
    if draft.form != "guide":
        return None
    wording = setting.asker.wording
    moves = [p for p, s in enumerate(draft.points) if _matters(s, wording) and _is_move(s, wording)]
    if len(moves) < 2:
        return None
    points = list(draft.points)
    if len(moves) == len(points) > 2 and rng.random() < 0.4:
        points.reverse()
    else:
        first, second = sorted(rng.sample(moves, 2))
        points[first], points[second] = points[second], points[first]
    if _component_keys(points[0]) & _component_keys(points[-1]) and len(points) == 2:
        return None
    return replace(draft, points=tuple(points))


def neighbour_guide(draft: Draft, setting: Setting, rng: random.Random) -> Draft | None:
    """The guide of another page, or another guide of this one, answers the question."""
    if draft.form != "guide":
        return None
    words = _words(draft.points, setting)
    asked = _stems(draft.question, setting) & _stems(setting.page.folded, setting)
    title = _stems(setting.page.title, setting)
    fitting = []
    for page in setting.contexts:
        for recipe in page.recipes:
            heading = _stems(f"{page.title} {recipe.lead} {recipe.heading}", setting)
            # On the same page only what the title does not say tells two guides apart.
            told_apart = asked - heading - (title if page is setting.page else frozenset())
            theirs = _words(recipe.steps, setting)
            shared = len(words & theirs) / max(1, min(len(words), len(theirs)))
            if told_apart and shared <= SAME_STEPS_SHARE:
                fitting.append(recipe.steps)
    return replace(draft, points=rng.choice(fitting)) if fitting else None


def _components(
    draft: Draft, wording: Wording, rng: random.Random
) -> Iterator[tuple[int, regex.Match[str]]]:
    """The components of a draft in random order, without those of optional steps."""
    found = [
        (place, match)
        for place, point in enumerate(draft.points)
        if not wording.mentions("example", point)
        for match in COMPONENT.finditer(point)
        if len(match["name"]) > 2
    ]
    rng.shuffle(found)
    yield from found[:_CASES]


def _put(draft: Draft, place: int, match: regex.Match[str], name: str) -> Draft:
    """The draft with another component there, also where the sentence names it again."""
    point, old = draft.points[place], match["name"]
    for one, other in (("⟦", "⟧"), ("⟪", "⟫")):
        point = point.replace(f"{one}{old}{other}", f"{one}{name}{other}")
    return replace(draft, points=(*draft.points[:place], point, *draft.points[place + 1 :]))


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


def _named(name: str, point: str) -> bool:
    return name.lower() in bare(point).lower()


def _component_keys(point: str) -> set[str]:
    return {component_key(match["name"]) for match in COMPONENT.finditer(point)}


def _is_move(step: str, wording: Wording) -> bool:
    return wording.begins("moves", bare(step))


def _matters(step: str, wording: Wording) -> bool:
    return (
        COMPONENT.search(step) is not None
        and not wording.mentions("optional", step)
        and not wording.begins("ending", bare(step))
    )


def _stems(text: str, setting: Setting) -> frozenset[str]:
    """The first letters of the content words, alike for "contract" and "contracten"."""
    return frozenset(word[:_STEM_CHARS] for word in content_words(text, setting.stop_words))


def _words(steps: Sequence[str], setting: Setting) -> frozenset[str]:
    return content_words(bare(" ".join(steps)), setting.stop_words)
