"""The judged answers that accuracy is measured on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from klopt import Turn
from training.rated_turns import CENTRES, demo_turns, english_turns, techqa_turns

TECHQA: Final = "TechQA en"
SEEN: Final = (
    "The default profile was learnt from these very answers, which flatters it; `python -m "
    "benchmarks.left_out` prints what it is worth elsewhere."
)
PROFILES: Final[tuple[str, ...]] = ("afas", "default")


@dataclass(frozen=True, slots=True)
class RatedSet:
    """One data set.

    Attributes:
        name: For tables and for JSON.
        language: Of its answers.
        about: What it is, and what the default profile has learnt from it.
        learnt_from: Whether ``training/profile.py`` learns the default profile from it.
        load: Its turns, from the folder of the data.
    """

    name: str
    language: str
    about: str
    learnt_from: bool
    load: Callable[[Path], Sequence[Turn]]


def _demo(language: str) -> Callable[[Path], Sequence[Turn]]:
    return lambda _: [turn for turn in demo_turns() if turn.language == language]


RATED_SETS: Final = (
    *(
        RatedSet(
            one.name, one.language, f"Rated turns over a real help centre. {SEEN}", True, one.load
        )
        for one in CENTRES
    ),
    RatedSet(
        "gnome in translation",
        "en",
        f"The turns of gnome nl, with their ratings, in English translation. {SEEN}",
        True,
        english_turns,
    ),
    RatedSet(
        TECHQA,
        "en",
        "Answers of three systems with labels, accurate or not; label 1 stands for true. The "
        "default profile has two weights from these labels; held out are those that the labels of "
        "other questions teach, in five folds.",
        True,
        techqa_turns,
    ),
    *(
        RatedSet(
            f"demo {language}",
            language,
            "The demo company's chat log, without its terms; made and rated by us. The default "
            "profile has learnt nothing from it.",
            False,
            _demo(language),
        )
        for language in ("nl", "en")
    ),
)
"""Those that need the folder of the data first."""

BY_NAME: Final = {one.name: one for one in RATED_SETS}


def at_hand(data: Path | None) -> tuple[RatedSet, ...]:
    """The data sets that can be loaded; without a folder those of the demo company."""
    return tuple(one for one in RATED_SETS if data is not None or not one.learnt_from)
