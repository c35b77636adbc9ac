"""True answers in the making: what they say, in pieces, before they are worded and laid out."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

from klopt.records import MessageType
from klopt.tuning.excerpts import Excerpts, bare
from klopt.tuning.questions import Asked, Asker
from klopt.tuning.wording import Wording

__all__ = ["Draft", "drafts"]

Form = Literal["guide", "prose", "binary", "list", "code"]

LONGEST_RUN: Final = 4
"""A prose answer has at most so many sentences of its page."""
FEWEST_WORDS_ALONE: Final = 14
"""A prose answer of one sentence has at least so many words."""
MOST_DRAFTS: Final = 40
"""Of one page."""


@dataclass(frozen=True, slots=True)
class Draft:
    """An answer in pieces.

    Attributes:
        form: How it is laid out.
        question: The user's question.
        message_type: Its type.
        points: The steps, sentences or list items, with the brackets of `klopt.tuning.excerpts`.
        opening: The sentence before a guide or list.
        closing: The sentence behind it; may be empty.
        yes: For a yes/no answer, what it says.
        claims: For a list, where each item's claim begins.
        code: For an error code, the code.
    """

    form: Form
    question: str
    message_type: MessageType
    points: tuple[str, ...]
    opening: str = ""
    closing: str = ""
    yes: bool | None = None
    claims: tuple[int, ...] = ()
    code: str = ""


def drafts(page: Excerpts, asker: Asker, rng: random.Random) -> list[Draft]:
    """The true answers that a page gives, at most `MOST_DRAFTS`, in random order.

    Args:
        page: What the page gives.
        asker: Makes the questions.
        rng: Chooses the templates and the stretches of prose.
    """
    makers = (_guides, _prose, _binary, _lists, _codes)
    made = [draft for maker in makers for draft in maker(page, asker, rng)]
    rng.shuffle(made)
    return made[:MOST_DRAFTS]


def stands_alone(sentence: str, wording: Wording) -> bool:
    """Whether a sentence is understood without the one before it."""
    return not wording.begins("anaphors", bare(sentence)) and not wording.mentions(
        "anaphors_inside", sentence
    )


def _guides(page: Excerpts, asker: Asker, rng: random.Random) -> Iterator[Draft]:
    templates = asker.wording.templates
    for recipe in page.recipes:
        lead = recipe.lead if len(page.recipes) > 1 or not recipe.heading else ""
        headings = (lead, recipe.heading, page.title)
        asked = asker.about(headings if recipe.heading != page.title else (lead, page.title), rng)
        if asked is None:
            continue
        opening = rng.choice(templates["opening"])
        question = asked.text
        if (lead or recipe.heading) != page.title and not _same_subject(question, page.title):
            question = f"{question} ({asker.lowered(page.title)})" if page.title else question
        closing = rng.choice(templates["closing"]) if rng.random() < 0.2 else ""
        yield Draft("guide", question, asked.message_type, recipe.steps, opening, closing)


def _same_subject(question: str, title: str) -> bool:
    """Whether a question has a word of five letters or more of the title, or its stem."""
    words = [word[:5] for word in title.lower().split() if len(word) >= 5]
    return not words or any(word in question.lower() for word in words)


def _prose(page: Excerpts, asker: Asker, rng: random.Random) -> Iterator[Draft]:
    for run in page.runs:
        first = [i for i, s in enumerate(run.sentences) if stands_alone(s, asker.wording)]
        if not first:
            continue
        start = rng.choice(first)
        end = start + rng.randint(2, LONGEST_RUN)
        found = run.sentences[start:end]
        how = any(asker.wording.begins("moves", bare(sentence)) for sentence in found)
        asked = _asked(run.heading, page.title, asker, rng, how=how)
        if asked is not None and (len(found) > 1 or len(found[0].split()) >= FEWEST_WORDS_ALONE):
            yield Draft("prose", asked.text, asked.message_type, found)


def _asked(
    heading: str, title: str, asker: Asker, rng: random.Random, *, how: bool
) -> Asked | None:
    return asker.about((heading, title) if heading != title else (title,), rng, how=how)


def _binary(page: Excerpts, asker: Asker, rng: random.Random) -> Iterator[Draft]:
    for run in page.runs:
        for place, sentence in enumerate(run.sentences):
            if not stands_alone(sentence, asker.wording):
                continue
            found = asker.statement(sentence)
            if found is None:
                continue
            asked, yes = found
            more = run.sentences[place + 1 : place + rng.randint(1, 3)]
            points = (sentence, *more)
            yield Draft("binary", asked.text, asked.message_type, points, yes=yes)


def _lists(page: Excerpts, asker: Asker, rng: random.Random) -> Iterator[Draft]:
    for claims in page.claims:
        asked = _asked(claims.heading, page.title, asker, rng, how=False)
        if asked is None:
            continue
        items = claims.items[:8]
        points = tuple(f"{label}{sign} {claim}" for label, sign, claim in items)
        starts = tuple(len(label) + len(sign) + 1 for label, sign, _ in items)
        opening = rng.choice(asker.wording.templates["list_opening"])
        yield Draft("list", asked.text, asked.message_type, points, opening, claims=starts)


def _codes(page: Excerpts, asker: Asker, rng: random.Random) -> Iterator[Draft]:
    for code in page.codes:
        asked = asker.code(code.code, rng)
        opening = rng.choice(asker.wording.templates["code_answer"])
        first, *more = code.claims
        points = (opening.format(code.code, first), *more)
        start = len(points[0]) - len(first)
        yield Draft("code", asked.text, asked.message_type, points, claims=(start,), code=code.code)
