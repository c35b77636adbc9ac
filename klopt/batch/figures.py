"""Figures that stand beside a check: metrics, judges, retrieval."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from klopt.batch.figure_names import REFERENCE_CHECK, RETRIEVAL, Asked
from klopt.checking import (
    BertScorer,
    Checker,
    TextSolver,
    measure,
    read_strategy,
    signatures,
)
from klopt.errors import ConfigurationError, LlmReason, RecordError
from klopt.evaluation import Retrieval, rank, read_gold
from klopt.models.calls import Model, Usage
from klopt.models.judges import Judge, judge, judges_by_name
from klopt.records import Pages, Turn

GOLD_FIELD: Final = "gold_context"
"""The field of a row that says which page the bot should have been given."""

_NO_GOLD: Final = "the row does not say which page is the right one"


def by_reason(reasons: Mapping[str, str]) -> dict[str, list[str]]:
    """Reason → the figures that are None for it.

    >>> by_reason({"bleu": "no reference", "rouge_1": "no reference"})
    {'no reference': ['bleu', 'rouge_1']}
    """
    found: dict[str, list[str]] = {}
    for name, reason in reasons.items():
        found.setdefault(reason, []).append(name)
    return found


@dataclass(frozen=True, slots=True)
class RowFigures:
    """The figures of one row.

    Attributes:
        values: Name → figure; None where there is none.
        reasons: Name → why it is None; for those only.
        failures: Judge → the word of `klopt.errors.LlmReason` for why it failed; for those only.
        feedback: Judge → why it gave its score, in the words of a model.
        notes: What was wrong with replies of a model.
        usage: What the judges cost.
    """

    values: Mapping[str, float | None] = field(default_factory=dict)
    reasons: Mapping[str, str] = field(default_factory=dict)
    failures: Mapping[str, LlmReason] = field(default_factory=dict)
    feedback: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    usage: Usage = field(default_factory=Usage)


class Figures:
    """Computes figures for row after row; safe in threads when the model is.

    Args:
        asked: Which.
        model: For judges.
        bert: For BERTScore.
        pages: Pages that a row's right page may name.

    Raises:
        ConfigurationError: A judge is asked for without a model, or BERTScore without its own.
        ExtraMissingError: What a metric needs is not installed; the message names the extra.
    """

    def __init__(
        self,
        asked: Asked,
        *,
        model: Model | None = None,
        bert: BertScorer | None = None,
        pages: Pages | None = None,
    ) -> None:
        if asked.judges and model is None:
            raise ConfigurationError(
                f'metric "{asked.judges[0]}" is an LLM judge and needs a model'
            )
        self._asked, self._bert, self._pages = asked, bert, pages
        self._judges: tuple[Judge, ...] = (
            judges_by_name(asked.judges, model) if model is not None else ()
        )
        self._checker = (
            Checker(TextSolver(), strategy=read_strategy("graded"))
            if asked.reference_check
            else None
        )
        self._settings = signatures(asked.metrics, bert=bert)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the figures, in order."""
        return self._asked.names

    @cached_property
    def settings(self) -> Mapping[str, str]:
        """Name → what the figure depends on, so that runs can be compared.

        Retrieval has no settings, and is not in it.
        """
        judges = {one.name: one.signature for one in self._judges}
        checks = {} if self._checker is None else {REFERENCE_CHECK: self._checker.fingerprint}
        return {**self._settings, **checks, **judges}

    def of(self, turn: Turn, gold: object = None) -> RowFigures:
        """The figures of one row; one that cannot be had is None, with the reason.

        ``gold`` is the right page, as `klopt.evaluation.read_gold` takes it.
        """
        values: dict[str, float | None] = {}
        reasons: dict[str, str] = {}
        if self._asked.metrics:
            (measured,) = measure(self._asked.metrics, [turn], bert=self._bert)
            values.update(measured.values)
            reasons.update(measured.reasons)
        if self._checker is not None:
            check = self._checker.check(turn)
            values[REFERENCE_CHECK] = check.score
            if check.reason is not None:
                reasons[REFERENCE_CHECK] = check.reason
        retrieved, why = self._retrieved(turn, gold)
        judged = judge(turn, self._judges, at_once=1) if self._judges else ()
        values |= {one.name: one.score for one in judged} | retrieved
        reasons |= {one.name: one.reason for one in judged if one.reason is not None} | why
        return RowFigures(
            values,
            reasons,
            {
                one.name: one.reason_code
                for one in judged
                if one.reason_code is not None and one.reason_code != "not_judgeable"
            },
            {one.name: one.feedback for one in judged if one.feedback},
            tuple(
                f"{one.name}: try {number} could not be used: {problem}"
                for one in judged
                for number, problem in enumerate(one.problems, 1)
            ),
            sum((one.usage for one in judged), Usage()),
        )

    def _retrieved(
        self, turn: Turn, gold: object
    ) -> tuple[dict[str, float | None], dict[str, str]]:
        """Whether the right page is among the first k, for each k, or why that is not known."""
        names = {f"{RETRIEVAL}_top_{k}": k for k in self._asked.tops}
        if not names:
            return {}, {}
        try:
            row = Retrieval(turn.pages, read_gold(gold, pages=self._pages))
        except RecordError as error:
            return dict.fromkeys(names), dict.fromkeys(names, str(error))
        if not row.gold:
            return dict.fromkeys(names), dict.fromkeys(names, _NO_GOLD)
        place = rank(row)
        return {name: float(place is not None and place <= k) for name, k in names.items()}, {}
