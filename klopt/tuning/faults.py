"""Ways in which an answer goes wrong: each makes a true draft wrong in one thing that is known.

In a guide the components, the steps and their order, the guide itself; in a statement polarity,
numbers, keys, conditions, claims, whole sentences.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

import regex

from klopt.reading.components import component_key
from klopt.tuning.drafts import Draft
from klopt.tuning.setting import Setting
from klopt.tuning.wording import Wording, bare, with_others

__all__ = ["CORRUPTIONS"]

COMPONENT: Final = regex.compile(r"[⟦⟪](?P<name>[^⟦⟧⟪⟫]+)[⟧⟫]", regex.VERSION1)
SAME_STEPS_SHARE: Final = 0.34
"""A neighbour's guide that has more of this one's words in common may be right as well."""
_STEM_CHARS: Final = 6
_CASES: Final = 12
"""So many ways of one corruption are tried on a draft."""
FOREIGN_SHARE: Final = 0.6
"""Of a foreign sentence's content words, at most so many may stand in the contexts."""

_NUMBER: Final = regex.compile(
    r"(?<![\p{L}\d.,:/+⟨-])(?P<number>\d{1,6}(?:[.,:]\d{1,2})?)(?![\p{L}\d/+⟩-]|[.,:]\d)",
    regex.VERSION1,
)
_NAME_BEFORE: Final = regex.compile(
    r"(?:(?<!^)\b\p{Lu}[\p{L}-]*|^\p{Lu}{2,}|^\p{Lu}[\p{L}-]{4,})[ ]$", regex.VERSION1
)
_UNIT: Final = regex.compile(r"(?<=\d[ \u00a0])\p{L}+", regex.VERSION1)
_KEY: Final = regex.compile(r"⟨([^⟨⟩]+)⟩", regex.VERSION1)


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


def polarity_flipped(draft: Draft, setting: Setting, rng: random.Random) -> Draft | None:
    """Yes for no, a negation more or less, or the contrary word."""
    points = _points(draft, setting.wording, rng)
    if draft.yes is not None:
        denied = _denied(draft.points[0], setting, rng)
        return replace(draft, yes=not draft.yes, points=() if denied is None else (denied,))
    for place, point in points:
        denied = _denied(point, setting, rng)
        if denied is not None:
            return draft.with_point(place, denied)
    return None


def number_changed(draft: Draft, setting: Setting, rng: random.Random) -> Draft | None:
    """Another number, number word, version, time or unit, which stands in no context."""
    for place, point in _points(draft, setting.wording, rng):
        for changed in (*_numbers(point, setting, rng), *_words(point, setting.wording, rng)):
            if not setting.says(changed):
                return draft.with_point(place, changed)
    return None


def key_swapped(draft: Draft, setting: Setting, rng: random.Random) -> Draft | None:
    """A key combination gives way to that of another sentence or page."""
    keys = [key for page in (*setting.contexts, *setting.outside) for key in page.keys]
    for place, point in _points(draft, setting.wording, rng):
        matches = list(_KEY.finditer(point))
        if not matches:
            continue
        old = rng.choice(matches)
        fitting = [
            key
            for key in keys
            if ("+" in key) == ("+" in old[1])
            and not _alike(key, point)
            and not _alike(key, old[1])
        ]
        changed = point.replace(old[0], f"⟨{rng.choice(fitting)}⟩") if fitting else None
        if changed is not None and not setting.says(changed):
            return draft.with_point(place, changed)
    return None


def sentence_foreign(draft: Draft, setting: Setting, rng: random.Random) -> Draft | None:
    """A sentence of a page that the bot was not given stands in the answer."""
    if draft.form not in ("prose", "binary") or not draft.points:
        return None
    wording = setting.wording
    sentences = [
        sentence
        for page in setting.outside
        for run in page.runs
        for sentence in run.sentences
        if len(sentence.split()) >= 7 and wording.stands_alone(sentence)
    ]
    rng.shuffle(sentences)
    for sentence in sentences[:_CASES]:
        words = wording.content_words(sentence)
        known = len(words & setting.words)
        if len(words) < 3 or known > FOREIGN_SHARE * len(words) or setting.says(sentence):
            continue
        if len(draft.points) > 1 and rng.random() < 0.5:
            return draft.with_point(rng.randrange(1, len(draft.points)), sentence)
        return replace(draft, points=(*draft.points, sentence))
    return None


