"""An evaluation in words: typed figures in, a `View` for page and terminal out."""

from __future__ import annotations

import re
from typing import Final

from klopt.evaluation import Evaluation
from klopt.report import tables
from klopt.report.agreement import agreement, columns, comparison
from klopt.report.costs import costs
from klopt.report.disagreements import disagreements
from klopt.report.figures import brief
from klopt.report.outcome import lead, outcome, untranslated
from klopt.report.view import View
from klopt.report.wording import say

_LANGUAGE: Final = re.compile(r"[a-z]{2,3}")


def worded(found: Evaluation) -> View:
    """Everything that is said of an evaluation; sections without data are left out."""
    sections = (
        disagreements(found),
        comparison(found),
        agreement(found),
        columns(found),
        costs(found),
        tables.stars(found),
        tables.features(found),
        tables.ablation(found),
        tables.heat(found),
        tables.message_types(found),
        tables.labellers(found),
        tables.answers(found),
        tables.glossary(),
        tables.repeat(found),
    )
    notes = (untranslated(one) for one in found.profiles)
    return View(
        source=say("page", "source", file=brief(found.file, 80), version=brief(found.klopt, 20)),
        language=_language(found),
        lead=lead(found),
        notes=tuple(one for one in notes if one is not None),
        outcomes=tuple(outcome(one, is_only=len(found.profiles) == 1) for one in found.profiles),
        sections=tuple(one for one in sections if one is not None),
    )


def _language(found: Evaluation) -> str:
    """The language of the answers when it is one and the same, else empty: not known."""
    names = list(found.rows.languages)
    return names[0] if len(names) == 1 and _LANGUAGE.fullmatch(names[0]) else ""
