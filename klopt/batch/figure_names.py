"""The names of figures that stand beside a check, as they are asked for."""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass
from typing import Final

from klopt.checking import METRICS
from klopt.errors import ConfigurationError
from klopt.evaluation.retrieval import TOP
from klopt.models.judges import dimensions
from klopt.models.judges.forms import FORMS

RETRIEVAL: Final = "retrieval"
REFERENCE_CHECK: Final = "reference_check"
"""The score of the check by words, graded: `klopt.checking.check_answer`."""

_LONGEST_NAME_CHARS: Final = 60
_TOP: Final = re.compile(r"retrieval_top_([1-9][0-9]{0,3})")


@dataclass(frozen=True, slots=True)
class Asked:
    """Which figures were asked for, each once, in order.

    Attributes:
        metrics: Names in `klopt.checking.METRICS`.
        judges: ``g_eval.truthfulness`` and the like.
        tops: How many retrieved pages are looked at, one figure each.
        reference_check: Whether the answer is checked against its reference by words.
    """

    metrics: tuple[str, ...] = ()
    judges: tuple[str, ...] = ()
    tops: tuple[int, ...] = ()
    reference_check: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the figures, in the order in which they are given."""
        check = (REFERENCE_CHECK,) if self.reference_check else ()
        tops = (f"{RETRIEVAL}_top_{k}" for k in self.tops)
        return (*self.metrics, *check, *self.judges, *tops)


def read_names(text: str) -> Asked:
    """The figures of ``--metrics``.

    Args:
        text: Names separated by commas. A family stands for all its figures: ``rouge``,
            ``bert_score``, ``g_eval``, ``prometheus``, ``retrieval``. Names stand in any order.

    Raises:
        ConfigurationError: A name is not known.

    >>> read_names("bleu,rouge,retrieval_top_1").names
    ('bleu', 'rouge_1', 'rouge_2', 'rouge_l', 'retrieval_top_1')
    """
    metrics: list[str] = []
    judges: list[str] = []
    tops: list[int] = []
    given = list(filter(None, (part.strip() for part in text.split(","))))
    for name in given:
        top = _TOP.fullmatch(name)
        if name in METRICS:
            metrics.append(name)
        elif members := [one.name for one in METRICS.values() if one.family == name]:
            metrics += members
        elif name in FORMS:
            judges += [f"{name}.{one}" for one in dimensions()]
        elif name in _judge_names():
            judges.append(name)
        elif name == RETRIEVAL:
            tops += TOP
        elif top is not None:
            tops.append(int(top[1]))
        elif name != REFERENCE_CHECK:
            raise ConfigurationError(_unknown(name))
    once = dict.fromkeys
    return Asked(
        tuple(once(metrics)), tuple(once(judges)), tuple(once(tops)), REFERENCE_CHECK in given
    )


def _judge_names() -> list[str]:
    return [f"{form}.{one}" for form in FORMS for one in dimensions()]


def _unknown(name: str) -> str:
    families: dict[str, list[str]] = {}
    for metric in METRICS.values():
        families.setdefault(metric.family, []).append(metric.name)
    families |= {REFERENCE_CHECK: [], RETRIEVAL: [f"{RETRIEVAL}_top_{TOP[0]}"]}
    for form in FORMS:
        families[form] = [one for one in _judge_names() if one.startswith(form)]
    every = dict.fromkeys([*families, *(one for members in families.values() for one in members)])
    close = difflib.get_close_matches(name.casefold().replace("-", "_"), every, n=1)
    hint = f' Did you mean "{close[0]}"?' if close else ""
    told = "; ".join(
        f"{family} ({', '.join(members)})" if set(members) - {family} else family
        for family, members in families.items()
    )
    return f'metric "{name[:_LONGEST_NAME_CHARS]}" is not known.{hint} There are: {told}'
