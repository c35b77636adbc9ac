"""What the pages of the review show and say, in Dutch or English."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Any, Final, NamedTuple

from klopt import shipped
from klopt.company.entries import LexiconEntry
from klopt.company.suggestions import Suggestion, reason
from klopt.errors import KloptError
from klopt.reading.markup import read_text
from klopt.records import MESSAGE_TYPES, Turn
from klopt.report.log_answers import QUESTION_CHARS, ShownAnswer
from klopt.report.log_answers import shown as in_sentences
from klopt.report.log_page import texts as log_texts
from klopt.report.scored import AskedRow, ScoredRow
from klopt.report.wording import Wording
from klopt.review.book import MOST_ROWS
from klopt.review.desk import ReviewDesk
from klopt.scoring.assessment import Assessment

ANSWER_CHARS: Final = 20_000
_PAGES: Final = 8
_PAGE_CHARS: Final = 20_000
_STARS: Final = re.compile(r"\*\*")
"""What Markdown has around what is bold; it is not shown."""


@dataclass(frozen=True, slots=True)
class GivenPage:
    """A page that the bot was given: its name, and its text without markup."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Shown:
    """An answer, and what stands beside it.

    ``answer`` has its sentences beside the passages; ``words`` is the answer to the letter, bold
    where it has ``**``, with the untrue words marked; ``is_cut`` tells that there is more of it.
    """

    row: ScoredRow
    question: str
    answer: ShownAnswer
    words: tuple[AnswerPiece, ...]
    is_cut: bool
    pages: tuple[GivenPage, ...]


def shown(turn: Turn, found: Assessment, untrue: Sequence[str]) -> Shown:
    """An answer for the page, with the words that a person marked as untrue."""
    row = ScoredRow.from_mapping(found.to_dict())
    answer = in_sentences(row, AskedRow(turn.question, turn.answer))
    pages = tuple(
        GivenPage(page.title or page.id, read_text(page.text[:_PAGE_CHARS], page.format).text)
        for page in turn.pages[:_PAGES]
    )
    text = turn.answer[:ANSWER_CHARS]
    return Shown(
        row,
        turn.question[:QUESTION_CHARS].replace("**", ""),
        answer,
        tuple(_marked(text, untrue)),
        len(turn.answer) > ANSWER_CHARS,
        pages,
    )


def substring(answer: str, span: str) -> str | None:
    """The words of an answer between two places of what is shown of it, ``START-END``.

    Without the space around them.

    >>> substring("Klik op **Bewaren**.", "7-15"), substring("Kort.", "3-99"), substring("", "x")
    ('**Bewaren', None, None)
    """
    found = re.fullmatch(r"(\d{1,9})-(\d{1,9})", span, re.ASCII)
    if found is None:
        return None
    start, end = map(int, found.groups())
    hidden = {at for mark in _STARS.finditer(answer) for at in range(*mark.span())}
    shown_at = [at for at in range(len(answer)) if at not in hidden]
    if not start < end <= len(shown_at):
        return None
    return answer[shown_at[start] : shown_at[end - 1] + 1].strip() or None


def kinds(language: str) -> list[tuple[str, str]]:
    """The message types, each with its name."""
    words = log_texts(language)["kinds"]
    return [(kind, words[kind]) for kind in MESSAGE_TYPES]


class AnswerPiece(NamedTuple):
    """A stretch of an answer as it is shown."""

    text: str
    is_untrue: bool
    is_bold: bool


def _marked(text: str, untrue: Sequence[str]) -> Iterator[AnswerPiece]:
    """The text in pieces: its very characters, but for a space for a CR, and bold for ``**``."""
    text = text.replace("\r", " ")  # which HTML would drop
    wanted = [
        re.escape(words.replace("\r", " ")) for words in sorted(untrue, key=len, reverse=True)
    ]
    marks = [found.span() for found in re.finditer("|".join(wanted), text)] if wanted else []
    stars = [found.span() for found in _STARS.finditer(text)]
    cuts = sorted({0, len(text), *(at for span in (*marks, *stars) for at in span)})
    for start, end in pairwise(cuts):
        count = bisect_right(stars, (start, len(text)))
        if count and start < stars[count - 1][1]:
            continue
        mark = bisect_right(marks, (start, len(text)))
        is_untrue = bool(mark) and start < marks[mark - 1][1]
        yield AnswerPiece(text[start:end], is_untrue, count % 2 == 1 and count < len(stars))


@cache
def texts(language: str) -> Mapping[str, Any]:
    """The words of a language."""
    return shipped.table("klopt.review", f"review_{language}.toml")


class Told:
    """The figures of a page, worded when its template asks for them."""

    def __init__(self, desk: ReviewDesk, language: str) -> None:
        self.desk, self.language = desk, language
        self.texts, self.words = texts(language), Wording(language)

    def say(self, section: str, key: str, **filled: object) -> str:
        """A sentence with its gaps filled."""
        sentence: str = self.texts[section][key]
        return sentence.format(**filled)

    def open_count(self) -> int:
        """How many suggestions nobody has decided on; none where the file cannot be read."""
        with suppress(KloptError):
            return sum(suggestion.status == "open" for suggestion in self.desk.suggestions())
        return 0

    def entry(self, entry: LexiconEntry) -> str:
        """What kind of thing an entry is, in words where there are some."""
        known = self.texts["suggestions"]["lexicons"]
        named = known.get(f"{entry.lexicon} {entry.part}") or known.get(entry.lexicon)
        own = self.say("suggestions", "entry", lexicon=entry.lexicon, part=entry.part)
        return str(named or own)

    def why(self, suggestion: Suggestion) -> str:
        """Where a suggestion came from; in the words of its file where it has no others."""
        return reason(suggestion, self.language) or suggestion.why

    def rater(self, name: str) -> str:
        """Who rated."""
        return name or str(self.texts["agreement"]["nameless"])

    def unscored(self) -> str:
        """How many answers are not offered, and why; empty where there are none."""
        reasons, known = self.desk.book.unscored, log_texts(self.language)["reasons"]
        if not reasons:
            return ""
        counts = Counter({known.get(code, code): count for code, count in reasons.items()})
        listed = "; ".join(f"{why}: {self.words.whole(n)}" for why, n in counts.most_common(5))
        return self.say("page", "unscored", count=f"{self.words.whole(counts.total())} ({listed})")

    def progress(self) -> list[str]:
        """How far the log is read, and what is left out of it."""
        book = self.desk.book
        done, total = self.words.whole(len(book.scored)), self.words.whole(len(book))
        said = [self.say("page", "read" if book.is_done else "reading", done=done, total=total)]
        if book.left_out:
            count, most = self.words.whole(book.left_out), self.words.whole(MOST_ROWS)
            said.append(self.say("page", "left_out", count=count, most=most))
        return [*said, self.unscored()]
