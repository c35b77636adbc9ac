"""What a page of the review says, in Dutch or English."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from typing import Any

from klopt import shipped
from klopt.company.entries import Entry
from klopt.errors import KloptError
from klopt.report.log_page import texts as log_texts
from klopt.review.book import MOST_ROWS
from klopt.review.desk import Desk
from klopt.scoring.explanation import decimal, whole


@cache
def texts(language: str) -> Mapping[str, Any]:
    """The words of a language."""
    return shipped.table("klopt.review", f"review_{language}.toml")


class Told:
    """The figures of a page, worded when its template asks for them.

    Args:
        desk: The work at hand.
        language: Of the page.
    """

    def __init__(self, desk: Desk, language: str) -> None:
        self.desk, self.language = desk, language
        self.texts = texts(language)

    def say(self, section: str, key: str, **filled: object) -> str:
        """A sentence with its gaps filled."""
        sentence: str = self.texts[section][key]
        return sentence.format(**filled)

    def whole(self, count: int) -> str:
        """A count with its thousands apart."""
        return whole(count, self.language)

    def figure(self, value: float | None) -> str:
        """A figure with two decimals."""
        text = "–" if value is None else f"{value:.2f}".replace("-", "\N{MINUS SIGN}")
        return text.replace(".", ",") if self.language == "nl" else text

    def score(self, value: float) -> str:
        """A score as it is written."""
        return decimal(value, self.language)

    def rating(self, value: float) -> str:
        """A rating as it is written."""
        text = f"{value:g}"
        return text.replace(".", ",") if self.language == "nl" else text

    def moved(self, value: float) -> bool:
        """Whether the agreement is another than it was."""
        return self.desk.was is not None and self.figure(value) != self.figure(self.desk.was)

    def open_count(self) -> int:
        """How many suggestions nobody has decided on; none where the file cannot be read."""
        with suppress(KloptError):
            return sum(one.status == "open" for one in self.desk.suggestions())
        return 0

    def entry(self, entry: Entry) -> str:
        """What kind of thing an entry is, in words where there are some."""
        known = self.texts["suggestions"]["lexicons"]
        named = known.get(f"{entry.lexicon} {entry.part}") or known.get(entry.lexicon)
        own = self.say("suggestions", "entry", lexicon=entry.lexicon, part=entry.part)
        return str(named or own)

    def rater(self, name: str) -> str:
        """Who rated."""
        return name or str(self.texts["agreement"]["nameless"])

    def unscored(self) -> str:
        """How many answers are not offered, and why; empty where there are none."""
        reasons, known = self.desk.book.unscored, log_texts(self.language)["reasons"]
        if not reasons:
            return ""
        counts = Counter({known.get(code, code): count for code, count in reasons.items()})
        listed = "; ".join(f"{why}: {self.whole(n)}" for why, n in counts.most_common(5))
        return self.say("page", "unscored", count=f"{self.whole(counts.total())} ({listed})")

    def progress(self) -> list[str]:
        """How far the log is read, and what is left out of it."""
        book = self.desk.book
        done, total = self.whole(len(book.scored)), self.whole(len(book))
        said = [self.say("page", "read" if book.is_done else "reading", done=done, total=total)]
        if book.left_out:
            count, most = self.whole(book.left_out), self.whole(MOST_ROWS)
            said.append(self.say("page", "left_out", count=count, most=most))
        return [*said, self.unscored()]
