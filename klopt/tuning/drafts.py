"""Questions as users type them, and true answers in pieces, before they are worded and laid out."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final, Literal, NamedTuple

from klopt.records import MessageType
from klopt.tuning.excerpts import Excerpts
from klopt.tuning.wording import Wording, bare

__all__ = ["Asked", "Draft", "about", "drafts", "from_statement"]

Form = Literal["guide", "prose", "binary", "list", "code"]

LONGEST_RUN: Final = 4
"""A prose answer has at most so many sentences of its page."""
FEWEST_WORDS_ALONE: Final = 14
"""A prose answer of one sentence has at least so many words."""
MOST_DRAFTS: Final = 40
"""Of one page."""
LONGEST_HEADING_CHARS: Final = 110


class Asked(NamedTuple):
    """A question and its message type."""

    text: str
    message_type: MessageType


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


def about(
    headings: tuple[str, ...], wording: Wording, rng: random.Random, *, how: bool = True
) -> Asked | None:
    """A question to which the text under a heading is the answer; None without a heading.

    Args:
        headings: The one to ask from comes first; the next is taken when that one asks for
            nothing, such as "Tips".
        wording: The words of their language.
        rng: Chooses the template.
        how: Whether the text says how to do something, so that the question may ask that.
    """
    usable = [h.strip() for h in headings if 4 <= len(h.strip()) <= LONGEST_HEADING_CHARS]
    for heading in usable:
        if heading.endswith("?") or wording.begins("question_words", heading):
            return Asked(heading.rstrip("?:. ") + "?", "general")
        if wording.mentions("problems", heading):
            return Asked(wording.phrase("problem", rng, heading.rstrip(":. ")), "error")
        if (found := _task(heading, wording)) is not None:
            name, what = found
            kind: MessageType = "instruction" if how else "general"
            return Asked(wording.phrase(name if how else f"{name}_topic", rng, what), kind)
    for heading in usable[-1:]:
        topic = _first_person(wording.lowered(heading.rstrip(":. ")), wording)
        name = "quoted" if _instructs(heading, wording) else "topic"
        return Asked(wording.phrase(name, rng, topic), "general")
    return None


def from_statement(sentence: str, wording: Wording) -> tuple[Asked, bool] | None:
    """A yes/no question from a statement, and whether the statement says yes; None if none."""
    positive = wording.rewritten("positive", sentence)
    questions = (rule.apply(positive) for rule in wording.rules["ask"])
    asked = next((one for one in questions if one is not None), None)
    if asked is None:
        return None
    first, *words = bare(_first_person(asked, wording)).split(" ")
    words[:2] = map(wording.lowered, words[:2])
    text = " ".join((first, *words))
    return Asked(text[:1].upper() + text[1:], "binary"), positive == sentence


def _task(heading: str, wording: Wording) -> tuple[str, str] | None:
    """The template and what to fill in, when the heading names something to do."""
    text = wording.rewritten("task", heading.rstrip(":. "))
    words = text.split()
    if not 2 <= len(words) <= 12 or wording.mentions("finite", text):
        return None
    what = _first_person(wording.lowered(text), wording)
    if any(word.lower().endswith(wording.lists["tasks"]) for word in words):
        return "task", what
    what = what[:1].lower() + what[1:]
    if words[0].lower().endswith(wording.lists["gerund_endings"]):
        return "gerund", what
    if "imperative" in wording.templates and _instructs(text, wording):
        return "imperative", what
    return None


def _instructs(text: str, wording: Wording) -> bool:
    return any(pattern.search(text) is not None for pattern in wording.instructions)


def _first_person(text: str, wording: Wording) -> str:
    return wording.rewritten("user", text, everywhere=True)
