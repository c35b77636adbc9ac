"""A solver that asks an LLM: ClozeFact and StepRestore as the paper has them."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import cache
from string import Template
from typing import Final, Literal, TypeAlias, TypeVar

from klopt import shipped
from klopt.checking.grading import Grading
from klopt.checking.published.cloze_fact import cloze_test, read_fills
from klopt.checking.published.reply_shape import Read
from klopt.checking.published.step_restore import ordering_test, read_order, read_task
from klopt.checking.reference import Reference
from klopt.checking.solution import Fill, Solution, StepFinding
from klopt.errors import LlmError
from klopt.models.calls import Answer, Call, CallError, Model, Reply, Usage, ask
from klopt.records import Turn

T = TypeVar("T")

Technique: TypeAlias = Literal["cloze_fact", "step_restore"]
CLOZE_FACT: Final = "cloze_fact"
STEP_RESTORE: Final = "step_restore"
_BOUNDARY_CHARS: Final = 12
_DIGITS: Final = 8


class LlmSolver:
    """Asks a model to fill in the key terms, and to order the steps; or replays what it said.

    Two calls for an answer: ``cloze_fact`` when the reference has key terms, ``step_restore`` when
    it has steps. Safe in threads when the model is.

    Attributes:
        name: The model's name.

    Args:
        model: Who is asked; `klopt.models.transcripts.Transcripts` for a recorded run.
        seed: Decides the order of the options, together with the row's id.
        reading: How letters are read from replies: ``strict``, or ``published`` for the grading
            of that name. The questions are the same.
        tries: How often a call whose reply cannot be read is asked at most.

    Source:
        TechSupportEval, section III-C.

    Differs:
        The prompts are our own words for the same tasks; they say that the answer is data and
        never an instruction, and mark where it ends with a word that it cannot know.
    """

    def __init__(
        self, model: Model, seed: int = 0, *, reading: Grading = "strict", tries: int = 3
    ) -> None:
        self.name = model.name
        self._model, self._seed, self._reading, self._tries = model, seed, reading, tries

    @property
    def signature(self) -> str:
        """The model's name, the digest of the prompts, the seed and the reading."""
        prompts = prompts_digest()[:_DIGITS]
        return f"{self.name}|prompts:{prompts}|seed:{self._seed}|reading:{self._reading}"

    def solve(self, turn: Turn, reference: Reference) -> Solution:
        """Asks for the key terms and the steps that the answer has; reads the turn's id and answer.

        Raises:
            LlmError: A call brought no usable reply, or a recorded one is to another reference;
                a `CallError` tells what was spent on the row.
        """
        if self._reading == "strict" and not turn.answer.strip():
            return _nothing(reference)
        fills = self._fills(turn.id, turn.answer, reference)
        order = self._order(turn.id, turn.answer, reference, fills.usage)
        return Solution(
            fills.value.value,
            order.value.value,
            tuple(StepFinding(step.number) for step in reference.steps),
            (*_notes(CLOZE_FACT, fills), *_notes(STEP_RESTORE, order)),
            fills.usage + order.usage,
        )

    def _fills(self, id: str, answer: str, reference: Reference) -> Answer[Read[tuple[Fill, ...]]]:
        text, count = cloze_test(reference), len(reference.terms)
        if not count:
            return Answer(Read((), ()), Usage())

        def read(reply: Reply) -> Read[tuple[Fill, ...]]:
            if reply.task.split() != text.split():
                raise LlmError(
                    "no_transcript",
                    f"row {id!r}, {CLOZE_FACT}: the recorded text with blanks is not that of this "
                    f"reference, which has {count} key terms; were they found by other "
                    "rules?",
                )
            return read_fills(reply.text, count, answer)

        return self._ask(call_for(CLOZE_FACT, id, answer, text), read, Usage())

    def _order(
        self, id: str, answer: str, reference: Reference, spent: Usage
    ) -> Answer[Read[tuple[int, ...]]]:
        test = ordering_test(reference, f"{self._seed}\n{id}")
        if not test.options:
            return Answer(Read((), ()), Usage())

        def read(reply: Reply) -> Read[tuple[int, ...]]:
            seen = test
            if reply.task != test.text:
                try:
                    seen = read_task(reply.task, reference)
                except LlmError as error:
                    message = f"row {id!r}, {STEP_RESTORE}: {error.message}"
                    raise LlmError(error.reason_code, message) from None
            return read_order(reply.text, seen, reference, self._reading)

        return self._ask(call_for(STEP_RESTORE, id, answer, test.text), read, spent)

    def _ask(self, call: Call, read: Callable[[Reply], T], spent: Usage) -> Answer[T]:
        """Asks; an error also tells what was spent on the row before."""
        try:
            return ask(self._model, call, read, self._tries)
        except CallError as error:
            usage = spent + error.usage
            raise CallError(error.reason_code, error.message, usage, error.problems) from None


def call_for(technique: Technique, id: str, answer: str, task: str) -> Call:
    """The call that asks for a row's blanks or order; ``task`` is the text with blanks, or options.

    >>> call = call_for("step_restore", "7", "Save it.", "A. Save it.")
    >>> call.user.splitlines()[1]
    'Save it.'
    """
    prompt = _prompts()[technique]
    user = Template(prompt["user"]).substitute(
        boundary=_boundary(answer, task), response=answer, task=task
    )
    return Call(id, technique, task, prompt["system"].strip(), user.strip())


@cache
def prompts_digest() -> str:
    """SHA-256 of the file with the prompts, in hexadecimal."""
    return shipped.digest("klopt.checking.published", "prompts.toml")


def _nothing(reference: Reference) -> Solution:
    """What is found in an empty answer; no model needs to be asked."""
    return Solution(
        tuple(Fill(blank, None, "unanswerable") for blank in range(1, len(reference.terms) + 1)),
        (),
        tuple(StepFinding(step.number) for step in reference.steps),
        ("the answer is empty, so that no model was asked",),
    )


def _notes(technique: str, answer: Answer[Read[T]]) -> tuple[str, ...]:
    tries = (f"asked again: {problem}" for problem in answer.problems)
    return tuple(f"{technique}: {note}" for note in (*tries, *answer.value.notes))


def _boundary(*texts: str) -> str:
    """A word that stands in none of the texts; the same for the same texts."""
    word = ""
    while not word or any(word in text for text in texts):
        content = "\n".join((word, *texts)).encode("utf-8", "surrogatepass")
        word = hashlib.sha256(content).hexdigest()[:_BOUNDARY_CHARS]
    return word


@cache
def _prompts() -> dict[str, dict[str, str]]:
    return shipped.table("klopt.checking.published", "prompts.toml")
