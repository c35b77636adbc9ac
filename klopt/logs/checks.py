"""Compare rows with their reference answers and compute metrics, judges and retrieval ranks."""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import chain
from typing import Any, Final

from klopt._internal.imports import needs
from klopt.errors import ConfigurationError, LlmReason, RecordError
from klopt.llm.calls import Model, Usage, ordered_map
from klopt.llm.judges import judge, judge_names, judges_of
from klopt.logs.formats import Warn
from klopt.logs.rows import Row, with_warnings
from klopt.reference import METRICS, BertScorer, Checker, ReferenceCheck, measure, signatures
from klopt.types import Page, Pages, Turn

NEAR_CHARS: Final = 100  # smaller Levenshtein distances are versions of one page, as in the paper

TOP: Final = (1, 2, 3, 5)  # The values of k in the paper's table 8

_MAX_GOLD_NAME_CHARS: Final = 200


@dataclass(frozen=True, slots=True)
class Retrieval:
    """The pages retrieved for one question, best first, and the right ones: any will do."""

    retrieved: tuple[Page, ...]
    gold: tuple[Page, ...]


def read_gold(value: object, *, pages: Pages | None = None) -> tuple[Page, ...]:
    """Read the right page or pages of a row from a field such as ``gold_context``.

    The value is a page's name (at most 200 characters without white space), its text, an object
    with ``id`` or ``text``, or a list of these, else a RecordError. Texts of named ``pages`` are
    compared too.

    >>> read_gold("wifi.md")
    (Page(text='', id='wifi.md', title=None, url=None, format='auto'),)
    """
    if value is None or value == "" or value == []:
        return ()
    if isinstance(value, list | tuple):
        return tuple(page for inner in value for page in read_gold(inner, pages=pages))
    if isinstance(value, str):
        if pages is not None and value in pages:
            return (pages[value],)
        is_name = len(value) <= _MAX_GOLD_NAME_CHARS and not any(map(str.isspace, value))
        return (Page("", id=value),) if is_name else (Page(value),)
    if isinstance(value, Mapping):
        return (_from_mapping(value, pages),)
    raise RecordError(
        "the right page is a name, a text, an object with id or text, or a list of these, not "
        f"{type(value).__name__}"
    )


def rank(row: Retrieval) -> int | None:
    """The rank of the right page, from 1; None when it was not retrieved.

    >>> rank(Retrieval((Page("a", id="a"), Page("b", id="b")), (Page("", id="b"),)))
    2
    """
    for place, page in enumerate(row.retrieved, 1):
        for gold in row.gold:
            if (gold.id and page.id == gold.id) or (gold.text and is_near(page.text, gold.text)):
                return place
    return None


