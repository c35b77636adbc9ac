"""What the rating page shows of an answer, and the words around it, in Dutch or English."""

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

from klopt._internal import shipped
from klopt.company.review.desk import MAX_ROWS, ReviewDesk
from klopt.company.review.store import RATINGS_WANTED
from klopt.company.suggestions import Suggestion, reason
from klopt.errors import KloptError
from klopt.report.evidence import ShownAnswer
from klopt.report.evidence import shown as in_sentences
from klopt.report.log_page import texts as log_texts
from klopt.report.wording import Wording
from klopt.scoring.assessment import Assessment
from klopt.text.markup import read_text, without_html
from klopt.types import Turn

ANSWER_CHARS: Final = 20_000
_MAX_PAGES: Final = 8
_PAGE_CHARS: Final = 20_000
_STARS: Final = re.compile(r"\*\*")  # Bold markup, which is not shown


class AnswerPiece(NamedTuple):
    """A stretch of an answer with one format."""

    text: str
    is_untrue: bool
    is_bold: bool


@dataclass(frozen=True, slots=True)
class Shown:
    """An answer on the rating page: its sentences, and ``words`` verbatim, with those untrue."""

    row: Assessment
    question: str
    answer: ShownAnswer
    words: tuple[AnswerPiece, ...]
    is_cut: bool
    pages: tuple[tuple[str, str], ...]


def shown(turn: Turn, found: Assessment, untrue: Sequence[str], question_chars: int) -> Shown:
    """Return an answer for the page, with the words that a person marked as untrue."""
    pages = tuple(
        (page.title or page.id, read_text(page.text[:_PAGE_CHARS], page.format).text)
        for page in turn.pages[:_MAX_PAGES]
    )
    return Shown(
        found,
        without_html(turn.question[:question_chars]).replace("**", ""),
        in_sentences(found, turn.answer),
        tuple(_marked(turn.answer[:ANSWER_CHARS], untrue)),
        len(turn.answer) > ANSWER_CHARS,
        pages,
    )


def substring(answer: str, span: str) -> str | None:
    """Return the words of an answer in a span ``START-END`` of the shown text, stripped.

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


def _marked(text: str, untrue: Sequence[str]) -> Iterator[AnswerPiece]:
    """Yield the text in pieces; each CR becomes a space, since HTML would drop it."""
    text = text.replace("\r", " ")
    longest_first = sorted((words.replace("\r", " ") for words in untrue), key=len, reverse=True)
    wanted = "|".join(map(re.escape, longest_first))
    marks = [found.span() for found in re.finditer(wanted, text)] if wanted else []
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
    """Return the texts in a language."""
    return shipped.table("klopt.company.review", f"review_{language}.toml")


class PageWords:
    """The sentences and figures that the templates ask for."""

    def __init__(self, desk: ReviewDesk, language: str) -> None:
        self.desk, self.language = desk, language
        self.texts, self.words = texts(language), Wording(language)

    def say(self, section: str, key: str, **filled: object) -> str:
        """Return a sentence with its gaps filled."""
        sentence: str = self.texts[section][key]
        return sentence.format(**filled)

    def open_count(self) -> int:
        """Return the number of open suggestions; 0 if the file cannot be read."""
        with suppress(KloptError):
            return sum(suggestion.status == "open" for suggestion in self.desk.suggestions())
        return 0

    def why(self, suggestion: Suggestion) -> str:
        """Return the reason for a suggestion in the language of the page, or else of its file."""
        return reason(suggestion, self.language) or suggestion.why

    def rater(self, name: str) -> str:
        """Return a rater's name, or the words for none."""
        return name or str(self.texts["agreement"]["nameless"])

    def rated(self) -> str:
        """Return how many answers this person rated, of the number wanted."""
        count = len(self.desk.rated)
        key = "rated" if count >= RATINGS_WANTED else "rated_of"
        return self.say("page", key, count=self.words.whole(count), wanted=RATINGS_WANTED)

    def progress(self) -> list[str]:
        """Return what to do next, how much of the log is scored, and what is left out."""
        book, whole, rated = self.desk.book, self.words.whole, self.desk.rated
        left = RATINGS_WANTED - len(rated)
        scored = book.scored
        is_all = book.is_done and scored != [] and all(answer.key in rated for answer in scored)
        lines = [self.say("page", "enough" if is_all or left <= 0 else "to_rate", left=left)]
        done, total = whole(len(scored)), whole(len(book))
        state = "all_rated" if is_all else "read" if book.is_done else "reading"
        lines.append(self.say("page", state, done=done, total=total))
        if book.left_out:
            count, most = whole(book.left_out), whole(MAX_ROWS)
            lines.append(self.say("page", "left_out", count=count, most=most))
        if unscored := book.unscored:
            known = log_texts(self.language)["reasons"]
            counts = Counter({known.get(code, code): count for code, count in unscored.items()})
            listed = "; ".join(f"{why}: {whole(n)}" for why, n in counts.most_common(5))
            count = f"{whole(counts.total())} ({listed})"
            lines.append(self.say("page", "unscored", count=count))
        return lines
