"""True answers in the making: what they say, in pieces, before they are worded and laid out."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final, Literal

from klopt.records import MessageType
from klopt.tuning.excerpts import Excerpts
from klopt.tuning.questions import about, from_statement
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

    def with_point(self, place: int, point: str) -> Draft:
        """The draft with another point at a place."""
        return replace(self, points=(*self.points[:place], point, *self.points[place + 1 :]))


def drafts(page: Excerpts, wording: Wording, rng: random.Random) -> list[Draft]:
    """The true answers that a page gives, at most `MOST_DRAFTS`, in random order.

    Args:
        page: What the page gives.
        wording: The words of its language.
        rng: Chooses the templates and the stretches of prose.
    """
    makers = (_guides, _prose, _binary, _lists, _codes)
    made = [draft for maker in makers for draft in maker(page, wording, rng)]
    rng.shuffle(made)
    return made[:MOST_DRAFTS]


def _guides(page: Excerpts, wording: Wording, rng: random.Random) -> Iterator[Draft]:
    for recipe in page.recipes:
        lead = recipe.lead if len(page.recipes) > 1 or not recipe.heading else ""
        asked = about((lead, recipe.heading, page.title), wording, rng)
        if asked is None:
            continue
        opening = wording.phrase("opening", rng)
        question, title = asked.text, page.title
        if title and (lead or recipe.heading) != title and not _same_subject(question, title):
            question = f"{question} ({wording.lowered(title)})"
        closing = wording.phrase("closing", rng) if rng.random() < 0.2 else ""
        yield Draft("guide", question, asked.message_type, recipe.steps, opening, closing)


def _same_subject(question: str, title: str) -> bool:
    """Whether a question has a word of five letters or more of the title, or its stem."""
    words = [word[:5] for word in title.lower().split() if len(word) >= 5]
    return not words or any(word in question.lower() for word in words)


def _prose(page: Excerpts, wording: Wording, rng: random.Random) -> Iterator[Draft]:
    for heading, sentences in page.runs:
        first = [place for place, one in enumerate(sentences) if wording.stands_alone(one)]
        if not first:
            continue
        start = rng.choice(first)
        found = sentences[start : start + rng.randint(2, LONGEST_RUN)]
        how = any(wording.begins("moves", sentence) for sentence in found)
        asked = about((heading, page.title), wording, rng, how=how)
        if asked is not None and (len(found) > 1 or len(found[0].split()) >= FEWEST_WORDS_ALONE):
            yield Draft("prose", asked.text, asked.message_type, found)


def _binary(page: Excerpts, wording: Wording, rng: random.Random) -> Iterator[Draft]:
    for _, sentences in page.runs:
        for place, sentence in enumerate(sentences):
            alone = wording.stands_alone(sentence)
            found = from_statement(sentence, wording) if alone else None
            if found is not None:
                asked, yes = found
                points = sentences[place : place + rng.randint(1, 3)]
                yield Draft("binary", asked.text, asked.message_type, points, yes=yes)


def _lists(page: Excerpts, wording: Wording, rng: random.Random) -> Iterator[Draft]:
    for heading, every in page.claims:
        asked = about((heading, page.title), wording, rng, how=False)
        if asked is None:
            continue
        items = every[:8]
        points = tuple(f"{label}{sign} {claim}" for label, sign, claim in items)
        starts = tuple(len(label) + len(sign) + 1 for label, sign, _ in items)
        opening = wording.phrase("list_opening", rng)
        yield Draft("list", asked.text, asked.message_type, points, opening, claims=starts)


def _codes(page: Excerpts, wording: Wording, rng: random.Random) -> Iterator[Draft]:
    for code, (first, *more) in page.codes:
        question = wording.phrase("code", rng, code)
        opening = wording.phrase("code_answer", rng, code, first)
        start = len(opening) - len(first)
        yield Draft("code", question, "error", (opening, *more), claims=(start,), code=code)
