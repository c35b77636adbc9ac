"""Says the same in other words, and lays an answer out as bots do.

Each rewriting keeps what is true: it drops words and tails that only explain, puts a word for
its like, joins the first two steps. What could change the meaning is left alone.
"""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Final

import regex

from klopt.tuning.drafts import Draft, stands_alone
from klopt.tuning.excerpts import bare
from klopt.tuning.likes import with_others
from klopt.tuning.questions import Asker
from klopt.tuning.wording import Pairs, Wording

__all__ = ["lay_out", "reworded"]

_LONGEST_RUNNING: Final = 5
"""A guide with more steps stays a list."""
_FEWEST_WORDS_LEFT: Final = 5


def reworded(draft: Draft, words: Pairs, asker: Asker, rng: random.Random) -> Draft:
    """A draft that says the same in other words; now and then the draft itself."""
    points = tuple(_point(point, words, asker.wording, rng) for point in draft.points)
    changed = replace(draft, points=points) if not draft.claims else draft
    if changed.form == "guide" and rng.random() < 0.25:
        changed = _merged(changed, asker)
    if changed.form == "prose" and rng.random() < 0.25:
        changed = _reordered(changed, asker.wording)
    return changed


def _point(point: str, words: Pairs, wording: Wording, rng: random.Random) -> str:
    for group, share in (("filler", 0.6), ("trim", 0.4)):
        for rule in wording.rules[group]:
            shorter = rule.apply(point) if rng.random() < share else None
            if shorter is not None and len(shorter.split()) >= _FEWEST_WORDS_LEFT:
                point = shorter
    if rng.random() < 0.4:
        point = with_others(point, words, rng) or point
    return point


def _merged(draft: Draft, asker: Asker) -> Draft:
    """The first two steps as one, when both are a single short instruction."""
    first, second, *more = draft.points
    joint = _joined(first, second, asker)
    if joint is None or len(more) < 1:
        return draft
    return replace(draft, points=(joint, *more))


def _joined(first: str, second: str, asker: Asker) -> str | None:
    wording = asker.wording
    simple = all(
        wording.begins("moves", bare(step))
        and step.endswith(".")
        and not regex.search("[.:,] ", step)
        for step in (first, second)
    )
    if not simple or len(first) + len(second) > 140:
        return None
    return wording.templates["join"][0].format(first[:-1], second[:1].lower() + second[1:])


def _reordered(draft: Draft, wording: Wording) -> Draft:
    """The first two sentences the other way round, when both stand alone."""
    first, second, *more = draft.points if len(draft.points) > 1 else ("", "")
    if more or not first or not all(stands_alone(one, wording) for one in (first, second)):
        return draft
    return replace(draft, points=(second, first))


def lay_out(draft: Draft, asker: Asker, rng: random.Random) -> str:
    """The Markdown of a draft: bold, quotes or nothing around components; a list or sentences.

    The address (Dutch "u" or "je") is the same in the whole answer.
    """
    wording = asker.wording
    points = draft.points
    body: str
    if draft.form == "guide":
        running = _running(points, asker, rng) if rng.random() < 0.2 else None
        body = running or "\n".join(f"{n}. {step}" for n, step in enumerate(points, 1))
        sign = " " if running else "\n\n"
        body = f"{draft.opening}{sign}{body}" if running is None else body
    elif draft.form == "list":
        body = draft.opening + "\n\n" + "\n".join(f"- {point}" for point in points)
    elif draft.yes is not None:
        name = "yes" if draft.yes else "no"
        if points:
            body = wording.templates[name][0].format(asker.lowered(points[0]))
            body = " ".join((body, *points[1:]))
        else:
            body = wording.templates[f"{name}_alone"][0]
    else:
        body = " ".join(points)
    if draft.closing:
        body += "\n\n" + draft.closing
    body = _addressed(body, wording) if rng.random() < 0.3 else body
    sign = rng.choice(("**", "**", "**", "**", '"', ""))
    body = regex.sub(r"⟦([^⟧]*)⟧", rf"{sign}\1{sign}", body)
    return bare(body)


def _running(steps: tuple[str, ...], asker: Asker, rng: random.Random) -> str | None:
    """The steps as sentences, two in one ("Klik op X en kies daarna Y."), or None."""
    wording = asker.wording
    if len(steps) > _LONGEST_RUNNING or not all(wording.begins("moves", bare(s)) for s in steps):
        return None
    plain: list[str] = []
    for step in steps:
        for rule in wording.rules["running"]:
            step = rule.apply(step) or step
        plain.append(step if step.endswith(".") else step + ".")
    found: list[str] = []
    for place in range(0, len(plain), 2):
        first, *second = plain[place : place + 2]
        if not second or any(regex.search(r"[.:,] ", one) for one in (first, second[0])):
            found.extend((first, *second))
            continue
        verb, _, rest = second[0].partition(" ")
        then = rng.choice(wording.templates["then"]).format(verb[:1].lower() + verb[1:], rest)
        found.append(wording.templates["join"][0].format(first[:-1], then))
    return " ".join(found)


def _addressed(text: str, wording: Wording) -> str:
    """The text with the other form of address, or as it was when a place is doubtful."""
    changed = text
    for rule in wording.rules.get("informal", ()):
        while (found := rule.apply(changed)) is not None:
            changed = found
    return text if regex.search(r"(?<!\w)[uU](?!\w)", changed) else changed
