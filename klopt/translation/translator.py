"""What a translator is: a batch of texts in, as many texts out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol


class Translator(Protocol):
    """Whatever translates texts; `klopt.translation.online` has those that ask a server.

    Attributes:
        name: One word in lower case, under which the memory keeps what it translated.
        destination: Where the texts go, for people: ``translate.google.com``.
    """

    @property
    def name(self) -> str:
        """One word in lower case."""
        ...

    @property
    def destination(self) -> str:
        """Where the texts go."""
        ...

    def translate(self, texts: Sequence[str], source: str, target: str) -> Sequence[str]:
        """The texts in the other language: as many, in the same order.

        Args:
            texts: Sentences, each with its masks (⟦1⟧, ⟦2⟧ ...), never empty, without newlines.
            source: The language of the texts, such as ``nl``.
            target: The language to come, such as ``en``.

        Raises:
            TranslationError: All or part of it was not translated.
        """
        ...
