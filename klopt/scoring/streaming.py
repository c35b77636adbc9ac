"""Checks an answer while it is being written: what is wrong is told as sentences are completed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Final, Literal, TypeAlias

import regex

from klopt.comparing import most_true
from klopt.errors import PatternTimeoutError, RecordError
from klopt.heuristics import BY_NAME, Material
from klopt.reading.reader import ANSWER_LIMIT_CHARS
from klopt.records import Evidence, Turn
from klopt.scoring.assessment import Assessment, PagePlace
from klopt.scoring.explanation import TELLING
from klopt.scoring.measuring import Measuring
from klopt.scoring.readable import NotScorableError
from klopt.scoring.statements import checked_statements, place_of

__all__ = ["AnswerStream", "EarlyFault"]

WINDOW_CHARS: Final = 1_200
"""No more than about so much of the answer is read again when a sentence is completed."""
KEPT_CHARS: Final = 600
"""So much of it stays when it has grown beyond that."""
PARTS: Final = 16
"""Sentences are taken together until they are at least such a part of what is read for them, so
that all reading together takes about so many times as long as reading the answer."""
STEPS: Final = "step_order"

FaultKind: TypeAlias = Literal["unknown_name", "contradicted", "not_stated", "early_step"]

_END: Final = regex.compile(r"(?<=[.!?…][\"'”’»)\]}*_`]{0,4})\s|[\r\n]", regex.VERSION1)
_LETTER: Final = regex.compile(r"[^\W\d_]", regex.VERSION1)
_FENCE: Final = regex.compile(r"^ {0,3}(?:```|~~~)", regex.VERSION1 | regex.MULTILINE)
_OPEN: Final = regex.compile(r"`|\*\*|__|~~", regex.VERSION1)


@dataclass(frozen=True, slots=True)
class EarlyFault:
    """Something wrong in a sentence or step of an answer that is still being written.

    Attributes:
        kind: ``unknown_name``: no page names it; ``contradicted``: a page says otherwise;
            ``not_stated``: no page confirms it; ``early_step``: a step that the page has later.
        text: The words, without markup.
        start: First character in the answer so far, from 0.
        end: Character after the last one.
        place: The place of the pages that speaks against it, or is nearest to it; or None.
        is_final: Whether the finished answer has the fault too, whatever follows; formatting that
            is closed later, such as a block of code, can still change how the sentence is read,
            and what begins with a tag is HTML or Markdown by what follows.
    """

    kind: FaultKind
    text: str
    start: int
    end: int
    place: PagePlace | None
    is_final: bool


class AnswerStream:
    """One answer on its way, as `Scorer.stream` makes it. For one thread at a time.

    >>> from klopt import Scorer
    >>> stream = Scorer.load().stream("Hoe sluit ik af?", ["Sluit alle vensters met Alt+F7."])
    >>> [fault.text for part in ("Sluit af met Alt+", "F8. D", "at") for fault in stream.feed(part)]
    ['Alt+F8']
    >>> stream.finish().verdict
    'block'
    """

    def __init__(self, measuring: Measuring, score: Callable[..., Assessment], turn: Turn) -> None:
        self._measuring = measuring
        self._score = score
        self._turn = turn
        self._parts: list[str] = []
        self._chars = 0
        self._window, self._offset = "", 0
        self._starts_with_tag = False
        self._looked, self._is_ended, self._last = 0, False, 0
        self._edges, self._judged = list[int](), 0
        self._told: set[tuple[str, int]] = set()
        self._assessment: Assessment | None = None
        # The pages are read now, while the answer is still to come; the question stands in for it.
        self._material(turn.question)

    def feed(self, text: str) -> tuple[EarlyFault, ...]:
        """Takes the next piece of the answer, however it is cut.

        A sentence is completed by the first letter of the next one, and held against the pages
        once; short ones in a long answer are taken together. The same answer gives the same
        faults, in the same order, however it is cut.

        Returns:
            What is wrong in the sentences that are completed now, in order, and the earlier steps
            that one of them should have preceded; each fault once.

        Raises:
            RecordError: It is no text, or the answer was finished.
        """
        if self._assessment is not None:
            raise RecordError("this answer is finished; Scorer.stream begins another")
        if not isinstance(text, str):
            raise RecordError(f"a piece of an answer is {type(text).__name__}, not text")
        self._parts.append(text)
        self._window += text[: max(0, ANSWER_LIMIT_CHARS - self._chars)]
        self._chars += len(text)
        return tuple(fault for end in self._completed() for fault in self._faults(end))

    def finish(self, *, budget_ms: float | None = None) -> Assessment:
        """The assessment of the answer as it came in, also where it breaks off.

        It is the one of the whole text at once; asked for again, it is the same.

        Args:
            budget_ms: As `Scorer.score` takes it.
        """
        if self._assessment is None:
            whole = replace(self._turn, answer="".join(self._parts))
            self._assessment = self._score(whole, budget_ms=budget_ms)
            self._window = ""
        return self._assessment

    def _completed(self) -> Iterator[int]:
        """The places in the window where the first letter after a sentence ends."""
        while True:
            pattern = _LETTER if self._is_ended else _END
            place = pattern.search(self._window, self._looked)
            self._looked = len(self._window) if place is None else place.end()
            if place is None:
                return
            if self._is_ended and (self._looked - self._last) * PARTS >= self._looked:
                self._last = self._looked
                yield self._looked
            self._is_ended = not self._is_ended

    def _faults(self, end: int) -> list[EarlyFault]:
        """What is wrong in the completed part of the window, up to a place in it."""
        material = self._material(self._window[:end])
        is_tag_first = self._window.lstrip("\ufeff \t\r\n").startswith("<")
        self._starts_with_tag |= is_tag_first and not self._offset
        is_settled = not is_tag_first and not self._starts_with_tag
        told: list[EarlyFault] = []
        edge = end - 1
        if material is not None:
            edge = _edge(material)
            faults = (*self._in_words(material), *self._in_statements(material))
            for fault in sorted(faults, key=lambda one: (one.start, one.end)):
                start, last = fault.start + self._offset, fault.end + self._offset
                if fault.end <= edge and (fault.kind, start) not in self._told:
                    self._told.add((fault.kind, start))
                    is_final = fault.is_final and is_settled
                    told.append(replace(fault, start=start, end=last, is_final=is_final))
            self._judged = max(self._judged, edge)
        self._edges.append(edge)
        self._move()
        return told

    def _material(self, answer: str) -> Material | None:
        """A text as the answer; None when there is nothing to hold against the pages yet."""
        try:
            return self._measuring.material(replace(self._turn, answer=answer))
        except (NotScorableError, PatternTimeoutError):
            return None

    def _in_words(self, material: Material) -> Iterator[EarlyFault]:
        """The names and the order of steps that are wrong in a text."""
        languages = self._measuring.languages
        kinds: dict[str, FaultKind] = {TELLING: "unknown_name", STEPS: "early_step"}
        for name, kind in kinds.items():
            if name not in languages.profile.weights:
                continue
            for evidence in BY_NAME[name](material, languages.options[name]).evidence:
                if evidence.kind == "unsupported":
                    place, is_final = _place(material, evidence), name == TELLING
                    yield EarlyFault(
                        kind, evidence.text, evidence.start, evidence.end, place, is_final
                    )

    def _in_statements(self, material: Material) -> Iterator[EarlyFault]:
        """The statements of a text that are wrong, those that were judged before left out."""
        match, languages = material.match, self._measuring.languages
        judged, _ = material.answer.plain.plain(self._judged, self._judged)
        first = sum(match.answer.starts[unit] < judged for unit in match.statements)
        if "comparator" not in languages.needs or first == len(match.statements):
            return
        statements = material.statements_from(first) or ()
        checked = checked_statements(material, languages.fault_below, statements)
        for statement, checked_statement in zip(statements, checked, strict=True):
            if checked_statement.fault:
                is_denied = checked_statement.relation == "contradicted"
                kind: FaultKind = "contradicted" if is_denied else "not_stated"
                most = most_true(statement.chances, statement.findings)
                is_final = most < languages.fault_below
                yield EarlyFault(
                    kind,
                    checked_statement.text,
                    checked_statement.start,
                    checked_statement.end,
                    checked_statement.passage,
                    is_final,
                )

    def _move(self) -> None:
        """Leaves the oldest sentences of a long answer, so that the next is not read with all."""
        if self._looked <= WINDOW_CHARS:
            return
        cut = 0
        for edge in self._edges:
            is_in_code = len(_FENCE.findall(self._window, 0, edge)) % 2 == 1
            if edge <= self._looked - KEPT_CHARS and not is_in_code:
                cut = max(cut, edge)
        self._window = self._window[cut:]
        self._offset += cut
        self._looked -= cut
        self._judged -= cut
        self._last -= cut
        self._edges = [edge - cut for edge in self._edges if edge > cut]


def _edge(material: Material) -> int:
    """Where in the original the completed part ends.

    That is before the last sentence with words, and before markup in its block that is open: how
    what follows it is to be read is not known yet.
    """
    answer = material.answer
    plain = answer.plain
    ends = [
        sentence.start
        for sentence in answer.sentences
        if any(map(str.isalnum, plain.text[sentence.start : sentence.end]))
    ][-1:]
    if plain.blocks:
        opened = _OPEN.search(plain.text, plain.blocks[-1].start)
        ends += [opened.start()] if opened else []
    return plain.original(min(ends, default=0), len(plain.text))[0]


def _place(material: Material, evidence: Evidence) -> PagePlace | None:
    """Where the pages speak of a piece of evidence."""
    for context in material.contexts:
        if context.page == evidence.page and evidence.page_start is not None:
            span = evidence.page_start, evidence.page_end or evidence.page_start
            return place_of(context, span)
    return None
