"""The result of scoring: one `Assessment` for each turn."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from operator import attrgetter
from typing import Annotated, Any, Final, Literal, get_args, get_origin, get_type_hints

from klopt.scoring.notes import OpinionNote, TranslationNote
from klopt.scoring.tree import Verdict, Visit
from klopt.text.inline import PartKind
from klopt.types import Evidence, Figure, Measurement, MessageType, Page
from klopt.verification import Label

_DECIMALS: Final = 6
OLD_CLAIMS: Final = "statements"
"""The name of the column ``claims`` before 1.0, also written in this version."""

Status = Literal["scored", "scored_on_original", "cut_off", "not_scorable", "error"]


@dataclass(frozen=True, slots=True)
class Quote:
    """A stretch of an answer or a page.

    Attributes:
        text: Its text without markup, in translation if that was read.
        start: Its start in the original.
        end: Its end in the original.
    """

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Slot:
    """A detail in which a claim and its passage agree or differ.

    Attributes:
        kind: What it is about, such as ``value``, ``key`` or ``negation``.
        side: ``for``, ``against`` or ``open``.
        claim: The words of the answer; None when only the page has any.
        page: The words of the page; None when only the answer has any.
    """

    kind: str
    side: str
    claim: Quote | None
    page: Quote | None


@dataclass(frozen=True, slots=True)
class PagePlace:
    """A stretch of an original page.

    Attributes:
        page: The id of the page.
        text: Its words there, without markup.
        start: First character, from 0.
        end: Character after the last one.
        line: The line of the page on which it begins, from 1.
    """

    page: str
    text: str
    start: int
    end: int
    line: int


@dataclass(frozen=True, slots=True)
class CheckedClaim:
    """A claim of an answer, verified against the pages.

    Attributes:
        text: Its words in the answer, without markup.
        start: First character in the *original* answer, from 0.
        end: Character after the last one in the original answer.
        relation: Its label: ``supported``, ``contradicted`` or ``not_stated``.
        fault: Whether it is less likely true than the profile's ``fault_below`` (an option of the
            heuristic ``weakest_statement``); or, unless the answer is sent, has a name that is on
            no page, or held back the answer because no page states it.
        truth: Probability that it is true, 0 to 1.
        passage: The passage with the most evidence; None when no page has anything near it.
        slots: The details in which claim and passage agree or differ, each within the passage.
        differing: Starts and ends, in the passage's text, of the words that contradict it.
        wrong: Starts and ends, in its own text, of the words that the passage contradicts; where
            none are known, of those that the passage lacks.
        rivals: Its words and the passage's words instead of them, a few words each.
    """

    text: str
    start: int
    end: int
    relation: Label
    fault: bool
    truth: float
    passage: PagePlace | None
    slots: tuple[Slot, ...]
    differing: tuple[tuple[int, int], ...] = ()
    wrong: tuple[tuple[int, int], ...] = ()
    rivals: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Part:
    """A part of an answer.

    Attributes:
        kind: One of `klopt.text.inline.KINDS`; only claims and steps are verified, and an
            admission makes the answer abstain.
        text: Its characters in the original answer, markup included.
        start: First character in the original answer, from 0.
        end: Character after the last one.
    """

    kind: PartKind
    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class CutOff:
    """What an assessment does not rest on, since its time was up.

    Attributes:
        budget_ms: The time budget.
        unread: The ids of pages that were not read; if there are any, nothing was measured.
        unmeasured: The heuristics that were needed and not measured.
    """

    budget_ms: float
    unread: tuple[str, ...]
    unmeasured: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TurnLanguages:
    """The language that each text reads like by itself; None if unknown.

    Attributes:
        question: Of the question.
        answer: Of the answer.
        pages: Of each page, in order.
    """

    question: str | None
    answer: str | None
    pages: tuple[str | None, ...]


@dataclass(frozen=True, slots=True)
class Assessment:
    r"""How far one answer can be trusted, and why.

    Attributes:
        id: The turn's.
        score: 1 (untrue) to 5 (true); None unless it was scored. Never NaN. Where it was cut off,
            the score, if there is one, is no higher than that of the whole.
        stars: The score rounded to whole stars, halves up.
        verdict: ``send``, ``review`` or ``block`` by the profile's thresholds and the score as
            printed; `klopt.scoring.tree.Thresholds.decide` lists the exceptions. Cut off, it is
            ``block`` if the whole would be blocked whatever else is found, else ``review``.
            ``unscored`` without a score: such an answer never passes.
        status: ``scored``; ``scored_on_original``: the translation failed, so the features that
            read it read the original; ``cut_off``: its time was up before everything was
            measured; ``not_scorable``: nothing to judge, or out of scope; ``error``: the row or a
            resource is at fault.
        reason_code: A stable code for the reason, such as ``no_contexts``; None when ``scored``.
        reason: The reason in words; None when ``scored``.
        language: The language of the question and answer, or None.
        message_type: One of the seven types, or None before classification.
        pattern: The pattern, or declared rule, that decided the message type.
        span: Its place in the original question; None when nothing in the text decided.
        rule: The node of the tree that decided; None unless scored.
        path: The nodes that the walk came to.
        abstained: Whether the answer says that it does not know, or only refers to people.
        measurements: Heuristic → measurement, of the heuristics that were needed.
        claims: The answer's claims in order; none where the profile or the language has no
            comparator.
        weights: Heuristic → its weight in the last node.
        sentences: The explanation, in the turn's language (English if unknown): verdict, deciding
            node, findings.
        fingerprint: Versions and settings that scores depend on.
        translation: The outcome of the translation; None when none was wanted.
        opinions: The outcomes of second opinions; path, rule and measurements stay klopt's own.
        cut_off: What it does not rest on, since its time was up; None when it was not.
        retrieved: The pages that klopt found for the question, best first.
        meta: The turn's.
        languages: What each text reads like, where one reads like another language than
            ``language``; else None. Of a page in another language only names and numbers count.
        parts: The answer in its parts, in order. Empty where the answer was not read.

    >>> from klopt import Page, Scorer
    >>> page = Page("# Printen\n\nPrinten gaat met Ctrl+P. Sluit met Alt+F7.", id="printen")
    >>> checked = Scorer.load().score("Hoe sluit ik af?", "Sluit met Alt+F8.", [page])
    >>> print(checked)
    Score 1,1 van 5: niet versturen.
    Geen pagina noemt “Alt+F8”.
    >>> checked.claims[0].relation, checked.claims[0].passage.page
    ('contradicted', 'printen')
    """

    id: str
    score: Figure | None
    stars: int | None
    verdict: Verdict
    status: Status
    reason_code: str | None
    reason: str | None
    language: str | None
    message_type: MessageType | None
    pattern: str | None
    span: tuple[int, int] | None
    rule: str | None
    path: tuple[Visit, ...]
    abstained: bool
    measurements: Mapping[str, Measurement]
    claims: tuple[CheckedClaim, ...]
    weights: Mapping[str, float]
    sentences: tuple[str, ...]
    fingerprint: str
    translation: TranslationNote | None = None
    opinions: tuple[OpinionNote, ...] = ()
    cut_off: CutOff | None = None
    retrieved: tuple[Page, ...] = ()
    meta: Mapping[str, Any] = field(default_factory=dict)
    languages: TurnLanguages | None = None
    parts: tuple[Part, ...] = ()

    @property
    def read_as(self) -> str | None:
        """The language whose weights and lexicons the score rests on; None if unknown."""
        note = self.translation
        if note is not None and note.scope == "whole" and note.status == "translated":
            return note.target
        return self.language

    @property
    def own_score(self) -> float | None:
        """The score before any second opinion."""
        return self.opinions[0].score_before if self.opinions else self.score

    @property
    def explanation(self) -> str:
        """The sentences as one text."""
        return " ".join(self.sentences)

    @property
    def why(self) -> str:
        """The reason in one sentence: the worst fault, or what the score rests on."""
        return self.sentences[min(1, len(self.sentences) - 1)]

    def __str__(self) -> str:
        """The id if there is one, the verdict, and below them the reason."""
        start = f"{self.id}: " if self.id else ""
        return start + "\n".join(dict.fromkeys((self.sentences[0], self.why)))

    def _repr_html_(self) -> str:
        """The view of a notebook: the explanation, and each claim beside its passage."""
        # By name, since klopt.report builds on this module.
        html: str = import_module("klopt.report.notebook").assessment_html(self)
        return html

    def to_dict(self) -> dict[str, Any]:
        """Return a dictionary for JSON, ``id`` first, in a fixed order, numbers to six decimals.

        ``meta`` is left out: it is the caller's own. ``translation``, ``opinions``, ``cut_off``,
        ``retrieved`` (the ids of pages) and ``languages`` are there only if not empty.
        ``statements`` repeats ``claims`` under its name before 1.0, in this version only.
        """
        return {
            name: write(value) if write and value is not None else value
            for name, write, is_optional, value_of in _WRITING
            if (value := value_of(self)) or not is_optional
        }


@dataclass(frozen=True, slots=True)
class WeighedMeasurement:
    """A `Measurement` as it is written, with its weight in the last node."""

    value: Figure | None
    reason: str | None
    weight: float
    evidence: tuple[Evidence, ...]


@dataclass(frozen=True, slots=True)
class Column:
    """One column of every output format.

    Attributes:
        name: In JSON, CSV, Parquet, Arrow and the service's answers.
        kind: The type of its values: a tuple is written as a list, a dataclass by its fields.
        is_optional: Whether an empty value is left out.
        value_of: Returns the value of an assessment.
    """

    name: str
    kind: Any
    is_optional: bool
    value_of: Callable[[Assessment], Any]


def _weighed(assessment: Assessment) -> Mapping[str, WeighedMeasurement]:
    return {
        name: WeighedMeasurement(
            measured.value, measured.reason, assessment.weights[name], measured.evidence
        )
        for name, measured in assessment.measurements.items()
    }


def _columns() -> Iterator[Column]:
    """Yield the columns, in the order of the fields of an assessment."""
    hints = get_type_hints(Assessment, include_extras=True)
    for field_ in dataclasses.fields(Assessment):
        match field_.name:
            case "measurements":
                yield Column(field_.name, Mapping[str, WeighedMeasurement], False, _weighed)
            case "sentences":
                yield Column("explanation", str, False, attrgetter("explanation"))
            case "retrieved":
                ids = tuple[str, ...]
                yield Column(field_.name, ids, True, lambda it: [page.id for page in it.retrieved])
            case "meta" | "weights":
                continue
            case "claims":
                for name in (field_.name, OLD_CLAIMS):
                    yield Column(name, hints[field_.name], False, attrgetter(field_.name))
            case name:
                is_optional = name in ("translation", "opinions", "cut_off", "languages")
                yield Column(name, hints[name], is_optional, attrgetter(name))


def _writer(kind: Any) -> Callable[[Any], object] | None:  # noqa: ANN401 (any declared type)
    """Return what makes JSON of the values of a type; None where they are JSON already."""
    if get_origin(kind) is Annotated:
        return lambda value: round(value, _DECIMALS)
    if dataclasses.is_dataclass(kind):
        hints = get_type_hints(kind, include_extras=True)
        fields = [(name, _writer(hint)) for name, hint in hints.items()]

        def fields_of(record: object) -> dict[str, object]:
            values = ((name, write, getattr(record, name)) for name, write in fields)
            return {
                name: write(one) if write and one is not None else one
                for name, write, one in values
            }

        return fields_of
    parts = [one for one in get_args(kind) if one not in (None, type(None), Ellipsis)]
    if not parts or get_origin(kind) is Literal:
        return None
    write = _writer(parts[-1])
    if get_origin(kind) is tuple:
        if write is None:
            return list
        return lambda values: [value if value is None else write(value) for value in values]
    if get_origin(kind) is Mapping and write is not None:
        return lambda values: {name: write(one) for name, one in values.items()}
    return write


COLUMNS: Final = tuple(_columns())
"""The columns of every output format, in order."""
_WRITING: Final = [
    (column.name, _writer(column.kind), column.is_optional, column.value_of) for column in COLUMNS
]
