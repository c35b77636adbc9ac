"""How many answers were read in translation, and why others were not."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from klopt.evaluation.rated import counted_by
from klopt.scoring.assessment import Assessment

REFUSED: Final = "not_translated"
"""The reason code of an `Assessment` that was not scored because it was not translated."""


@dataclass(frozen=True, slots=True)
class TranslatedRows:
    """What came of the translation of the rows.

    Rows that were scored on the original stay in all figures, as they are sent in use; these
    counts say how many they are. Those that were not scored are in no figure.

    Attributes:
        translated: Rows of which a translation was read.
        on_original: Reason code → rows that were to be translated and were scored on the original.
        not_scored: Reason code → rows that were not scored because they were not translated.
        unmasked: Rows of which a sentence came back only when the names, numbers and codes in it
            were translated along.
    """

    translated: int
    on_original: dict[str, int]
    not_scored: dict[str, int]
    unmasked: int


def translated_rows(assessments: Iterable[Assessment]) -> TranslatedRows | None:
    """The counts; None when no row was to be translated.

    Rows in the target language need no translation and are in none of them, nor are rows that
    were refused for something else, such as those without pages.
    """
    every = [(one, note) for one in assessments if (note := one.translation) is not None]
    if not every:
        return None
    failed = [(one, note.reason_code) for one, note in every if note.status == "failed"]
    return TranslatedRows(
        translated=len(every) - len(failed),
        on_original=counted_by(code for one, code in failed if one.score is not None),
        not_scored=counted_by(code for one, code in failed if one.reason_code == REFUSED),
        unmasked=sum(note.unmasked_count > 0 for _, note in every),
    )