def claim_swapped(draft: Draft, setting: Setting, rng: random.Random) -> Draft | None:
    """Two items of a list exchange what is said of them; an error code gets another's meaning."""
    if draft.form == "code":
        others = [one.claims for one in setting.page.codes if one.code != draft.code]
        point = draft.points[0]
        claims = rng.choice(others) if others else ()
        if not claims or claims[0].lower() in point.lower():
            return None
        return replace(draft, points=(point[: draft.claims[0]] + claims[0], *claims[1:]))
    if draft.form != "list":
        return None
    first, second = sorted(rng.sample(range(len(draft.points)), 2))
    (label, claim), (other_label, other_claim) = (
        (draft.points[place][: draft.claims[place]], draft.points[place][draft.claims[place] :])
        for place in (first, second)
    )
    if claim.strip(".;").lower() == other_claim.strip(".;").lower():
        return None
    if _names(label, claim) or _names(other_label, other_claim):
        return None
    return draft.with_point(first, label + other_claim).with_point(second, other_label + claim)


def condition_dropped(draft: Draft, setting: Setting, rng: random.Random) -> Draft | None:
    """What the page says of some cases is said of all."""
    for place, point in _shuffled(draft, rng):
        if draft.yes is not None and place == 0:
            continue
        for rule in setting.wording.rules["condition"]:
            changed = rule.apply(point)
            if changed is not None and not setting.says(changed):
                return draft.with_point(place, changed)
    return None


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


def _shuffled(draft: Draft, rng: random.Random) -> list[tuple[int, str]]:
    points = list(enumerate(draft.points))
    rng.shuffle(points)
    return points


def _points(draft: Draft, wording: Wording, rng: random.Random) -> list[tuple[int, str]]:
    """The points and their places in random order, without those that only give an example."""
    return [one for one in _shuffled(draft, rng) if not wording.mentions("example", one[1])]


def _denied(point: str, setting: Setting, rng: random.Random) -> str | None:
    """The contrary of a statement, which no context says."""
    wording = setting.wording
    found = [rule.apply(point) for rule in wording.rules["deny"]]
    found += [with_others(point, pairs, rng) for pairs in (wording.antonyms, wording.contraries)]
    fitting = [text for text in found if text is not None and not setting.says(text)]
    return rng.choice(fitting) if fitting else None


def _numbers(point: str, setting: Setting, rng: random.Random) -> Iterator[str]:
    """The sentence with each number changed in turn."""
    for match in _NUMBER.finditer(point):
        if _NAME_BEFORE.search(point[: match.start()]):
            continue
        for number in _others(match["number"], rng):
            if not regex.search(rf"(?<!\d){regex.escape(number)}(?!\d)", setting.folded):
                yield point[: match.start()] + number + point[match.end() :]
                break


def _others(number: str, rng: random.Random) -> list[str]:
    """Numbers of the same form that someone could mistake it for."""
    whole, sign, rest = regex.fullmatch(r"(\d+)([.,:]?)(\d*)", number).groups()  # type: ignore[union-attr]
    value = int(whole)
    if sign:
        values = [value + step for step in (1, 2, -1, 3) if value + step > 0]
        found = [f"{other}{sign}{rest}" for other in values]
    elif 1900 <= value <= 2100:
        found = [str(value + step) for step in (-2, -1, 1, 2)]
    else:
        values = [value * 2, value // 2, value + 1, value + 2, value + 5, value * 10, value - 1]
        found = [str(other) for other in values if other > 1 and other != value]
    rng.shuffle(found)
    return found


def _words(point: str, wording: Wording, rng: random.Random) -> Iterator[str]:
    """The sentence with another number word, month or day, or another unit behind a number."""
    numbers = wording.lists["numbers"]
    near = {
        word: tuple(other for other in numbers[max(0, n - 2) : n + 3] if other != word)
        for n, word in enumerate(numbers)
    }
    for pairs in (near, wording.times):
        if (found := with_others(point, pairs, rng)) is not None:
            yield found
    for name in ("units_time", "units_size"):
        for match in _UNIT.finditer(point):
            if match[0] in wording.lists[name]:
                other = rng.choice([unit for unit in wording.lists[name] if unit != match[0]])
                yield point[: match.start()] + other + point[match.end() :]


def _alike(key: str, text: str) -> bool:
    """Whether a key is named in a text, whatever the blanks."""
    return "".join(key.lower().split()) in "".join(bare(text).lower().split())


def _names(label: str, claim: str) -> bool:
    """Whether a claim names its own label, so that it could not be another's."""
    return bare(label).strip(" :–—-").lower() in bare(claim).lower()


Corrupt = Callable[[Draft, Setting, random.Random], Draft | None]

CORRUPTIONS: Final[Mapping[str, Corrupt]] = {
    "claim_swapped": claim_swapped,
    "component_invented": component_invented,
    "component_swapped": component_swapped,
    "condition_dropped": condition_dropped,
    "key_swapped": key_swapped,
    "neighbour_guide": neighbour_guide,
    "number_changed": number_changed,
    "polarity_flipped": polarity_flipped,
    "sentence_foreign": sentence_foreign,
    "step_dropped": step_dropped,
    "steps_reversed": steps_reversed,
}
"""Each makes a true draft wrong in one way, or gives None when it cannot."""
