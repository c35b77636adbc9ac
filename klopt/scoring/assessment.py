"""What comes out: one `Assessment` for each turn, of what was measured or why it was refused."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Annotated, Any, Final, Literal, get_args, get_origin, get_type_hints

from klopt.comparing import Says
from klopt.records import Evidence, Figure, Measurement, MessageType, Page
from klopt.scoring.interpretation import TranslationNote
from klopt.scoring.second_opinion import OpinionNote
from klopt.scoring.tree import Verdict, Visit

__all__ = [
    "COLUMNS",
    "Assessment",
    "CheckedStatement",
    "Column",
    "CutOff",
    "PagePlace",
    "Quote",
    "Slot",
    "Status",
    "WeighedMeasurement",
]

_DECIMALS: Final = 6

Status = Literal["scored", "scored_on_original", "cut_off", "not_scorable", "error"]


@dataclass(frozen=True, slots=True)
class Quote:
    """A stretch of an answer or of a page.

    Attributes:
        text: As it was read: in plain text, and in translation where that was read.
        start: First character in the original, from 0.
        end: Character after the last one in the original.
    """

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Slot:
    """Something that speaks for a statement, or against it.

    Attributes:
        kind: What it is about, such as ``value``, ``key`` or ``negation``.
        side: ``for``, ``against`` or ``open``.
        claim: What the answer says; None when only the page says something.
        page: What the page says there; None when only the answer says something.
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
        line: The line of the page on which it begins, from 1, as an editor counts.
    """

    page: str
    text: str
    start: int
    end: int
    line: int


@dataclass(frozen=True, slots=True)
class CheckedStatement:
    """A statement of an answer, held against the pages.

    Attributes:
        text: Its words in the answer, without markup.
        start: First character in the *original* answer, from 0.
        end: Character after the last one in the original answer.
        relation: ``supported``, ``contradicted`` or ``not_stated``: what the pages say of it, as
            far as can be told.
        fault: Whether it is too likely untrue by the profile's line, the option ``fault_below``
            of the heuristic ``weakest_statement``; or, unless the answer is sent, has a name that
            is on no page; or is what held back an answer of that score, since no page states it.
        truth: The chance that it is true, 0 to 1.
        passage: The place of the pages that speaks most for it or against it; None when no page
            says anything near it.
        slots: What speaks for it and against it there.
        differing: Starts and ends in the passage's text of the words that speak against it.
        wrong: Starts and ends in its own text of the words that are wrong by the passage; where
            none are known to be, of those that the passage has nothing of. Neither here nor in
            ``differing`` is a word that stands on both sides.
        rivals: What it says and what the passage says in its place, a few words each.
    """

    text: str
    start: int
    end: int
    relation: Says
    fault: bool
    truth: float
    passage: PagePlace | None
    slots: tuple[Slot, ...]
    differing: tuple[tuple[int, int], ...] = ()
    wrong: tuple[tuple[int, int], ...] = ()
    rivals: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class CutOff:
    """What an assessment does not rest on, since its time was up.

    Attributes:
        budget_ms: The time that it had.
        unread: The ids of pages that were not read; where there are any, nothing was measured.
        unmeasured: The heuristics that were to be measured and were not.
    """

    budget_ms: float
    unread: tuple[str, ...]
    unmeasured: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Assessment:
    """How far one answer can be trusted, and why.

    Attributes:
        id: The turn's.
        score: 1 (untrue) to 5 (true); None unless it was scored. Never NaN. Where it was cut off,
            the score, if there is one, is no higher than that of the whole.
        stars: The score rounded to whole stars, halves up.
        verdict: ``send``, ``review`` or ``block`` by the profile's thresholds, of the score as it
            is printed, with one decimal. ``review`` for ``send`` where its ``review_on`` found a
            fault, no page states a statement, or a weighed answer leaves a part of the question
            open; and for ``block`` of a weighed answer in which it found none. The score is then
            the nearest one that is reviewed. Where it was cut off, ``block`` if the whole would be
            blocked whatever else is found, else ``review``. Else ``unscored``: what is not scored
            never passes.
        status: ``scored``; ``scored_on_original``: it was to be translated and could not be, so
            the features that read the translation read the original; ``cut_off``: its time was up
            before everything was measured, and ``cut_off`` says what was not; ``not_scorable``:
            there is nothing to judge or it is out of scope; ``error``: the row or a resource is
            at fault.
        reason_code: A stable word for the reason, such as ``no_contexts``; None when ``scored``.
        reason: The reason in words; None when ``scored``.
        language: The language of the question and answer, or None.
        message_type: One of the seven types, or None before classification.
        pattern: The pattern, or declared rule, that decided the message type.
        span: Its place in the original question; None when nothing in the text decided.
        rule: The node of the tree that decided; None unless scored.
        path: The nodes that the walk came to.
        abstained: Whether the answer says that it does not know, or only refers to people.
        measurements: Heuristic → measurement, those that the walk asked for.
        statements: The answer's statements beside the pages, in order; none where the profile, or
            the language, has nothing that compares them.
        weights: Heuristic → how much it counts in the last node, learnt for the language or set.
        sentences: Why, in the turn's language (English when that is not known): the verdict,
            the node that decided, what it saw.
        fingerprint: What was used, so that like is compared with like.
        translation: What came of the translation; None when nobody asked for one.
        opinions: What came of second opinions; empty when none was wanted. Path, rule and
            measurements stay those of klopt itself.
        cut_off: What it does not rest on, since its time was up; None when it was not.
        retrieved: The pages that klopt found for the question, best first; empty where the turn
            had contexts of its own, or none were looked for.
        languages: What each text of the turn reads like, where one reads like another language
            than ``language``; else None.
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
    statements: tuple[CheckedStatement, ...]
    weights: Mapping[str, float]
    sentences: tuple[str, ...]
    fingerprint: str
    translation: TranslationNote | None = None
    opinions: tuple[OpinionNote, ...] = ()
    cut_off: CutOff | None = None
    retrieved: tuple[Page, ...] = ()
    meta: Mapping[str, Any] = field(default_factory=dict)
    languages: TurnLanguages | None = None

    @property
    def read_as(self) -> str | None:
        """The language whose weights and tables the score rests on; None when none was told."""
        note = self.translation
        if note is not None and note.scope == "whole" and note.status == "translated":
            return note.target
        return self.language

    @property
    def own_score(self) -> float | None:
        """What klopt itself came to, before any second opinion."""
        return self.opinions[0].score_before if self.opinions else self.score

    @property
    def explanation(self) -> str:
        """The sentences as one text."""
        return " ".join(self.sentences)

    @property
    def why(self) -> str:
        """The reason in one sentence: the worst that is wrong, or what the score rests on."""
        return self.sentences[min(1, len(self.sentences) - 1)]

    def __str__(self) -> str:
        r"""The verdict, after the id of a turn that has one, and below it why.

        >>> from klopt import Page, Scorer, Turn
        >>> page = Page("# Printen\n\nPrinten gaat met Ctrl+P. Sluit met Alt+F7.", id="printen")
        >>> print(Scorer.load().score(Turn("Hoe sluit ik af?", "Sluit met Alt+F8.", [page], "7")))
        7: Score 1,2 van 5: niet versturen.
        Geen pagina noemt “Alt+F8”.
        """
        start = f"{self.id}: " if self.id else ""
        return start + "\n".join(dict.fromkeys((self.sentences[0], self.why)))

    def _repr_html_(self) -> str:
        """What a notebook shows: why, and each statement with the page's words beside it."""
        from klopt.scoring.notebook import cards  # which reads this

        return cards([self.to_dict()])

    def to_dict(self) -> dict[str, Any]:
        """A dictionary for JSON, ``id`` first, in a fixed order; figures to six decimals.

        ``meta`` is left out: it is the caller's own. ``translation`` is there only where a
        translation was asked for, ``opinions`` only where a second opinion was wanted, ``cut_off``
        only where the time was up, ``retrieved`` (the ids of pages) only where klopt looked for
        the pages, ``languages`` only where they are several.
        """
        return {
            name: write(value) if write and value is not None else value
            for name, write, is_optional, value_of in _WRITING
            if (value := value_of(self)) or not is_optional
        }


