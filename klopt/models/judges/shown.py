"""What a judge is shown: texts of others, set apart so that none of them can pose as ours."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from klopt.models.judges.rubrics import Dimension, prompts
from klopt.reading.reader import ANSWER_LIMIT_CHARS, CONTEXTS_LIMIT_CHARS
from klopt.records import Turn

Against: TypeAlias = Literal["auto", "reference", "pages"]
"""What an answer is held against; ``auto`` is the reference when the turn has one."""

Source: TypeAlias = Literal["reference", "pages", "nothing"]

_MARK_CHARS: Final = 10
_NO_ANSWER: Final = "the answer is empty"
_NO_QUESTION: Final = "the question is empty"
_NO_SOURCE: Final = {
    "auto": "there is neither a reference answer nor a page",
    "reference": "there is no reference answer",
    "pages": "there are no pages",
}


@dataclass(frozen=True, slots=True)
class Shown:
    """The texts of one turn, ready to be shown.

    Attributes:
        source: What the answer is held against.
        mark: What no text contains; it stands in the lines around each.
        blocks: The texts between such lines.
    """

    source: Source
    mark: str
    blocks: str


def obstacle(turn: Turn, dimension: Dimension, against: Against) -> str | None:
    """Why an answer cannot be judged on a dimension, or None."""
    if not turn.answer.strip():
        return _NO_ANSWER
    if dimension.needs_question and not turn.question.strip():
        return _NO_QUESTION
    if dimension.sees == "needed" and _source(turn, dimension, against) == "nothing":
        return _NO_SOURCE[against]
    texts = {"question": turn.question, "answer": turn.answer, "reference": turn.reference or ""}
    for name, text in texts.items():
        if len(text) > ANSWER_LIMIT_CHARS:
            return f"the {name} has {len(text)} characters, more than {ANSWER_LIMIT_CHARS}"
    page_chars = sum(len(page.text) for page in turn.pages)
    if _source(turn, dimension, against) == "pages" and page_chars > CONTEXTS_LIMIT_CHARS:
        return f"the pages have {page_chars} characters, more than {CONTEXTS_LIMIT_CHARS}"
    return None


def gather(turn: Turn, dimension: Dimension, against: Against) -> Shown:
    """The texts of a turn for a judge of a dimension.

    The mark is made from the texts by SHA-256, so that the same turn makes the same message on
    every machine, and made anew until no text contains it.
    """
    names = prompts()["data"]
    source = _source(turn, dimension, against)
    texts = [(names["question"], turn.question), (names["answer"], turn.answer)]
    if source == "reference":
        texts.append((names["reference"], turn.reference or ""))
    if source == "pages":
        texts += [
            (names["page"].format(number=number), _page(page.title, page.text))
            for number, page in enumerate(turn.pages, 1)
        ]
    mark = _mark([text for _, text in texts])
    blocks = [names["block"].format(name=name, mark=mark, text=text) for name, text in texts]
    return Shown(source, mark, "\n\n".join(blocks))


def _source(turn: Turn, dimension: Dimension, against: Against) -> Source:
    if dimension.sees == "nothing":
        return "nothing"
    if against != "pages" and turn.reference and turn.reference.strip():
        return "reference"
    if against != "reference" and any(page.text.strip() for page in turn.pages):
        return "pages"
    return "nothing"


def _page(title: str | None, text: str) -> str:
    return f"{title}\n\n{text}" if title else text


def _mark(texts: list[str]) -> str:
    mark = json.dumps(texts)
    while True:
        mark = hashlib.sha256(mark.encode("ascii")).hexdigest()[:_MARK_CHARS]
        if not any(mark in text for text in texts):
            return mark
