"""The figures of a scored log as one page, in Dutch or English."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from typing import Any, Final, TypeVar

from markupsafe import Markup

from klopt import shipped
from klopt.measurement import Evidence
from klopt.report.log_answers import Answer, made
from klopt.report.log_figures import (
    SHOWN,
    VERDICTS,
    WHYS,
    LogFigures,
    Mention,
    by_size,
    most,
)
from klopt.report.templating import digest, environment
from klopt.report.view import Cell, Column, Part, Piece, Stack, Table
from klopt.report.wording import brief, percent
from klopt.scoring.explanation import capitalised, whole
from klopt.scoring.statements import Words
from klopt.version import VERSION

LANGUAGES: Final = ("nl", "en")
_LINE_CHARS: Final = 120
_NAME_CHARS: Final = 80
_PAGES: Final = 8
_LABELS: Final = 4
_PIECES: Final = 1000

T = TypeVar("T", Evidence, Words)


@dataclass(frozen=True, slots=True)
class Columns:
    """Verdicts over time, drawn from the bottom up, with what stands below and beside it."""

    title: str
    columns: tuple[tuple[Part, ...], ...]
    highest: str
    labels: tuple[str, ...]


@cache
def texts(language: str) -> Mapping[str, Any]:
    """The words of a language."""
    return shipped.table("klopt.report", f"log_{language}.toml")


def render(figures: LogFigures, language: str, file: str) -> Iterator[str]:
    """The page, piece by piece: the same bytes for the same figures.

    Every text of the log is other people's: it is escaped wherever it stands, control and direction
    characters become U+FFFD, long texts are cut. A Content Security Policy lets in the page's own
    style sheet and script, and nothing else; without the script everything is there, unfiltered.

    Args:
        figures: Those of the log.
        language: ``nl`` or ``en``.
        file: What it was made from, in a word.
    """
    css, script = (shipped.text("klopt.report", name) for name in ("style.css", "log.js"))
    css += shipped.text("klopt.report", "log.css")
    page = environment().get_template("log.html")
    told = _Told(figures, language)
    pieces = page.stream(
        texts=told.texts,
        css=Markup(css),
        script=Markup(script),
        style_digest=digest(css),
        script_digest=digest(script),
        source=told.say("page", "source", file=brief(file), version=VERSION),
        told=told,
    )
    pieces.enable_buffering(_PIECES)
    yield from pieces


class _Told:
    """Everything that the page says, worded when the template asks for it.

    Args:
        figures: Those of the log.
        language: Of the page.
    """

    def __init__(self, figures: LogFigures, language: str) -> None:
        self.figures = figures
        self.language = language
        self.texts = texts(language)

    def say(self, section: str, key: str, **filled: str) -> str:
        """A sentence with its gaps filled."""
        sentence: str = self.texts[section][key]
        return sentence.format(**filled)

    def whole(self, count: int) -> str:
        """A count with its thousands apart."""
        return whole(count, self.language)

    def lead(self) -> str:
        """What it comes to, in a sentence."""
        if not self.figures.total:
            return str(self.texts["page"]["empty"])
        counts = {
            verdict: f"{self.whole(count)} ({percent(count / self.figures.total)})"
            for verdict in VERDICTS
            for count in [self.figures.verdicts[verdict]]
        }
        return self.say("page", "lead", total=self.whole(self.figures.total), **counts)

    def notes(self) -> Iterator[str]:
        """What was not scored, and what was not read."""
        if count := self.figures.verdicts["unscored"]:
            reasons = "; ".join(
                f"{self.texts['reasons'].get(code, brief(code))}: {self.whole(number)}"
                for code, number in self.figures.reasons.most_common(_PAGES)
            )
            yield self.say("page", "unscored", count=self.whole(count), reasons=reasons or "–")
        if self.figures.unread:
            yield self.say("page", "unread", count=self.whole(self.figures.unread))

    def tiles(self) -> Iterator[tuple[str, str, str, str]]:
        """For each verdict its code, its share, its count, and what it means."""
        for verdict in VERDICTS:
            count = self.figures.verdicts[verdict]
            share = percent(count / self.figures.total) if self.figures.total else "–"
            yield verdict, share, self.whole(count), self.texts["tiles"][verdict]

    def overall(self) -> Stack:
        """All verdicts as one bar."""
        return self._stack(self.figures.verdicts)

    def contents(self) -> Iterator[tuple[str, str]]:
        """The sections that are there, with their names."""
        for key, name in self.texts["contents"].items():
            if key != "time" or self.figures.by_day:
                yield key, name

    def columns(self) -> Columns:
        """Verdicts over time."""
        unit, periods = self.figures.periods()
        totals = [one.verdicts.total() for one in periods]
        highest = max(totals)
        labels = [self.day(one.start, unit) for one in periods]
        step = max(1, -(-len(labels) // _LABELS))
        title = self.say(
            "time",
            "drawing",
            unit=self.texts["units"][unit],
            first=labels[0],
            last=labels[-1],
            most=self.whole(highest),
        )
        drawn = tuple(_parts(one.verdicts, highest) for one in periods)
        return Columns(title, drawn, self.whole(highest), tuple(labels[::step]))

    def over_time(self) -> Table:
        """The same as a table."""
        unit, periods = self.figures.periods()
        rows = (
            (self.day(one.start, unit), one.verdicts.total(), *self._counts(one.verdicts))
            for one in periods
        )
        heads = [self.texts["time"]["start"], self.texts["time"]["all"], *self._verdict_heads()]
        return self._table("time", heads, rows, unit=self.texts["units"][unit])

    def undated(self) -> str:
        """How many answers have no time."""
        count = self.figures.total - sum(one.total() for one in self.figures.by_day.values())
        return self.say("page", "undated", count=self.whole(count)) if count else ""

    def unit(self) -> str:
        """What one column over time is."""
        return str(self.texts["units"][self.figures.periods()[0]])

    def types(self) -> Table:
        """Verdicts by message type."""
        said = self.texts["types"]
        rows = (
            (
                self.kind(kind),
                Cell(stack=self._stack(counts)),
                counts.total(),
                *self._counts(counts),
            )
            for kind, counts in by_size(self.figures.by_type)
        )
        heads = [said["type"], said["parts"], said["all"], *self._verdict_heads()]
        return self._table("types", heads, rows)

    def pages(self) -> Table | None:
        """The pages behind untrue answers; None when there are none."""
        said = self.texts["pages"]
        behind = [
            (page, one)
            for page, one in self.figures.behind_untrue()
            if one.verdicts["block"] or one.contradicted or one.not_stated
        ]
        rows = (
            (
                Cell(brief(page, _NAME_CHARS), tone="find"),
                one.verdicts.total(),
                one.verdicts["block"],
                one.verdicts["review"],
                one.contradicted,
                one.not_stated,
                self._passage(one.passages),
            )
            for page, one in behind
        )
        keys = ("page", "all", "block", "review", "contradicted", "not_stated", "passage")
        return self._table("pages", [said[key] for key in keys], rows) if behind else None

    def questions(self) -> Table | None:
        """The questions that no page answers; None when there are none."""
        said, mentions = self.texts["questions"], most(self.figures.unanswered)
        keys = ["question", "why", "asked", "id"] if self.has_questions() else ["id", "why"]
        rows = (
            {
                "question": brief(one.text, 2 * _NAME_CHARS) or "–",
                "why": said[one.why],
                "asked": one.count,
                "id": _id(one),
            }
            for one in mentions
        )
        told = ([row[key] for key in keys] for row in rows)
        return self._table("questions", [said[key] for key in keys], told) if mentions else None

    def question_counts(self) -> Iterator[str]:
        """How many there are of each kind."""
        for why in WHYS:
            if count := self.figures.unanswered_by[why]:
                words = self.texts["questions"][why]
                yield capitalised(
                    self.say("questions", "counted", count=self.whole(count), why=words)
                )

    def has_questions(self) -> bool:
        """Whether the log was given, so that they are in words."""
        return any(one.text for one in self.figures.unanswered.values())

    def names(self) -> Table | None:
        """The names of no page; None when there are none."""
        said = self.texts["names"]
        rows = (
            (Cell(brief(one.text, _NAME_CHARS), tone="find"), one.count, _id(one))
            for one in most(self.figures.names)
        )
        heads = [said[key] for key in ("name", "count", "id")]
        return self._table("names", heads, rows) if self.figures.names else None

    def answers_intro(self) -> str:
        """How many of the answers are on the page."""
        scored = self.figures.total - self.figures.verdicts["unscored"]
        kept = self.figures.kept()
        if not kept:
            return str(self.texts["answers"]["none"])
        shown = len(kept)
        key = "all" if sum(one.count for one in kept) == scored else "part"
        return self.say("answers", key, count=self.whole(shown), total=self.whole(scored))

    def answers(self) -> Iterator[Answer]:
        """The worst answers, worst first."""
        for number, one in enumerate(self.figures.kept(), 1):
            day = self.day(one.asked.day) if one.asked.day else ""
            yield made(number, one, self.kind(one.row.message_type or ""), day, self.language)

    def times(self, count: int) -> str:
        """How often an answer was given, where that is more than once."""
        return self.say("answers", "times", count=self.whole(count)) if count > 1 else ""

    def kinds(self) -> list[str]:
        """The message types, the most frequent first."""
        return [kind for kind, _ in by_size(self.figures.by_type)]

    def kind(self, code: str) -> str:
        """A message type in words."""
        return str(self.texts["kinds"].get(code) or brief(code) or self.texts["page"]["unknown"])

    def day(self, day: date, unit: str = "day") -> str:
        """A day, month or year in words.

        >>> _Told(LogFigures(0), "nl").day(date(2026, 11, 2), "month")
        'nov. 2026'
        """
        month = f"{self.texts['months']['names'][day.month - 1]} {day.year}"
        return {"month": month, "year": str(day.year)}.get(unit, f"{day.day} {month}")

    def _passage(self, passages: Counter[tuple[int, str]]) -> Cell:
        if not passages:
            return Cell()
        ((line, text), count) = passages.most_common(1)[0]
        where = self.say("pages", "where", line=self.whole(line), count=self.whole(count))
        return Cell(pieces=(Piece(f"“{brief(text, _LINE_CHARS)}”", where=f"({where})"),))

    def _counts(self, verdicts: Mapping[str, int]) -> list[int]:
        return [verdicts[verdict] for verdict in VERDICTS]

    def _verdict_heads(self) -> list[str]:
        return [self.texts["verdicts"][verdict] for verdict in VERDICTS]

    def _stack(self, verdicts: Counter[str]) -> Stack:
        counts = {verdict: self.whole(verdicts[verdict]) for verdict in VERDICTS}
        return Stack(self.say("page", "parts", **counts), _parts(verdicts, verdicts.total()))

    def _table(
        self,
        section: str,
        heads: Sequence[str],
        rows: Iterable[Sequence[object]],
        **filled: str,
    ) -> Table:
        """The first rows of a table, and how many more there are."""
        shown: list[tuple[Cell, ...]] = []
        more = 0
        for row in rows:
            if len(shown) == SHOWN:
                more += 1
                continue
            shown.append(tuple(map(self._cell, row)))
        return Table(
            self.say(section, "caption", **filled),
            tuple(map(Column, heads)),
            tuple(shown),
            more=self.say("page", "more", count=self.whole(more)) if more else "",
            kind=section,
        )

    def _cell(self, one: object) -> Cell:
        if isinstance(one, Cell):
            return one
        return Cell(self.whole(one) if isinstance(one, int) else str(one))


def _id(one: Mention) -> Cell:
    return Cell(brief(one.id, 40), tone="find")


def _parts(verdicts: Mapping[str, int], of: int) -> tuple[Part, ...]:
    """The verdicts as parts of a bar that stands for so many.

    >>> _parts(Counter(send=1, block=1), 4)[1]
    Part(kind='block', start=25.0, length=25.0)
    """
    found, start = [], 0.0
    for verdict in VERDICTS:
        if count := verdicts[verdict]:
            found.append(Part(verdict, start, 100 * count / of))
            start += found[-1].length
    return tuple(found)
