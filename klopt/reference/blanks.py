"""Compare the content of a blank with the key term."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final

from klopt import lexicons
from klopt._internal import shipped
from klopt.text.plain import Span

_LONGEST_SOUGHT_CHARS: Final = 2_000
_NEGATED_WORDS: Final = 2  # A negation within this many words before a term negates it
_NEGATED_CHARS: Final = 100
_LONGEST_NAME_CHARS: Final = 300
_MOST_ADDED_WORDS: Final = 12  # more make a fill a piece of the answer, not a term

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
    """Whether a fill contains the whole key term, and does not negate it.

    Case, white space, quotes, Markdown, kind of slash and final punctuation are ignored. An
    article, a general noun such as "file", or one of a name and its abbreviation may be missing.
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
    """The released code's rule: either text, without marks and spaces, contains the other.

    >>> matches_as_published("httpd.conf", ""), matches_as_published("10.1.2", "1")
    (True, True)
    """
    wanted, given = _core(term), _core(fill)
    return wanted in given or given in wanted


def names(term: str) -> tuple[str, ...]:
    """The term, and both parts of "name (abbreviation)".

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
    """The span of a text in an answer, ignoring case and white space; whole words first."""
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
    """Words that may be missing or added before a term."""
    return frozenset(_tables()["words"]["articles"])


@cache
def negations() -> frozenset[str]:
    """Words of any language that negate the term after them."""
    return frozenset(_tables()["words"]["exclusions"]).union(
        *(lexicons.load(code)["negations"].lists["negations"] for code in lexicons.languages())
    )


def _tables() -> Mapping[str, Mapping[str, Sequence[str]]]:
    return shipped.table("klopt.reference", "blanks.toml")


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
    """Return whether the text has the whole term, not negated."""
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
    """A text without leading articles and one general noun at either end."""
    words = plain.split()
    while len(words) > 1 and words[0] in articles():
        words = words[1:]
    if len(words) > 1 and words[-1] in _heads():
        words.pop()
    elif len(words) > 1 and words[0] in _heads():
        words = words[1:]
    return " ".join(words)


def _heads_agree(wanted: str, found: str) -> bool:
    """Whether the general nouns of both texts, where both have one, mean the same."""
    heads = _heads()
    theirs = {heads[word] for word in found.split() if word in heads}
    ours = {heads[word] for word in wanted.split() if word in heads}
    return not ours or not theirs or bool(ours & theirs)


def _core(text: str) -> str:
    match = re.search(r"[^\W_](?:.*[^\W_])?", text, re.DOTALL)
    return "" if match is None else "".join(match[0].split()).lower()
