"""Check an answer while it is being written, sentence by sentence."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Final, Literal, TypeAlias

import regex

from klopt.errors import PatternTimeoutError, RecordError
from klopt.heuristics import BY_NAME, Material
from klopt.scoring.assessment import Assessment, PagePlace
from klopt.scoring.explanation import STEP_ORDER, UNKNOWN_NAMES
from klopt.scoring.measuring import Measuring, checked_claims, place_of
from klopt.scoring.reading import NotScorableError
from klopt.text.reader import ANSWER_LIMIT_CHARS
from klopt.types import Evidence, Turn
from klopt.verification import support_upper_bound

WINDOW_CHARS: Final = 1_200
"""About as much of the answer is read again, at most, when a sentence is completed."""
KEPT_CHARS: Final = 600
"""Characters that stay in the window when it has grown beyond that."""
PARTS: Final = 16
"""Sentences are taken together until they are this part of the window, so that all reading
together takes about this many times as long as reading the answer once."""

FaultKind: TypeAlias = Literal["unknown_name", "contradicted", "not_stated", "early_step"]

_END: Final = regex.compile(r"(?<=[.!?…][\"'”’»)\]}*_`]{0,4})\s|[\r\n]", regex.VERSION1)
_LETTER: Final = regex.compile(r"[^\W\d_]", regex.VERSION1)
_FENCE: Final = regex.compile(r"^ {0,3}(?:```|~~~)", regex.VERSION1 | regex.MULTILINE)
_OPEN: Final = regex.compile(r"`|\*\*|__|~~", regex.VERSION1)


@dataclass(frozen=True, slots=True)
class EarlyFault:
    """A fault in a sentence or step of an answer that is still being written.

    Attributes:
        kind: ``unknown_name``: no page has the name; ``contradicted``: a page contradicts it;
            ``not_stated``: no page confirms it; ``early_step``: the page has the step later.
        text: The words, without markup.
        start: First character in the answer so far, from 0.
        end: Character after the last one.
        place: The passage that contradicts it, or is nearest to it; or None.
        is_final: Whether the finished answer has the fault too, whatever follows. Markup that is
            closed later, such as a code block, can still change how the sentence is read.
    """

    kind: FaultKind
    text: str
    start: int
    end: int
    place: PagePlace | None
    is_final: bool


class AnswerStream:
    """An answer that is being written, from `Scorer.stream`; for one thread at a time.

    >>> from klopt import Scorer
    >>> stream = Scorer.load().stream("Hoe sluit ik af?", ["Sluit alle vensters met Alt+F7."])
    >>> [fault.text for part in ("Sluit af met Alt+", "F8. D", "at") for fault in stream.feed(part)]
    ['Sluit af met Alt+F8.', 'Alt+F8']
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
        self._reported: set[tuple[str, int]] = set()
        self._assessment: Assessment | None = None
        # Reads the pages now, before the answer comes; the question stands in for it.
        self._material(turn.question)

    def feed(self, text: str) -> tuple[EarlyFault, ...]:
        """Take the next piece of the answer, cut anywhere.

        A sentence is complete at the first letter of the next one, and is verified once; short
        sentences in a long answer are taken together. The faults, and their order, do not depend
        on where the answer was cut.

        Returns:
            The faults of the sentences completed now, in order, and earlier steps that one of them
            should have preceded; each fault once.

        Raises:
            RecordError: It is not a text, or the answer was finished.
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
        """Return the assessment of the whole answer so far, also when called again.

        The budget is as for `Scorer.score`.
        """
        if self._assessment is None:
            whole = replace(self._turn, answer="".join(self._parts))
            self._assessment = self._score(whole, budget_ms=budget_ms)
            self._window = ""
        return self._assessment

    def _completed(self) -> Iterator[int]:
        """Yield the ends of the first letters after completed sentences."""
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
        """Return the new faults in the window up to a place."""
        material = self._material(self._window[:end])
        is_tag_first = self._window.lstrip("\ufeff \t\r\n").startswith("<")
        self._starts_with_tag |= is_tag_first and not self._offset
        is_settled = not is_tag_first and not self._starts_with_tag
        found: list[EarlyFault] = []
        edge = end - 1
        if material is not None:
            edge = _edge(material)
            faults = (*self._in_words(material), *self._in_claims(material))
            for fault in sorted(faults, key=lambda one: (one.start, one.end)):
                start, last = fault.start + self._offset, fault.end + self._offset
                if fault.end <= edge and (fault.kind, start) not in self._reported:
                    self._reported.add((fault.kind, start))
                    is_final = fault.is_final and is_settled
                    found.append(replace(fault, start=start, end=last, is_final=is_final))
            self._judged = max(self._judged, edge)
        self._edges.append(edge)
        self._move()
        return found

    def _material(self, answer: str) -> Material | None:
        """Read a text as the answer; None when there is nothing to verify yet."""
        try:
            return self._measuring.material(replace(self._turn, answer=answer))
        except (NotScorableError, PatternTimeoutError):
            return None

    def _in_words(self, material: Material) -> Iterator[EarlyFault]:
        """Yield unknown names and steps in the wrong order."""
        languages = self._measuring.languages
        kinds: dict[str, FaultKind] = {UNKNOWN_NAMES: "unknown_name", STEP_ORDER: "early_step"}
        for name, kind in kinds.items():
            if name not in languages.profile.weights:
                continue
            for evidence in BY_NAME[name](material, languages.options[name]).evidence:
                if evidence.kind == "unsupported":
                    span, place = (evidence.start, evidence.end), _place(material, evidence)
                    yield EarlyFault(kind, evidence.text, *span, place, name == UNKNOWN_NAMES)

    def _in_claims(self, material: Material) -> Iterator[EarlyFault]:
        """Yield the claims at fault that were not verified before."""
        match, languages = material.match, self._measuring.languages
        judged, _ = material.answer.plain.plain(self._judged, self._judged)
        first = sum(match.answer.starts[unit] < judged for unit in match.claims)
        if "comparator" not in languages.needs or first == len(match.claims):
            return
        claims = material.claims_from(first) or ()
        checked = checked_claims(material, languages.fault_below, claims)
        for claim, one in zip(claims, checked, strict=True):
            if one.fault:
                kind: FaultKind = "contradicted" if one.relation == "contradicted" else "not_stated"
                is_final = support_upper_bound(claim.findings) < languages.fault_below
                yield EarlyFault(kind, one.text, one.start, one.end, one.passage, is_final)

    def _move(self) -> None:
        """Drop the oldest sentences of a long answer from the window."""
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
    """Return where in the original the completed part ends.

    That is before the last sentence with words, and before open markup in the last block.
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
    """Return the passage of a piece of evidence."""
    for context in material.contexts:
        if context.page == evidence.page and evidence.page_start is not None:
            span = evidence.page_start, evidence.page_end or evidence.page_start
            return place_of(context, span)
    return None
