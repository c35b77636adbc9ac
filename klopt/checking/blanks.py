"""Whether what an answer has in a blank is the key term."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final

from klopt import lexicons, shipped
from klopt.reading.text import Span

_LONGEST_SOUGHT_CHARS: Final = 2_000
_NEGATED_WORDS: Final = 2
"""How many words before a term a negation turns it round."""
_NEGATED_CHARS: Final = 100
_LONGEST_NAME_CHARS: Final = 300
_MOST_ADDED_WORDS: Final = 12
"""A fill with more words than this beside the term is not a term but a piece of the answer."""

_SAME: Final = str.maketrans(
    {
        **dict.fromkeys("‘’‚‛′´", "'"),
        **dict.fromkeys("“”„‟″«»", '"'),
        **dict.fromkeys("‐‑‒–—−", "-"),
        **dict.fromkeys("\u200b\u200c\u200d\u2060\ufeff\u00ad™®©", None),
        "\\": "/",
        "→": ">",
        "›": ">",
    }
)
_QUOTES: Final = re.compile(r"[\"`]+|\*\*+|(?<!\w)'+|'+(?!\w)")
_EMPHASIS: Final = re.compile(r"(?<![\w*])\*(?=[^\s*.])([^*]*[^\s*])\*(?![\w*])")
_END_MARKS: Final = " .,;:!?…/"
_BRACKETED: Final = re.compile(r"(.*\S)\s*\(([^()]+)\)")
_ABBREVIATION: Final = re.compile(r"[A-Z][A-Za-z0-9]{1,9}")
_TECHNICAL: Final = re.compile(r"[^\W\d_]*[\d_./\\=$<>{}@#-]")


def matches(term: str, fill: str) -> bool:
    """Whether a fill has the key term, strictly.

    Case, white space, quotes, Markdown, the sort of slash and punctuation at the end do not
    matter. Words may stand around the term, and folders before it; but it must stand there whole:
    "10.1.2" does not have 1, "9.7.0.1" not 9.7, "non-root" not root, and "not 9.7" not 9.7. Less
    than the term does not match, except for an article, a word such as "file" or "tab", and for
    one of a name and its abbreviation in brackets.

    Source:
        TechSupportEval, section III-C, says "exactly match"; the rules are ours.

    >>> matches("httpd.conf", "the conf/httpd.conf file"), matches("9.7", "9.7.0.1")
    (True, False)
    """
    wanted, given = _plain(term), _plain(fill)
    if not wanted or not given:
        return False
    added = len(given.split()) - len(wanted.split())
    if added > _MOST_ADDED_WORDS:
        return False
    if _has(given, wanted):
        return True
    forms = {given, _bare(given)}
    return any(
        forms & {form, bare} or (_TECHNICAL.match(bare) and _has(given, bare))
        for form in map(_plain, names(term))
        if _heads_agree(form, given) and (bare := _bare(form))
    )


def matches_as_published(term: str, fill: str) -> bool:
    """The released code's rule: either text, bare of marks and spaces, may contain the other.

    >>> matches_as_published("httpd.conf", ""), matches_as_published("10.1.2", "1")
    (True, True)
    """
    wanted, given = _core(term), _core(fill)
    return wanted in given or given in wanted


def names(term: str) -> tuple[str, ...]:
    """The term, and the name and the abbreviation of "name (abbreviation)".

    >>> names("Global Security Kit (GSKit)")
    ('Global Security Kit (GSKit)', 'Global Security Kit', 'GSKit')
    """
    parts = _BRACKETED.fullmatch(term.strip()) if len(term) <= _LONGEST_NAME_CHARS else None
    if parts is None:
        return (term,)
    shorter = min(parts[1], parts[2], key=len)
    is_short = _ABBREVIATION.fullmatch(shorter) is not None
    return (term, parts[1], parts[2]) if is_short else (term,)


def locate(text: str, answer: str) -> Span | None:
    """Where an answer has a text, case and white space aside; whole words go before parts."""
    words = text.split()
    if not words or len(text) > _LONGEST_SOUGHT_CHARS:
        return None
    sought = r"\s+".join(map(re.escape, words))
    for expression in (rf"(?<!\w)(?:{sought})(?!\w)", sought):
        match = re.search(expression, answer, re.IGNORECASE)
        if match is not None:
            return Span(*match.span())
    return None


@cache
def articles() -> frozenset[str]:
    """Words that may stand before a term or be left out."""
    return frozenset(_tables()["words"]["articles"])


@cache
def negations() -> frozenset[str]:
    """Words of any language that turn a term round when they stand just before it."""
    return frozenset(_tables()["words"]["exclusions"]).union(
        *(lexicons.load(code)["negations"].lists["negations"] for code in lexicons.languages())
    )


def _tables() -> Mapping[str, Mapping[str, Sequence[str]]]:
    return shipped.table("klopt.checking", "blanks.toml")


@cache
def _heads() -> Mapping[str, str]:
    return {word: sort for sort, words in _tables()["heads"].items() for word in words}


def _plain(text: str) -> str:
    text = unicodedata.normalize("NFC", text).translate(_SAME)
    text = _QUOTES.sub("", _EMPHASIS.sub(r"\1", text)).casefold()
    text = re.sub(r"/{2,}", "/", " ".join(text.split()))
    text = re.sub(r" ?= ?", "=", text)
    text = re.sub(r" ?, ?(?=[^\W\d])", ", ", text)
    text = re.sub(r"(?<!\w)#(?=\d)", "", text)
    return text.rstrip(_END_MARKS) or text


def _has(text: str, term: str) -> bool:
    """Whether the term stands in the text whole, and nothing turns it round."""
    before, behind = r"(?<![\w.+@~*-])", r"(?![\w#*@~]|[.:/?&-][\w<{$])"
    if term[0].isdigit():
        before += r"(?<!\d,)"
    elif term[0] == "/":
        before += r"(?<![:>}%)\]])"
    if term[-1].isdigit():
        behind += r"(?!,\d)"
    elif term[-1].isalpha():
        behind += r"(?!\+)"
    return term in text and any(
        not _negated(text[max(0, match.start() - _NEGATED_CHARS) : match.start()])
        for match in re.finditer(f"{before}(?={re.escape(term)}{behind})", text)
    )


def _negated(before: str) -> bool:
    words = re.findall(r"[\w']+", before)[-_NEGATED_WORDS:]
    return not negations().isdisjoint([*words, " ".join(words)])


def _bare(plain: str) -> str:
    """A text without the articles before it and one word for its sort at either end."""
    words = plain.split()
    while len(words) > 1 and words[0] in articles():
        words = words[1:]
    if len(words) > 1 and words[-1] in _heads():
        words.pop()
    elif len(words) > 1 and words[0] in _heads():
        words = words[1:]
    return " ".join(words)


def _heads_agree(wanted: str, found: str) -> bool:
    """Whether the words for the sort of thing, where both have one, mean the same."""
    heads = _heads()
    theirs = {heads[word] for word in found.split() if word in heads}
    ours = {heads[word] for word in wanted.split() if word in heads}
    return not ours or not theirs or bool(ours & theirs)


def _core(text: str) -> str:
    match = re.search(r"[^\W_](?:.*[^\W_])?", text, re.DOTALL)
    return "" if match is None else "".join(match[0].split()).lower()
