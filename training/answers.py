"""Labelled answers: real ones by set, and pairs."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from klopt import Turn
from training.pair_rows import PairRow, pair_rows
from training.rated_turns import rows_of

SETS: Final = ("mtrag", "qa_feedback", "hagrid", "gensearch", "expertqa")
"""The sets of real English answers."""
MAIN_SETS: Final = SETS[:4]
"""The sets with reliable labels: on expertqa published systems reach about 59%."""
DUTCH: Final = "nl"
"""The Dutch translations of some rows of `SETS`."""
UNSCORED: Final = 3.0
"""The score of an unscored answer when answers are ranked."""


def ranking_scores(scores: Iterable[float | None]) -> list[float]:
    """Return scores with `UNSCORED` for None."""
    return [UNSCORED if score is None else score for score in scores]


@dataclass(frozen=True, slots=True)
class Labelled:
    """A turn with people's label of its answer.

    Attributes:
        set: One of `SETS`, or `DUTCH`.
        group: The set that is left out of training together with this answer.
        turn: The turn.
        is_faithful: Whether the answer is faithful to the pages.
    """

    set: str
    group: str
    turn: Turn
    is_faithful: bool


def real_answers(data: Path, *names: str) -> list[Labelled]:
    """Return the answers of some sets, of all English ones by default."""
    return [answer for name in names or SETS for answer in _answers(data, name)]


def _answers(data: Path, name: str) -> Iterator[Labelled]:
    for row in rows_of(data / "real" / f"{name}.jsonl"):
        language = "nl" if name == DUTCH else "en"
        turn = Turn(
            row["question"], row["answer"], row["contexts"], id=row["id"], language=language
        )
        yield Labelled(name, row.get("set", name), turn, bool(row["label"]))


def pairs(data: Path) -> list[tuple[PairRow, Sequence[Turn]]]:
    """Return the pairs of answers, each with its true and untrue turn."""
    return [(row, row.turns(data)) for row in pair_rows(data)]
