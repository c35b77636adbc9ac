"""LLM judges: G-Eval and Prometheus, each on one of four dimensions, from 1 to 5.

What they are asked stands in ``rubrics.toml`` and ``prompts.toml``. Texts of others are set apart,
so that none of them can pose as ours.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Final, Literal, TypeAlias, get_args

from klopt import shipped
from klopt.errors import LlmReason, ReplyError
from klopt.models.calls import Call, CallError, Model, Usage, ask, parse_json
from klopt.reading.reader import ANSWER_LIMIT_CHARS, CONTEXTS_LIMIT_CHARS
from klopt.records import Page, Turn

Form: TypeAlias = Literal["g_eval", "prometheus"]
FORMS: Final[tuple[Form, ...]] = get_args(Form)

Against: TypeAlias = Literal["auto", "pages"]
"""What an answer is held against; ``auto`` is the reference when the turn has one."""

LOWEST, HIGHEST = 1, 5
_FILES: Final = ("rubrics.toml", "prompts.toml")
_DIGEST_CHARS: Final = 12
_MARK_CHARS: Final = 10
_SCORES: Final = {str(score): score for score in range(LOWEST, HIGHEST + 1)}


@dataclass(frozen=True, slots=True)
class Dimension:
    """One aspect of an answer, scored 1 (worst) to 5 (best), as ``rubrics.toml`` explains it.

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
    sees: Literal["nothing", "source", "needed"]
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
    """
    table = shipped.table("klopt.models.judges", _FILES[0])
    return {
        name: Dimension(
            **{**fields, "steps": tuple(fields["steps"]), "scores": tuple(fields["scores"])},
            name=name,
        )
        for name, fields in sorted(table.items())
    }


@cache
def prompts() -> Mapping[str, Mapping[str, str]]:
    """The messages to the judges, by table and name."""
    return shipped.table("klopt.models.judges", _FILES[1])


@cache
def prompt_digest() -> str:
    """SHA-256 of rubrics and prompts, its first 12 digits: other words may give other scores."""
    texts = "".join(shipped.text("klopt.models.judges", file) for file in _FILES)
    return hashlib.sha256(texts.encode()).hexdigest()[:_DIGEST_CHARS]


@dataclass(frozen=True, slots=True)
class Judgement:
    """What one judge, such as ``g_eval.truthfulness``, said of one answer.

    Attributes:
        score: 1 to 5, higher is better; None when there is none.
        reason_code: Why there is none: ``not_judgeable``, or a code of `klopt.errors.LlmReason`.
        feedback: Why the judge said so; the words of a model that has read texts of others.
        usage: What it cost, replies that could not be used included.
        problems: What was wrong with those replies, in order.
    """

    name: str
    score: int | None
    reason_code: LlmReason | Literal["not_judgeable"] | None = None
    reason: str | None = None
    feedback: str | None = None
    usage: Usage = field(default_factory=Usage)
    problems: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Judge:
    """Asks a model for a score from 1 to 5 on one dimension, in one of the `FORMS`.

    Source:
        Liu et al. (2023) and Kim et al. (2023); HR chatbot paper, section 3.3.4, appendices C.2
        and C.3.

    Differs:
        G-Eval weighs the scores 1 to 5 by the probability that the model gives to each, so that a
        score may be 3.7. Few servers tell those, and the HR chatbot paper asks for a whole number
        only; so do we. The steps are written out in ``rubrics.toml``, where G-Eval lets the model
        write them first. The explanation comes before the score, so that the score rests on it;
        in the paper it follows. Any model may be asked in the form of Prometheus, in our words.
        Each score has its own line, where the paper's rubric says very low to excellent
        correlation with the criteria. The papers always show a reference answer, which deserves a
        5; we show the pages where there is none, and neither to a judge of readability.
    """

    model: Model
    form: Form
    dimension: Dimension
    against: Against = "auto"

    @property
    def name(self) -> str:
        """Form and dimension: ``g_eval.readability``; what a transcript calls the technique."""
        return f"{self.form}.{self.dimension.name}"

    @property
    def signature(self) -> str:
        """What a score depends on, so that scores of different runs can be compared."""
        return f"judge:{self.name}|model:{self.model.name}|against:{self.against}|prompts:" + (
            prompt_digest()
        )

    def obstacle(self, turn: Turn) -> str | None:
        """Why the answer cannot be judged, or None."""
        source = self._source(turn)
        if not turn.answer.strip():
            return "the answer is empty"
        if self.dimension.needs_question and not turn.question.strip():
            return "the question is empty"
        if self.dimension.sees == "needed" and source == "nothing":
            if self.against == "pages":
                return "there are no pages"
            return "there is neither a reference answer nor a page"
        texts = (("question", turn.question), ("answer", turn.answer))
        for name, text in (*texts, ("reference", turn.reference or "")):
            if len(text) > ANSWER_LIMIT_CHARS:
                return f"the {name} has {len(text)} characters, more than {ANSWER_LIMIT_CHARS}"
        page_chars = sum(len(page.text) for page in turn.pages)
        if source == "pages" and page_chars > CONTEXTS_LIMIT_CHARS:
            return f"the pages have {page_chars} characters, more than {CONTEXTS_LIMIT_CHARS}"
        return None

    def call(self, turn: Turn) -> Call:
        """What the model is asked about an answer that has no `obstacle`."""
        texts, source, about = prompts(), self._source(turn), self.dimension
        own, has_reference = texts[self.form], source == "reference"
        return call_about(
            turn,
            self.name,
            own,
            [(texts["data"]["reference"], turn.reference or "")] if has_reference else [],
            turn.pages if source == "pages" else (),
            json=self.form == "g_eval",
            title=about.title,
            question=about.question,
            criteria=about.criteria,
            steps="\n".join(f"{number}. {step}" for number, step in enumerate(about.steps, 1)),
            scores=about.rubric,
            source=own.get(source, texts["source"][source]),
        )

    def _source(self, turn: Turn) -> Literal["reference", "pages", "nothing"]:
        """What the answer is held against."""
        if self.dimension.sees == "nothing":
            return "nothing"
        if self.against == "auto" and turn.reference and turn.reference.strip():
            return "reference"
        return "pages" if any(page.text.strip() for page in turn.pages) else "nothing"


def call_about(
    turn: Turn,
    technique: str,
    prompt: Mapping[str, str],
    texts: Sequence[tuple[str, str]],
    pages: Sequence[Page],
    *,
    json: bool = True,
    **words: object,
) -> Call:
    """A prompt's ``system`` and ``user`` with the words and the texts, which are `set_apart`."""
    mark, blocks = set_apart(turn, texts, pages)
    rule = prompts()["data"]["rule"].format(mark=mark)
    words |= {"rule": rule, "mark": mark, "blocks": blocks}
    system, user = (prompt[part].format_map(words) for part in ("system", "user"))
    return Call(turn.id, technique, blocks, system, user, json)


