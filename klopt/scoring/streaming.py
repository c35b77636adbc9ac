"""Checks an answer while it is being written: what is wrong is told as sentences are completed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Final, Literal, TypeAlias

import regex

from klopt.comparing.comparator import DENIED_FROM
from klopt.errors import PatternTimeoutError, RecordError
from klopt.heuristics import BY_NAME, Material
from klopt.measurement import Evidence
from klopt.reading.reader import ANSWER_LIMIT_CHARS
from klopt.records import Turn
from klopt.scoring.admission import NotScorableError
from klopt.scoring.assessment import Assessment
from klopt.scoring.explanation import TELLING
from klopt.scoring.measuring import Measuring
from klopt.scoring.statements import WEAKEST, Place, checked_statements, place_of

__all__ = ["AnswerStream", "EarlyFault"]

WINDOW_CHARS: Final = 2_000
"""No more than about so much of the answer is read again when a sentence is completed."""
KEPT_CHARS: Final = 1_000
"""So much of it stays when it has grown beyond that."""
STEPS: Final = "step_order"

FaultKind: TypeAlias = Literal["unknown_name", "contradicted", "not_stated", "early_step"]

_END: Final = regex.compile(r"(?<=[.!?…][\"'”’»)\]}*_`]{0,4})\s|[\r\n]", regex.VERSION1)
_LETTER: Final = regex.compile(r"[^\W\d_]", regex.VERSION1)


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
            is closed later, such as a block of code, can still change how the sentence is read.
    """

    kind: FaultKind
    text: str
    start: int
    end: int
    place: Place | None
    is_final: bool


class AnswerStream:
    """One answer on its way, as `Scorer.stream` makes it. For one thread at a time.

    Args:
        measuring: Reads and measures what there is of the answer.
        score: Scores the whole.
        turn: The question and its pages; its answer is not read.

    >>> from klopt import Scorer
    >>> stream = Scorer.load().stream("Hoe sluit ik af?", ["Sluit alle vensters met Alt+F7."])
    >>> [fault.text for part in ("Sluit af met Alt+", "F8. D", "at") for fault in stream.feed(part)]
    ['Alt+F8']
    >>> stream.finish().verdict
    'block'
    """

    def __init__(
        self, measuring: Measuring, score: Callable[[Turn], Assessment], turn: Turn
    ) -> None:
        self._measuring = measuring
        self._score = score
        self._turn = turn
        self._parts: list[str] = []
        self._chars = 0
        self._window, self._offset = "", 0
        self._looked, self._is_ended = 0, False
        self._edges: list[int] = []
        self._told: set[tuple[str, int]] = set()
        self._assessment: Assessment | None = None
        # The pages are read now, while the answer is still to come; the question stands in for it.
        self._material(turn.question)

    def feed(self, text: str) -> tuple[EarlyFault, ...]:
        """Takes the next piece of the answer, however it is cut.

        A sentence is completed by the first letter of the next one. The same answer gives the
        same faults, in the same order, however it is cut.

        Returns:
            What is wrong in the sentences that are completed now, in order, and what shows only
            now to be wrong in earlier ones; each fault once.

        Raises:
            RecordError: It is no text, or the answer was finished.
        """
        if self._assessment is not None:
            raise RecordError("this answer is finished; Scorer.stream begins another")
        if not isinstance(text, str):
            raise RecordError(f"a piece of an answer is {type(text).__name__}, not text")
        self._parts.append(text)
        self._chars += len(text)
        if self._chars > ANSWER_LIMIT_CHARS:
            return ()
        self._window += text
        return tuple(fault for end in self._completed() for fault in self._faults(end))

    def finish(self) -> Assessment:
        """The assessment of the answer as it came in, also where it breaks off.

        It is the one of the whole text at once.
        """
        if self._assessment is None:
            self._assessment = self._score(replace(self._turn, answer="".join(self._parts)))
            self._window = ""
        return self._assessment

    def _completed(self) -> Iterator[int]:
        """The places in the window where the first letter after a sentence ends."""
        while True:
            pattern = _LETTER if self._is_ended else _END
            found = pattern.search(self._window, self._looked)
            self._looked = len(self._window) if found is None else found.end()
            if found is None:
                return
            if self._is_ended:
                yield found.end()
            self._is_ended = not self._is_ended

    def _faults(self, end: int) -> list[EarlyFault]:
        """What is wrong in the completed part of the window, up to a place in it."""
        material = self._material(self._window[:end])
        found: list[EarlyFault] = []
        edge = end - 1
        if material is not None:
            edge = _edge(material)
            found = [
                one
                for one in self._measured(material)
                if one.end <= edge and self._is_new(one.kind, one.start)
            ]
        self._edges.append(edge)
        found = [
            replace(one, start=one.start + self._offset, end=one.end + self._offset)
            for one in sorted(found, key=lambda one: (one.start, one.end))
        ]
        self._move()
        return found

    def _material(self, answer: str) -> Material | None:
        """A text as the answer; None when there is nothing to hold against the pages yet."""
        try:
            return self._measuring.material(replace(self._turn, answer=answer))
        except (NotScorableError, PatternTimeoutError):
            return None

    def _measured(self, material: Material) -> Iterator[EarlyFault]:
        """All faults of a text."""
        options, needs = self._measuring.languages.options, self._measuring.languages.needs
        kinds: dict[str, FaultKind] = {TELLING: "unknown_name", STEPS: "early_step"}
        for name, kind in kinds.items():
            if name in options:
                for one in BY_NAME[name](material, options[name]).evidence:
                    if one.kind == "unsupported":
                        place = _place(material, one)
                        is_final = name == TELLING
                        yield EarlyFault(kind, one.text, one.start, one.end, place, is_final)
        if "comparator" not in needs:
            return
        checked = checked_statements(material, options.get(WEAKEST, {}))
        for statement, said in zip(material.statements or (), checked, strict=True):
            if said.fault:
                kind = "contradicted" if said.relation == "contradicted" else "not_stated"
                is_final = statement.chances[1] >= DENIED_FROM
                yield EarlyFault(kind, said.text, said.start, said.end, said.passage, is_final)

    def _is_new(self, kind: FaultKind, start: int) -> bool:
        of_a_statement = kind in ("contradicted", "not_stated")
        key = "statement" if of_a_statement else kind, start + self._offset
        is_new = key not in self._told
        self._told.add(key)
        return is_new

    def _move(self) -> None:
        """Leaves the oldest sentences of a long answer, so that the next is not read with all."""
        if len(self._window) <= WINDOW_CHARS:
            return
        cut = max((one for one in self._edges if one <= self._looked - KEPT_CHARS), default=0)
        self._window = self._window[cut:]
        self._offset += cut
        self._looked -= cut
        self._edges = [one - cut for one in self._edges if one > cut]


def _edge(material: Material) -> int:
    """Where in the original the last sentence with words starts, which is not complete."""
    answer = material.answer
    text = answer.plain.text
    for sentence in reversed(answer.sentences):
        if any(map(str.isalnum, text[sentence.start : sentence.end])):
            return answer.original(sentence.start, sentence.end)[0]
    return 0


def _place(material: Material, evidence: Evidence) -> Place | None:
    """Where the pages speak of a piece of evidence."""
    for context in material.contexts:
        if context.page == evidence.page and evidence.page_start is not None:
            span = evidence.page_start, evidence.page_end or evidence.page_start
            return place_of(context, span)
    return None
