"""Names to allow, since they exist though no page has them; and names to deny."""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from klopt.company.answers import Answer, Answers
from klopt.company.entries import Entry
from klopt.company.suggestions import Suggestion
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


def names(answers: Answers, pages: Mapping[str, Page]) -> Iterator[Suggestion]:
    """Names to allow, and to deny where the profile looks for those.

    Args:
        answers: The answers.
        pages: All help pages of the company, by name.
    """
    texts = {name: page.text.casefold() for name, page in pages.items()}
    yield from _allowed(answers, texts)
    if "denied_names" in answers.profile.weights:
        yield from _denied(answers)


def _allowed(answers: Answers, texts: Mapping[str, str]) -> Iterator[Suggestion]:
    """Names that no page has, in answers that are true but not sent, or in many of a log."""
    for language, found in _named(answers, known=False):
        own = [answers.all[place] for place in sorted({place for place, _ in found})]
        held = [one for one in own if not one.is_sent]
        true = [one for one in held if one.truth]
        untrue = [one for one in own if one.truth is False]
        is_logged = len(held) >= _LOGGED and not any(one.is_rated for one in own)
        if len(true) <= len(untrue) and not is_logged:
            continue
        name = _name(found)
        page = next((one for one, text in texts.items() if name.casefold() in text), None)
        where = "none of the pages that the bot was given" if page else "no page"
        more = f"; {page} has it" if page else ""
        if true:
            why = f"in {_answers(len(true))} rated 4 or 5, and on {where}{more}"
        else:
            asks = "" if page else ": allow it if it exists, else the bot makes it up"
            why = f"in {_answers(len(held))} of the log, and on {where}{more}{asks}"
        entry = Entry("product_names", "allowed", (name,))
        yield _suggestion(answers, language, why, entry, true or held, found)


def _denied(answers: Answers) -> Iterator[Suggestion]:
    """Names in answers that people call untrue, on two pages or more, and in no others."""
    for language, found in _named(answers, known=True):
        own = (answers.all[place] for place in sorted({place for place, _ in found}))
        rated = [one for one in own if one.is_rated]
        if any(one.truth is not False for one in rated) or not any(one.is_sent for one in rated):
            continue
        if min(len(rated), len({one.page for one in rated})) >= _DENIED:
            why = f"in {_answers(len(rated))} rated 1 or 2, and in none with a higher rating"
            entry = Entry("product_names", "denied", (_name(found),))
            yield _suggestion(answers, language, why, entry, rated, found)


def _suggestion(
    answers: Answers,
    language: str,
    why: str,
    entry: Entry,
    of: Sequence[Answer],
    found: Sequence[tuple[int, Component]],
) -> Suggestion:
    ids = tuple(one.turn.id for one in of)
    examples = _examples(answers, found)
    return Suggestion(language, why, entry, count=len(ids), examples=examples, answers=ids)


def _named(answers: Answers, *, known: bool) -> list[tuple[str, list[tuple[int, Component]]]]:
    """Language, and where a name stands, the most frequent first.

    Args:
        answers: The answers.
        known: Also names that a page of the answer has.
    """
    found: dict[tuple[str, str], list[tuple[int, Component]]] = defaultdict(list)
    for place, answer in enumerate(answers.all):
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


def _examples(answers: Answers, found: Sequence[tuple[int, Component]]) -> tuple[str, ...]:
    """The sentences that have it."""
    said = []
    for place, one in found[:_SHOWN]:
        reading = answers.all[place].reading
        spans = (span for span in reading.sentences if span.start <= one.start < span.end)
        said += [reading.plain.text[span.start : span.end].strip() for span in spans]
    return tuple(dict.fromkeys(said))


def _answers(number: int) -> str:
    return "1 answer" if number == 1 else f"{number} answers"
