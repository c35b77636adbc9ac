"""The figures of a scored log, counted row by row in bounded memory."""

from __future__ import annotations

import hashlib
import heapq
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Any, Final, TypeVar, get_args

from klopt.evaluation.evaluation import for_json
from klopt.evaluation.pictures import Pictures, pictures
from klopt.evaluation.thresholds import JudgedScore
from klopt.records import MESSAGE_TYPES
from klopt.report.log_answers import ANSWER_CHARS, QUESTION_CHARS
from klopt.report.scored import AskedRow, ScoredRow
from klopt.scoring.explanation import TELLING
from klopt.scoring.profile import Verdict
from klopt.scoring.tree import HIGHEST, printed

VERDICTS: Final[tuple[Verdict, ...]] = get_args(Verdict)
WHYS: Final = ("no_pages", "abstained", "nothing_said")
"""No page was given; the answer says it does not know; no page says anything near it."""
_TOO_SOON: Final = "abstains_too_soon"
"""What decides where an answer says it does not know, and the pages are about what was asked."""
SHOWN: Final = 100
"""So many pages, names and questions are told; the others are counted."""

_KEPT: Final = 20_000
"""Pages, names or questions that are counted; the rarest go first, when there are twice as many."""
_PASSAGES: Final = 50
_NAME_CHARS: Final = 200
_UNNAMED: Final = re.compile(r"context-\d{1,9}")
_UNITS: Final = {"day": (1, 35), "week": (7, 210), "month": (31, 1100), "year": (366, 40_200)}
"""The longest step from the start of one to the next, and up to how many days in all."""

K = TypeVar("K")
T = TypeVar("T")


@dataclass(slots=True)
class Kept:
    """An answer that the page shows, and how often it was given to the same question."""

    row: ScoredRow
    asked: AskedRow
    count: int = 1


@dataclass(slots=True)
class Period:
    """The verdicts of a day, a week or a month."""

    start: date
    verdicts: Counter[str] = field(default_factory=Counter)

    @property
    def total(self) -> int:
        """How many answers it has."""
        return self.verdicts.total()


@dataclass(slots=True)
class PageCounts:
    """What came of the answers of one language behind which a page stands.

    ``contradicted`` statements are taken for a fault as the page says otherwise; of the
    ``not_stated`` it came nearest; ``passages`` has line and words beside those, and how often.
    """

    verdicts: Counter[str] = field(default_factory=Counter)
    contradicted: int = 0
    not_stated: int = 0
    passages: Counter[tuple[int, str]] = field(default_factory=Counter)

    @property
    def is_behind_untrue(self) -> bool:
        """Whether an answer goes wrong beside it."""
        return bool(self.verdicts["block"] or self.contradicted or self.not_stated)


@dataclass(slots=True)
class Mention:
    """How often something was met, as it was first written, and in which answer."""

    text: str
    id: str
    why: str = ""
    count: int = 0


