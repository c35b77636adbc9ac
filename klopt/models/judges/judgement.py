"""Judges of one dimension each, and what they say of an answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from klopt.errors import ConfigurationError, LlmReason, RecordError
from klopt.models.calls import Call, CallError, Model, Usage, ask
from klopt.models.judges import forms
from klopt.models.judges.forms import FORMS, Against, Dimension, Form, dimensions
from klopt.records import Turn


@dataclass(frozen=True, slots=True)
class Judgement:
    """What one judge said of one answer.

    Attributes:
        name: The judge's: ``g_eval.truthfulness``.
        score: 1 to 5, higher is better; None when there is none.
        reason_code: Why there is none: ``not_judgeable``, or a code of `klopt.errors.LlmReason`.
        reason: The same for people; None when there is a score.
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
    """Asks a model for a score from 1 to 5 on one dimension.

    Attributes:
        model: Who is asked.
        form: How: ``g_eval`` or ``prometheus``.
        dimension: What about.
        against: Whether the answer is held against the reference or the pages; ``auto`` takes the
            reference where there is one. Some dimensions need neither (`Dimension.sees`).
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
            forms.prompt_digest()
        )

    def obstacle(self, turn: Turn) -> str | None:
        """Why the answer cannot be judged, or None."""
        return forms.obstacle(turn, self.dimension, self.against)

    def call(self, turn: Turn) -> Call:
        """What the model is asked.

        Raises:
            RecordError: The answer cannot be judged.
        """
        if (problem := self.obstacle(turn)) is not None:
            raise RecordError(f"row {turn.id!r}, {self.name}: {problem}")
        shown = forms.gather(turn, self.dimension, self.against)
        system, user = forms.messages(self.form, self.dimension, shown)
        return Call(turn.id, self.name, shown.blocks, system, user, json=self.form == "g_eval")


def judges_by_name(
    names: Sequence[str], model: Model, *, against: Against = "auto"
) -> tuple[Judge, ...]:
    """Judges by name: ``g_eval.truthfulness``; ``g_eval`` alone stands for all four dimensions.

    Raises:
        ConfigurationError: A name is not known, or stands twice.
    """
    every: list[str] = []
    for name in names:
        every += [f"{name}.{one}" for one in dimensions()] if name in FORMS else [name]
    for place, name in enumerate(every):
        if name in every[:place]:
            raise ConfigurationError(f'judge "{name}" is asked for twice')
    return tuple(_judge(name, model, against) for name in every)


def judge(turn: Turn, judges: Sequence[Judge], *, tries: int = 3) -> tuple[Judgement, ...]:
    """What judges say of one answer; many answers are judged at once by `klopt.models.in_order`.

    LLM judges agree with people better than shared words do, and less than their even averages
    suggest (HR chatbot paper, table 9). They read the texts that they judge, and a text can talk
    to them: the prompts set it apart, which helps and proves nothing.

    Args:
        turn: The answer.
        judges: Each is asked, one after the other.
        tries: How often a judge is asked until its reply follows the form.

    Returns:
        A judgement of each judge, in order. What cannot be judged, or got no usable reply, has no
        score and says why; it stops nothing.
    """
    return tuple(_judgement(turn, one, tries) for one in judges)


def _judge(name: str, model: Model, against: Against) -> Judge:
    for form in FORMS:
        if name.startswith(f"{form}."):
            about = forms.dimension(name.removeprefix(f"{form}."))
            return Judge(model, form, about, against)
    allowed = ", ".join(f"{form}.{one}" for form in FORMS for one in dimensions())
    raise ConfigurationError(f'judge "{name}" is not one of {allowed}')


def _judgement(turn: Turn, judge: Judge, tries: int) -> Judgement:
    if (problem := judge.obstacle(turn)) is not None:
        return Judgement(judge.name, None, "not_judgeable", problem)
    try:
        answer = ask(
            judge.model, judge.call(turn), lambda reply: forms.read(judge.form, reply.text), tries
        )
    except CallError as error:
        told = error.reason_code, error.message
        return Judgement(judge.name, None, *told, None, error.usage, error.problems)
    found = answer.value
    return Judgement(
        judge.name, found.score, None, None, found.feedback, answer.usage, answer.problems
    )
