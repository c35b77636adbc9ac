"""Read a text of one language: plain text, words, sentences, components, guides."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import regex

from klopt._internal.cached import cached_property
from klopt.lexicons import Lexicon, Lexicons, in_lower_case
from klopt.text.components import Component, FoldedText, find_components, fold
from klopt.text.guides import Guide, find_guides
from klopt.text.language import LanguageVote, vote
from klopt.text.markup import read_text
from klopt.text.plain import Block, PlainText, Span
from klopt.text.tokens import Tokenizer, Tokens
from klopt.types import PageFormat

ANSWER_LIMIT_CHARS: Final = 20_000
"""A longer question or answer is not scorable."""
PAGE_LIMIT_CHARS: Final = 200_000
"""A longer page is not scorable: give the passages that the bot used."""
SOURCE_LIMIT_CHARS: Final = 2_000_000  # of a page of HTML with scripts and styles
CONTEXTS_LIMIT_CHARS: Final = 500_000  # all pages of a turn together
CLOSINGS: Final = "closings"
"""The list of fillers that make their whole sentence one ("Let me know if it fails")."""
_OPENING_WORD: Final = re.compile(r"\w+")
LONGEST_UNKNOWN_ABBREVIATION_CHARS: Final = 4
"""Before a small letter, a word up to this length with a full stop counts as an abbreviation."""
NUMBERED_WORD_CHARS: Final = 2
"""Before a digit, a word up to this length with a full stop announces a number ("no. 3")."""
_SENTENCE_END: Final = re.compile(
    r"[\n.!?…](?:(?<=\n)|(?<![.!?…][.!?…])[.!?…]*+[\"'”’»)\]}*_]*+(?=\s|\Z))"
)
"""Begins with a set, for which `re` searches fastest."""
_NEXT: Final = re.compile(r"[ \t\u00a0]*+[\"'“‘„«(\[*_]*+(.?)")
_NUMBER: Final = regex.compile(r"\(?(?:\d{1,3}|[A-Za-z])\)?", regex.VERSION1)
_NUMBER_WORD: Final = regex.compile(r"[^\W\d_]{2,8} \d{1,2}", regex.VERSION1)
_INITIALS: Final = regex.compile(r"(?:\p{Lu}\p{Ll}?\.)*\p{Lu}", regex.VERSION1)
_OPENING: Final = "\"'“‘„«([*_"


@dataclass(frozen=True, eq=False)
class Reading:
    """The result of reading one text.

    Attributes:
        plain: The plain text with its way back to the original.
        lexicons: The tables that were used.
        sentences: In plain offsets, in order.
        components: The UI components that it names, in order.
        tokens: Its words, in order.
    """

    plain: PlainText
    lexicons: Lexicons
    sentences: tuple[Span, ...]
    components: tuple[Component, ...]
    tokens: Tokens

    @property
    def language(self) -> str:
        """The language whose tables were used."""
        return self.lexicons.language

    @cached_property
    def guides(self) -> tuple[Guide, ...]:
        """Its step-by-step guides, in order."""
        return find_guides(self.plain, self.sentences, self.components, self.lexicons["guides"])

    @cached_property
    def fillers(self) -> tuple[Span, ...]:
        """Its sentences without content, such as greetings."""
        return find_fillers(self.plain.text, self.sentences, self.lexicons["fillers"])

    @cached_property
    def named(self) -> tuple[Component, ...]:
        """Its components without code, such as commands and examples of input."""
        return tuple(component for component in self.components if component.kind != "code")

    @cached_property
    def vote(self) -> LanguageVote:
        """The vote on the language of the text itself, whatever it was read as."""
        return vote([self.plain.running_text])

    @cached_property
    def folded(self) -> FoldedText:
        """The plain text normalised as component names are, for looking them up."""
        return fold(self.plain.text)


class Reader:
    """Reader of texts in one language. Thread-safe.

    ``plain_names``: whether names count as components that only a capital sets apart.

    >>> from klopt import lexicons
    >>> reader = Reader(lexicons.load("nl"))
    >>> [c.text for c in reader.read("Klik op **Opslaan**.").components]
    ['Opslaan']
    """

    def __init__(self, lexicons: Lexicons, *, plain_names: bool = True) -> None:
        self.plain_names = plain_names
        self.lexicons = lexicons
        self.language = lexicons.language
        self.tokenizer = Tokenizer(lexicons)
        self._abbreviations = lexicons["abbreviations"].words
        self._components = lexicons["components"]

    def read(self, source: str, page_format: PageFormat = "auto") -> Reading:
        """Read a text in any format."""
        return self.read_plain(read_text(source, page_format))

    def read_plain(self, plain: PlainText) -> Reading:
        """Read a plain text."""
        rows = [block for block in plain.blocks if block.kind == "row"]
        sentences = split_sentences(plain.text, self._abbreviations, rows)
        components = find_components(plain, self._components, plain_names=self.plain_names)
        tokens = self.tokenizer.read(plain.text, components)
        return Reading(plain, self.lexicons, sentences, components, tokens)


def find_fillers(text: str, sentences: Sequence[Span], lexicon: Lexicon) -> tuple[Span, ...]:
    """Return the sentences of which a filler is at least half, or which a closing begins."""
    small = in_lower_case(text)  # as long
    starts = [span.start for span in sentences]
    likely: set[tuple[int, str]] = set()
    openings = _openings(lexicon)
    for word in {"", *_OPENING_WORD.findall(small)} & openings.keys():
        for name, phrase in openings[word]:
            at = small.find(phrase)
            while at >= 0:
                likely.add((bisect_right(starts, at) - 1, name))
                at = small.find(phrase, at + len(phrase))
    fillers: set[Span] = set()
    for number, name in likely:
        span = sentences[number]
        match = lexicon.phrases[name].search(text, span.start, span.end)
        if match is not None and (
            2 * len(match[0]) >= span.end - span.start
            or (name == CLOSINGS and match.start() == span.start)
        ):
            fillers.add(span)
    return tuple(sorted(fillers))


@lru_cache(maxsize=16)
def _openings(lexicon: Lexicon) -> Mapping[str, Sequence[tuple[str, str]]]:
    """For each word that fillers begin with, the fillers and their lists."""
    openings: dict[str, list[tuple[str, str]]] = {}
    for name, phrases in lexicon.lists.items():
        for phrase in map(in_lower_case, phrases):
            opening = _OPENING_WORD.match(phrase)
            openings.setdefault(opening[0] if opening else "", []).append((name, phrase))
    return openings


def split_sentences(
    text: str, abbreviations: frozenset[str], rows: Sequence[Block] = ()
) -> tuple[Span, ...]:
    """Return the sentences of a text, in order, without surrounding white space.

    Abbreviations are in lower case with their final full stop. Each of the ``rows`` of tables is
    one sentence, whatever ends in its cells.

    >>> split_sentences("Kies bijv. Nieuw. Klaar!", frozenset({"bijv."}))
    (Span(start=0, end=17), Span(start=18, end=24))
    >>> split_sentences("Versie 3.28 is uit. Werk nu bij.", frozenset())
    (Span(start=0, end=19), Span(start=20, end=32))
    """
    spans: list[Span] = []
    start = 0
    ends_of_rows = [row.end for row in rows]
    for end in (*_ends(text, abbreviations), len(text)):
        if rows:
            row = bisect_left(ends_of_rows, end)
            if row < len(rows) and rows[row].start < end < rows[row].end:
                continue
        piece = text[start:end].rstrip()
        if stripped := piece.lstrip():
            last = start + len(piece)
            spans.append(Span(last - len(stripped), last))
        start = end
    return tuple(spans)


def _ends(text: str, abbreviations: frozenset[str]) -> Iterator[int]:
    line_start = 0
    for match in _SENTENCE_END.finditer(text):
        found, end = match[0], match.end()
        if found == "\n":
            line_start = end
            yield end
            continue
        following = _NEXT.match(text, end)
        if following and following[1]:
            mark = found.rstrip("\"'”’»)]}*_")
            stop = match.start() + len(mark)
            word = text[max(stop - 40, line_start) : stop].rsplit(None, 1)[-1]
            line = text[line_start : match.start()].strip() if stop - line_start < 24 else ""
            is_closed = mark != found
            if not _ends_sentence(mark, word, line, following[1], is_closed, abbreviations):
                continue
        yield end


def _ends_sentence(
    mark: str, word: str, line: str, following: str, is_closed: bool, abbreviations: frozenset[str]
) -> bool:
    """Whether a mark ends the sentence, before a character on the same line."""
    if mark != ".":
        return not following.islower() or (mark[0] in "!?" and not is_closed)
    word = word.lstrip(_OPENING)
    bare = word[:-1]
    if word.casefold() in abbreviations:
        return False
    if _NUMBER.fullmatch(line) or _NUMBER_WORD.fullmatch(line):
        return False
    if following.isdigit() and len(bare) <= NUMBERED_WORD_CHARS and bare.islower():
        return False
    if following.islower():
        return len(bare) > LONGEST_UNKNOWN_ABBREVIATION_CHARS and "." not in bare and not is_closed
    return _INITIALS.fullmatch(bare) is None or bare.isdigit()