@dataclass(slots=True)
class LogFigures:
    """What a report says of a scored log.

    Attributes:
        verdicts: How many answers have which.
        reasons: Why answers have no score.
        languages: Of the answers.
        by_type: Message type → verdicts.
        by_day: Day → verdicts.
        pages: Those behind the answers, by name and language of the answer: pages in two languages
            often have one name.
        unnamed_count: Answers with pages that have no name.
        names: What answers name and no page has, by the name in small letters.
        unanswered: Questions that no page answers.
        judged: How often answers were scored, rated by people and sent alike.
        unread: Rows that could not be read.
    """

    worst: int
    verdicts: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)
    languages: Counter[str] = field(default_factory=Counter)
    by_type: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    by_day: dict[date, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    pages: dict[tuple[str, str], PageCounts] = field(
        default_factory=lambda: defaultdict(PageCounts)
    )
    unnamed_count: int = 0
    names: dict[str, Mention] = field(default_factory=dict)
    unanswered: dict[str, Mention] = field(default_factory=dict)
    unanswered_by: Counter[str] = field(default_factory=Counter)
    judged: Counter[JudgedScore] = field(default_factory=Counter)
    unread: int = 0
    _heap: list[tuple[float, float, int, str]] = field(default_factory=list)
    _kept: dict[str, Kept] = field(default_factory=dict)

    def add(self, row: ScoredRow, asked: AskedRow) -> None:
        """Counts a row."""
        self.verdicts[row.verdict] += 1
        if row.reason_code is not None and row.score is None:
            self.reasons[row.reason_code[:_NAME_CHARS]] += 1
        if row.language is not None:
            self.languages[row.language[:_NAME_CHARS]] += 1
        kind = row.message_type if row.message_type in MESSAGE_TYPES else ""
        self.by_type[kind][row.verdict] += 1
        _prune(self.reasons, int)
        _prune(self.languages, int)
        if asked.day is not None:
            self.by_day[asked.day][row.verdict] += 1
        self._count_judged(row, asked)
        self._count_pages(row)
        self._count_names(row)
        self._count_unanswered(row, asked)
        self._keep(row, asked)

    @property
    def total(self) -> int:
        """How many answers there are."""
        return self.verdicts.total()

    def kept(self) -> list[Kept]:
        """The answers with the lowest scores, the lowest first."""
        return [self._kept[key] for *_, key in sorted(self._heap, reverse=True)]

    def periods(self) -> tuple[str, list[Period]]:
        """``day``, ``week`` or ``month``, and all of them from the first to the last."""
        days = sorted(self.by_day)
        if not days:
            return "day", []
        span = (days[-1] - days[0]).days + 1
        unit, step = next((unit, step) for unit, (step, most) in _UNITS.items() if span <= most)
        found: dict[date, Period] = {}
        at = _start(days[0], unit)
        while at <= days[-1]:
            found[at] = Period(at)
            at = _start(at + timedelta(step), unit)
        for day in days:
            found[_start(day, unit)].verdicts.update(self.by_day[day])
        return unit, list(found.values())

    def behind_untrue(self) -> list[tuple[tuple[str, str], PageCounts]]:
        """The pages by how many statements go wrong beside them, then by the answers to block."""
        return sorted(self.pages.items(), key=lambda each: (*_urgency(each[1]), each[0]))

    def undated_count(self) -> int:
        """How many answers have no day."""
        return self.total - sum(counts.total() for counts in self.by_day.values())

    def pictures(self) -> Pictures:
        """What the pictures of rated answers show; the line is the lowest score that is sent.

        The file does not tell what is held for a fault, which lower lines are taken to send.
        """
        sent = [answer.score for answer in self.judged if answer.is_sent]
        return pictures(self.judged, min(sent, default=HIGHEST))

    def to_dict(self) -> dict[str, Any]:
        """The figures for JSON, in a fixed order."""
        unit, periods = self.periods()
        return {
            "answers": self.total,
            "unread": self.unread,
            "verdicts": _counts(self.verdicts),
            "not_scored": dict(self.reasons.most_common()),
            "languages": dict(self.languages.most_common()),
            "by_message_type": {
                kind or "unknown": _counts(counts) for kind, counts in by_size(self.by_type)
            },
            "over_time": {
                "unit": unit,
                "periods": [
                    {"start": period.start.isoformat(), **_counts(period.verdicts)}
                    for period in periods
                ],
                "undated": self.undated_count(),
            },
            "pages": [
                {
                    "page": page,
                    "language": language or None,
                    **_counts(counts.verdicts),
                    "contradicted": counts.contradicted,
                    "not_stated": counts.not_stated,
                    "passages": [
                        {"line": line, "text": text, "count": count}
                        for (line, text), count in counts.passages.most_common(3)
                    ],
                }
                for (page, language), counts in self.behind_untrue()[:SHOWN]
            ],
            "pages_without_a_name": self.unnamed_count,
            "beside_ratings": for_json(self.pictures()) if self.judged else None,
            "names_of_no_page": [
                {"name": mention.text, "answers": mention.count, "id": mention.id}
                for mention in most(self.names)[:SHOWN]
            ],
            "unanswered": {
                **{why: self.unanswered_by[why] for why in WHYS},
                "questions": [
                    {
                        "question": mention.text,
                        "asked": mention.count,
                        "id": mention.id,
                        "why": mention.why,
                    }
                    for mention in most(self.unanswered)[:SHOWN]
                ],
            },
            "worst": [
                {
                    "id": kept.row.id,
                    "score": kept.row.score,
                    "verdict": kept.row.verdict,
                    "count": kept.count,
                    "why": kept.row.explanation,
                }
                for kept in self.kept()[:SHOWN]
            ],
        }

    def _count_judged(self, row: ScoredRow, asked: AskedRow) -> None:
        if row.score is None or asked.rating is None:
            return
        score, rating = printed(row.score), round(2 * asked.rating) / 2
        self.judged[JudgedScore(score, rating, row.verdict == "send", is_held=False)] += 1

    def _count_pages(self, row: ScoredRow) -> None:
        named = [page for page in row.pages if not _UNNAMED.fullmatch(page)]
        self.unnamed_count += len(named) < len(row.pages)
        for page in named:
            self.pages[_page(row, page)].verdicts[row.verdict] += 1
        for statement in row.statements:
            if not statement.fault or statement.passage is None or row.verdict == "send":
                continue
            counts = self.pages.get(_page(row, statement.passage.page))
            if counts is None:
                continue
            counts.contradicted += statement.relation == "contradicted"
            counts.not_stated += statement.relation != "contradicted"
            place = statement.passage.line, statement.passage.text[:_NAME_CHARS]
            if place in counts.passages or len(counts.passages) < _PASSAGES:
                counts.passages[place] += 1
        _prune(self.pages, lambda each: each.verdicts.total())

    def _count_names(self, row: ScoredRow) -> None:
        found = row.measurements.get(TELLING)
        texts = (
            () if found is None else (span.text.strip()[:_NAME_CHARS] for span in found.evidence)
        )
        for key, text in {text.casefold(): text for text in texts if text}.items():
            self.names.setdefault(key, Mention(text, row.id)).count += 1
        _prune(self.names, lambda mention: mention.count)

    def _count_unanswered(self, row: ScoredRow, asked: AskedRow) -> None:
        why = unanswered(row)
        if not why:
            return
        self.unanswered_by[why] += 1
        question = " ".join(asked.question[: 4 * _NAME_CHARS].split())
        key = question.casefold() or f"\0{row.id}"
        self.unanswered.setdefault(key, Mention(question, row.id, why)).count += 1
        _prune(self.unanswered, lambda mention: mention.count)

    def _keep(self, row: ScoredRow, asked: AskedRow) -> None:
        """Keeps an answer among the worst; one that was given before is only counted."""
        if row.score is None or not self.worst:
            return
        if len(self._heap) == self.worst and -row.score < self._heap[0][0]:
            return  # it is better than all that are kept, and none of them
        said = (
            asked.question,
            asked.answer or [statement.text for statement in row.statements] or row.id,
        )
        key = hashlib.blake2b(repr((row.score, said)).encode("utf-8", "replace")).hexdigest()
        if key in self._kept:
            self._kept[key].count += 1
            return
        least = min((each.truth for each in row.statements), default=1.0)
        place = (-row.score, -least, -self.total, key)
        if len(self._heap) < self.worst:
            heapq.heappush(self._heap, place)
        elif place > self._heap[0]:
            *_, dropped = heapq.heapreplace(self._heap, place)
            del self._kept[dropped]
        else:
            return
        shown = asked.question[:QUESTION_CHARS], asked.answer[: ANSWER_CHARS + 1]
        self._kept[key] = Kept(row, AskedRow(*shown, asked.day))


def unanswered(row: ScoredRow) -> str:
    """Why no page answers the question of a row, as a word of `WHYS`; empty where one may.

    >>> unanswered(ScoredRow("7", "send", "scored", 4.0, abstained=True))
    'abstained'
    """
    if row.reason_code == "no_contexts":
        return "no_pages"
    if row.abstained:
        return "" if row.rule == _TOO_SOON else "abstained"
    is_near = any(statement.passage is not None for statement in row.statements)
    return "" if is_near or not row.statements or row.verdict == "send" else "nothing_said"


def _page(row: ScoredRow, page: str) -> tuple[str, str]:
    return page[:_NAME_CHARS], (row.language or "")[:_NAME_CHARS]


def by_size(groups: Mapping[str, Counter[str]]) -> list[tuple[str, Counter[str]]]:
    """Groups, the largest first."""
    return sorted(groups.items(), key=lambda each: (-each[1].total(), each[0]))


def most(mentions: Mapping[str, Mention]) -> list[Mention]:
    """What was met most often first."""
    return sorted(mentions.values(), key=lambda mention: -mention.count)


def _counts(verdicts: Counter[str]) -> dict[str, int]:
    return {verdict: verdicts[verdict] for verdict in VERDICTS}


def _urgency(counts: PageCounts) -> tuple[int, int, int]:
    wrong = counts.contradicted + counts.not_stated
    return -wrong, -counts.verdicts["block"], -counts.verdicts["review"]


def _start(day: date, unit: str) -> date:
    """The first day of the week, month or year of a day."""
    if unit == "week":
        return day - timedelta(day.weekday())
    return day.replace(**{"day": {}, "month": {"day": 1}, "year": {"month": 1, "day": 1}}[unit])


def _prune(found: dict[K, T], count: Callable[[T], int]) -> None:
    """Lets the rarest go where there are too many; among those as rare the last to come."""
    if len(found) > 2 * _KEPT:
        for key in sorted(found, key=lambda each: count(found[each]), reverse=True)[_KEPT:]:
            del found[key]
