"""What judges are asked: four dimensions with a rubric each, in the form of G-Eval or Prometheus.

Texts of others are set apart, so that none of them can pose as ours.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, Literal, TypeAlias, get_args

from klopt import shipped
from klopt.errors import ConfigurationError, ReplyError
from klopt.models.calls import parse_json
from klopt.reading.reader import ANSWER_LIMIT_CHARS, CONTEXTS_LIMIT_CHARS
from klopt.records import Turn

Form: TypeAlias = Literal["g_eval", "prometheus"]
FORMS: Final[tuple[Form, ...]] = get_args(Form)

Against: TypeAlias = Literal["auto", "reference", "pages"]
"""What an answer is held against; ``auto`` is the reference when the turn has one."""

Sees: TypeAlias = Literal["nothing", "source", "needed"]
"""What a judge is shown beside question and answer; ``rubrics.toml`` explains the words."""

Source: TypeAlias = Literal["reference", "pages", "nothing"]

LOWEST, HIGHEST = 1, 5
_HERE: Final = "klopt.models.judges"
_FILES: Final = ("rubrics.toml", "prompts.toml")
_DIGEST_CHARS: Final = 12
_MARK_CHARS: Final = 10
_NO_SOURCE: Final = {
    "auto": "there is neither a reference answer nor a page",
    "reference": "there is no reference answer",
    "pages": "there are no pages",
}
_KEYS: Final = frozenset({"explanation", "score"})
_LABEL: Final = "Feedback:"
_RESULT: Final = "[RESULT]"
_SCORES: Final = frozenset(map(str, range(LOWEST, HIGHEST + 1)))


@dataclass(frozen=True, slots=True)
class Dimension:
    """One aspect of an answer, scored 1 (worst) to 5 (best).

    Attributes:
        name: ``readability``, ``relevance``, ``truthfulness`` or ``usability``.
        title: The same for people.
        sees: Whether the reference or the pages are shown, and whether they are needed.
        needs_question: Whether it can only be judged when what was asked is known.
        question: What is judged, in one line.
        criteria: What counts.
        steps: How to go about it; G-Eval's chain of thought.
        scores: What each score stands for, from 1 to 5.
    """

    name: str
    title: str
    sees: Sees
    needs_question: bool
    question: str
    criteria: str
    steps: tuple[str, ...]
    scores: tuple[str, ...]

    @property
    def rubric(self) -> str:
        """The scores, a line each."""
        return "\n".join(f"Score {place}: {text}" for place, text in enumerate(self.scores, LOWEST))


@cache
def dimensions() -> Mapping[str, Dimension]:
    """The four dimensions by name, sorted.

    Source: HR chatbot paper, section 3.3.2 (which dimensions); the wording is ours.

    >>> list(dimensions())
    ['readability', 'relevance', 'truthfulness', 'usability']
    """
    return {
        name: _dimension(name, one) for name, one in sorted(shipped.table(_HERE, _FILES[0]).items())
    }


def dimension(name: str) -> Dimension:
    """One dimension.

    Raises:
        ConfigurationError: There is none of that name.
    """
    try:
        return dimensions()[name]
    except KeyError:
        allowed = ", ".join(dimensions())
        raise ConfigurationError(f'dimension "{name}" is not one of {allowed}') from None


@cache
def prompts() -> Mapping[str, Mapping[str, str]]:
    """The messages to the judges, by table and name."""
    return {
        table: {name: text.strip("\n") for name, text in texts.items()}
        for table, texts in shipped.table(_HERE, _FILES[1]).items()
    }


@cache
def prompt_digest() -> str:
    """SHA-256 of rubrics and prompts, its first 12 digits: other words may give other scores."""
    found = hashlib.sha256()
    for file in _FILES:
        found.update(shipped.text(_HERE, file).encode())
    return found.hexdigest()[:_DIGEST_CHARS]


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


@dataclass(frozen=True, slots=True)
class Scored:
    """A reply that follows the form: 1 to 5, and why in the judge's words."""

    score: int
    feedback: str


def obstacle(turn: Turn, dimension: Dimension, against: Against) -> str | None:
    """Why an answer cannot be judged on a dimension, or None."""
    if not turn.answer.strip():
        return "the answer is empty"
    if dimension.needs_question and not turn.question.strip():
        return "the question is empty"
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
    """The texts of a turn for a judge of a dimension."""
    names = prompts()["data"]
    source = _source(turn, dimension, against)
    texts = [(names["question"], turn.question), (names["answer"], turn.answer)]
    if source == "reference":
        texts.append((names["reference"], turn.reference or ""))
    if source == "pages":
        texts += [
            (
                names["page"].format(number=number),
                f"{page.title}\n\n{page.text}" if page.title else page.text,
            )
            for number, page in enumerate(turn.pages, 1)
        ]
    return Shown(source, *set_apart(texts))


