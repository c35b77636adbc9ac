"""Recorded opinions: read from a JSONL file instead of requested."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Final

from pydantic import Field

from klopt._internal.toml_schema import MustBe, Table, list_of, one_of
from klopt.llm.calls import Usage
from klopt.llm.opinions.opinion import OpinionRequest, OpinionResult
from klopt.llm.transcripts import read_fields, read_file, read_lines
from klopt.scoring.notes import ClaimOpinion
from klopt.scoring.tree import HIGHEST, LOWEST
from klopt.verification import LABELS

PROBABILITY: Final = Annotated[
    float, Field(ge=0, le=1, allow_inf_nan=False), MustBe("a number from 0 to 1")
]
RELATION: Final = one_of(LABELS)

_KINDS: Final = ("truth", "rating", "statements")
_Id = Annotated[str | int, MustBe("a text")]
_Rating = Annotated[
    float, Field(ge=LOWEST, le=HIGHEST, allow_inf_nan=False), MustBe("a number from 1 to 5")
]
_Amount = Annotated[float, Field(ge=0, allow_inf_nan=False), MustBe("a number of 0 or more")]
_Name = Annotated[str, Field(max_length=200), MustBe("a text of at most 200 characters")]
_CLAIM: Final = Table.of(relation=RELATION, probability=PROBABILITY)
_LINE: Final = Table.of(
    id=_Id,
    truth=(PROBABILITY | None, None),
    rating=(_Rating | None, None),
    statements=(list_of(_CLAIM | None, "a list of one or more statements", least=1) | None, None),
    who=(_Name, ""),
    cost_usd=(_Amount | None, None),
    seconds=(_Amount, 0.0),
)


class Recorded:
    """Replays the opinions in a file; the same bytes in every run.

    A line is a JSON object with the ``id`` of a row and one of ``truth`` (the probability that the
    answer is true, 0 to 1), ``rating`` (1 to 5, as people rate) and ``statements`` (for each claim
    of the answer, in klopt's order, an object with ``relation`` and ``probability``, or null);
    optionally ``who``, ``cost_usd`` and ``seconds``. The recorded cost counts for a budget.
    """

    def __init__(self, name: str, signature: str, results: Mapping[str, OpinionResult]) -> None:
        self.name, self.signature, self._results = name, signature, results

    def __len__(self) -> int:
        return len(self._results)

    @classmethod
    def read(cls, path: Path) -> Recorded:
        """Read a file; an `InputError` lists invalid lines and contradicting opinions."""
        what = "opinion on row {!r}".format
        return cls(
            path.name, *read_file(path, lambda text: read_lines(path, text, read_line, what))
        )

    def ask(self, request: OpinionRequest) -> OpinionResult:
        """Return the recorded opinion for the row's id."""
        missing = OpinionResult(reason_code="nothing_recorded")
        return self._results.get(request.turn.id, missing)


def read_line(text: str) -> tuple[str, OpinionResult]:
    """Return the id of a row and the opinion on it.

    Raises:
        ValueError: The line is invalid; the message has a line for each problem.

    >>> read_line('{"id": "7", "rating": 4, "who": "Anna"}')[1].truth
    0.75
    >>> read_line('{"id": "7", "truth": 7}')
    Traceback (most recent call last):
    ValueError: truth: 7 is not a number from 0 to 1
    """
    fields = read_fields(text, _LINE)
    given = [name for name in _KINDS if fields[name] is not None]
    if len(given) != 1:
        found = " and ".join(given) or "none"
        raise ValueError(f"give one of {', '.join(_KINDS)}; found {found}")
    truth, rating = fields["truth"], fields["rating"]
    if rating is not None:
        truth = (rating - LOWEST) / (HIGHEST - LOWEST)
    claims = tuple(
        None if claim is None else ClaimOpinion(claim["relation"], float(claim["probability"]))
        for claim in fields["statements"] or ()
    )
    usage = Usage(cost_usd=fields["cost_usd"], seconds=fields["seconds"], calls=1)
    probability = None if truth is None else float(truth)
    return str(fields["id"]), OpinionResult(probability, claims, fields["who"], usage)
