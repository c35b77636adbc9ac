"""The questions of the LLM solver, from ``prompts.toml``."""

from __future__ import annotations

import hashlib
import tomllib
from functools import cache
from importlib import resources
from string import Template
from typing import Final, Literal, TypeAlias

from klopt.models.calls import Call

__all__ = ["CLOZE_FACT", "STEP_RESTORE", "Technique", "call_for", "prompts_digest"]

Technique: TypeAlias = Literal["cloze_fact", "step_restore"]
CLOZE_FACT: Final = "cloze_fact"
STEP_RESTORE: Final = "step_restore"
_BOUNDARY_CHARS: Final = 12


def call_for(technique: Technique, id: str, answer: str, task: str) -> Call:
    """The call that asks for a row's blanks or order.

    Args:
        technique: ``cloze_fact`` or ``step_restore``.
        id: The row's id.
        answer: What is checked; it stands in the message as it is.
        task: The text with blanks, or the options.

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
    return hashlib.sha256(_source().encode()).hexdigest()


def _boundary(*texts: str) -> str:
    """A word that stands in none of the texts; the same for the same texts."""
    word = ""
    while not word or any(word in text for text in texts):
        content = "\n".join((word, *texts)).encode("utf-8", "surrogatepass")
        word = hashlib.sha256(content).hexdigest()[:_BOUNDARY_CHARS]
    return word


@cache
def _prompts() -> dict[str, dict[str, str]]:
    return tomllib.loads(_source())


def _source() -> str:
    return resources.files("klopt.checking").joinpath("prompts.toml").read_text("utf-8")
