"""Opinions on file: what somebody said before, told again; nobody is asked."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Final

from pydantic import Field

from klopt.comparing import LABELS
from klopt.models.calls import Usage
from klopt.models.json_lines import content_of, read_fields, read_lines
from klopt.opinions.opinion import Asked, Said
from klopt.scoring.second_opinion import SaidOfStatement
from klopt.scoring.tree import HIGHEST, LOWEST
from klopt.toml_schema import MustBe as Allowed
from klopt.toml_schema import Table, list_of, one_of

CHANCE: Final = Annotated[
    float, Field(ge=0, le=1, allow_inf_nan=False), Allowed("a number from 0 to 1")
]
RELATION: Final = one_of(LABELS)

_KINDS: Final = ("truth", "rating", "statements")
_DIGITS: Final = 12
_Id = Annotated[str | int, Allowed("a text")]
_Rating = Annotated[
    float, Field(ge=LOWEST, le=HIGHEST, allow_inf_nan=False), Allowed("a number from 1 to 5")
]
_Amount = Annotated[float, Field(ge=0, allow_inf_nan=False), Allowed("a number of 0 or more")]
_Name = Annotated[str, Field(max_length=200), Allowed("a text of at most 200 characters")]
_STATEMENT: Final = Table.of(relation=RELATION, probability=CHANCE)
_Statements = list_of(_STATEMENT | None, "a list of one or more statements", least=1)
_LINE: Final = Table.of(
    id=_Id,
    truth=(CHANCE | None, None),
    rating=(_Rating | None, None),
    statements=(_Statements | None, None),
    who=(_Name, ""),
    cost_usd=(_Amount | None, None),
    seconds=(_Amount, 0.0),
)


class Recorded:
    """Tells opinions of a file again: the same bytes each time.

    A line is a JSON object with the ``id`` of a row and just one of ``truth`` (the chance that the
    answer is true, 0 to 1), ``rating`` (1 to 5, as people rate) and ``statements`` (for each
    statement of the answer, in klopt's order, an object with ``relation`` and ``probability``, or
    null); and, where they are known, ``who`` said it, ``cost_usd`` and ``seconds``. What it cost
    counts for a budget as it did when it was recorded.
    """

    def __init__(self, name: str, signature: str, said: Mapping[str, Said]) -> None:
        self.name, self.signature, self._said = name, signature, said

    def __len__(self) -> int:
        return len(self._said)

    @classmethod
    def read(cls, path: Path) -> Recorded:
        """Reads a file whole.

        Raises:
            InputError: It cannot be read, a line is wrong, or two lines have different opinions on
                one answer: all problems at once.
        """
        content = content_of(path)
        opinions = read_lines(path, content, read_line, "opinion on row {!r}".format)
        digest = hashlib.sha256(content).hexdigest()[:_DIGITS]
        return cls(path.name, f"recorded:{digest}", opinions)

    def ask(self, asked: Asked) -> Said:
        """What was recorded for the row's id."""
        nothing = Said(reason_code="nothing_recorded")
        return self._said.get(asked.turn.id, nothing)


def read_line(text: str) -> tuple[str, Said]:
    """The id of a row and the opinion on it.

    Raises:
        ValueError: The line is something else; the message has a line for each problem.

    >>> read_line('{"id": "7", "rating": 4, "who": "Anna"}')[1].truth
    0.75
    >>> read_line('{"id": "7", "truth": 7}')
    Traceback (most recent call last):
    ValueError: truth: 7 is not a number from 0 to 1
    """
    fields = read_fields(text, _LINE)
    given = [name for name in _KINDS if fields[name] is not None]
    if len(given) != 1:
        raise ValueError(f"give one of {', '.join(_KINDS)}; met {' and '.join(given) or 'none'}")
    truth, rating = fields["truth"], fields["rating"]
    if rating is not None:
        truth = (rating - LOWEST) / (HIGHEST - LOWEST)
    statements = tuple(
        None
        if statement is None
        else SaidOfStatement(statement["relation"], float(statement["probability"]))
        for statement in fields["statements"] or ()
    )
    usage = Usage(cost_usd=fields["cost_usd"], seconds=fields["seconds"], calls=1)
    chance = None if truth is None else float(truth)
    return str(fields["id"]), Said(chance, statements, fields["who"], usage)
