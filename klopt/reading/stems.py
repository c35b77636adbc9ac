"""What words are compared by: Snowball's stems, with what its Dutch stemmer leaves undone."""

from __future__ import annotations

import re
from collections.abc import Callable
from threading import Lock
from typing import Final

import Stemmer

__all__ = ["STEMMERS", "stemmer"]

STEMMERS: Final = {"en": "english", "nl": "dutch"}
"""Language → the name of its Snowball stemmer."""
LONGEST_CHARS: Final = 60
"""A longer word is no word: it is compared as it stands."""
_SHORTEST_CHARS: Final = 5
"""Dutch: a shorter word or stem keeps its last letter."""

_VERB_T: Final = re.compile(r"(?<=[^aeiouyàáèéêëïö])(?<![^aeiouy]s)(?<!men)t\Z")
_LAST_T: Final = re.compile(r"(?<=[^aeiouyàáèéêëïös])t\Z|(?<=[^aeiouyàáèéêëïön])d\Z")
_LONG_VOWEL: Final = re.compile(r"(aa|ee|oo|uu)")


def stemmer(language: str) -> Callable[[str], str]:
    """A function from a word in lower case to its stem; safe in threads.

    Args:
        language: A key of `STEMMERS`.

    Source:
        Snowball's ``english`` and ``dutch`` (Kraaij and Pohlmann).

    Differs:
        Dutch: the stemmer takes the -t of "klikt" but not of "selecteert", writes "selecteer" and
        "controler", and makes "oop" of "open". Here the -t goes first, what is too short is left
        alone, and a long vowel is written once.

    >>> dutch = stemmer("nl")
    >>> {dutch(word) for word in ("selecteer", "selecteert", "selecteren", "geselecteerd")}
    {'selecter'}
    >>> {dutch(word) for word in ("openen", "opent", "open")}, dutch("dienst")
    ({'open'}, 'dienst')
    """
    snowball, lock = Stemmer.Stemmer(STEMMERS[language]), Lock()

    def stem(word: str) -> str:
        with lock:
            return str(snowball.stemWord(word))

    def dutch(word: str) -> str:
        if len(word) >= _SHORTEST_CHARS:
            word = _VERB_T.sub("", word)
        found = stem(word)
        if len(found) < len(word) <= _SHORTEST_CHARS and len(found) < _SHORTEST_CHARS - 1:
            found = word
        if len(found) >= _SHORTEST_CHARS:
            found = _LAST_T.sub("", found)
        return _LONG_VOWEL.sub(lambda match: match[0][0], found)

    whole = dutch if language == "nl" else stem
    return lambda word: whole(word) if len(word) <= LONGEST_CHARS else word
