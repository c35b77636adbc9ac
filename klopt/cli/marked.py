"""An answer with the spans that pages support, and those that none supports, set apart."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from rich.text import Text

from klopt.cli.terminal import clean
from klopt.measurement import Measurement
from klopt.scoring.assessment import Assessment

STYLES: Final = {"supported": "green", "unsupported": "bold red"}
BRACKETS: Final = {"supported": ("[+", "+]"), "unsupported": ("[-", "-]")}
_SHOWN: Final = (
    ("components_defined", ("unsupported",)),
    ("substitution", ("unsupported",)),
    ("components_defined", ("supported",)),
    ("subject_combination", ("supported", "unsupported")),
    ("verbatim_guide_defined", ("supported",)),
)
"""The evidence that is marked, the most telling first: it wins where spans overlap. A step that no
guide has word for word is not untrue for that, so only those that one has are marked."""

Stretch = tuple[str, str | None]


def stretches(answer: str, assessment: Assessment) -> list[Stretch]:
    """The answer in pieces, each with ``supported``, ``unsupported`` or None."""
    kinds: list[str | None] = [None] * len(answer)
    for start, end, kind in _spans(assessment.measurements):
        for index in range(start, min(end, len(answer))):
            if kinds[index] is None:
                kinds[index] = kind
    pieces: list[Stretch] = []
    start = 0
    for index in range(1, len(answer) + 1):
        if index == len(answer) or kinds[index] != kinds[start]:
            pieces.append((answer[start:index], kinds[start]))
            start = index
    return pieces


def _spans(measurements: Mapping[str, Measurement]) -> Iterator[tuple[int, int, str]]:
    for name, kinds in _SHOWN:
        if name in measurements:
            for one in measurements[name].evidence:
                if one.kind in kinds:
                    yield one.start, one.end, one.kind


def marked(answer: str, assessment: Assessment, *, colour: bool) -> Text:
    """The answer for the terminal: coloured, or with ``[+ +]`` and ``[- -]`` around the spans."""
    text = Text()
    for piece, kind in stretches(answer, assessment):
        shown = clean(piece)
        if kind is None:
            text.append(shown)
        elif colour:
            text.append(shown, style=STYLES[kind])
        else:
            before, after = BRACKETS[kind]
            text.append(f"{before}{shown}{after}")
    return text
