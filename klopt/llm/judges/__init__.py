"""LLM judges: G-Eval and Prometheus, each on one of four dimensions, from 1 to 5.

Their rubrics and prompts are ``rubrics.toml`` and ``prompts.toml``. Delimiters that no text
contains mark the texts to judge, so that none of them can pose as an instruction.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final, Literal, TypeAlias, get_args

from klopt._internal import shipped
from klopt.errors import LlmReason, ReplyError
from klopt.llm.calls import Call, CallError, Model, Usage, ask, parse_json
from klopt.text.reader import ANSWER_LIMIT_CHARS, CONTEXTS_LIMIT_CHARS
from klopt.types import Page, Turn

Form: TypeAlias = Literal["g_eval", "prometheus"]
FORMS: Final[tuple[Form, ...]] = get_args(Form)

Against: TypeAlias = Literal["auto", "pages"]  # ``auto``: the reference, else the pages

LOWEST, HIGHEST = 1, 5
_FILES: Final = ("rubrics.toml", "prompts.toml")
_DIGEST_CHARS: Final = 12
_MARK_CHARS: Final = 10
_SCORES: Final = {str(score): score for score in range(LOWEST, HIGHEST + 1)}


@dataclass(frozen=True, slots=True)
class Dimension:
    """One aspect of an answer, scored 1 (worst) to 5 (best); the fields of ``rubrics.toml``.

    ``sees`` states whether the judge sees the reference or the pages (``source``), or cannot judge
    without them (``needed``); ``steps`` are G-Eval's chain of thought.
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
        """The descriptions of the scores, one per line."""
        return "\n".join(f"Score {place}: {text}" for place, text in enumerate(self.scores, LOWEST))


@cache
def dimensions() -> Mapping[str, Dimension]:
    """Return the four dimensions by name, sorted (HR chatbot paper, section 3.3.2)."""
    made = {}
    for name, fields in sorted(shipped.table("klopt.llm.judges", _FILES[0]).items()):
        lists: dict[str, Any] = {key: tuple(fields.pop(key)) for key in ("steps", "scores")}
        made[name] = Dimension(name=name, **fields, **lists)
    return made


@cache
def prompts() -> Mapping[str, Mapping[str, str]]:
    """Return the prompts, by table and name."""
    return shipped.table("klopt.llm.judges", _FILES[1])


@cache
def prompt_digest() -> str:
    """Return the first 12 hexadecimal digits of the SHA-256 of rubrics and prompts."""
    texts = "".join(shipped.text("klopt.llm.judges", file) for file in _FILES)
    return hashlib.sha256(texts.encode()).hexdigest()[:_DIGEST_CHARS]


