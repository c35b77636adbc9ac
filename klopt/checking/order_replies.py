"""Reads which steps a model found, in which order."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from klopt.checking.grading import Grading
from klopt.checking.ordering import OrderingTest, same_steps, same_title
from klopt.checking.reference import Reference
from klopt.checking.reply_shape import Read, answer_of, capped, shown, wrong_shape

__all__ = ["read_order"]

_LETTER: Final = re.compile(
    r"[\s(\[<\"'*`]*(?:(?:step|stap|option|optie)\s+)?[(\[<*`]*([a-z]{1,3})"
    r"(?:[\s)\]>\"'*`.,:]*|[)\].:*]+\s.*|\s+[-–—]\s.*)",
    re.IGNORECASE | re.DOTALL,
)
_BETWEEN: Final = re.compile(r"\s*(?:,|;|->|→|>|\s)\s*")
_LONGEST_ALPHABET: Final = 26
_LONGEST_ITEM_CHARS: Final = 500


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

    Args:
        text: The reply.
        test: The options as the model saw them.
        reference: Where they come from.
        reading: ``strict`` or ``published``.

    Raises:
        ReplyError: The reply is not JSON, or has another shape.

    >>> from klopt.checking.ordering import read_task
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


def _published(given: object, test: OrderingTest, notes: list[str]) -> Iterator[int]:
    if not isinstance(given, list):
        raise wrong_shape(given, "a list of letters")
    options = dict(test.options)
    for item in given:
        letters = "" if item is None else str(item).strip().upper()
        if len(options) <= _LONGEST_ALPHABET:
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
        if same_title(step.title, item):
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
    same = same_steps(reference)
    left = Counter(same)
    kept: list[int] = []
    for step in order:
        if left[same[step]]:
            left[same[step]] -= 1
            kept.append(step)
        else:
            notes.append(f'"{reference.steps[step].title}" is there again; the first place counts')
    return tuple(kept)
