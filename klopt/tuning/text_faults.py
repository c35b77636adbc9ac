"""Ways in which a statement goes wrong: polarity, numbers, keys, conditions, whole sentences."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

import regex

from klopt.tuning.drafts import Draft, stands_alone
from klopt.tuning.excerpts import bare
from klopt.tuning.likes import with_others
from klopt.tuning.setting import Setting, content_words
from klopt.tuning.wording import Pairs, Wording

__all__ = [
    "claim_swapped",
    "condition_dropped",
    "key_swapped",
    "number_changed",
    "polarity_flipped",
    "sentence_foreign",
]

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


def polarity_flipped(draft: Draft, setting: Setting, rng: random.Random) -> Draft | None:
    """Yes for no, a negation more or less, or the contrary word."""
    wording = setting.asker.wording
    places = _places(draft, rng)
    if draft.yes is not None:
        denied = _denied(draft.points[0], setting, rng)
        points = () if denied is None else (denied,)
        return replace(draft, yes=not draft.yes, points=points)
    for place in places:
        point = draft.points[place]
        if wording.mentions("example", point):
            continue
        denied = _denied(point, setting, rng)
        if denied is not None:
            return _put(draft, place, denied)
    return None


def number_changed(draft: Draft, setting: Setting, rng: random.Random) -> Draft | None:
    """Another number, number word, version, time or unit, which stands in no context."""
    wording = setting.asker.wording
    for place in _places(draft, rng):
        point = draft.points[place]
        if wording.mentions("example", point):
            continue
        for changed in (
            *_numbers(point, setting, rng),
            *_words(point, wording, setting.times, rng),
        ):
            if not setting.says(changed):
                return _put(draft, place, changed)
    return None


def key_swapped(draft: Draft, setting: Setting, rng: random.Random) -> Draft | None:
    """A key combination gives way to that of another sentence or page."""
    pages = (*setting.contexts, *setting.outside)
    for place in _places(draft, rng):
        point = draft.points[place]
        matches = list(_KEY.finditer(point))
        if not matches or setting.asker.wording.mentions("example", point):
            continue
        match = rng.choice(matches)
        long = "+" in match[1]
        fitting = [
            key
            for page in pages
            for key in page.keys
            if ("+" in key) == long and not _alike(key, point) and not _alike(key, match[1])
        ]
        if fitting:
            key = rng.choice(fitting)
            changed = point.replace(match[0], f"⟨{key}⟩")
            if not setting.says(changed):
                return _put(draft, place, changed)
    return None


def sentence_foreign(draft: Draft, setting: Setting, rng: random.Random) -> Draft | None:
    """A sentence of a page that the bot was not given stands in the answer."""
    if draft.form not in ("prose", "binary") or not draft.points:
        return None
    wording = setting.asker.wording
    sentences = [
        sentence
        for page in setting.outside
        for run in page.runs
        for sentence in run.sentences
        if len(sentence.split()) >= 7 and stands_alone(sentence, wording)
    ]
    rng.shuffle(sentences)
    for sentence in sentences[:12]:
        words = content_words(bare(sentence), setting.stop_words)
        known = len(words & setting.words)
        if len(words) < 3 or known > FOREIGN_SHARE * len(words) or setting.says(sentence):
            continue
        if len(draft.points) > 1 and rng.random() < 0.5:
            return _put(draft, rng.randrange(1, len(draft.points)), sentence)
        return replace(draft, points=(*draft.points, sentence))
    return None


def claim_swapped(draft: Draft, setting: Setting, rng: random.Random) -> Draft | None:
    """Two items of a list exchange what is said of them; an error code gets another's meaning."""
    if draft.form == "code":
        others = [c for c in setting.page.codes if c.code != draft.code]
        other = rng.choice(others) if others else None
        if other is None or other.claims[0].lower() in draft.points[0].lower():
            return None
        return replace(
            draft, points=(draft.points[0][: draft.claims[0]] + other.claims[0], *other.claims[1:])
        )
    if draft.form != "list":
        return None
    first, second = sorted(rng.sample(range(len(draft.points)), 2))
    one, other_point = draft.points[first], draft.points[second]
    start, other_start = draft.claims[first], draft.claims[second]
    claim, other_claim = one[start:], other_point[other_start:]
    if claim.strip(".;").lower() == other_claim.strip(".;").lower():
        return None
    if _names(one[:start], claim) or _names(other_point[:other_start], other_claim):
        return None
    points = list(draft.points)
    points[first], points[second] = one[:start] + other_claim, other_point[:other_start] + claim
    return replace(draft, points=tuple(points))


def condition_dropped(draft: Draft, setting: Setting, rng: random.Random) -> Draft | None:
    """What the page says of some cases is said of all."""
    for place in _places(draft, rng):
        if draft.yes is not None and place == 0:
            continue
        for rule in setting.asker.wording.rules["condition"]:
            changed = rule.apply(draft.points[place])
            if changed is not None and not setting.says(changed):
                return _put(draft, place, changed)
    return None


def _places(draft: Draft, rng: random.Random) -> list[int]:
    places = list(range(len(draft.points)))
    rng.shuffle(places)
    return places


def _put(draft: Draft, place: int, point: str) -> Draft:
    return replace(draft, points=(*draft.points[:place], point, *draft.points[place + 1 :]))


def _denied(point: str, setting: Setting, rng: random.Random) -> str | None:
    """The contrary of a statement, which no context says."""
    wording = setting.asker.wording
    found = [rule.apply(point) for rule in wording.rules["deny"]]
    found.append(with_others(point, wording.antonyms, rng))
    found.append(with_others(point, setting.contraries, rng))
    fitting = [text for text in found if text is not None and not setting.says(text)]
    return rng.choice(fitting) if fitting else None


def _numbers(point: str, setting: Setting, rng: random.Random) -> Iterator[str]:
    """The sentence with each number changed in turn."""
    for match in _NUMBER.finditer(point):
        before = _NAME_BEFORE.search(point[: match.start()])
        if before is not None:
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


def _words(point: str, wording: Wording, times: Pairs, rng: random.Random) -> Iterator[str]:
    """The sentence with another number word, month or day, or another unit behind a number."""
    numbers = wording.lists["numbers"]
    if (found := with_others(point, _ring(numbers), rng)) is not None:
        yield found
    if (found := with_others(point, times, rng)) is not None:
        yield found
    for name in ("units_time", "units_size"):
        for match in _UNIT.finditer(point):
            if match[0] in wording.lists[name]:
                other = rng.choice([unit for unit in wording.lists[name] if unit != match[0]])
                yield point[: match.start()] + other + point[match.end() :]


def _ring(words: tuple[str, ...]) -> Pairs:
    others: Mapping[str, tuple[str, ...]] = {
        word: tuple(other for other in words[max(0, n - 2) : n + 3] if other != word)
        for n, word in enumerate(words)
    }
    return Pairs(others)


def _alike(key: str, text: str) -> bool:
    """Whether a key is named in a text, whatever the blanks."""
    return "".join(key.lower().split()) in "".join(bare(text).lower().split())


def _names(label: str, claim: str) -> bool:
    """Whether a claim names its own label, so that it could not be another's."""
    return bare(label).strip(" :–—-").lower() in bare(claim).lower()
