"""Formats of figures, and texts of an evaluation, in Dutch or English."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from klopt import heuristics
from klopt._internal import shipped
from klopt._internal.cached import cached_property
from klopt.scoring import explanation
from klopt.scoring.tree import printed

if TYPE_CHECKING:  # What evaluates is slow to import, and `klopt explain` reads these words too.
    from klopt.evaluation.estimate import Estimate

LANGUAGES: Final = ("nl", "en")
MAX_ROWS: Final = 100  # Maximum number of rows of a table
_MINUS: Final = "\N{MINUS SIGN}"
_MAX_NAMES: Final = 8


@dataclass(frozen=True)
class Wording:
    """The number formats and texts of one of `LANGUAGES`.

    >>> english, dutch = Wording("en"), Wording("nl")
    >>> english.decimal(-0.4), dutch.decimal(-0.4), english.decimal(1234.5, 1), dutch.score(2.96)
    ('−0.40', '−0,40', '1,234.5', '2,9')
    >>> english.signed(0.046), english.signed(0.001), english.short(4.0), english.threshold(4.15)
    ('+0.05', '0.00', '4', '4.15')
    >>> english.percent(0.634), english.percent(0.001), english.chance(0.0001), dutch.chance(0.042)
    ('63%', '<1%', '<0.001', '0,042')
    >>> english.agreement(0.0999), english.plain("verdicts", "block"), dutch.part("language: nl")
    ('weak', 'do not send it', 'taal: nl')
    >>> dutch.listed("abcdefghij"), english.cut("abcdef", 3), english.feature("hal")
    ('a, b, c, d, e, f, g, h en nog 2', 'abc… (cut: 6 characters)', 'Words used together')
    >>> from klopt.evaluation.estimate import Estimate
    >>> english.with_interval(Estimate(0.5, 0.25, 0.75), english.percent)
    '50% (25% to 75%)'
    """

    language: str

    @cached_property
    def texts(self) -> Mapping[str, Any]:
        """All texts."""
        return shipped.table("klopt.report", f"evaluation_{self.language}.toml")

    def say(self, section: str, key: str, **filled: str) -> str:
        """Return a sentence with its gaps filled."""
        sentence: str = self.texts[section][key]
        return sentence.format(**filled)

    def agreement(self, value: float) -> str:
        """Return the word for a correlation, rounded to two decimals."""
        bands, shown = self.texts["bands"], round(value, 2)
        return str(next(band["says"] for band in bands if shown < band.get("below", float("inf"))))

    def plain(self, table: str, code: str) -> str:
        """Return the words for a code, or the code where there are none."""
        both = self.texts if table in self.texts else log_texts(self.language)
        words: Mapping[str, str] = both[table]
        return words.get(code, brief(code or "–"))

    def part(self, name: str) -> str:
        """Return the name of a part of the answers, such as ``language: nl``."""
        field, sign, value = name.partition(": ")
        return brief(f"{self.texts['parts'].get(field, field)}{sign}{value}")

    def feature(self, name: str) -> str:
        """Return the name of a heuristic for people, or an unknown name as it is."""
        if name not in heuristics.BY_NAME:
            return brief(name or "–")
        return explanation.capitalised(explanation.heuristic_name(name, self.language))

    def reason(self, estimate: Estimate, most_chars: int = 200) -> str:
        """Return why there is no figure, or no interval."""
        reason = estimate.reason or self.texts["page"]["no_reason"]
        return self.cut(self.texts["because"].get(reason, reason), most_chars)

    def listed(self, names: Iterable[str]) -> str:
        """Return the first eight names as a phrase."""
        every = list(names)
        shown = every[:_MAX_NAMES]
        if more := len(every) - len(shown):
            shown.append(self.say("page", "more_names", count=self.whole(more)))
        *others, last = shown
        return f"{', '.join(others)}{self.texts['page']['and']}{last}" if others else last

    def whole(self, count: int) -> str:
        """Return a count with its thousands separated."""
        return explanation.whole(count, self.language)

    def decimal(self, value: float, decimals: int = 2) -> str:
        """Return a number with fixed decimals and a typographic minus sign."""
        text = f"{abs(value):,.{decimals}f}"
        sign = _MINUS if value < 0 and float(text.replace(",", "")) else ""
        marks = explanation.texts(self.language)
        swapped = str.maketrans({",": marks["thousands"], ".": marks["decimal"]})
        return f"{sign}{text.translate(swapped)}"

    def signed(self, value: float) -> str:
        """Return a difference, with a plus sign if it is above 0."""
        return f"{'+' if side(value) > 0 else ''}{self.decimal(value)}"

    def score(self, value: float) -> str:
        """Return a score from 1 to 5 with one decimal, rounded down: 2.96 is not yet 3.0."""
        return self.decimal(printed(value), 1)

    def short(self, value: float) -> str:
        """Return a rating, with a decimal only if it is not whole."""
        return self.decimal(value, 0 if value.is_integer() else 1)

    def threshold(self, value: float) -> str:
        """Return a threshold with one decimal, or two if it has them."""
        return self.decimal(value).removesuffix("0")

    def percent(self, value: float) -> str:
        """Return a share in whole per cents; only 0 and 1 look like 0% and 100%."""
        if 0 < value < 0.005:
            return "<1%"
        return ">99%" if 0.995 <= value < 1 else f"{self.decimal(value * 100, 0)}%"

    def chance(self, value: float) -> str:
        """Return a p-value."""
        return f"<{self.decimal(0.001, 3)}" if value < 0.001 else self.decimal(value, 3)

    def interval(self, estimate: Estimate, write: Callable[[float], str] | None = None) -> str:
        """Return the interval in words, empty without one; differences have no plus sign."""
        if estimate.value is None or estimate.low is None or estimate.high is None:
            return ""
        write = self.decimal if write in (None, self.signed) else write
        return self.say("page", "to", low=write(estimate.low), high=write(estimate.high))

    def verdict(self, section: str, less: Estimate, **names: str) -> str:
        """Return whether a difference is certain, in words; empty without an interval."""
        if less.value is None or less.low is None or less.high is None:
            return ""
        return self.say(section, f"verdict_{sure(less)}", **names)

    def with_interval(
        self, estimate: Estimate, write: Callable[[float], str], around: str = " ({})"
    ) -> str:
        """Return a figure for a sentence, with its interval if there is one."""
        if estimate.value is None:
            return "–"
        ends = self.interval(estimate, write)
        return write(estimate.value) + (around.format(ends) if ends else "")

    def cut(self, text: str, limit_chars: int) -> str:
        """Return the text, or its beginning with its full length."""
        if len(text) <= limit_chars:
            return text
        return self.say("page", "cut", text=text[:limit_chars], count=self.whole(len(text)))


@cache
def log_texts(language: str) -> Mapping[str, Any]:
    """Return the texts of the report of a log."""
    return shipped.table("klopt.report", f"log_{language}.toml")


def in_report(language: str | None) -> str:
    """Return the one of `LANGUAGES` for texts of an answer: its own, else English."""
    return language if language in LANGUAGES else "en"


def spoken(counts: Mapping[str, int]) -> str:
    """Return the one of `LANGUAGES` of most answers; the first if none is in either.

    >>> spoken({"de": 9, "en": 2})
    'en'
    """
    return max(LANGUAGES, key=lambda language: counts.get(language, 0))


def side(value: float, decimals: int = 2) -> int:
    """Return the sign of a number after rounding: 1, -1 or 0.

    >>> side(0.006), side(-0.3), side(-0.004)
    (1, -1, 0)
    """
    return (round(value, decimals) > 0) - (round(value, decimals) < 0)


def sure(less: Estimate) -> str:
    """Return the key of the conclusion from a rounded difference and its interval.

    >>> from klopt.evaluation.estimate import Estimate
    >>> sure(Estimate(0.1, 0.05, 0.2)), sure(Estimate(0.1, 0.004, 0.2)), sure(Estimate(-0.1))
    ('better', 'level', 'level')
    >>> sure(Estimate(0.001, 0.0005, 0.004))
    'none'
    """
    figures = (less.value, less.low, less.high)
    value, low, high = (0 if figure is None else side(figure) for figure in figures)
    if less.low is not None and less.high is not None and not (value or low or high):
        return "none"
    return "better" if low > 0 else "worse" if high < 0 else "level"


def why(explanation: str) -> str:
    """Return an explanation without its first sentence (score and verdict), if it has others.

    >>> why("Score 1,2 van 5: niet versturen. Geen pagina noemt “Alt+F8”.")
    'Geen pagina noemt “Alt+F8”.'
    """
    first, _, rest = explanation.partition(". ")
    return rest or first


def brief(text: str, limit_chars: int = 60) -> str:
    """Return a text on one line, cut with an ellipsis.

    >>> brief("een  twee drie", 9)
    'een twee…'
    """
    line = " ".join(text[: limit_chars * 4].split())
    return line if len(line) <= limit_chars else line[: limit_chars - 1].rstrip() + "…"
