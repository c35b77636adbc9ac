"""The declaration of a heuristic, and the material that it measures."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from klopt._internal import shipped
from klopt._internal.cached import cached_property
from klopt.lexicons import Lexicons
from klopt.text.plain import PlainText
from klopt.text.reader import Reading
from klopt.text.tokens import Tokens
from klopt.types import Evidence, EvidenceKind, Measurement
from klopt.verification import (
    LANGUAGES,
    Claim,
    Comparator,
    Context,
    Language,
    Match,
    MatchingGuides,
    claims_of,
)

if TYPE_CHECKING:  # not needed where no heuristic parses
    from klopt.text.parse import Parse

Text = Literal["question", "answer", "contexts"]
Need = Literal["match", "comparator", "parse"]
Option: TypeAlias = float | int | bool | str | list[int] | list[str]
Options: TypeAlias = Mapping[str, Option]

TRANSLATED: Final = "𝔄"
"""The paper's mark for a feature that reads English text in the translated path."""

WORDS: Final = "words"
"""Name of the option for the form in which words are compared, one of `WORD_FORMS`."""

WORD_FORMS: Final = ("stems", "lemmas")
"""Values of the option `WORDS`; ``lemmas`` need a parse."""

NO_COMPARATOR: Final = "klopt cannot compare claims in the language of the answer"
NO_CONTEXT: Final = "none of the pages contains text"


@dataclass(frozen=True)
class Material:
    """One turn, read and ready to be measured.

    Attributes:
        question: The question as read.
        answer: The answer as read.
        contexts: The pages with text in the answer's language, in the given order.
        language: The language.
        others: The pages in another language: their numbers and names count, but none of their
            sentences supports or contradicts a claim.
        whole: The answer with its greetings, sources and closings; None if ``answer`` has all.
    """

    question: Reading
    answer: Reading
    contexts: tuple[Context, ...]
    language: Language
    others: tuple[Context, ...] = ()
    whole: PlainText | None = None

    @property
    def lexicons(self) -> Lexicons:
        """The lexicons of the language, those of the company included."""
        return self.language.lexicons

    @cached_property
    def match(self) -> Match:
        """The answer matched with its pages."""
        own = self.contexts, self.language.relations, self.language.lexicons, self.others
        return Match(self.question, self.answer, *own)

    @cached_property
    def matching_guides(self) -> MatchingGuides:
        """The guides of the pages that may answer the question."""
        return MatchingGuides(self.match, self.language.relations)

    @cached_property
    def claims(self) -> tuple[Claim, ...] | None:
        """The verified claims of the answer; None in a language without a comparator."""
        return self.claims_from(0)

    def claims_from(self, first: int) -> tuple[Claim, ...] | None:
        """Verify the claims from number ``first`` on; a stream has verified those before it."""
        if self.language.code not in LANGUAGES:
            return None
        comparator = Comparator.load(self.language.code)
        return claims_of(comparator, self.match, self.language, first)

    def parse(self, reading: Reading) -> Parse:
        """Return the parse of one of its texts; question and answer are parsed together."""
        if reading is self.question or reading is self.answer:
            self.language.parser.parse(self.question, self.answer)
        return self.language.parser.parse(reading)

    def tokens(self, reading: Reading, options: Options) -> Tokens:
        """Return the words of one of its texts, in the form that the option ``words`` names."""
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
        """Return evidence for a plain span of the answer, in original offsets.

        ``at`` is the number of the page and the plain span there.
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
    """A feature of an answer, and how it is measured.

    Attributes:
        name: Its name in profiles and results, and of the function that measures it.
        symbol: The paper's marks for the feature: ρ selected by correlation, □ by
            distinguishing answers, ⌘ replaces a heuristic one to one, 𝔄 reads English text in
            the translated path.
        reads: The texts that it reads. A heuristic that reads pages is not measured without any.
        needs: ``match`` if it matches the answer with its pages, ``comparator`` if it verifies
            claims, ``parse`` if it needs the spaCy pipeline, which is loaded only for profiles
            with such a heuristic. With the option ``words`` at ``lemmas`` it needs a parse too.
        measure: The function: material, options → measurement.
        options: Option → default; a profile may set these options only.
        looks_for_faults: Whether it checks something that an answer need not have, such as
            components: then a missing value counts like the value 1.
    """

    name: str
    symbol: str
    reads: frozenset[Text]
    needs: frozenset[Need]
    measure: Callable[[Material, Options], Measurement]
    options: Options = field(default_factory=dict)
    looks_for_faults: bool = False

    def __call__(self, material: Material, options: Options) -> Measurement:
        """Measure a turn; without a page, a heuristic that reads pages is missing."""
        if "contexts" in self.reads and not material.contexts:
            return Measurement.missing(NO_CONTEXT)
        return self.measure(material, options)

    def needed(self, options: Options) -> frozenset[Need]:
        """Return what it needs with some options."""
        return self.needs | {"parse"} if options.get(WORDS) == "lemmas" else self.needs

    @cached_property
    def reads_translation(self) -> bool:
        """Whether it reads the translation of a turn, if there is one."""
        return TRANSLATED in self.symbol

    @cached_property
    def texts(self) -> Mapping[str, Mapping[str, str]]:
        """Language → the texts ``name``, ``asks`` and, if it finds faults, ``fault``."""
        return shipped.table("klopt.heuristics", f"{self.name}.toml")


def heuristic(
    symbol: str = "",
    *,
    reads: tuple[Text, ...],
    needs: tuple[Need, ...] = (),
    looks_for_faults: bool = False,
    **options: Option,
) -> Callable[[Callable[[Material, Options], Measurement]], Heuristic]:
    """Make a `Heuristic` of a function, under the function's name."""

    def declared(measure: Callable[[Material, Options], Measurement]) -> Heuristic:
        name, own = measure.__name__, (frozenset(reads), frozenset(needs))
        return Heuristic(name, symbol, *own, measure, options, looks_for_faults)

    return declared
