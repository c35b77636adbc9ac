"""Decide by a vote in which language a text is written."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import chain
from typing import Final

import regex

from klopt._internal import shipped
from klopt.lexicons import languages, load_one
from klopt.text.markup import read_text
from klopt.types import Page

READ_CHARS: Final = 5_000
"""Characters read of each text."""
LEAD: Final = 1.5  # ratio of the votes of first and second language
LETTER_GROUP_WEIGHT: Final = 0.5  # relative to a function word
FEWEST_VOTES: Final = 1.0  # one function word or two letter groups
FEWEST_SHARE: Final = 0.15
"""Share of words that are function words; at least 0.25 in 750 rated answers."""
FEWEST_ON_PAGES: Final = 0.5
"""Share of a short text's words that are on the pages whose language it gets."""
TOO_FEW: Final = "too few words that tell the language"  # the reason for a short text
NOT_LATIN: Final = "most letters are not Latin"  # the reason for a text in another script
SHORT_WORDS: Final = 12
"""Words of a text that counts as one in a language with lexicons, where possible."""
LAST_LATIN: Final = "\u024f"
_VOTER: Final = regex.compile(
    r"((?:\A[.][^\w\n]|[.!?:\n])[^\w\n]{0,7})?([^\W\d_]+(?:['’][^\W\d_]+)?)", regex.VERSION1
)
"""A word, and the end of the sentence before it."""


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
    for language, entries in _of_others("function_words").items():
        for word in entries:
            words[word] = (*words.get(word, ()), language)
    return words


def _of_others(name: str) -> Mapping[str, Sequence[str]]:
    """A list of each language that klopt has no tables for."""
    lists: Mapping[str, Sequence[str]] = shipped.table("klopt.lexicons", "other_languages.toml")[
        name
    ]
    return lists


@cache
def _letter_groups() -> Mapping[str, regex.Pattern[str]]:
    own = {one: load_one(one, "language").lists["letter_groups"] for one in languages()}
    groups = {**own, **_of_others("letter_groups")}
    return {
        language: regex.compile(r"\L<groups>", groups=some) for language, some in groups.items()
    }


def vote(texts: Sequence[str]) -> LanguageVote:
    """The language that a question and an answer, or a page, are written in.

    That is the one with `LEAD` times the votes of the next in the first `READ_CHARS` characters, or
    there is a reason for none: no letters, another script, another language, too little, a draw.
    Letter groups help where function words leave it open, and a short text that may be in a
    language with tables is taken for that.

    >>> vote(["Klik op Settings en ga naar Account > Billing."]).language
    'nl'
    >>> vote(["Click Opslaan to keep your changes."]).language
    'en'
    >>> vote(["Koelt elk pakket in de zomer?"]).language
    'nl'
    >>> vote(["Wie kann ich das Passwort ändern?"]).reason
    'reads like another language: de'
    >>> vote(["Jak długo ważny jest kod do logowania?"]).reason
    'too few words that tell the language'
    """
    text = "\n".join(texts)
    # A turn's texts vote together and one by one; where the words are the same, they are read once.
    if len(text) <= READ_CHARS and all(one[:1].isalnum() and not one.isupper() for one in texts):
        words = tuple(chain.from_iterable(map(_voting_words, texts)))
    else:
        text = text[:READ_CHARS]
        words = _voting_words(text)
    votes = _function_votes(words)
    first, second = _two_highest(votes)
    has_few = first < FEWEST_SHARE * len(words) > FEWEST_VOTES
    if not has_few and (first < LEAD * second or first < FEWEST_VOTES + 1):
        joined = f" {' '.join(words)} "
        groups = {name: LETTER_GROUP_WEIGHT * count for name, count in _groups_in(joined).items()}
        votes = _added(votes, groups)
        first, second = _two_highest(votes)
        if first < LEAD * second and len(words) <= SHORT_WORDS:
            own = _added(_function_votes(words, shared_are_own=True), groups)
            votes = own if own.keys() <= set(languages()) else votes
    return _outcome({} if has_few else votes, text)


def _function_votes(words: Iterable[str], *, shared_are_own: bool = False) -> dict[str, float]:
    """How many of some words are function words of each language."""
    votes: dict[str, float] = {}
    table, with_tables = _function_words(), set(languages())
    for word in words:
        known: Sequence[str] = table.get(word, ())
        if shared_are_own:
            own = [language for language in known if language in with_tables]
            known = own or known
        for language in known:
            votes[language] = votes.get(language, 0) + 1
    return votes


def _groups_in(text: str) -> dict[str, int]:
    """How many letter groups of each language a text has; those that have none are left out."""
    counts = {language: len(groups.findall(text)) for language, groups in _letter_groups().items()}
    return {language: count for language, count in counts.items() if count}


def _added(votes: Mapping[str, float], more: Mapping[str, float]) -> dict[str, float]:
    return {name: votes.get(name, 0) + more.get(name, 0) for name in {**votes, **more}}


def settled(votes: LanguageVote, texts: Sequence[str], pages: Iterable[Page]) -> str | None:
    """The language of the pages, where it may be that of the question and answer too.

    Either the vote on these was open, and it is one of their languages, or they have too few words
    to tell, and at least `FEWEST_ON_PAGES` of those are on the pages in that language.

    >>> def of(*texts, page="Met Plus laadt u het hele jaar. Tegoed is een jaar geldig."):
    ...     return settled(vote(texts), texts, [Page(page)])
    >>> of("Wat kost Plus?", "€ 0,39 per kWh."), of("Is tegoed geldig?", "Tegoed is geldig.")
    ('nl', 'nl')
    >>> of("1 + 1"), of("Jak długo ważny jest kod do logowania?")
    (None, None)
    """
    words = {word for text in texts for word in _voting_words(text)}
    if votes.other is not None or not words:
        return None
    running = [read_text(page.text, page.format).running_text for page in pages]
    language = vote([text[:READ_CHARS] for text in running]).language
    if language in dict(votes.shares):
        return language
    if votes.reason != TOO_FEW:
        return None
    found: dict[str, set[str]] = {}
    for text in running:
        if (own := vote([text]).language) is not None:
            found.setdefault(own, set()).update(word.lower() for _, word in _VOTER.findall(text))
    shares = {own: len(words & known) / len(words) for own, known in found.items()}
    first, second = _two_highest(shares)
    is_clear = first >= max(FEWEST_ON_PAGES, LEAD * second)
    return max(shares, key=shares.__getitem__) if is_clear else None


def _outcome(votes: Mapping[str, float], text: str) -> LanguageVote:
    total = sum(votes.values())
    order = sorted(sorted(votes), key=votes.__getitem__, reverse=True)
    shares = tuple([(language, votes[language] / total) for language in order])
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
        return NOT_LATIN
    return TOO_FEW


def _two_highest(votes: Mapping[str, float]) -> tuple[float, float]:
    first, second, *_ = [*sorted(votes.values(), reverse=True), 0, 0]
    return first, second


@lru_cache(8)
def _voting_words(text: str) -> tuple[str, ...]:
    """Words in lower case, without those that have a capital inside a sentence."""
    all_upper, straight = text.isupper(), text.replace("’", "'")
    found = _VOTER.findall(f".{straight}")
    return tuple([one.lower() for opening, one in found if opening or all_upper or one.islower()])
