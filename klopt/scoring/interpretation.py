"""What scoring asks of a translation: texts in, texts that lead back.

`klopt.translation` has what fills this in; a scorer without it never translates.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias

from klopt.reading.text import PlainText, Span

TranslationStatus: TypeAlias = Literal["translated", "failed"]
Scope: TypeAlias = Literal["marked", "whole"]


@dataclass(frozen=True, slots=True)
class Foreign:
    """A text that is to be read in another language, sentence by sentence.

    ``language`` is its own; ``names`` is what it names of the product's screens.
    """

    language: str
    plain: PlainText
    sentences: tuple[Span, ...]
    names: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Interpretation:
    """Texts in the other language.

    Attributes:
        texts: As many as were asked for, in order; their offsets lead to the original texts,
            sentence by sentence, and name by name.
        unmasked_counts: For each text, the sentences (or blocks, where people translated a whole
            one) in which names, numbers or codes were translated along: these may have changed.
        signature: What translated, in a word for the fingerprint.
    """

    texts: tuple[PlainText, ...]
    unmasked_counts: tuple[int, ...]
    signature: str


class Interpreter(Protocol):
    """Gives texts in the target language; from a memory, or from a translator."""

    @property
    def target(self) -> str:
        """The language that texts are read in."""
        ...

    @property
    def gist_of(self) -> frozenset[str]:
        """The languages of which it gives no more than the gist; empty where it translates.

        Only what klopt cannot read otherwise is read so: a language without tables, or pages in
        another language than the turn's. No answer is sent by it without a person's look.
        """
        ...

    def language_of(self, texts: Sequence[str]) -> str | None:
        """The language of texts of which klopt's own vote tells nothing, or None."""
        ...

    def edition(self, source: str) -> str:
        """Changes whenever a text may now be translated otherwise; or a `TranslationError`."""
        ...

    def interpret(self, texts: Sequence[Foreign], source: str) -> Interpretation:
        """The texts in the target language, all of them.

        Raises:
            TranslationError: One of them could not be translated; nothing is half translated.
            PatternTimeoutError: A rule for what is masked took too long.
        """
        ...


@dataclass(frozen=True, slots=True)
class Translate:
    """That a scorer reads a translation, and how.

    Attributes:
        interpreter: Gives the translation.
        scope: ``marked``: the features that the paper marks (𝔄) read it, the others the original;
            ``whole``: everything reads it. A language that the profile does not have is always
            read as a whole.
        required: A turn that cannot be translated is refused rather than scored on the original.
        by_meaning: Of what is read word for word, the encoder that comes with klopt also says how
            near it is to the pages; needs the extra ``encoder``.
    """

    interpreter: Interpreter
    scope: Scope = "marked"
    required: bool = False
    by_meaning: bool = False


@dataclass(frozen=True, slots=True)
class TranslationNote:
    """What came of the translation of one turn.

    Attributes:
        source: The language of the turn.
        target: The language that it was to be read in.
        scope: Whether the marked features read the translation, or everything.
        status: ``translated`` or ``failed``.
        reason_code: One of `klopt.errors.TranslationReason` when it failed, else None.
        reason: The same in words.
        unmasked_count: Sentences in which names, numbers and codes were translated along.
    """

    source: str
    target: str
    scope: Scope
    status: TranslationStatus
    reason_code: str | None = None
    reason: str | None = None
    unmasked_count: int = 0
