"""ClozeFact and StepRestore by an LLM, as in TechSupportEval."""

from __future__ import annotations

import hashlib
import itertools
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from string import Template, ascii_uppercase
from typing import Final, Generic, Literal, TypeAlias, TypeVar

from klopt._internal import shipped
from klopt._internal.toml_schema import shown
from klopt.errors import LlmError, ReplyError
from klopt.llm.calls import Call, CallError, Meter, Model, Reply, ask, parse_json
from klopt.reference.grading import Fill, Grading, Solution, StepFinding
from klopt.reference.reference import BOLD, Reference, plain_title
from klopt.reference.words import locate
from klopt.types import Turn

T = TypeVar("T")

Technique: TypeAlias = Literal["cloze_fact", "step_restore"]

_BOUNDARY_CHARS: Final = 12
_DIGITS: Final = 8
_MAX_NOTES: Final = 20
_OPTION: Final = re.compile(r"([A-Z]+)\. (.*)")
_LETTER: Final = re.compile(r"\s*([a-z]{1,3})(?:[.):].*)?\s*", re.IGNORECASE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class ReadReply(Generic[T]):
    """A value read from a reply, and notes on what was ignored."""

    value: T
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OrderingTest:
    """Options (letter, step), and their text for the model."""

    options: tuple[tuple[str, int], ...]
    text: str


class LlmSolver:
    """Asks a model to fill in the key terms and to order the steps, or replays a recorded run.

    Two calls for an answer: ``cloze_fact`` when the reference has key terms, ``step_restore`` when
    it has steps. Thread-safe when the model is. ``seed`` decides the order of the options, together
    with the row's id; ``reading`` how letters are read from replies. Source: TechSupportEval,
    section III-C; the prompts are ours.
    """

    def __init__(self, model: Model, seed: int = 0, *, reading: Grading = "strict") -> None:
        self.name = model.name
        self._model, self._seed, self._reading = model, seed, reading

    @property
    def signature(self) -> str:
        """The model's name, the digest of the prompts, the seed and the reading."""
        prompts = shipped.digest("klopt.reference", "prompts.toml")[:_DIGITS]
        return f"{self.name}|prompts:{prompts}|seed:{self._seed}|reading:{self._reading}"

    def solve(self, turn: Turn, reference: Reference) -> Solution:
        """Ask for key terms and steps, or raise LlmError: no usable reply to this reference."""
        steps = tuple(StepFinding(step.number) for step in reference.steps)
        if self._reading == "strict" and not turn.answer.strip():
            blanks = range(1, len(reference.terms) + 1)
            fills = tuple(Fill(blank, None, "unanswerable") for blank in blanks)
            return Solution(fills, (), steps, ("the answer is empty, so klopt called no model",))
        model, notes = Meter(self._model), list[str]()
        try:
            fills = self._fills(model, turn, reference, notes)
            order = self._order(model, turn, reference, notes)
        except CallError as error:
            code, message = error.reason_code, error.message
            raise CallError(code, message, model.usage, error.problems) from None
        return Solution(fills, order, steps, tuple(notes), model.usage)

    def _fills(
        self, model: Model, turn: Turn, reference: Reference, notes: list[str]
    ) -> tuple[Fill, ...]:
        text, count = cloze_test(reference), len(reference.terms)
        if not count:
            return ()

        def read(reply: Reply) -> ReadReply[tuple[Fill, ...]]:
            if reply.task.split() != text.split():
                raise LlmError(
                    "no_transcript",
                    f"row {turn.id!r}, cloze_fact: the recorded text with blanks is not that of "
                    f"this reference, which has {count} key terms; were they found by other rules?",
                )
            return read_fills(reply.text, count, turn.answer)

        return _asked(model, call_for("cloze_fact", turn.id, turn.answer, text), read, notes)

    def _order(
        self, model: Model, turn: Turn, reference: Reference, notes: list[str]
    ) -> tuple[int, ...]:
        test = ordering_test(reference, f"{self._seed}\n{turn.id}")
        if not test.options:
            return ()

        def read(reply: Reply) -> ReadReply[tuple[int, ...]]:
            seen = test
            if reply.task != test.text:
                try:
                    seen = read_task(reply.task, reference)
                except LlmError as error:
                    message = f"row {turn.id!r}, step_restore: {error.message}"
                    raise LlmError(error.reason_code, message) from None
            return read_order(reply.text, seen, reference, self._reading)

        return _asked(model, call_for("step_restore", turn.id, turn.answer, test.text), read, notes)


def _asked(model: Model, call: Call, read: Callable[[Reply], ReadReply[T]], notes: list[str]) -> T:
    """The value of a reply; problems are added to the notes."""
    answer = ask(model, call, read)
    notes += (f"{call.technique}: retried: {problem}" for problem in answer.problems)
    notes += (f"{call.technique}: {note}" for note in answer.value.notes)
    return answer.value.value


def call_for(technique: Technique, id: str, answer: str, task: str) -> Call:
    """The call for a row's blanks or order; ``task`` is the text with blanks, or the options."""
    prompt = _prompts()[technique]
    boundary = ""
    while not boundary or boundary in answer or boundary in task:
        content = "\n".join((boundary, answer, task)).encode("utf-8", "surrogatepass")
        boundary = hashlib.sha256(content).hexdigest()[:_BOUNDARY_CHARS]
    user = Template(prompt["user"]).substitute(boundary=boundary, response=answer, task=task)
    return Call(id, technique, task, prompt["system"].strip(), user.strip())


def cloze_test(reference: Reference) -> str:
    """The reference with ``<BLANK 1>``, ``<BLANK 2>`` … for its key terms and their asterisks.

    >>> from klopt.reference.reference import read_reference
    >>> cloze_test(read_reference("1. Open **httpd.conf** and **save**."))
    '1. Open <BLANK 1> and <BLANK 2>.'
    """
    text, end, pieces = reference.text, 0, list[str]()
    bolds = {bold.text.end: bold for bold in reference.bolds}
    for number, term in enumerate(reference.terms, 1):
        bold = bolds.get(term.end) if term.kind == BOLD else None
        if bold is None:
            pieces.append(text[end : term.start])
        else:
            pieces += [text[end : bold.opening.start], text[bold.opening.end : term.start]]
        pieces.append(f"<BLANK {number}>")
        end = term.end if bold is None else bold.closing.end
    return "".join([*pieces, text[end:]])


def read_fills(text: str, blank_count: int, answer: str) -> ReadReply[tuple[Fill, ...]]:
    """One fill for each blank, in order, with spans in the answer; null is unanswerable.

    ReplyError for a reply that is not JSON, or has another shape.

    >>> read_fills('{"answer": [{"blank": 1, "content": "save"}]}', 1, "Press save.").value[0]
    Fill(blank=1, text='save', status='filled', degree=None, start=6, end=10)
    """
    notes: list[str] = []
    fills: dict[int, Fill] = {}
    for item in _items(text):
        match item:
            case {"blank": int(blank), "content": str() | int() | float() | None as given} if type(
                blank
            ) is int and not isinstance(given, bool):
                content = None if given is None else str(given)
            case _:
                raise _wrong_shape(item, 'an object with "blank", a number, and "content"')
        if not 1 <= blank <= blank_count:
            notes.append(f"blank {blank} does not exist; there are {blank_count}")
        elif blank in fills:
            notes.append(f"blank {blank} is filled twice; the first counts")
        elif (content or "").strip(" \t\r\n.\"'`*").casefold() in ("", "unanswerable"):
            fills[blank] = Fill(blank, content, "unanswerable")
        else:
            span = locate(content or "", answer)
            start, end = (span.start, span.end) if span else (None, None)
            fills[blank] = Fill(blank, content, "filled", start=start, end=end)
    for blank in range(1, blank_count + 1):
        if blank not in fills:
            notes.append(f"blank {blank} is left out")
            fills[blank] = Fill(blank, None, "omitted")
    return ReadReply(tuple(fills[blank] for blank in sorted(fills)), _capped(notes))


def ordering_test(reference: Reference, seed: str) -> OrderingTest:
    r"""The steps shuffled by a seed, never in the right order, which a solver could copy.

    >>> from klopt.reference.reference import read_reference
    >>> print(ordering_test(read_reference("1. Open it.\n2. Save it."), "7").text)
    A. Save it.
    B. Open it.
    """

    def digest(step: int) -> bytes:
        return hashlib.sha256(f"{seed}\n{step}".encode("utf-8", "surrogatepass")).digest()

    count = len(reference.steps)
    shuffled = sorted(range(count), key=digest)
    if shuffled == list(range(count)):
        shuffled = shuffled[1:] + shuffled[:1]
    options = tuple(zip(letters(count), shuffled, strict=True))
    text = "\n".join(f"{letter}. {reference.steps[step].title}" for letter, step in options)
    return OrderingTest(options, text)


def letters(count: int) -> tuple[str, ...]:
    """The first letters: A to Z, then AA, AB and so on."""
    names = itertools.chain.from_iterable(
        itertools.product(ascii_uppercase, repeat=length) for length in itertools.count(1)
    )
    return tuple(map("".join, itertools.islice(names, count)))


def read_task(task: str, reference: Reference) -> OrderingTest:
    """Read a recorded task; raises LlmError (``no_transcript``) for another reference's options."""
    open_steps: dict[str, list[int]] = {}
    for step in reversed(reference.steps):
        open_steps.setdefault(plain_title(step.title), []).append(step.number)
    options: dict[str, int] = {}
    for line in filter(str.strip, task.splitlines()):
        match = _OPTION.fullmatch(line.strip())
        steps = open_steps.get(plain_title(match[2])) if match else None
        if match is None or not steps:
            raise _misfit(f"the reference has no step for the option {shown(line)}")
        if match[1] in options:
            raise _misfit(f"the letter {match[1]} occurs twice")
        options[match[1]] = steps.pop()
    left = sum(map(len, open_steps.values()))
    if left:
        raise _misfit(f"{left} of the reference's {len(reference.steps)} steps are no option")
    return OrderingTest(tuple(options.items()), task)


def read_order(
    text: str, test: OrderingTest, reference: Reference, reading: Grading = "strict"
) -> ReadReply[tuple[int, ...]]:
    r"""The steps that a reply names, in its order.

    Strict: ``a``, ``A.`` and ``A. Save it.`` are A; unknown options and repeated letters are
    dropped with a note. Published: the first character of each item counts and repetitions stay.
    ReplyError for a reply that is not JSON, or has another shape.

    >>> from klopt.reference.reference import read_reference
    >>> reference = read_reference("1. Open it.\n2. Save it.")
    >>> test = read_task("A. Save it.\nB. Open it.", reference)
    >>> read_order('{"answer": ["b.", "X"]}', test, reference)
    ReadReply(value=(0,), notes=('"X" is not an option',))
    """
    notes: list[str] = []
    options, same = dict(test.options), reference.same_steps
    left, order = Counter(same), list[int]()
    for item in _items(text):
        named = _first_character(item, len(options)) if reading == "published" else _letter(item)
        if named not in options:
            notes.append(f"{shown(item)} is not an option")
            continue
        step = options[named]
        if reading == "published" or left[same[step]]:
            left[same[step]] -= 1
            order.append(step)
        else:
            title = reference.steps[step].title
            notes.append(f'"{title}" occurs again; the first occurrence counts')
    return ReadReply(tuple(order), _capped(notes))


def _letter(item: object) -> str:
    if not isinstance(item, str):
        raise _wrong_shape(item, "the letter of an option")
    match = _LETTER.fullmatch(item)
    return match[1].upper() if match else ""


def _first_character(item: object, count: int) -> str:
    given = "" if item is None else str(item).strip().upper()
    return given[:1] if count <= len(ascii_uppercase) else given


def _items(text: str) -> Sequence[object]:
    match parse_json(text):
        case {"answer": list(items)}:
            return items
        case other:
            raise _wrong_shape(other, 'an object with a list as its "answer"')


def _wrong_shape(value: object, allowed: str) -> ReplyError:
    return ReplyError("bad_shape", f"the reply has {shown(value)} where {allowed} belongs")


def _misfit(problem: str) -> LlmError:
    return LlmError("no_transcript", f"the recorded options do not fit: {problem}")


def _capped(notes: Sequence[str]) -> tuple[str, ...]:
    """The first notes, and the number of the others."""
    more = len(notes) - _MAX_NOTES
    return (*notes[:_MAX_NOTES], f"and {more} more") if more > 0 else tuple(notes)


@cache
def _prompts() -> dict[str, dict[str, str]]:
    return shipped.table("klopt.reference", "prompts.toml")