def set_apart(texts: Sequence[tuple[str, str]]) -> tuple[str, str]:
    r"""A mark that no text contains, and the named texts between lines with that mark.

    The mark is made from the texts by SHA-256, so that the same texts make the same message on
    every machine, and made anew until no text contains it.

    >>> mark, blocks = set_apart([("ANSWER", "Ja.")])
    >>> blocks.split("\n") == [f"[BEGIN ANSWER {mark}]", "Ja.", f"[END ANSWER {mark}]"]
    True
    """
    block = prompts()["data"]["block"]
    mark = _mark([text for _, text in texts])
    return mark, "\n\n".join(block.format(name=name, mark=mark, text=text) for name, text in texts)


def messages(form: Form, dimension: Dimension, shown: Shown) -> tuple[str, str]:
    """The instructions and the message to the model.

    Source:
        Liu et al. (2023) and Kim et al. (2023); HR chatbot paper, section 3.3.4, appendices C.2
        and C.3.

    Differs:
        G-Eval weighs the scores 1 to 5 by the probability that the model gives to each, so that a
        score may be 3.7. Few servers tell those, and the HR chatbot paper asks for a whole number
        only; so do we. The steps are written out in ``rubrics.toml``, where G-Eval lets the model
        write them first. The explanation comes before the score, so that the score rests on it;
        in the paper it follows.

        Any model may be asked in the form of Prometheus, also one that was not trained on it; one
        that was is given its form in our words. Each score has its own line, where the paper's
        rubric says very low to excellent correlation with the criteria.

        The papers always show a reference answer, which deserves a 5; we show the pages where
        there is none, and neither to a judge of readability.
    """
    texts = prompts()
    own = texts[form]
    words = {
        "title": dimension.title,
        "question": dimension.question,
        "criteria": dimension.criteria,
        "steps": "\n".join(f"{number}. {step}" for number, step in enumerate(dimension.steps, 1)),
        "scores": dimension.rubric,
        "source": own.get(shown.source, texts["source"][shown.source]),
        "rule": texts["data"]["rule"].format(mark=shown.mark),
        "mark": shown.mark,
        "blocks": shown.blocks,
    }
    return own["system"].format_map(words), own["user"].format_map(words)


def read(form: Form, text: str) -> Scored:
    """The score of a reply, and why.

    For G-Eval it is one JSON object with just "explanation", a text, and "score", a whole number;
    for Prometheus ``Feedback: … [RESULT] n``. There the label may be missing, as a model that was
    trained on the form continues after it. Nothing may follow the score.

    Raises:
        ReplyError: It is anything else: ``bad_json``, or ``bad_shape`` for another score, such as
            4.5, "4", true or 6; also when ``[RESULT]`` stands in it twice, as then an answer that
            was quoted may have brought it in.

    >>> read("g_eval", '{"explanation": "Two steps are missing.", "score": 3}')
    Scored(score=3, feedback='Two steps are missing.')
    >>> read("prometheus", "Feedback: The order of the steps is wrong. [RESULT] 2")
    Scored(score=2, feedback='The order of the steps is wrong.')
    """
    return _read_g_eval(text) if form == "g_eval" else _read_prometheus(text)


def _source(turn: Turn, dimension: Dimension, against: Against) -> Source:
    if dimension.sees == "nothing":
        return "nothing"
    if against != "pages" and turn.reference and turn.reference.strip():
        return "reference"
    if against != "reference" and any(page.text.strip() for page in turn.pages):
        return "pages"
    return "nothing"


def _mark(texts: list[str]) -> str:
    mark = json.dumps(texts)
    while True:
        mark = hashlib.sha256(mark.encode("ascii")).hexdigest()[:_MARK_CHARS]
        if not any(mark in text for text in texts):
            return mark


def _read_g_eval(text: str) -> Scored:
    found = parse_json(text)
    if not isinstance(found, dict) or found.keys() != _KEYS:
        raise ReplyError(
            "bad_shape", 'the reply is not an object with just "explanation" and "score"'
        )
    explanation, score = found["explanation"], found["score"]
    if not isinstance(explanation, str):
        raise ReplyError("bad_shape", '"explanation" is not a text')
    if type(score) is not int or not LOWEST <= score <= HIGHEST:
        raise ReplyError("bad_shape", f'"score" is not a whole number from {LOWEST} to {HIGHEST}')
    return Scored(score, explanation.strip())


def _read_prometheus(text: str) -> Scored:
    before, _, after = text.partition(_RESULT)
    feedback, score = before.strip().removeprefix(_LABEL).strip(), after.strip()
    if not feedback or score not in _SCORES:
        raise ReplyError(
            "bad_shape",
            "the reply is not feedback, [RESULT] once and a whole number from 1 to 5 at the end",
        )
    return Scored(int(score), feedback)


def _dimension(name: str, table: Mapping[str, Any]) -> Dimension:
    lists = {key: tuple(table[key]) for key in ("steps", "scores")}
    return Dimension(**{**table, **lists, "name": name, "criteria": table["criteria"].strip()})