def is_near(one: str, other: str) -> bool:
    """Whether two texts are versions of one page: a Levenshtein distance below 100.

    Source: HR chatbot paper, appendix A.3. Differs: the distance must also be less than half the
    longer text, since short passages are always less than 100 apart.

    >>> is_near("Klik op Opslaan.", "Klik op  opslaan."), is_near("Wifi aan.", "Geluid uit.")
    (True, False)
    """
    first, second = (
        unicodedata.normalize("NFC", text).replace("\r\n", "\n") for text in (one, other)
    )
    if first == second:
        return bool(first)
    limit = min(NEAR_CHARS, -(-max(len(first), len(second)) // 2)) - 1
    if abs(len(first) - len(second)) > limit:
        return False
    with needs("metrics", "comparing pages by their text needs rapidfuzz"):
        from rapidfuzz.distance import Levenshtein
    return bool(Levenshtein.distance(first, second, score_cutoff=limit) <= limit)


def _from_mapping(value: Mapping[str, Any], pages: Pages | None) -> Page:
    name, text = (value.get(field) or "" for field in ("id", "text"))
    if not isinstance(name, str) or not isinstance(text, str) or not (name or text):
        raise RecordError("the right page is an object without a text in id or in text")
    if not text and pages is not None and name in pages:
        return pages[name]
    return Page(text, id=name)


RETRIEVAL: Final = "retrieval"
GOLD_FIELD: Final = "gold_context"  # names the page the bot should have been given
_LONGEST_NAME_CHARS: Final = 60
_TOP: Final = re.compile(r"retrieval_top_([1-9][0-9]{0,3})")


def by_reason(reasons: Mapping[str, str]) -> dict[str, list[str]]:
    """Group metrics without a value by the reason."""
    names_of: dict[str, list[str]] = {}
    for name, reason in reasons.items():
        names_of.setdefault(reason, []).append(name)
    return names_of


@dataclass(frozen=True, slots=True)
class WantedFigures:
    """The requested metrics, each once, in order; ``tops`` are the k of retrieval in the top k."""

    metrics: tuple[str, ...] = ()
    judges: tuple[str, ...] = ()
    tops: tuple[int, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """All names, in the order of the output."""
        return (*self.metrics, *self.judges, *(f"{RETRIEVAL}_top_{k}" for k in self.tops))


def read_names(text: str) -> WantedFigures:
    """Parse the value of ``--metrics``; ConfigurationError for an unknown name.

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
            shown = families | {RETRIEVAL: families[RETRIEVAL][:1]}
            raise ConfigurationError(_unknown(name, shown))
    return WantedFigures(metrics, judges, tuple(tops.values()))


def _families() -> dict[str, list[str]]:
    """Return the names that stand for several metrics, with those metrics."""
    families: dict[str, list[str]] = {}
    for metric, family in METRICS.items():
        families.setdefault(family, []).append(metric)
    families[RETRIEVAL] = [f"{RETRIEVAL}_top_{k}" for k in TOP]
    for name in judge_names():
        families.setdefault(name.partition(".")[0], []).append(name)
    return families


def _unknown(name: str, families: Mapping[str, Sequence[str]]) -> str:
    every = dict.fromkeys([*families, *chain.from_iterable(families.values())])
    close = difflib.get_close_matches(name.casefold().replace("-", "_"), every, n=1)
    hint = f' Did you mean "{close[0]}"?' if close else ""
    allowed = "; ".join(
        f"{family} ({', '.join(members)})" if set(members) - {family} else family
        for family, members in families.items()
    )
    return f'metric "{name[:_LONGEST_NAME_CHARS]}" is not known.{hint} There are: {allowed}'


@dataclass(frozen=True, slots=True)
class RowFigures:
    """The metrics of one row, with a reason for each that has no value."""

    values: Mapping[str, float | None] = field(default_factory=dict)
    reasons: Mapping[str, str] = field(default_factory=dict)
    failures: Mapping[str, LlmReason] = field(default_factory=dict)
    feedback: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    usage: Usage = field(default_factory=Usage)


class Figures:
    """Computes the requested metrics of rows; thread-safe if the judges' model is.

    ``gold_context`` may name ``pages``. ``settings`` are what each metric depends on, to compare
    runs. Raises ConfigurationError for a judge without a model.
    """

    def __init__(
        self,
        wanted: WantedFigures,
        *,
        model: Model | None = None,
        bert: BertScorer | None = None,
        pages: Pages | None = None,
    ) -> None:
        if wanted.judges and model is None:
            raise ConfigurationError(
                f'metric "{wanted.judges[0]}" is an LLM judge and needs a model'
            )
        self._wanted, self._bert, self._pages = wanted, bert, pages
        every = {} if model is None else judges_of(model)
        self._judges = tuple(every[name] for name in wanted.judges)
        self.names = wanted.names
        self.settings = signatures(wanted.metrics, bert=bert)
        self.settings |= {judge.name: judge.signature for judge in self._judges}

    def of(self, turn: Turn, gold: object = None) -> RowFigures:
        """Compute the metrics of a row, or None with a reason; ``gold`` as for `read_gold`."""
        values: dict[str, float | None] = {}
        reasons: dict[str, str] = {}
        if self._wanted.metrics:
            measured = measure(self._wanted.metrics, turn, bert=self._bert)
            values, reasons = dict(measured.values), dict(measured.reasons)
        retrieved, retrieval_reasons = self._retrieved(turn, gold)
        marks = judge(turn, self._judges) if self._judges else ()
        for mark in marks:
            values[mark.name] = mark.score
            if mark.reason is not None:
                reasons[mark.name] = mark.reason
        codes = {mark.name: mark.reason_code for mark in marks}
        feedback = {mark.name: mark.feedback for mark in marks if mark.feedback}
        failures = {name: code for name, code in codes.items() if code and code != "not_judgeable"}
        notes = (
            f"{mark.name}: try {number} could not be used: {problem}"
            for mark in marks
            for number, problem in enumerate(mark.problems, 1)
        )
        usage = sum((mark.usage for mark in marks), Usage())
        values, reasons = values | retrieved, reasons | retrieval_reasons
        return RowFigures(values, reasons, failures, feedback, tuple(notes), usage)

    def _retrieved(
        self, turn: Turn, gold: object
    ) -> tuple[dict[str, float | None], dict[str, str]]:
        """Return for each k whether the right page is in the top k, or why that is unknown."""
        names = {f"{RETRIEVAL}_top_{k}": k for k in self._wanted.tops}
        if not names:
            return {}, {}
        try:
            row = Retrieval(turn.pages, read_gold(gold, pages=self._pages))
            if not row.gold:
                raise RecordError("the row does not say which page is the right one")
        except RecordError as error:
            return dict.fromkeys(names), dict.fromkeys(names, str(error))
        place = rank(row)
        return {name: float(place is not None and place <= k) for name, k in names.items()}, {}


@dataclass(frozen=True, slots=True)
class CheckedRow:
    """The result of one row; ``settings`` holds the settings that each metric depends on."""

    row: Row
    check: ReferenceCheck | None
    figures: RowFigures
    is_checked: bool
    settings: Mapping[str, str] = field(default_factory=dict, repr=False)

    @property
    def failures(self) -> tuple[tuple[str, str], ...]:
        """Code and text of each failure; a missing reference is no failure."""
        if self.row.problem is not None:
            return (("row", self.row.problem),)
        check, figures = self.check, self.figures
        judges = ((code, figures.reasons[name]) for name, code in figures.failures.items())
        if check is not None and check.status == "error":
            return ((check.reason_code or "", check.reason or ""), *judges)
        return tuple(judges)

    @property
    def usage(self) -> Usage:
        """The model calls of the check and the judges."""
        checked = self.check.usage if self.check is not None else Usage()
        return checked + self.figures.usage

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON object, ``id`` first, in a fixed order; metrics to six decimals."""
        figures, failures = self.figures, self.failures
        if self.check is not None:
            fields = self.check.to_dict()
        else:
            code, reason = failures[0] if failures else (None, None)
            status = "error" if failures else "measured"
            fields = {"score": None, "errors": []} if self.is_checked else {}
            fields |= {"status": status, "reason_code": code, "reason": reason}
        row = {"id": self.row.id, **fields}
        metrics = figures.values.items()
        for name, own in (
            ("metrics", {key: None if one is None else round(one, 6) for key, one in metrics}),
            ("metric_reasons", dict(figures.reasons)),
            ("metric_feedback", dict(figures.feedback)),
            ("metric_settings", dict(self.settings)),
        ):
            row |= {name: own} if own else {}
        if figures.notes:
            row["notes"] = [*row.get("notes", ()), *figures.notes]
        if figures.usage.calls or "usage" in row:
            row["usage"] = asdict(self.usage)
        return row


def check_rows(
    rows: Iterable[Row],
    checker: Checker | None,
    figures: Figures,
    warn: Warn,
    *,
    at_once: int = 1,
    one_each: bool = False,
    progress: Callable[[int], None] | None = None,
) -> Iterator[CheckedRow]:
    """Check rows in order, ``at_once`` of them waiting for a model.

    Without a checker only metrics are computed; ``warn`` and ``one_each`` are those of
    `klopt.logs.rows.with_warnings`; ``progress`` is called with the number of finished rows, in the
    thread that iterates.
    """

    def checked(row: Row) -> CheckedRow:
        is_checked = checker is not None
        if row.turn is None:
            problem = row.problem or "the row cannot be read"
            return CheckedRow(replace(row, problem=problem), None, RowFigures(), is_checked)
        row_figures = figures.of(row.turn, row.fields.get(GOLD_FIELD))
        check = None if checker is None else checker.check(row.turn)
        return CheckedRow(row, check, row_figures, is_checked, figures.settings)

    return ordered_map(checked, with_warnings(rows, warn, one_each=one_each), at_once, progress)
