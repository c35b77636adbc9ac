"""How a heuristic declares itself, and what it is given."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from klopt.lexicons import Lexicons
from klopt.matching import Alignment
from klopt.measurement import Evidence, EvidenceKind, Measurement
from klopt.reading.parse import Parse
from klopt.reading.reader import Reading
from klopt.records import MESSAGE_TYPES, MessageType

Text = Literal["question", "answer", "contexts"]
Need = Literal["parse", "components", "guides", "alignment"]
Option = float | int | bool | list[int] | list[str]

TRANSLATED: Final = "𝔄"
"""The paper's mark for a feature that reads English text in the translated path."""

NO_CONTEXT: Final = "none of the pages holds text"


@dataclass(frozen=True, slots=True)
class Context:
    """A page as the heuristics see it: its id and its reading."""

    page: str
    reading: Reading


@dataclass(frozen=True, slots=True)
class Material:
    """What is known of one turn when a heuristic measures it.

    Attributes:
        question: The question's reading.
        answer: The answer's reading.
        contexts: The pages with text in the answer's language, in the given order.
        lexicons: The tables of the language, the company's own included.
        parser: Reading → parse; the first call for a turn parses question and answer together.
        aligner: The answer aligned with its pages; made at the first call for a turn.
        options: The profile's options for this heuristic.
    """

    question: Reading
    answer: Reading
    contexts: tuple[Context, ...]
    lexicons: Lexicons
    parser: Callable[[Reading], Parse]
    aligner: Callable[[], Alignment]
    options: Mapping[str, Option] = field(default_factory=dict)

    @property
    def question_parse(self) -> Parse:
        """The parse of the question."""
        return self.parser(self.question)

    @property
    def answer_parse(self) -> Parse:
        """The parse of the answer."""
        return self.parser(self.answer)

    def context_parses(self) -> tuple[tuple[Context, Parse], ...]:
        """Each page with its parse."""
        return tuple((context, self.parser(context.reading)) for context in self.contexts)

    @property
    def alignment(self) -> Alignment:
        """The answer beside its question and pages, sentence by sentence."""
        return self.aligner()

    def evidence(
        self,
        kind: EvidenceKind,
        start: int,
        end: int,
        *,
        entry: str | None = None,
        at: tuple[Context, int, int] | None = None,
    ) -> Evidence:
        """Evidence for a plain stretch of the answer, in original offsets.

        Args:
            kind: ``supported``, ``unsupported`` or ``found``.
            start: First plain character in the answer.
            end: After the last one.
            entry: What matched.
            at: The page that supports it and the plain stretch there.
        """
        text = self.answer.plain.text[start:end]
        first, last = self.answer.original(start, end)
        if at is None:
            return Evidence(kind, text, first, last, entry=entry)
        context, page_start, page_end = at
        page_first, page_last = context.reading.original(page_start, page_end)
        return Evidence(kind, text, first, last, context.page, page_first, page_last, entry)


@dataclass(frozen=True, slots=True)
class Heuristic:
    """One way to look for truth in an answer.

    Attributes:
        name: Its name in profiles and results; the module has the same name.
        symbol: The paper's marks for the feature: ρ selected by correlation, □ by
            distinguishing answers, ⌘ replaces a heuristic one to one, 𝔄 reads English text in
            the translated path.
        reads: The texts that it looks at.
        needs: What must have been found in them.
        lexicons: The lexicons that it uses.
        measure: Material → measurement.
        options: Option → default; a profile may set them, and nothing else.
        looks_for_faults: Whether the heuristic looks for faults in something that an answer need
            not have, such as components: an answer without it has no such fault, so a missing
            value says as much as the value 1.
        message_types: The types for which table 2 of the paper names its heuristic.
    """

    name: str
    symbol: str
    reads: frozenset[Text]
    needs: frozenset[Need]
    lexicons: frozenset[str]
    measure: Callable[[Material], Measurement]
    options: Mapping[str, Option] = field(default_factory=dict)
    looks_for_faults: bool = False
    message_types: tuple[MessageType, ...] = MESSAGE_TYPES

    @property
    def reads_translation(self) -> bool:
        """Whether it reads the translation, where a turn has one."""
        return TRANSLATED in self.symbol