@dataclass(frozen=True, slots=True)
class Judgement:
    """The score of one judge, such as ``g_eval.truthfulness``, for one answer.

    It is 1 to 5, higher is better, or None, with a reason code: ``not_judgeable``, or one of
    `klopt.errors.LlmReason`. ``problems`` are those of invalid replies.
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
    """An LLM judge that scores one dimension from 1 to 5, in one of the `FORMS`.

    Source:
        Liu et al. (2023) and Kim et al. (2023); HR chatbot paper, section 3.3.4, appendices C.2
        and C.3.

    Differs:
        G-Eval weights the scores by their token probabilities, which few servers return; the HR
        chatbot paper and klopt request a whole number. ``rubrics.toml`` has the steps, which
        G-Eval lets the model write. The explanation precedes the score. Any model can use the
        Prometheus form. Each score has its own description. The papers always show a reference
        answer that deserves a 5; we show the pages where there is none, and neither to a judge of
        readability.
    """

    model: Model
    form: Form
    dimension: Dimension
    against: Against = "auto"

    @property
    def name(self) -> str:
        """Form and dimension: ``g_eval.readability``; the technique in transcripts."""
        return f"{self.form}.{self.dimension.name}"

    @property
    def signature(self) -> str:
        """Everything that a score depends on, to compare the scores of runs."""
        return f"judge:{self.name}|model:{self.model.name}|against:{self.against}|prompts:" + (
            prompt_digest()
        )

    def obstacle(self, turn: Turn) -> str | None:
        """Return why the answer cannot be judged, or None."""
        source = self._source(turn)
        if not turn.answer.strip():
            return "the answer is empty"
        if self.dimension.needs_question and not turn.question.strip():
            return "the question is empty"
        if self.dimension.sees == "needed" and source == "nothing":
            if self.against == "pages":
                return "there are no pages"
            return "there is neither a reference answer nor a page"
        page_chars = sum(len(page.text) for page in turn.pages) if source == "pages" else 0
        for name, count, limit in (
            ("question has", len(turn.question), ANSWER_LIMIT_CHARS),
            ("answer has", len(turn.answer), ANSWER_LIMIT_CHARS),
            ("reference has", len(turn.reference or ""), ANSWER_LIMIT_CHARS),
            ("pages have", page_chars, CONTEXTS_LIMIT_CHARS),
        ):
            if count > limit:
                return f"the {name} {count} characters, more than {limit}"
        return None

    def call(self, turn: Turn) -> Call:
        """Return the request about an answer without `obstacle`."""
        texts, source, about = prompts(), self._source(turn), self.dimension
        own, reference = texts[self.form], (texts["data"]["reference"], turn.reference or "")
        return call_about(
            turn,
            self.name,
            own,
            [reference] if source == "reference" else [],
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
    """Return a request: a prompt filled with ``words`` and the delimited texts of `set_apart`."""
    mark, blocks = set_apart(turn, texts, pages)
    rule = prompts()["data"]["rule"].format(mark=mark)
    words |= {"rule": rule, "mark": mark, "blocks": blocks}
    system, user = (prompt[part].format_map(words) for part in ("system", "user"))
    return Call(turn.id, technique, blocks, system, user, json)


def set_apart(
    turn: Turn, texts: Sequence[tuple[str, str]], pages: Sequence[Page]
) -> tuple[str, str]:
    r"""Return a delimiter, and question, answer, pages and named texts delimited by it.

    The delimiter is a SHA-256 of the texts, hashed again until no text contains it, so that the
    same texts give the same message on every machine.

    >>> mark, blocks = set_apart(Turn("", "Ja."), [], [])
    >>> blocks.split("\n")[-3:] == [f"[BEGIN ANSWER {mark}]", "Ja.", f"[END ANSWER {mark}]"]
    True
    """
    words = prompts()["data"]
    shown = [(words["question"], turn.question), (words["answer"], turn.answer)]
    for number, page in enumerate(pages, 1):
        text = f"{page.title}\n\n{page.text}" if page.title else page.text
        shown.append((words["page"].format(number=number), text))
    shown += texts
    mark = json.dumps([text for _, text in shown])
    while True:
        mark = hashlib.sha256(mark.encode("ascii")).hexdigest()[:_MARK_CHARS]
        if not any(mark in text for _, text in shown):
            break
    blocks = (words["block"].format(name=name, mark=mark, text=text) for name, text in shown)
    return mark, "\n\n".join(blocks)


def read(form: Form, text: str) -> tuple[int, str]:
    """Return the score and the explanation of a reply.

    G-Eval's reply is a JSON object with only "explanation", a text, and "score", a whole number;
    that of Prometheus is ``Feedback: … [RESULT] n``, with or without ``Feedback:``. Any other is a
    ReplyError: ``bad_json``, or ``bad_shape`` for a score such as 4.5, "4", true or 6, and for a
    second ``[RESULT]``, which may come from a quoted answer.

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
        allowed = f'an object with only "explanation", a text, and "score", {LOWEST} to {HIGHEST}'
    else:
        before, _, after = text.partition("[RESULT]")
        why, given = before.strip().removeprefix("Feedback:").strip(), after.strip()
        if why and given in _SCORES:
            return _SCORES[given], why
        allowed = "feedback, [RESULT] once and a whole number from 1 to 5 at the end"
    raise ReplyError("bad_shape", f"the reply is not {allowed}")


def judge_names() -> list[str]:
    """Return the names of all judges, such as ``g_eval.readability``."""
    return [f"{form}.{name}" for form in FORMS for name in dimensions()]


def judges_of(model: Model) -> dict[str, Judge]:
    """Return all judges by name, each with this model."""
    judges = (Judge(model, form, about) for form in FORMS for about in dimensions().values())
    return {judge.name: judge for judge in judges}


def judge(turn: Turn, judges: Sequence[Judge]) -> tuple[Judgement, ...]:
    """Return the judgements of one answer, by one judge after the other.

    LLM judges agree with people better than shared words do, and less than their average scores
    suggest (HR chatbot paper, table 9). A text can try to influence its judge; delimiters reduce
    that risk and do not remove it. A judgement without a valid reply has no score but a reason.
    """
    return tuple(_judgement(turn, each) for each in judges)


def _judgement(turn: Turn, judge: Judge) -> Judgement:
    if (problem := judge.obstacle(turn)) is not None:
        return Judgement(judge.name, None, "not_judgeable", problem)
    try:
        found = ask(judge.model, judge.call(turn), lambda reply: read(judge.form, reply.text))
    except CallError as error:
        why = error.reason_code, error.message
        return Judgement(judge.name, None, *why, None, error.usage, error.problems)
    score, feedback = found.value
    return Judgement(judge.name, score, None, None, feedback, found.usage, found.problems)
