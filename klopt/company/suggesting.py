"""What klopt would change for a company, from ratings or from names that no page has."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from klopt.company.effects import Candidate, Effect, effect_of
from klopt.company.names import names
from klopt.company.page_faults import page_faults
from klopt.company.pattern_finds import OWN, cues, types
from klopt.company.suggestions import Suggestion
from klopt.company.trials import Trials
from klopt.company.word_pairs import word_pairs
from klopt.records import Page, Turn

MOST_LOGGED: Final = 500
_RECURS: Final = 2
_NO_EFFECT: Final = Effect(0, (), {}, 0)


@dataclass(frozen=True)
class Found:
    """A suggestion, and what it would change; nothing is tried of a page to mend."""

    suggestion: Suggestion
    effect: Effect = field(default=_NO_EFFECT)

    @property
    def is_advised(self) -> bool:
        """Whether it recurs, and other answers are the better for it.

        Other answers cannot speak for a name to deny: that no true one has it is why it is
        suggested. `benchmarks.suggestions` prints what following this advice brings.
        """
        entry, effect = self.suggestion.entry, self.effect
        recurs = effect.pages >= _RECURS
        return recurs and effect.is_better and entry is not None and entry.part != "denied"


def suggest(
    trials: Trials, pages: Mapping[str, Page], advance: Callable[[], object] | None = None
) -> list[Found]:
    """What to change, the best first: entries that help others, then those that may, then pages.

    An entry that makes other rated answers worse is left out, and so is one that changes nothing.

    Args:
        trials: The company's answers.
        pages: All its help pages, by name.
        advance: Called after each entry that was tried.
    """
    found = []
    for candidate, effect in _tried(trials, pages):
        if effect.is_better or effect.is_hope:
            found.append(Found(_suggestion(candidate, effect), effect))
        if advance is not None:
            advance()
    found.sort(key=_order)
    return [*found, *map(Found, page_faults(trials))]


def named(suggestion: Suggestion) -> str:
    """What a suggestion would do, in a few words.

    >>> from klopt.company.entries import Entry
    >>> named(Suggestion("nl", "", Entry("product_names", "allowed", ("Verlof",))))
    'allow the name “Verlof”'
    """
    entry = suggestion.entry
    if entry is None:
        return f"mend {suggestion.page}" if suggestion.page else "write what no page answers"
    pattern = entry.pattern or {}
    match entry.lexicon:
        case "product_names":
            does = {"allowed": "allow", "denied": "deny"}[entry.part]
            return f"{does} the name “{entry.name}”"
        case "synonyms":
            return " = ".join(f"“{word}”" for word in entry.words)
        case "messages":
            return f"read “{pattern['hit'][0]}” as {entry.part}"
        case "components":
            return f"read names behind “{entry.name.removeprefix(OWN)}”"
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


def _tried(trials: Trials, pages: Mapping[str, Page]) -> Iterator[tuple[Candidate, Effect]]:
    for candidates in (names(trials, pages), word_pairs(trials), cues(trials)):
        for candidate in candidates:
            yield candidate, effect_of(trials, candidate)
    yield from types(trials)


def _suggestion(candidate: Candidate, effect: Effect) -> Suggestion:
    return Suggestion(
        candidate.language,
        candidate.why,
        candidate.entry,
        count=len(candidate.found_on) or effect.tried,
        examples=candidate.examples,
        answers=effect.changed,
        effect=effect.told(),
    )


def _order(found: Found) -> tuple[bool, int, float, float, int, str]:
    effect = found.effect
    return (
        not found.is_advised,
        -effect.right,
        -effect.agreement,
        -effect.home_gain,
        -sum(effect.unrated.values()),
        found.suggestion.id,
    )