def set_apart(
    turn: Turn, texts: Sequence[tuple[str, str]], pages: Sequence[Page]
) -> tuple[str, str]:
    r"""A mark that no text contains, and question, answer, named texts and pages between lines.

    The mark is made from the texts by SHA-256, so that the same texts make the same message on
    every machine, and made anew until no text contains it.

    >>> mark, blocks = set_apart(Turn("", "Ja."), [], [])
    >>> blocks.split("\n")[-3:] == [f"[BEGIN ANSWER {mark}]", "Ja.", f"[END ANSWER {mark}]"]
    True
    """
    words = prompts()["data"]
    shown = [(words["question"], turn.question), (words["answer"], turn.answer)]
    shown += [
        (
            words["page"].format(number=number),
            f"{page.title}\n\n{page.text}" if page.title else page.text,
        )
        for number, page in enumerate(pages, 1)
    ]
    shown += texts
    mark = json.dumps([text for _, text in shown])
    while True:
        mark = hashlib.sha256(mark.encode("ascii")).hexdigest()[:_MARK_CHARS]
        if not any(mark in text for _, text in shown):
            break
    blocks = (words["block"].format(name=name, mark=mark, text=text) for name, text in shown)
    return mark, "\n\n".join(blocks)


def read(form: Form, text: str) -> tuple[int, str]:
    """The score of a reply, and why.

    For G-Eval it is one JSON object with just "explanation", a text, and "score", a whole number;
    for Prometheus ``Feedback: … [RESULT] n``, where a model that was trained on the form may leave
    out the label. Nothing may follow the score.

    Raises:
        ReplyError: It is anything else: ``bad_json``, or ``bad_shape`` for another score, such as
            4.5, "4", true or 6; also when ``[RESULT]`` stands in it twice, as then an answer that
            was quoted may have brought it in.

    >>> read("g_eval", '{"explanation": "Two steps are missing.", "score": 3}')
    (3, 'Two steps are missing.')
    >>> read("prometheus", "Feedback: The order of the steps is wrong. [RESULT] 2")
    (2, 'The order of the steps is wrong.')
    """
    if form == "g_eval":
        match parse_json(text):
            case {"explanation": str(why), "score": int(score), **more} if (
                not more and score is not True and LOWEST <= score <= HIGHEST
            ):
                return score, why.strip()
        allowed = f'an object with just "explanation", a text, and "score", {LOWEST} to {HIGHEST}'
    else:
        before, _, after = text.partition("[RESULT]")
        why, given = before.strip().removeprefix("Feedback:").strip(), after.strip()
        if why and given in _SCORES:
            return _SCORES[given], why
        allowed = "feedback, [RESULT] once and a whole number from 1 to 5 at the end"
    raise ReplyError("bad_shape", f"the reply is not {allowed}")


def judge_names() -> list[str]:
    """The names of all judges: ``g_eval.readability`` and the like."""
    return [f"{form}.{name}" for form in FORMS for name in dimensions()]


def judges_of(model: Model) -> dict[str, Judge]:
    """All judges by name, each asking the model."""
    judges = (Judge(model, form, about) for form in FORMS for about in dimensions().values())
    return {judge.name: judge for judge in judges}


def judge(turn: Turn, judges: Sequence[Judge]) -> tuple[Judgement, ...]:
    """What judges say of one answer, asked one after the other, each until its reply has the form.

    LLM judges agree with people better than shared words do, and less than their even averages
    suggest (HR chatbot paper, table 9). They read the texts that they judge, and a text can talk
    to them: the prompts set it apart, which helps and proves nothing. What cannot be judged, or
    got no usable reply, has no score and says why; it stops nothing.
    """
    return tuple(_judgement(turn, asked) for asked in judges)


def _judgement(turn: Turn, judge: Judge) -> Judgement:
    if (problem := judge.obstacle(turn)) is not None:
        return Judgement(judge.name, None, "not_judgeable", problem)
    try:
        call = judge.call(turn)
        answer = ask(judge.model, call, lambda reply: read(judge.form, reply.text))
    except CallError as error:
        why = error.reason_code, error.message
        return Judgement(judge.name, None, *why, None, error.usage, error.problems)
    score, feedback = answer.value
    return Judgement(judge.name, score, None, None, feedback, answer.usage, answer.problems)
