"""Names to allow, since they exist though no page has them; and names to deny."""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from klopt.company.effects import Candidate
from klopt.company.entries import Entry
from klopt.company.trials import Trials
from klopt.reading.components import Component
from klopt.records import Page
from klopt.scoring.explanation import TELLING

_LOGGED: Final = 3
"""A name in so many answers that nobody rated is worth a look."""
_DENIED: Final = 2
"""A name is denied for so many untrue answers, on as many pages."""
_MOST: Final = 200
"""So many names are looked at, the most frequent ones."""
_MOST_CHARS: Final = 100
_SHOWN: Final = 3


def names(trials: Trials, pages: Mapping[str, Page]) -> Iterator[Candidate]:
    """Names to allow, and to deny where the profile looks for those.

    Args:
        trials: The answers.
        pages: All help pages of the company, by name.
    """
    texts = {name: page.text.casefold() for name, page in pages.items()}
    yield from _allowed(trials, texts)
    if "denied_names" in trials.profile.weights:
        yield from _denied(trials)


def _allowed(trials: Trials, texts: Mapping[str, str]) -> Iterator[Candidate]:
    """Names that no page has, in answers that people call true, or in many that nobody rated."""
    for language, found in _named(trials, known=False):
        places = {place for place, _ in found}
        true = [place for place in places if trials.answers[place].truth]
        logged = [place for place in places if not trials.answers[place].is_rated]
        if not true and (len(logged) < _LOGGED or len(logged) < len(places)):
            continue
        name = _name(found)
        page = next((one for one, text in texts.items() if name.casefold() in text), None)
        where = "none of the pages that the bot was given" if page else "no page"
        more = f"; {page} has it" if page else ""
        if true:
            why = f"in {_answers(len(true))} rated 4 or 5, and on {where}{more}"
        else:
            asks = "" if page else ": allow it if it exists, else the bot makes it up"
            why = f"in {_answers(len(logged))} of the log, and on {where}{more}{asks}"
        entry = Entry("product_names", "allowed", (name,))
        on = frozenset(true or places)
        yield Candidate(language, entry, why, on, frozenset(places), _examples(trials, found))


def _denied(trials: Trials) -> Iterator[Candidate]:
    """Names in answers that people call untrue, on two pages or more, and in no others."""
    for language, found in _named(trials, known=True):
        places = frozenset(place for place, _ in found)
        rated = [one for one in map(trials.answers.__getitem__, places) if one.is_rated]
        if any(one.truth is not False for one in rated):
            continue
        if min(len(rated), len({one.page for one in rated})) >= _DENIED:
            why = f"in {_answers(len(rated))} rated 1 or 2, and in none with a higher rating"
            entry = Entry("product_names", "denied", (_name(found),))
            on = frozenset(one for one in places if trials.answers[one].is_rated)
            yield Candidate(language, entry, why, on, places, _examples(trials, found))


def _named(trials: Trials, *, known: bool) -> list[tuple[str, list[tuple[int, Component]]]]:
    """Language, and where a name stands, the most frequent first.

    Args:
        trials: The answers.
        known: Also names that a page of the answer has.
    """
    found: dict[tuple[str, str], list[tuple[int, Component]]] = defaultdict(list)
    for place, answer in enumerate(trials.answers):
        told = answer.now.measurements.get(TELLING)
        evidence = told.evidence if told is not None else ()
        lacking = {(one.start, one.end) for one in evidence if one.kind == "unsupported"}
        for one in answer.reading.components:
            span = answer.reading.original(one.start, one.end)
            is_name = one.kind not in ("code", "key") and len(one.text) <= _MOST_CHARS
            if is_name and (known or span in lacking):
                found[answer.language, one.key].append((place, one))
    ranked = sorted(found.items(), key=lambda each: (-len(each[1]), each[0]))
    return [(language, seen) for (language, _), seen in ranked[:_MOST]]


def _name(found: Sequence[tuple[int, Component]]) -> str:
    """A name as it is first written, in the form that a lexicon takes."""
    return unicodedata.normalize("NFC", found[0][1].text.strip())


def _examples(trials: Trials, found: Sequence[tuple[int, Component]]) -> tuple[str, ...]:
    """The sentences that have it."""
    said = []
    for place, one in found[:_SHOWN]:
        reading = trials.answers[place].reading
        spans = (span for span in reading.sentences if span.start <= one.start < span.end)
        said += [reading.plain.text[span.start : span.end].strip() for span in spans]
    return tuple(dict.fromkeys(said))


def _answers(number: int) -> str:
    return "1 answer" if number == 1 else f"{number} answers"
