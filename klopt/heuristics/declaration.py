"""How a heuristic declares itself, and what it is given."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from klopt import shipped
from klopt.cached import cached_property
from klopt.comparing import LANGUAGES, Comparator, Statement, statements_of
from klopt.comparing.passages import Passage
from klopt.lexicons import Lexicons
from klopt.matching import AskedGuides, Context, Language, Match
from klopt.matching.match import refusal_in
from klopt.reading.reader import Reading
from klopt.reading.text import Span
from klopt.reading.tokens import Tokens
from klopt.records import Evidence, EvidenceKind, Measurement

if TYPE_CHECKING:  # not needed where no heuristic parses
    from klopt.reading.parse import Parse

Text = Literal["question", "answer", "contexts"]
Need = Literal["match", "comparator", "parse"]
Option: TypeAlias = float | int | bool | str | list[int] | list[str]
Options: TypeAlias = Mapping[str, Option]

TRANSLATED: Final = "𝔄"
"""The paper's mark for a feature that reads English text in the translated path."""

WORDS: Final = "words"
"""The option that says what words are compared by: one of `WORD_FORMS`."""

WORD_FORMS: Final = ("stems", "lemmas")
"""``lemmas`` are those of a parse."""

NO_COMPARATOR: Final = "nothing compares statements in the language of the answer"
NO_CONTEXT: Final = "none of the pages holds text"


@dataclass(frozen=True)
class Material:
    """What is known of one turn when heuristics measure it.

    Attributes:
        question: The question's reading.
        answer: The answer's reading.
        contexts: The pages with text in the answer's language, in the given order.
        language: What the language is read, matched and parsed with.
    """

    question: Reading
    answer: Reading
    contexts: tuple[Context, ...]
    language: Language

    @property
    def lexicons(self) -> Lexicons:
        """The tables of the language, the company's own included."""
        return self.language.lexicons

    @cached_property
    def match(self) -> Match:
        """The answer on its pages, sentence by sentence."""
        relations = self.language.relations
        return Match(self.question, self.answer, self.contexts, relations, self.lexicons)

    @cached_property
    def asked_guides(self) -> AskedGuides:
        """Which guides of the pages may be the one that was asked for."""
        return AskedGuides(self.match, self.language.relations)

    @cached_property
    def refusal(self) -> Span | None:
        """Where the answer leaves the question open: it does not know, or only refers to people."""
        tokens = self.question.tokens
        asked = {tokens.keys[number] for number in tokens.running}
        pages = [context.index for context in self.contexts]
        return refusal_in(self.answer, asked, pages, self.lexicons)

    @property
    def is_bare(self) -> bool:
        """Whether nothing that the answer says can be held against a page."""
        answer = self.answer
        return not (self.match.statements or answer.components or answer.guides)

    @cached_property
    def statements(self) -> tuple[Statement, ...] | None:
        """The answer's statements on the pages; None when nothing compares them in its language."""
        return self.statements_from(0)

    def statements_from(
        self, first: int, elsewhere: Mapping[int, Passage] | None = None
    ) -> tuple[Statement, ...] | None:
        """Those from the ``first``, by number, for whom the others are known.

        Some, by number of the sentence, may be held against a place ``elsewhere``.
        """
        if self.language.code not in LANGUAGES:
            return None
        comparator = Comparator.load(self.language.code)
        match, language = self.match, self.language
        return statements_of(
            comparator, match, self.question, self.answer, language, first, elsewhere
        )

    def place(self, statement: Statement) -> tuple[int, int, int] | None:
        """The page that bears on a statement, and the plain stretch there."""
        passage = statement.passage
        return None if passage is None else (passage.page, *passage.span)

    def parse(self, reading: Reading) -> Parse:
        """The parse of one of its texts; question and answer are parsed together."""
        if reading is self.question or reading is self.answer:
            self.language.parser.parse(self.question, self.answer)
        return self.language.parser.parse(reading)

    def tokens(self, reading: Reading, options: Options) -> Tokens:
        """The words of one of its texts, compared as the option ``words`` says."""
        return self.parse(reading).tokens if options[WORDS] == "lemmas" else reading.tokens

    def evidence(
        self,
        kind: EvidenceKind,
        start: int,
        end: int,
        *,
        entry: str | None = None,
        at: tuple[int, int, int] | None = None,
    ) -> Evidence:
        """Evidence for a plain stretch of the answer, in original offsets.

        ``at`` has the number of the page that bears on it, and the plain stretch there.
        """
        text, first, last = self.answer.plain.excerpt(start, end)
        if at is None:
            return Evidence(kind, text, first, last, entry=entry)
        page, page_start, page_end = at
        context = self.contexts[page]
        page_first, page_last = context.index.reading.plain.original(page_start, page_end)
        return Evidence(kind, text, first, last, context.page, page_first, page_last, entry)


@dataclass(frozen=True)
class Heuristic:
    """One way to look for truth in an answer.

    Attributes:
        name: Its name in profiles and results, and of the function that measures it.
        symbol: The paper's marks for the feature: ρ selected by correlation, □ by
            distinguishing answers, ⌘ replaces a heuristic one to one, 𝔄 reads English text in
            the translated path.
        reads: The texts that it looks at. One that reads pages is not measured without any.
        needs: ``match`` when it holds the answer against its pages, ``comparator`` when it
            compares statements with them, ``parse`` when it asks the pipeline, which is loaded
            only if a heuristic of the profile does. With the option ``words`` at ``lemmas`` it
            needs a parse too.
        measure: Material, options → measurement.
        options: Option → default; a profile may set them, and nothing else.
        looks_for_faults: Whether the heuristic looks for faults in something that an answer need
            not have, such as components: an answer without it has no such fault, so a missing
            value says as much as the value 1.
    """

    name: str
    symbol: str
    reads: frozenset[Text]
    needs: frozenset[Need]
    measure: Callable[[Material, Options], Measurement]
    options: Options = field(default_factory=dict)
    looks_for_faults: bool = False

    def __call__(self, material: Material, options: Options) -> Measurement:
        """Measures a turn; without a page there is nothing to hold the answer against."""
        if "contexts" in self.reads and not material.contexts:
            return Measurement.missing(NO_CONTEXT)
        return self.measure(material, options)

    def needed(self, options: Options) -> frozenset[Need]:
        """What it needs with some options."""
        return self.needs | {"parse"} if options.get(WORDS) == "lemmas" else self.needs

    @cached_property
    def reads_translation(self) -> bool:
        """Whether it reads the translation, where a turn has one."""
        return TRANSLATED in self.symbol

    @cached_property
    def texts(self) -> Mapping[str, Mapping[str, str]]:
        """Language → what people read: ``name``, ``asks`` and, where it names faults, ``fault``."""
        return shipped.table("klopt.heuristics", f"{self.name}.toml")


def heuristic(
    symbol: str = "",
    *,
    reads: tuple[Text, ...],
    needs: tuple[Need, ...] = (),
    looks_for_faults: bool = False,
    **options: Option,
) -> Callable[[Callable[[Material, Options], Measurement]], Heuristic]:
    """Makes a `Heuristic` of the function that measures it, with its name; see there."""

    def declared(measure: Callable[[Material, Options], Measurement]) -> Heuristic:
        return Heuristic(
            measure.__name__,
            symbol,
            frozenset(reads),
            frozenset(needs),
            measure,
            options,
            looks_for_faults,
        )

    return declared