@dataclass(frozen=True, slots=True)
class TurnLanguages:
    """The language that each text of a turn reads like by itself; None where nobody can tell.

    Attributes:
        question: That of the question.
        answer: That of the answer.
        pages: Those of the pages, in order.
    """

    question: str | None
    answer: str | None
    pages: tuple[str | None, ...]


@dataclass(frozen=True, slots=True)
class WeighedMeasurement:
    """A `Measurement` as it is written.

    Attributes:
        value: 0 to 1, higher is truer; None when there was nothing to measure.
        reason: Why the value is None.
        weight: How much it counts in the last node.
        evidence: The spans that the value rests on.
    """

    value: Figure | None
    reason: str | None
    weight: float
    evidence: tuple[Evidence, ...]


@dataclass(frozen=True, slots=True)
class Column:
    """What is written of an assessment under one name, whatever the form.

    Attributes:
        name: In JSON, CSV, Parquet, Arrow and the service's answers.
        kind: The type of its values: a tuple is written as a list, a record by its fields.
        is_optional: Whether it is there only where something was asked for.
        value_of: The value, of an assessment.
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
    """Those of an assessment's fields that are written, some otherwise than they are kept."""
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
            case name:
                is_optional = name in ("translation", "opinions", "cut_off", "languages")
                yield Column(name, hints[name], is_optional, attrgetter(name))


def _writer(kind: Any) -> Callable[[Any], object] | None:  # noqa: ANN401 - of whatever is declared
    """What makes JSON of the values of a type; None where they are that already."""
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
"""What is written of an assessment, in order: the one declaration of every form of output."""
_WRITING: Final = [
    (column.name, _writer(column.kind), column.is_optional, column.value_of) for column in COLUMNS
]
