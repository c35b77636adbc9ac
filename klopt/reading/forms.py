"""What spellings of one name have in common, so that it is found in a text; and forms of one word.

Folding a text keeps every character in its place, so an offset in the folded text is an offset
in the text: lower case, straight quotes, one kind of dash, plain blanks. What changes the length
("Regio en taal" for "Regio & taal", "Alt + Ctrl + T" for "Ctrl+Alt+T") is left to the search.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations
from typing import Final

import regex
import Stemmer

from klopt.reading.recent import ProcessLock
from klopt.reading.text import Span, in_small_letters

MOST_MODIFIERS: Final = 4
"""Key combinations with up to this many keys held down are found in any order."""

_ONE_SPELLING: Final = str.maketrans(
    {
        **dict.fromkeys("‘’‚‛′`´", "'"),
        **dict.fromkeys("“”„‟″«»", '"'),
        **dict.fromkeys("‐‑‒–—−", "-"),
        **dict.fromkeys("\u00a0\u2007\u2009\u202f\t\n\r\v\f", " "),
        "İ": "I",
    }
)
_AND: Final = regex.compile(r"(?<=\S )(?:en|and)(?= \S)", regex.VERSION1)
_MNEMONIC: Final = regex.compile(r"(?<!\S)[&_](?=\w)", regex.VERSION1)
_AROUND: Final = " \"'…:;,!?.()[]"
_JOINED_KEYS: Final = regex.compile(r"\s*\+\s*|(?<=\w)\s*-\s*(?=\w)", regex.VERSION1)
_CHAIN: Final = regex.compile(r"\w[\w ]*(?:\+[^\s+]+(?: \w+)?)+", regex.VERSION1)

STEMMERS: Final = {"en": "english", "nl": "dutch"}
"""Language → the name of its Snowball stemmer."""

LONGEST_CHARS: Final = 60
"""A longer word is no word: it is compared as it stands."""

_SHORTEST_CHARS: Final = 5
"""Dutch: a shorter word or stem keeps its last letter, but where one of `_ENDINGS` says so."""

_VERB_T: Final = re.compile(r"(?<=[^aeiouyàáèéêëïö])(?<![^aeiouy]s)(?<!en)(?<![^aeiou][aou]r)t\Z")
_LAST_T: Final = re.compile(
    r"(?<=[^aeiouyàáèéêëïös])(?<![^aeiou][aou]r)t\Z|(?<=[^aeiouyàáèéêëïön])d\Z"
)
_LAST_E: Final = re.compile(r"(?<=\w\w\w[^aeiouy])e\Z|(?<=\w\w[dg])e\Z")
_LONG_VOWEL: Final = re.compile(r"(aa|ee|oo|uu)")
_FINAL: Final = str.maketrans("vz", "fs")
_DOUBLE: Final = re.compile(r"([bcdfgklmnprst])\1\Z")

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
    rf"s(?=el{_TAIL})"  # wissel
    rf"|st(?=er{_TAIL})"  # venster
    rf"|(?<![aeiou][aeiou]r)(?<=[aeiou]r)d(?=er{_TAIL})"  # order
    rf"|(?<=[^aeiou]i)g{_TAIL}"  # wijzig
    rf"|(?:(?<=aa)|(?<=ie)|(?<=oe))ts{_TAIL}"  # plaats
    rf"|(?:(?<=[dgp]re)|(?<=[co]ce))ss?{_TAIL}"  # adres
    rf"|(?:(?<=ve)|(?<=bee)|(?<=\A[gm]e)|(?<=[^aeiou]ge))ld{_TAIL}"  # veld
    rf"|(?:(?<=geme)|(?<=[^aeioum]me))ld{_TAIL}"  # melding
    r"|(?<=lij)ks(?=e?\Z)|(?<=advie)s\Z|(?<=\A[^aeiou]en)s\Z|(?<=\A[^aeiou]{2}en)s\Z"  # grens
    r"|(?:(?<=\Abe)|(?<=\Aon)|(?<=\Aver))g(?=e)"  # vergelijk
)
"""Dutch: letters of the word itself that Snowball takes for an ending."""

_STANDS_FOR: Final = "ß"
"""What stands for them meanwhile: a consonant that no ending has."""


@dataclass(frozen=True, slots=True)
class FoldedText:
    """A text in which component names can be looked up.

    Attributes:
        text: The folded text; each character stands where it stood.
    """

    text: str

    def find(self, key: str) -> Span | None:
        """The first place where the name stands as whole words, or None.

        Args:
            key: A name from `component_key`.

        >>> fold("Open Regio en taal.").find(component_key("Regio & Taal…"))
        Span(start=5, end=18)
        >>> fold("Opslaanknop").find("opslaan") is None
        True
        """
        if not key:
            return None
        if "&" in key or "+" in key:
            match = _expression(key).search(self.text)
            return Span(*match.span()) if match else None
        start = self.text.find(key)
        while start >= 0:
            end = start + len(key)
            if self._is_whole(key, start, end):
                return Span(start, end)
            start = self.text.find(key, start + 1)
        return None

    def _is_whole(self, key: str, start: int, end: int) -> bool:
        before, after = self.text[start - 1 : start], self.text[end : end + 1]
        return not (key[0].isalnum() and before.isalnum()) and not (
            key[-1].isalnum() and after.isalnum()
        )


def fold(text: str) -> FoldedText:
    """A text ready to look names up in; offsets stay those of the text.

    >>> fold("Klik op “OPSLAAN”.").find("opslaan")
    Span(start=9, end=16)
    >>> fold("Kies ‘Wi‑Fi’").text
    "kies 'wi-fi'"
    """
    return FoldedText(in_small_letters(text.translate(_ONE_SPELLING)))


def component_key(text: str, *, is_key: bool = False) -> str:
    """A component's name without what two writers may write differently.

    Gone are letter case, kinds of quotes, dashes and blanks, quotes and punctuation around the
    name ("Opslaan als…"), and the mark of a mnemonic ("&Bestand", "_Bestand"). "en" and "and"
    inside a name are "&". In a key combination the keys held down come in alphabetical order.

    Args:
        text: The name as written.
        is_key: Whether it is a key or a key combination.

    >>> component_key("Regio en taal:"), component_key("&Opslaan als…")
    ('regio & taal', 'opslaan als')
    >>> component_key("Shift + Ctrl + T", is_key=True)
    'ctrl+shift+t'
    """
    name = " ".join(fold(unicodedata.normalize("NFC", text)).text.split())
    if is_key:
        *held, last = _JOINED_KEYS.sub("+", name).removesuffix("-toets").split("+")
        return "+".join([*sorted("ctrl" if key == "control" else key for key in held), last])
    name = _MNEMONIC.sub("", name)
    name = name.strip(_AROUND) or name
    return _AND.sub("&", name)


@lru_cache(maxsize=4096)
def _expression(key: str) -> regex.Pattern[str]:
    """What finds a name with "&", or a key combination, in any spelling."""
    if _CHAIN.fullmatch(key):
        *held, last = key.split("+")
        orders = permutations(held) if len(held) <= MOST_MODIFIERS else [tuple(held)]
        body = "|".join(r"\s?[+-]\s?".join(map(_key_name, (*order, last))) for order in orders)
    else:
        words = (r"(?:&|en|and)" if word == "&" else regex.escape(word) for word in key.split(" "))
        body = r"\s+".join(words)
    start = r"(?<!\w)" if key[0].isalnum() else ""
    end = r"(?!\w)" if key[-1].isalnum() else ""
    return regex.compile(f"{start}(?:{body}){end}", regex.VERSION1)


def _key_name(key: str) -> str:
    return "(?:ctrl|control)" if key == "ctrl" else regex.escape(key)


def stemmer(language: str) -> Callable[[str], str]:
    """A function from a word in lower case to its stem; safe in threads.

    Args:
        language: A key of `STEMMERS`.

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
        word = _ADJECTIVE.sub(r"\1\1\2", _ENDINGS.sub("", word))
        participle = _PARTICIPLE.fullmatch(word)
        if participle is not None:
            word = participle[1]
        kept = _KEPT.findall(word)
        if not kept:
            return _dutch(word, stem)
        found = _dutch(_KEPT.sub(_STANDS_FOR, word), stem)
        for letters in kept:
            found = found.replace(_STANDS_FOR, letters.replace("ss", "s"), 1)
        return found

    whole = dutch if language == "nl" else stem
    return lambda word: whole(word) if len(word) <= LONGEST_CHARS else word


def _dutch(word: str, snowball: Callable[[str], str]) -> str:
    if len(word) >= _SHORTEST_CHARS:
        word = _VERB_T.sub("", word)
    found = snowball(word)
    if len(found) < len(word) <= _SHORTEST_CHARS and len(found) < _SHORTEST_CHARS - 1:
        found = word
    if len(found) >= _SHORTEST_CHARS:
        found = _LAST_T.sub("", found)
    if _LAST_E.search(found):
        found = _DOUBLE.sub(r"\1", found[:-1])
        found = found[:-1] + found[-1].translate(_FINAL)
    return _LONG_VOWEL.sub(lambda match: match[0][0], found)
