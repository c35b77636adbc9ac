"""StepRestore's test: the steps of the reference, shuffled, each with a letter."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from typing import Final

from klopt.checking.reference import Reference
from klopt.errors import LlmError

__all__ = ["OrderingTest", "letters", "ordering_test", "read_task", "same_steps", "same_title"]

_OPTION: Final = re.compile(r"([A-Z]+)\. (.*)")
_ALPHABET: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


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

    Args:
        reference: What the answer should say.
        seed: Any text; the same one gives the same order on every machine, of every version of
            Python. `klopt.checking.llm_solver.LlmSolver` puts its own seed and the row's id in.

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
    count = len(reference.steps)
    shuffled = sorted(range(count), key=lambda step: _digest(f"{seed}\n{step}"))
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
    return tuple(_letter(number) for number in range(count))


def read_task(task: str, reference: Reference) -> OrderingTest:
    r"""The test that a recorded task was, whatever its order.

    Args:
        task: Options, one a line, as a transcript has them.
        reference: Where the steps come from; steps of one title go to the options in order.

    Raises:
        LlmError: The options are not the steps of this reference (``no_transcript``).

    >>> from klopt.checking.reference import read_reference
    >>> read_task("A. Save.\nB. Open.", read_reference("1. Open.\n2. Save.")).options
    (('A', 1), ('B', 0))
    """
    open_steps: dict[str, list[int]] = {}
    for step in reversed(reference.steps):
        open_steps.setdefault(_plain(step.title), []).append(step.number)
    options: list[tuple[str, int]] = []
    for line in filter(str.strip, task.splitlines()):
        match = _OPTION.fullmatch(line.strip())
        steps = open_steps.get(_plain(match[2])) if match else None
        if match is None or not steps:
            raise _misfit(f'the reference has no step for the option "{_short(line)}"')
        if match[1] in dict(options):
            raise _misfit(f"the letter {match[1]} stands twice")
        options.append((match[1], steps.pop()))
    left = sum(map(len, open_steps.values()))
    if left:
        raise _misfit(f"{left} of the reference's {len(reference.steps)} steps are no option")
    return OrderingTest(tuple(options), task)


def same_steps(reference: Reference) -> tuple[int, ...]:
    r"""For each step the first step that has its title: steps of one title cannot be told apart.

    >>> from klopt.checking.reference import read_reference
    >>> same_steps(read_reference("1. Restart.\n2. Edit.\n3. restart."))
    (0, 1, 0)
    """
    first: dict[str, int] = {}
    return tuple(first.setdefault(_plain(step.title), step.number) for step in reference.steps)


def same_title(title: str, other: str) -> bool:
    """Whether two titles are alike but for case, bold markers and white space.

    >>> same_title("Open **it**.", "open  it.")
    True
    """
    return _plain(title) == _plain(other)


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()


def _letter(number: int) -> str:
    text = ""
    number += 1
    while number:
        number, rest = divmod(number - 1, len(_ALPHABET))
        text = _ALPHABET[rest] + text
    return text


def _plain(title: str) -> str:
    return " ".join(title.replace("**", "").split()).casefold()


def _misfit(problem: str) -> LlmError:
    return LlmError("no_transcript", f"the recorded options do not fit: {problem}")


def _short(text: str, longest_chars: int = 60) -> str:
    return text if len(text) <= longest_chars else f"{text[:longest_chars]}…"
