"""Where sentences end, by rules: offsets in a text, without a parse.

A newline always ends a sentence. A full stop does not when it belongs to an abbreviation, an
initial, the number at the start of a line ("1. Klik") or when a small letter follows a short
word; a full stop without white space behind it (3.28, web.config, a web address) never does.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import Final

import regex

from klopt.reading.text import Block, Span

LONGEST_UNKNOWN_ABBREVIATION_CHARS: Final = 4
"""Before a small letter, a word up to this length with a full stop counts as an abbreviation."""

NUMBERED_WORD_CHARS: Final = 2
"""Before a digit, a word up to this length with a full stop announces a number ("no. 3")."""

_END: Final = regex.compile(r"\n|(?<![.!?…])[.!?…]++[\"'”’»)\]}*_]*+(?=\s|\Z)", regex.VERSION1)
_NEXT: Final = regex.compile(r"[ \t\u00a0]*+[\"'“‘„«(\[*_]*+(.?)", regex.VERSION1)
_NUMBER: Final = regex.compile(r"\(?(?:\d{1,3}|[A-Za-z])\)?", regex.VERSION1)
_NUMBER_WORD: Final = regex.compile(r"[^\W\d_]{2,8} \d{1,2}", regex.VERSION1)
_INITIALS: Final = regex.compile(r"(?:\p{Lu}\p{Ll}?\.)*\p{Lu}", regex.VERSION1)
_OPENING: Final = "\"'“‘„«([*_"


def split_sentences(
    text: str, abbreviations: frozenset[str], rows: Sequence[Block] = ()
) -> tuple[Span, ...]:
    """The sentences of a text, in order, without white space around them.

    Args:
        text: Plain text.
        abbreviations: Words in lower case with their final full stop, those of the lexicon
            ``abbreviations``.
        rows: Rows of tables, in order: each is one sentence, whatever ends in its cells.

    Returns:
        Spans in ``text`` that do not overlap and are never blank; all else is white space.

    >>> split_sentences("Kies bijv. Nieuw. Klaar!", frozenset({"bijv."}))
    (Span(start=0, end=17), Span(start=18, end=24))
    >>> split_sentences("Versie 3.28 is uit. Werk nu bij.", frozenset())
    (Span(start=0, end=19), Span(start=20, end=32))
    """
    spans: list[Span] = []
    start = 0
    ends_of_rows = [row.end for row in rows]
    for end in (*_ends(text, abbreviations), len(text)):
        row = bisect_left(ends_of_rows, end)
        if row < len(rows) and rows[row].start < end < rows[row].end:
            continue
        piece = text[start:end]
        if stripped := piece.strip():
            first = start + len(piece) - len(piece.lstrip())
            spans.append(Span(first, first + len(stripped)))
        start = end
    return tuple(spans)


def _ends(text: str, abbreviations: frozenset[str]) -> Iterator[int]:
    line_start = 0
    word_from = 0  # no word before the last candidate needs to be looked at again
    for match in _END.finditer(text):
        if match.group() == "\n":
            yield match.end()
            line_start = word_from = match.end()
            continue
        mark = match.group().rstrip("\"'”’»)]}*_")
        following = _NEXT.match(text, match.end())
        character = following[1] if following else ""
        stop = match.start() + len(mark)
        word = text[max(word_from, stop - 40, line_start) : stop].rsplit(None, 1)
        word_from = max(word_from, stop - 40)
        line = text[line_start : match.start()].strip() if stop - line_start < 24 else ""
        if _ends_sentence(
            mark, word[-1] if word else "", line, character, mark != match.group(), abbreviations
        ):
            yield match.end()


def _ends_sentence(
    mark: str, word: str, line: str, following: str, is_closed: bool, abbreviations: frozenset[str]
) -> bool:
    """Whether a mark ends the sentence.

    ``word`` has the mark at its end; ``line`` stands before the mark on its line, if that is
    short; ``following`` is the first character of the next word, without opening quotes;
    ``is_closed`` says whether a closing quote or bracket follows the mark.
    """
    if not following or following == "\n":
        return True
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
