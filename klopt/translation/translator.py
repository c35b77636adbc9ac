"""What a translator is: a batch of texts in, as many texts out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from klopt.errors import TranslationError, TranslationReason


class UnfinishedError(TranslationError):
    """Part of a batch was not translated; ``done`` has the translations of the other texts."""

    def __init__(
        self, reason_code: TranslationReason, message: str, done: Mapping[str, str]
    ) -> None:
        super().__init__(reason_code, message)
        self.args = (reason_code, message, done)
        self.done = done


class Translator(Protocol):
    """Whatever translates texts; `klopt.translators.online` has those that ask a server."""

    @property
    def name(self) -> str:
        """One word in lower case, under which the memory keeps what it translated."""
        ...

    @property
    def destination(self) -> str:
        """Where the texts go, for people: ``translate.google.com``."""
        ...

    def translate(self, texts: Sequence[str], source: str, target: str) -> Sequence[str]:
        """The texts in the other language: as many, in the same order.

        Args:
            texts: Sentences, each with its masks (⟦1⟧, ⟦2⟧ ...), never empty, without newlines.
            source: The language of the texts, such as ``nl``.
            target: The language to come, such as ``en``.

        Raises:
            UnfinishedError: Part of it was not translated.
            TranslationError: Nothing of it was.
        """
        ...
