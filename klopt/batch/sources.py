"""With what turns are scored, by names and paths alone: it goes to any process or machine."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from klopt.batch.pages import read_pages
from klopt.indexing.index_file import Index
from klopt.records import Pages
from klopt.scoring.profile import Profile
from klopt.scoring.scorer import Scorer

__all__ = ["Sources"]


@dataclass(frozen=True, slots=True)
class Sources:
    """What a process makes its scorer of.

    Attributes:
        profile: A built-in profile, or the file of a company's own.
        terms: Lexicon files of the company.
        all_types: Score every message type, whatever the profile's scope.
        index: An index file, by which contexts may name its pages.
        retrieve: So many pages of the index for a turn without contexts.
        pages: A folder of pages that contexts may name, instead.
        follow_links: Also read pages that are links to files outside the folder.
    """

    profile: str | Path = "default"
    terms: tuple[str | Path, ...] = ()
    all_types: bool = False
    index: str | Path | None = None
    retrieve: int = 0
    pages: Path | None = None
    follow_links: bool = False

    def open(self, *, asks_nobody: bool = False) -> tuple[Scorer, Pages | None]:
        """The scorer, and the pages that contexts may name.

        Args:
            asks_nobody: Nothing goes to a translator or a model, whatever the profile says.

        Raises:
            KloptError: As `Scorer`, `Index` and `read_pages`.
        """
        profile = Profile.load(self.profile)
        if asks_nobody:
            profile = replace(profile, translate=None, opinion=None)
        index = None if self.index is None else Index.open(self.index)
        pages: Pages | None = index
        if index is None and self.pages is not None:
            pages = read_pages(self.pages, follow_links=self.follow_links)
        scorer = Scorer(
            profile,
            all_types=self.all_types,
            terms=map(Path, self.terms),
            index=index,
            retrieve=self.retrieve,
        )
        return scorer, pages
