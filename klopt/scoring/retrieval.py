"""Pages for turns that have none, from an index."""

from __future__ import annotations

from dataclasses import dataclass, replace

from klopt.errors import ConfigurationError
from klopt.matching import Shelf
from klopt.scoring.admission import NotScorableError
from klopt.scoring.assessment import Case
from klopt.scoring.explanation import Refusal

__all__ = ["Retrieval"]


@dataclass(frozen=True, slots=True)
class Retrieval:
    """Where a turn without contexts gets its pages from.

    Attributes:
        index: Where; None retrieves nothing.
        count: How many pages a turn gets; 0 retrieves nothing.

    Raises:
        ConfigurationError: Pages are to be retrieved, and there is no index.
    """

    index: Shelf | None = None
    count: int = 0

    def __post_init__(self) -> None:
        if self.count < 0 or (self.count and self.index is None):
            raise ConfigurationError(
                f"retrieve={self.count}: how many pages of an index a turn without contexts gets; "
                "Scorer(profile, index=Index.open(FILE)) has one, and 0 retrieves nothing"
            )

    def fill(self, case: Case) -> None:
        """Gives a turn without contexts, of which the language was told, those that fit best."""
        if self.index is None or not self.count or case.turn.pages:
            return
        hits = self.index.search(case.turn.question, self.count, language=case.told_language)
        case.retrieved = tuple(hit.page for hit in hits)
        case.retriever = f"{self.count}@{self.index.digest[:8]}"
        case.turn = replace(case.turn, contexts=case.retrieved)

    def told(self, case: Case, stop: NotScorableError) -> NotScorableError:
        """Why a turn is not scored; where pages were looked for, that none was found."""
        if stop.refusal.code == "no_contexts" and case.retriever and not case.retrieved:
            return NotScorableError(Refusal("nothing_found"))
        return stop
