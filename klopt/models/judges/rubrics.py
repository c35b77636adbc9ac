"""What is judged: the four dimensions, each with a rubric from 1 to 5."""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, Final, Literal, TypeAlias

from klopt.errors import ConfigurationError

Sees: TypeAlias = Literal["nothing", "source", "needed"]
"""What a judge is shown beside question and answer; ``rubrics.toml`` explains the words."""

LOWEST, HIGHEST = 1, 5
_FILES: Final = ("rubrics.toml", "prompts.toml")
_DIGEST_CHARS: Final = 12


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
    return {name: _dimension(name, one) for name, one in sorted(_read(_FILES[0]).items())}


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
        for table, texts in _read(_FILES[1]).items()
    }


@cache
def prompt_digest() -> str:
    """SHA-256 of rubrics and prompts, its first 12 digits: other words may give other scores."""
    found = hashlib.sha256()
    for file in _FILES:
        found.update(_text(file).encode())
    return found.hexdigest()[:_DIGEST_CHARS]


def _dimension(name: str, table: Mapping[str, Any]) -> Dimension:
    lists = {key: tuple(table[key]) for key in ("steps", "scores")}
    return Dimension(**{**table, **lists, "name": name, "criteria": table["criteria"].strip()})


def _text(file: str) -> str:
    return resources.files("klopt.models.judges").joinpath(file).read_text("utf-8")


def _read(file: str) -> dict[str, Any]:
    return tomllib.loads(_text(file))
