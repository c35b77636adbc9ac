"""Which sentences a memory lacks, seen by scoring as if they were to be translated."""

from __future__ import annotations

from collections.abc import Sequence

from klopt.errors import TranslationError
from klopt.scoring.interpretation import Foreign, Interpretation
from klopt.translation.interpreter import MemoryInterpreter


class MissingSentences:
    """An interpreter that gives nothing and notes what is lacking.

    With ``Translate(..., required=True)`` a scorer asks it for all texts of a turn, and then does
    not score.

    Args:
        interpreter: Knows what there is.

    Attributes:
        found: Language and masked sentence, in the order met, each once.
    """

    def __init__(self, interpreter: MemoryInterpreter) -> None:
        self._interpreter = interpreter
        self.found: dict[tuple[str, str], None] = {}

    @property
    def target(self) -> str:
        """The language that texts would be read in."""
        return self._interpreter.target

    def edition(self, source: str) -> str:
        """As the interpreter's."""
        return self._interpreter.edition(source)

    def interpret(self, texts: Sequence[Foreign], source: str) -> Interpretation:
        """Notes what is lacking.

        Raises:
            TranslationError: Always.
            PatternTimeoutError: A rule for what is masked took too long.
            InputError: The memory cannot be read.
        """
        lacking = self._interpreter.missing(texts, source)
        self.found.update(dict.fromkeys((source, sentence) for sentence in lacking))
        raise TranslationError("not_in_memory", f"{len(lacking)} sentences are not in the memory")
