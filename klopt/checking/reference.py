"""A reference answer, read: its steps in order and its key terms."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, get_args

from klopt.checking.outline import Bold, Step, after_marker, find_bold, find_steps, plain_title
from klopt.reading.key_terms import Hit, find_terms

KeyTermMode: TypeAlias = Literal["auto", "bold", "rules", "none"]
KEY_TERM_MODES: Final[tuple[KeyTermMode, ...]] = get_args(KeyTermMode)
BOLD: Final = "bold"
"""The kind of a term that is bold in the reference."""


@dataclass(frozen=True, slots=True)
class KeyTerm:
    """What a step cannot do without: a command, a path, the name of a button.

    Attributes:
        text: The term, as the reference has it.
        start: First character in the reference, from 0; bold markers are not part of the term.
        end: Character after the last one.
        step: The number of its step; a term before the first step counts to the first.
        kind: ``bold``, or the kind that ``key_terms.toml`` gives the rule that found it.
    """

    text: str
    start: int
    end: int
    step: int
    kind: str


@dataclass(frozen=True, slots=True)
class Reference:
    """A reference answer.

    Attributes:
        text: As given.
        steps: In order; empty for a blank text.
        terms: From left to right, without overlap; a term that stands twice is there twice.
    """

    text: str
    steps: tuple[Step, ...]
    terms: tuple[KeyTerm, ...]

    @property
    def same_steps(self) -> tuple[int, ...]:
        r"""For each step the first one with its title: steps of one title cannot be told apart.

        >>> read_reference("1. Restart.\n2. Edit.\n3. restart.").same_steps
        (0, 1, 0)
        """
        first: dict[str, int] = {}
        return tuple(first.setdefault(plain_title(step.title), step.number) for step in self.steps)


def read_reference(text: str, *, key_terms: KeyTermMode = "auto") -> Reference:
    r"""A reference's steps and key terms.

    Args:
        text: The reference; Markdown lists and bold are understood, HTML is not.
        key_terms: ``bold``: what is bold. ``rules``: what the rules of ``key_terms.toml`` find,
            bold included. ``auto``: bold where there is any, else the rules. ``none``: none.

    Returns:
        The reference; one of only white space has no steps and no terms.

    Raises:
        PatternTimeoutError: A rule took too long on this text.

    Source:
        TechSupportEval, section III: a ground truth is an ordered list of steps, and "key terms
        are extracted from the ground truth using predefined rules". Their released rule is: a
        term is bold, a step starts with a number and a full stop.

    Differs:
        Also reads references without bold, without numbers, and in Dutch. The terms of a
        reference without any step are dropped.

    >>> reference = read_reference("1. Open **httpd.conf**.\n2. Save it.")
    >>> [step.title for step in reference.steps], reference.terms[0].text
    (['Open httpd.conf.', 'Save it.'], 'httpd.conf')
    """
    bolds = find_bold(text)
    steps = find_steps(text, bolds)
    if not steps or key_terms == "none":
        return Reference(text, steps, ())
    starts = frozenset(step.start for step in steps)
    hits = tuple(hit for bold in bolds if (hit := _bold_hit(text, bold, starts)) is not None)
    if key_terms == "rules" or (key_terms == "auto" and not hits):
        hits = find_terms(text, hits)
    return Reference(text, steps, tuple(_term(text, hit, steps) for hit in hits))


def _bold_hit(text: str, bold: Bold, starts: frozenset[int]) -> Hit | None:
    """The bold text without a step's number in it; None when nothing is left."""
    start, end = bold.text.start, bold.text.end
    if bold.opening.start in starts:
        start = max(start, after_marker(text, bold.opening.start))
        start += len(text[start:end]) - len(text[start:end].lstrip())
    return Hit(start, end, BOLD) if any(map(str.isalnum, text[start:end])) else None


def _term(text: str, hit: Hit, steps: tuple[Step, ...]) -> KeyTerm:
    step = max(0, bisect_right(steps, hit.start, key=lambda step: step.start) - 1)
    return KeyTerm(text[hit.start : hit.end], hit.start, hit.end, step, hit.kind)
