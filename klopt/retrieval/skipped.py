"""Files and pages that klopt does not read or does not search, with the reason."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Final

REASONS: Final[dict[str, str]] = {
    "outside": (
        "not read, as it links to a file outside the folder (`klopt index build --follow-links` "
        "reads it)"
    ),
    "folder_link": "not read, as it is a link to a folder",
    "ending": "not read, as klopt does not read files with this ending",
    "archive": "not read, as an archive must be unpacked first",
    "too_large": "not read, as the file is too large",
    "unreadable": "not read, as the file cannot be opened or is not text",
    "empty": "without text",
    "needs_rst": "not read, as reStructuredText needs docutils (`pip install 'klopt[rst]'`)",
    "source": "not read, as it is the source of another page",
    "redirect": "not read, as it only redirects to another page",
    "failed": "not read, as reading failed",
    "same_text": "not searched, as another page has the same text",
    "compilation": "not searched, as it repeats the text of other pages",
    "other_language": "read in the language of most pages, as the profile lacks theirs",
}
_LISTED: Final = 3  # Names in one line of a summary


@dataclass(frozen=True, slots=True)
class SkippedPage:
    """A file or page that is not read or not searched, with one of `REASONS` and a detail."""

    name: str
    reason: str
    detail: str = ""

    def __str__(self) -> str:
        """Return name and reason as a line of text.

        >>> str(SkippedPage("print.html", "same_text", "index.html"))
        'print.html: not searched, as another page has the same text (index.html)'
        """
        return f"{self.name}: {REASONS[self.reason]}{f' ({self.detail})' if self.detail else ''}"


def summary(skipped: Iterable[SkippedPage]) -> Iterator[str]:
    """Yield a line for each reason, with the number of files and the names of the first.

    >>> names = ("a.png", "b.png", "c.pdf")
    >>> list(summary([*(SkippedPage(name, "ending") for name in names), SkippedPage("d", "empty")]))
    ['3 not read, as klopt does not read files with this ending: .png (2), .pdf (1)', \
'1 without text: d']
    """
    by_reason: dict[str, list[str]] = {reason: [] for reason in REASONS}
    for one in skipped:
        by_reason[one.reason].append(one.name)
    for reason, names in ((reason, names) for reason, names in by_reason.items() if names):
        listed = names
        if reason == "ending":
            endings = Counter(PurePosixPath(name).suffix.lower() or "without" for name in names)
            listed = [f"{ending} ({count:,})" for ending, count in endings.most_common()]
        more = f" and {len(listed) - _LISTED:,} more" if len(listed) > _LISTED else ""
        yield f"{len(names):,} {REASONS[reason]}: {', '.join(listed[:_LISTED])}{more}"
