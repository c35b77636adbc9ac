"""Stem words: Snowball, and what klopt corrects in its Dutch stems."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

import Stemmer

from klopt._internal.cached import ProcessLock

STEMMERS: Final = {"en": "english", "nl": "dutch"}  # language → Snowball stemmer
LONGEST_CHARS: Final = 60  # longer words are not stemmed
_SHORTEST_CHARS: Final = 5
"""Dutch: a shorter word or stem keeps its last letter, but where one of `_ENDINGS` says so."""
_VERB_T: Final = re.compile(r"(?<=[^aeiouyàáèéêëïö])(?<![^aeiouy]s)(?<!en)(?<![^aeiou][aou]r)t\Z")
_LAST_T: Final = re.compile(
    r"(?<=[^aeiouyàáèéêëïös])(?<![^aeiou][aou]r)t\Z|(?<=[^aeiouyàáèéêëïön])d\Z"
)
_LAST_E: Final = re.compile(r"(?<=\w\w\w[^aeiouy])e\Z|(?<=\w\w[dg])e\Z")
_FINAL: Final = str.maketrans("vz", "fs")
_DOUBLE: Final = re.compile(r"([bcdfgklmnprst])\1\Z")
LONGEST_ENDING_CHARS: Final = 3  # of those below
_ENDINGS: Final = re.compile(
    r"(?<=[ei])ën\Z"  # categorieën
    r"|(?<=[ns]t)s\Z"  # accounts
    r"|(?<=\A\w[aeiou][bgp])s\Z|(?<=\A[aeiou]pp)s\Z"  # tips, apps
    r"|(?<=\A\w[aeiou][gklp])t\Z"  # vult
    r"|(?<=[gt]aan)de?\Z"  # bestaande
    r"|(?<=[ao][aeo]i)(?:t|de?|den)\Z"  # voltooide
    r"|(?<=[^aeiou]ig)er[es]?\Z"  # veiliger
)
"""Dutch: endings of a form that Snowball leaves, or that make it take too much."""
_ADJECTIVE: Final = re.compile(r"((?<=b)a(?=r)|(?<=ion)e(?=l))([rl])e\Z")
"""Dutch: beschikbare, optionele: what Snowball knows without -e."""
_PARTICIPLE: Final = re.compile(
    r"((?:be|her|onder|ont|over|ver)\w+(?:ee|eu|ie|oe|oo)n)de?"  # ondersteund
)
_TAIL: Final = r"(?=(?:e|en|s|t|te|d|de|den|end|ende|ing|ingen|er|ers|heid|heden|t?jes?)?\Z)"
_KEPT: Final = re.compile(
    rf"(?=[dgklst])(?:s(?=el{_TAIL})"  # wissel
    rf"|st(?=er{_TAIL})"  # venster
    rf"|(?<![aeiou][aeiou]r)(?<=[aeiou]r)d(?=er{_TAIL})"  # order
    rf"|(?<=[^aeiou]i)g{_TAIL}"  # wijzig
    rf"|(?:(?<=aa)|(?<=ie)|(?<=oe))ts{_TAIL}"  # plaats
    rf"|(?:(?<=[dgp]re)|(?<=[co]ce))ss?{_TAIL}"  # adres
    rf"|(?:(?<=ve)|(?<=bee)|(?<=\A[gm]e)|(?<=[^aeiou]ge))ld{_TAIL}"  # veld
    rf"|(?:(?<=geme)|(?<=[^aeioum]me))ld{_TAIL}"  # melding
    r"|(?<=lij)ks(?=e?\Z)|(?<=advie)s\Z|(?<=\A[^aeiou]en)s\Z|(?<=\A[^aeiou]{2}en)s\Z"  # grens
    r"|(?:(?<=\Abe)|(?<=\Aon)|(?<=\Aver))g(?=e))"  # vergelijk
)
"""Dutch: letters of the word itself that Snowball takes for an ending."""
_STANDS_FOR: Final = "ß"  # placeholder: a consonant in no ending


def stemmer(language: str) -> Callable[[str], str]:
    """A function from a word in lower case to its stem; safe in threads.

    Source:
        Snowball's ``english`` and ``dutch`` (Kraaij and Pohlmann).

    Differs:
        Dutch: the stemmer takes the -t of "klikt" but not of "selecteert", writes "selecteer" and
        "controler", and makes "oop" of "open". Here the -t goes first, what is too short is left
        alone, and a long vowel is written once. It makes "ven" of "venster", "wis" of "wissel",
        "wijs" of "wijzig" and "or" of "order": what is no ending there is kept from it. The -e of
        "externe" goes.

    >>> dutch = stemmer("nl")
    >>> {dutch(word) for word in ("selecteer", "selecteert", "selecteren", "geselecteerd")}
    {'selecter'}
    >>> {dutch(word) for word in ("openen", "opent", "open")}, dutch("dienst")
    ({'open'}, 'dienst')
    >>> dutch("vensters"), dutch("wisselt"), dutch("wist")
    ('venster', 'wissel', 'wist')
    """
    snowball, lock = Stemmer.Stemmer(STEMMERS[language]), ProcessLock()

    def stem(word: str) -> str:
        with lock:
            return str(snowball.stemWord(word))

    def dutch(word: str) -> str:
        ending = _ENDINGS.search(word, max(0, len(word) - LONGEST_ENDING_CHARS))
        if ending is not None:
            word = word[: ending.start()]
        if word.endswith("e"):
            word = _ADJECTIVE.sub(r"\1\1\2", word)
        if word.endswith(("nd", "nde")) and (participle := _PARTICIPLE.fullmatch(word)):
            word = participle[1]
        kept = _KEPT.findall(word)
        if not kept:
            return _dutch(word, stem)
        stemmed = _dutch(_KEPT.sub(_STANDS_FOR, word), stem)
        for letters in kept:
            stemmed = stemmed.replace(_STANDS_FOR, letters.replace("ss", "s"), 1)
        return stemmed

    whole = dutch if language == "nl" else stem
    return lambda word: whole(word) if len(word) <= LONGEST_CHARS else word


def _dutch(word: str, snowball: Callable[[str], str]) -> str:
    if len(word) >= _SHORTEST_CHARS and word[-1] == "t":
        word = _VERB_T.sub("", word)
    stem = snowball(word)
    if len(stem) < len(word) <= _SHORTEST_CHARS and len(stem) < _SHORTEST_CHARS - 1:
        stem = word
    if len(stem) >= _SHORTEST_CHARS and stem[-1] in "td":
        stem = _LAST_T.sub("", stem)
    if stem.endswith("e") and _LAST_E.search(stem):
        stem = _DOUBLE.sub(r"\1", stem[:-1])
        stem = stem[:-1] + stem[-1].translate(_FINAL)
    return stem.replace("aa", "a").replace("ee", "e").replace("oo", "o").replace("uu", "u")
