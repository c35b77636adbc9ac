"""The names of figures that stand beside a check, as they are asked for."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping, Sequence
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
    families = _families()
    given = filter(None, (part.strip() for part in text.split(",")))
    names = dict.fromkeys(one for name in given for one in families.get(name) or [name])
    metrics = tuple(name for name in names if name in METRICS)
    judges = tuple(name for name in names if name in _judge_names())
    tops = {name: int(top[1]) for name in names if (top := _TOP.fullmatch(name)) is not None}
    for name in names:
        if name not in (*metrics, *judges, *tops, REFERENCE_CHECK):
            told = families | {RETRIEVAL: families[RETRIEVAL][:1]}
            raise ConfigurationError(_unknown(name, told))
    return Asked(metrics, judges, tuple(tops.values()), REFERENCE_CHECK in names)


def _judge_names() -> list[str]:
    return [f"{form}.{one}" for form in FORMS for one in dimensions()]


def _families() -> dict[str, list[str]]:
    """What stands for several figures → their names; a figure without a family has none."""
    families: dict[str, list[str]] = {}
    for metric, family in METRICS.items():
        families.setdefault(family, []).append(metric)
    families |= {REFERENCE_CHECK: [], RETRIEVAL: [f"{RETRIEVAL}_top_{k}" for k in TOP]}
    for name in _judge_names():
        families.setdefault(name.partition(".")[0], []).append(name)
    return families


def _unknown(name: str, families: Mapping[str, Sequence[str]]) -> str:
    every = dict.fromkeys([*families, *(one for members in families.values() for one in members)])
    close = difflib.get_close_matches(name.casefold().replace("-", "_"), every, n=1)
    hint = f' Did you mean "{close[0]}"?' if close else ""
    told = "; ".join(
        f"{family} ({', '.join(members)})" if set(members) - {family} else family
        for family, members in families.items()
    )
    return f'metric "{name[:_LONGEST_NAME_CHARS]}" is not known.{hint} There are: {told}'
