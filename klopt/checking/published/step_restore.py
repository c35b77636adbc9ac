"""StepRestore: the steps shuffled under letters, and which of them a model names, in what order."""

from __future__ import annotations

import hashlib
import itertools
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from string import ascii_uppercase
from typing import Final

from klopt.checking.grading import Grading
from klopt.checking.published.reply_shape import Read, answer_of, capped, cut, shown, wrong_shape
from klopt.checking.reference import Reference, plain_title
from klopt.errors import LlmError

_OPTION: Final = re.compile(r"([A-Z]+)\. (.*)")
_LETTER: Final = re.compile(
    r"[\s(\[<\"'*`]*(?:(?:step|stap|option|optie)\s+)?[(\[<*`]*([a-z]{1,3})"
    r"(?:[\s)\]>\"'*`.,:]*|[)\].:*]+\s.*|\s+[-–—]\s.*)",
    re.IGNORECASE | re.DOTALL,
)
_BETWEEN: Final = re.compile(r"\s*(?:,|;|->|→|>|\s)\s*")
_LONGEST_ITEM_CHARS: Final = 500


@dataclass(frozen=True, slots=True)
class OrderingTest:
    """Steps under letters.

    Attributes:
        options: Letter and number of the step, in the order of the letters.
        text: The options as a model sees them, one a line: ``A. Save the file.``
    """

    options: tuple[tuple[str, int], ...]
    text: str


def ordering_test(reference: Reference, seed: str) -> OrderingTest:
    r"""The steps in an order that the seed decides.

    It may be any text; the same one gives the same order on every machine, of every version of
    Python. `LlmSolver` puts its own seed and the row's id in.

    Returns:
        The test. Of two steps or more, the order is never the right one; a reference without
        steps has no options.

    Source:
        TechSupportEval, section III-C, phase 2.

    Differs:
        The paper's shuffle may be the right order; a solver that copies it would pass. More than
        26 steps get letters as the columns of a spreadsheet do: Z, AA, AB.

    >>> from klopt.checking.reference import read_reference
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
    """That many letters: A to Z, then AA, AB and so on.

    >>> letters(28)[25:]
    ('Z', 'AA', 'AB')
    """
    names = itertools.chain.from_iterable(
        itertools.product(ascii_uppercase, repeat=length) for length in itertools.count(1)
    )
    return tuple(map("".join, itertools.islice(names, count)))


def read_task(task: str, reference: Reference) -> OrderingTest:
    r"""The test that a recorded task (options, one a line) was, whatever its order.

    Steps of one title go to the options in order.

    Raises:
        LlmError: The options are not the steps of this reference (``no_transcript``).

    >>> from klopt.checking.reference import read_reference
    >>> read_task("A. Save.\nB. Open.", read_reference("1. Open.\n2. Save.")).options
    (('A', 1), ('B', 0))
    """
    open_steps: dict[str, list[int]] = {}
    for step in reversed(reference.steps):
        open_steps.setdefault(plain_title(step.title), []).append(step.number)
    options: list[tuple[str, int]] = []
    for line in filter(str.strip, task.splitlines()):
        match = _OPTION.fullmatch(line.strip())
        steps = open_steps.get(plain_title(match[2])) if match else None
        if match is None or not steps:
            raise _misfit(f'the reference has no step for the option "{cut(line)}"')
        if match[1] in dict(options):
            raise _misfit(f"the letter {match[1]} stands twice")
        options.append((match[1], steps.pop()))
    left = sum(map(len, open_steps.values()))
    if left:
        raise _misfit(f"{left} of the reference's {len(reference.steps)} steps are no option")
    return OrderingTest(tuple(options), task)


def read_order(
    text: str, test: OrderingTest, reference: Reference, reading: Grading = "strict"
) -> Read[tuple[int, ...]]:
    r"""The steps that a reply names, in its order.

    Read strictly, what is tolerated has a note: letters in lower case, ``A.``, ``Step A``, ``A.``
    with a title, a title alone, several letters in one text, a list in the list, and a letter
    that is there again (the first counts; steps with one title may share their letters). What is
    no option is dropped, with a note too: other letters, numbers, null.

    As published, the first character of each item counts and repetitions stay; that rule is
    silent beyond 26 options, where the whole item must be the letters.

    Raises:
        ReplyError: The reply is not JSON, or has another shape.

    >>> from klopt.checking.reference import read_reference
    >>> reference = read_reference("1. Open it.\n2. Save it.")
    >>> test = read_task("A. Save it.\nB. Open it.", reference)
    >>> read_order('{"answer": ["b.", "X"]}', test, reference)
    Read(value=(0,), notes=('"b." is read as B', '"X" is no option'))
    """
    notes: list[str] = []
    given = answer_of(text, notes)
    if reading == "published":
        order = tuple(_published(given, test, notes))
    else:
        order = _without_repeats(list(_strict(given, test, reference, notes)), reference, notes)
    return Read(order, capped(notes))


def _misfit(problem: str) -> LlmError:
    return LlmError("no_transcript", f"the recorded options do not fit: {problem}")


def _published(given: object, test: OrderingTest, notes: list[str]) -> Iterator[int]:
    if not isinstance(given, list):
        raise wrong_shape(given, "a list of letters")
    options = dict(test.options)
    for item in given:
        letters = "" if item is None else str(item).strip().upper()
        if len(options) <= len(ascii_uppercase):
            letters = letters[:1]
        if letters in options:
            yield options[letters]
        else:
            notes.append(f"{shown(item)} is no option")


def _strict(
    given: object, test: OrderingTest, reference: Reference, notes: list[str]
) -> Iterator[int]:
    if isinstance(given, str):
        notes.append("the answer is a text, not a list")
        given = [given]
    if not isinstance(given, list):
        raise wrong_shape(given, "a list of letters")
    options = dict(test.options)
    letters = {step: letter for letter, step in test.options}
    for item in _flat(given, notes):
        if isinstance(item, bool | dict):
            raise wrong_shape(item, "the letter of an option")
        if isinstance(item, str) and item in options:
            yield options[item]
            continue
        found = _tolerated(item, options, reference) if isinstance(item, str) else []
        if found:
            names = ", ".join(letters[step] for step in found)
            notes.append(f"{shown(item)} is read as {names}")
        else:
            notes.append(f"{shown(item)} is no option")
        yield from found


def _flat(given: Sequence[object], notes: list[str]) -> Iterator[object]:
    for item in given:
        if isinstance(item, list):
            notes.append(f"{shown(item)} is a list in the list")
            if any(isinstance(inner, list) for inner in item):
                raise wrong_shape(item, "a list of letters")
            yield from item
        else:
            yield item


def _tolerated(item: str, options: dict[str, int], reference: Reference) -> list[int]:
    for step in reference.steps:
        if plain_title(step.title) == plain_title(item):
            return [step.number]
    if len(item) > _LONGEST_ITEM_CHARS:
        return []
    match = _LETTER.fullmatch(item)
    if match is not None and match[1].upper() in options:
        return [options[match[1].upper()]]
    pieces = [piece.upper() for piece in _BETWEEN.split(item.strip())]
    if all(piece in options for piece in pieces):
        return [options[piece] for piece in pieces]
    return []


def _without_repeats(order: list[int], reference: Reference, notes: list[str]) -> tuple[int, ...]:
    same = reference.same_steps
    left = Counter(same)
    kept: list[int] = []
    for step in order:
        if left[same[step]]:
            left[same[step]] -= 1
            kept.append(step)
        else:
            notes.append(f'"{reference.steps[step].title}" is there again; the first place counts')
    return tuple(kept)
