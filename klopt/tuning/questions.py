"""Questions as users type them, made from headings and statements of help pages."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Final

import regex

from klopt.lexicons import Lexicon
from klopt.records import MessageType
from klopt.tuning.excerpts import bare
from klopt.tuning.wording import Wording

__all__ = ["Asked", "Asker"]

LONGEST_HEADING_CHARS: Final = 110
_INSTRUCTION: Final = "imperative"


@dataclass(frozen=True, slots=True)
class Asked:
    """A question and its message type."""

    text: str
    message_type: MessageType


@dataclass(frozen=True)
class Asker:
    """Makes questions in one language.

    Attributes:
        wording: The words of the language.
        guides: Its lexicon ``guides``, which knows the verbs that begin an instruction.
        common: The words that the pages also write in small letters.
    """

    wording: Wording
    guides: Lexicon
    common: frozenset[str]

    def lowered(self, text: str) -> str:
        """The text with a small first letter, unless its first word is a name."""
        first = regex.match(r"[\w'’-]+", text)
        if first is None or first[0].lower() not in self.common:
            return text
        if first[0] in self.wording.lists["capitals"]:
            return text
        return text[:1].lower() + text[1:]

    def about(
        self, headings: tuple[str, ...], rng: random.Random, *, how: bool = True
    ) -> Asked | None:
        """A question to which the text under a heading is the answer; None without a heading.

        Args:
            headings: The one to ask from comes first; the next is taken when that one asks for
                nothing, such as "Tips".
            rng: Chooses the template.
            how: Whether the text says how to do something, so that the question may ask that.
        """
        usable = [h.strip() for h in headings if 4 <= len(h.strip()) <= LONGEST_HEADING_CHARS]
        for heading in usable:
            if heading.endswith("?") or self.wording.begins("question_words", heading):
                return Asked(heading.rstrip("?:. ") + "?", "general")
            if self.wording.mentions("problems", heading):
                return Asked(self._filled("problem", heading.rstrip(":. "), rng), "error")
            if (found := self._task(heading)) is not None:
                name, what = found
                kind: MessageType = "instruction" if how else "general"
                return Asked(self._filled(name if how else f"{name}_topic", what, rng), kind)
        for heading in usable[-1:]:
            topic = self._first_person(self.lowered(heading.rstrip(":. ")))
            name = "quoted" if self._instructs(heading) else "topic"
            return Asked(self._filled(name, topic, rng), "general")
        return None

    def code(self, code: str, rng: random.Random) -> Asked:
        """A question about an error code."""
        return Asked(self._filled("code", code, rng), "error")

    def statement(self, sentence: str) -> tuple[Asked, bool] | None:
        """A yes/no question from a statement, and whether the statement says yes."""
        positive = sentence
        for rule in self.wording.rules["positive"]:
            positive = rule.apply(positive) or positive
        for rule in self.wording.rules["ask"]:
            asked = rule.apply(positive)
            if asked is not None:
                return Asked(self._question(asked), "binary"), positive == sentence
        return None

    def _question(self, text: str) -> str:
        """What the rules made, with small letters inside and the user's own point of view."""
        words = bare(self._first_person(text)).split(" ")
        for place, word in enumerate(words[1:3], 1):
            words[place] = self.lowered(word)
        return " ".join(words)[:1].upper() + " ".join(words)[1:]

    def _task(self, heading: str) -> tuple[str, str] | None:
        """The template and what to fill in, when the heading names something to do."""
        text = heading.rstrip(":. ")
        for rule in self.wording.rules["task"]:
            text = rule.apply(text) or text
        words = text.split()
        if not 2 <= len(words) <= 12 or self.wording.mentions("finite", text):
            return None
        what = self._first_person(self.lowered(text))
        lists = self.wording.lists
        if any(word.lower().endswith(lists["tasks"]) for word in words):
            return "task", what
        if words[0].lower().endswith(lists["gerund_endings"]):
            return "gerund", what[:1].lower() + what[1:]
        if "imperative" in self.wording.templates and self._instructs(text):
            return "imperative", what[:1].lower() + what[1:]
        return None

    def _instructs(self, text: str) -> bool:
        """Whether a heading begins with an instruction, as "Open the file" does."""
        opening = [p for p in self.guides.group("step_verb") if p.id == _INSTRUCTION]
        return any(pattern.search(text) is not None for pattern in opening)

    def _first_person(self, text: str) -> str:
        for rule in self.wording.rules["user"]:
            while (found := rule.apply(text)) is not None:
                text = found
        return text

    def _filled(self, name: str, what: str, rng: random.Random) -> str:
        return rng.choice(self.wording.templates[name]).format(what)
