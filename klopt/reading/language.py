"""The language of a text, by a small vote over function words and letter groups.

Function words decide, because they stay in the language of the writer whatever the labels are
called: "Ga naar Account > Billing" is Dutch. Words that look like labels and names, with a capital
inside a sentence, do not vote. Only when the function words leave it open do letter groups
("sch", "ij" against "th", "wh") count, half as much.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

import regex

from klopt import shipped
from klopt.lexicons import languages, load_one

READ_CHARS: Final = 5_000
"""Characters that are read; the language of a text does not change after that."""
LEAD: Final = 1.5
"""How many times the votes of the second language the first must have."""
LETTER_GROUP_WEIGHT: Final = 0.5
"""A letter group is worth this part of a function word."""
FEWEST_VOTES: Final = 1.0
"""One function word or two letter groups; less decides nothing."""
LAST_LATIN: Final = "\u024f"

_WORD: Final = regex.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?", regex.VERSION1)
_STARTS_SENTENCE: Final = regex.compile(r"(?:\A|[.!?:\n])[^\w\n]*\Z", regex.VERSION1)


@dataclass(frozen=True, slots=True)
class LanguageVote:
    """The outcome of a vote.

    Attributes:
        language: The language that klopt has tables for, or None when nothing decides.
        shares: Language and its share of the votes, 0 to 1, highest first; without the
            languages that got none.
        reason: Why there is no language; None when there is one.
        other: The language that it reads like, where klopt has no tables for it; else None.
    """

    language: str | None
    shares: tuple[tuple[str, float], ...]
    reason: str | None
    other: str | None = None


@cache
def _function_words() -> Mapping[str, tuple[str, ...]]:
    """For each function word, in lower case, the languages that have it."""
    words: dict[str, tuple[str, ...]] = {}
    for language in languages():
        for word in load_one(language, "language").lists["function_words"]:
            words[word] = (*words.get(word, ()), language)
    others = shipped.table("klopt.lexicons", "other_languages.toml")["function_words"]
    for language, entries in others.items():
        for word in entries:
            words[word] = (*words.get(word, ()), language)
    return words


@cache
def _letter_groups() -> Mapping[str, regex.Pattern[str]]:
    return {
        language: regex.compile(
            r"\L<groups>", groups=load_one(language, "language").lists["letter_groups"]
        )
        for language in languages()
    }


def vote(texts: Sequence[str]) -> LanguageVote:
    """The language that a question and an answer, or a page, are written in.

    Args:
        texts: What votes together; the first `READ_CHARS` characters of all of them.

    Returns:
        The language with `LEAD` times the votes of the next, or the reason that there is none:
        no letters, another script, another language, too little to decide on, or a draw.

    >>> vote(["Klik op Settings en ga naar Account > Billing."]).language
    'nl'
    >>> vote(["Click Opslaan to keep your changes."]).language
    'en'
    >>> vote(["Wie kann ich das Passwort ändern?"]).reason
    'reads like another language: de'
    """
    text = "\n".join(texts)[:READ_CHARS]
    words = _voting_words(text)
    votes: dict[str, float] = {}
    table = _function_words()
    for word in words:
        for language in table.get(word, ()):
            votes[language] = votes.get(language, 0) + 1
    first, second = _two_highest(votes)
    if first < LEAD * second or first < FEWEST_VOTES + 1:
        joined = f" {' '.join(words)} "
        for language, groups in _letter_groups().items():
            found = len(groups.findall(joined))
            if found:
                votes[language] = votes.get(language, 0) + LETTER_GROUP_WEIGHT * found
    return _outcome(votes, text)


def _outcome(votes: Mapping[str, float], text: str) -> LanguageVote:
    total = sum(votes.values())
    order = sorted(votes, key=lambda language: (-votes[language], language))
    shares = tuple((language, votes[language] / total) for language in order)
    first, second = _two_highest(votes)
    if first < FEWEST_VOTES:
        return LanguageVote(None, shares, _why_too_few(text))
    if first < LEAD * second:
        return LanguageVote(None, shares, f"undecided between {order[0]} and {order[1]}")
    if order[0] not in languages():
        reason = f"reads like another language: {order[0]}"
        return LanguageVote(None, shares, reason, order[0])
    return LanguageVote(order[0], shares, None)


def _why_too_few(text: str) -> str:
    letters = [character for character in text if character.isalpha()]
    if not letters:
        return "there are no letters"
    if sum(character > LAST_LATIN for character in letters) * 2 > len(letters):
        return "most letters are not Latin"
    return "too few words of it tell the language"


def _two_highest(votes: Mapping[str, float]) -> tuple[float, float]:
    first, second, *_ = [*sorted(votes.values(), reverse=True), 0, 0]
    return first, second


def _voting_words(text: str) -> list[str]:
    """Words in lower case, without those that have a capital inside a sentence."""
    words: list[str] = []
    all_upper = text.isupper()
    for match in _WORD.finditer(text):
        word = match.group()
        if word.islower():
            words.append(word)
        elif all_upper or _STARTS_SENTENCE.search(text, max(0, match.start() - 8), match.start()):
            words.append(word.lower())
    return [word.replace("’", "'") for word in words] if "’" in text else words
