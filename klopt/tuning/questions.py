"""Questions as users type them, made from headings and statements of help pages."""

from __future__ import annotations

import random
from typing import Final, NamedTuple

from klopt.records import MessageType
from klopt.tuning.wording import Wording, bare

__all__ = ["Asked", "about", "from_statement"]

LONGEST_HEADING_CHARS: Final = 110


class Asked(NamedTuple):
    """A question and its message type."""

    text: str
    message_type: MessageType


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
