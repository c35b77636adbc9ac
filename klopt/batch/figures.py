"""Figures that stand beside a check, as they are asked for: metrics, judges, retrieval."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Final

from klopt.checking import METRICS, BertScorer, measure, signatures
from klopt.errors import ConfigurationError, LlmReason, RecordError
from klopt.evaluation import Retrieval, rank, read_gold
from klopt.evaluation.retrieval import TOP
from klopt.models.calls import Model, Usage
from klopt.models.judges import judge, judge_names, judges_of
from klopt.records import Pages, Turn

RETRIEVAL: Final = "retrieval"

_LONGEST_NAME_CHARS: Final = 60
_TOP: Final = re.compile(r"retrieval_top_([1-9][0-9]{0,3})")

GOLD_FIELD: Final = "gold_context"
"""The field of a row that says which page the bot should have been given."""


def by_reason(reasons: Mapping[str, str]) -> dict[str, list[str]]:
    """Reason → the figures that are None for it.

    >>> by_reason({"bleu": "no reference", "rouge_1": "no reference"})
    {'no reference': ['bleu', 'rouge_1']}
    """
    names_of: dict[str, list[str]] = {}
    for name, reason in reasons.items():
        names_of.setdefault(reason, []).append(name)
    return names_of


@dataclass(frozen=True, slots=True)
class WantedFigures:
    """Which figures were asked for, each once, in order; one for each of ``tops`` pages."""

    metrics: tuple[str, ...] = ()
    judges: tuple[str, ...] = ()
    tops: tuple[int, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the figures, in the order in which they are given."""
        return (*self.metrics, *self.judges, *(f"{RETRIEVAL}_top_{k}" for k in self.tops))


def read_names(text: str) -> WantedFigures:
    """The figures of ``--metrics``.

    >>> read_names("bleu,rouge,retrieval_top_1").names
    ('bleu', 'rouge_1', 'rouge_2', 'rouge_l', 'retrieval_top_1')
    """
    families = _families()
    given = filter(None, (part.strip() for part in text.split(",")))
    names = dict.fromkeys(metric for name in given for metric in families.get(name) or [name])
    metrics = tuple(name for name in names if name in METRICS)
    judges = tuple(name for name in names if name in judge_names())
    tops = {name: int(top[1]) for name in names if (top := _TOP.fullmatch(name)) is not None}
    for name in names:
        if name not in (*metrics, *judges, *tops):
            told = families | {RETRIEVAL: families[RETRIEVAL][:1]}
            raise ConfigurationError(_unknown(name, told))
    return WantedFigures(metrics, judges, tuple(tops.values()))


@dataclass(frozen=True, slots=True)
class RowFigures:
    """The figures of one row; of those that are None the reasons, and why a judge failed."""

    values: Mapping[str, float | None] = field(default_factory=dict)
    reasons: Mapping[str, str] = field(default_factory=dict)
    failures: Mapping[str, LlmReason] = field(default_factory=dict)
    feedback: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    usage: Usage = field(default_factory=Usage)


class Figures:
    """Computes figures for row after row; safe in threads when the model of the judges is.

    ``pages`` are those that a row's right page may name.

    Attributes:
        names: The names of the figures, in order.
        settings: Name → what the figure depends on, so that runs can be compared; retrieval has no
            settings, and is not in it.
    """

    def __init__(
        self,
        asked: WantedFigures,
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
        every = {} if model is None else judges_of(model)
        self._judges = tuple(every[name] for name in asked.judges)
        self.names, self.settings = asked.names, signatures(asked.metrics, bert=bert)
        self.settings |= {judge.name: judge.signature for judge in self._judges}

    def of(self, turn: Turn, gold: object = None) -> RowFigures:
        """The figures of one row; one that cannot be had is None, with the reason.

        ``gold`` is the right page, as `klopt.evaluation.read_gold` takes it.
        """
        values: dict[str, float | None] = {}
        reasons: dict[str, str] = {}
        if self._asked.metrics:
            measured = measure(self._asked.metrics, turn, bert=self._bert)
            values.update(measured.values)
            reasons.update(measured.reasons)
        retrieved, why = self._retrieved(turn, gold)
        judged = judge(turn, self._judges) if self._judges else ()
        values |= {mark.name: mark.score for mark in judged} | retrieved
        reasons |= {mark.name: mark.reason for mark in judged if mark.reason is not None} | why
        return RowFigures(
            values,
            reasons,
            {
                mark.name: mark.reason_code
                for mark in judged
                if mark.reason_code is not None and mark.reason_code != "not_judgeable"
            },
            {mark.name: mark.feedback for mark in judged if mark.feedback},
            tuple(
                f"{mark.name}: try {number} could not be used: {problem}"
                for mark in judged
                for number, problem in enumerate(mark.problems, 1)
            ),
            sum((mark.usage for mark in judged), Usage()),
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
            problem = "the row does not say which page is the right one"
            return dict.fromkeys(names), dict.fromkeys(names, problem)
        place = rank(row)
        return {name: float(place is not None and place <= k) for name, k in names.items()}, {}


def _families() -> dict[str, list[str]]:
    """What stands for several figures → their names; a figure without a family has none."""
    families: dict[str, list[str]] = {}
    for metric, family in METRICS.items():
        families.setdefault(family, []).append(metric)
    families |= {RETRIEVAL: [f"{RETRIEVAL}_top_{k}" for k in TOP]}
    for name in judge_names():
        families.setdefault(name.partition(".")[0], []).append(name)
    return families


def _unknown(name: str, families: Mapping[str, Sequence[str]]) -> str:
    every = dict.fromkeys([*families, *chain.from_iterable(families.values())])
    close = difflib.get_close_matches(name.casefold().replace("-", "_"), every, n=1)
    hint = f' Did you mean "{close[0]}"?' if close else ""
    told = "; ".join(
        f"{family} ({', '.join(members)})" if set(members) - {family} else family
        for family, members in families.items()
    )
    return f'metric "{name[:_LONGEST_NAME_CHARS]}" is not known.{hint} There are: {told}'
