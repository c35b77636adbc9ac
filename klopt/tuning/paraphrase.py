"""Says the same in other words, and lays an answer out as bots do.

Each rewriting keeps what is true: it drops words and tails that only explain, puts a word for
its like, joins the first two steps. What could change the meaning is left alone.
"""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Final

import regex

from klopt.tuning.drafts import Draft
from klopt.tuning.wording import Wording, bare, with_others

__all__ = ["lay_out", "reworded"]

_LONGEST_RUNNING: Final = 5
"""A guide with more steps stays a list."""
_LONGEST_JOINED_CHARS: Final = 140
_FEWEST_WORDS_LEFT: Final = 5


def reworded(draft: Draft, wording: Wording, rng: random.Random) -> Draft:
    """A draft that says the same in other words; now and then the draft itself."""
    points = tuple(_point(point, wording, rng) for point in draft.points)
    changed = replace(draft, points=points) if not draft.claims else draft
    if changed.form == "guide" and rng.random() < 0.25:
        return _merged(changed, wording)
    if changed.form == "prose" and rng.random() < 0.25:
        alone = all(map(wording.stands_alone, points))
        return replace(changed, points=points[::-1]) if len(points) == 2 and alone else changed
    return changed


def _point(point: str, wording: Wording, rng: random.Random) -> str:
    for group, share in (("filler", 0.6), ("trim", 0.4)):
        for rule in wording.rules[group]:
            shorter = rule.apply(point) if rng.random() < share else None
            if shorter is not None and len(shorter.split()) >= _FEWEST_WORDS_LEFT:
                point = shorter
    changed = with_others(point, wording.exchanges, rng) if rng.random() < 0.4 else None
    return changed or point


def _merged(draft: Draft, wording: Wording) -> Draft:
    """The draft with the first two of three steps or more as one, when both are short moves."""
    first, second, *more = draft.points
    simple = all(
        wording.begins("moves", step) and step.endswith(".") and not _has_parts(step)
        for step in (first, second)
    )
    if not more or not simple or len(first) + len(second) > _LONGEST_JOINED_CHARS:
        return draft
    joint = wording.templates["join"][0].format(first[:-1], second[:1].lower() + second[1:])
    return replace(draft, points=(joint, *more))


def _has_parts(step: str) -> bool:
    return regex.search("[.:,] ", step) is not None


def lay_out(draft: Draft, wording: Wording, rng: random.Random) -> str:
    """The Markdown of a draft: bold, quotes or nothing around components; a list or sentences.

    The address (Dutch "u" or "je") is the same in the whole answer.
    """
    points = draft.points
    if draft.form == "guide":
        running = _running(points, wording, rng) if rng.random() < 0.2 else None
        steps = "\n".join(f"{number}. {step}" for number, step in enumerate(points, 1))
        body = running or f"{draft.opening}\n\n{steps}"
    elif draft.form == "list":
        body = draft.opening + "\n\n" + "\n".join(f"- {point}" for point in points)
    elif draft.yes is not None:
        name = "yes" if draft.yes else "no"
        template = wording.templates[name if points else f"{name}_alone"][0]
        body = " ".join((template.format(*map(wording.lowered, points[:1])), *points[1:]))
    else:
        body = " ".join(points)
    if draft.closing:
        body += "\n\n" + draft.closing
    if rng.random() < 0.3:
        informal = wording.rewritten("informal", body, everywhere=True)
        # A "u" that no rule knows leaves the whole answer formal.
        body = body if regex.search(r"(?<!\w)[uU](?!\w)", informal) else informal
    sign = rng.choice(("**", "**", "**", "**", '"', ""))
    return bare(regex.sub(r"⟦([^⟧]*)⟧", rf"{sign}\1{sign}", body))


def _running(steps: tuple[str, ...], wording: Wording, rng: random.Random) -> str | None:
    """The steps as sentences, two in one ("Klik op X en kies daarna Y."), or None."""
    if len(steps) > _LONGEST_RUNNING or not all(wording.begins("moves", one) for one in steps):
        return None
    plain = [wording.rewritten("running", step).removesuffix(".") + "." for step in steps]
    found: list[str] = []
    for place in range(0, len(plain), 2):
        first, *second = plain[place : place + 2]
        if not second or _has_parts(first) or _has_parts(second[0]):
            found.extend((first, *second))
            continue
        verb, _, rest = second[0].partition(" ")
        then = wording.phrase("then", rng, verb[:1].lower() + verb[1:], rest)
        found.append(wording.templates["join"][0].format(first[:-1], then))
    return " ".join(found)
