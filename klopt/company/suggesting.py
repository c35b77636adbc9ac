"""What klopt would change for a company, from ratings or from names that no page has."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from klopt.company.answers import Answers
from klopt.company.names import names
from klopt.company.page_faults import page_faults
from klopt.company.suggestions import Suggestion
from klopt.company.word_pairs import word_pairs
from klopt.records import Page, Turn

MOST_LOGGED: Final = 500


def suggest(answers: Answers, pages: Mapping[str, Page]) -> list[Suggestion]:
    """What to change: entries, those of most answers first, then pages.

    Args:
        answers: The company's.
        pages: All its help pages, by name.
    """
    entries = [*names(answers, pages), *word_pairs(answers)]
    return [*sorted(entries, key=lambda one: -one.count), *page_faults(answers)]


def named(suggestion: Suggestion) -> str:
    """What a suggestion would do, in a few words.

    >>> from klopt.company.entries import Entry
    >>> named(Suggestion("nl", "", Entry("product_names", "allowed", ("Verlof",))))
    'allow the name “Verlof”'
    """
    entry = suggestion.entry
    if entry is None:
        return f"mend {suggestion.page}" if suggestion.page else "write what no page answers"
    match entry.lexicon:
        case "product_names":
            does = {"allowed": "allow", "denied": "deny"}[entry.part]
            return f"{does} the name “{entry.name}”"
        case "synonyms":
            return " = ".join(f"“{word}”" for word in entry.words)
        case _:
            return f"{entry.lexicon}: {entry.name}"


def thinned(turns: Iterable[Turn], most: int = MOST_LOGGED) -> list[Turn]:
    """Turns of a log without end, evenly over all of it: at most twice as many as ``most``.

    >>> thinned(range(10), 2)
    [0, 4, 8]
    """
    kept: list[Turn] = []
    step = 1
    for number, turn in enumerate(turns):
        if number % step == 0:
            kept.append(turn)
        if len(kept) > 2 * most:
            kept, step = kept[::2], 2 * step
    return kept
