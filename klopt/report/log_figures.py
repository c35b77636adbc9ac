"""The figures of a scored log, counted row by row in bounded memory."""

from __future__ import annotations

import hashlib
import heapq
import re
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from datetime import date, timedelta
from functools import cache, lru_cache
from typing import Any, Final

from klopt.evaluation.evaluation import for_json
from klopt.evaluation.rated import truth_of
from klopt.evaluation.thresholds import JudgedScore, Pictures, pictures
from klopt.lexicons import Pattern, load, load_one
from klopt.report.evidence import ANSWER_CHARS, QUESTION_CHARS, has_counter_evidence
from klopt.report.page_counts import (
    NAME_CHARS,
    PageCounts,
    behind_untrue,
    by_verdict,
    count_pages,
    prune,
)
from klopt.report.scored import LogRow, ScoredRow
from klopt.report.untrue import LEAST, Calibration, ScoredLabel, UntrueEstimate
from klopt.report.wording import LANGUAGES
from klopt.scoring.assessment import CheckedClaim
from klopt.scoring.explanation import UNKNOWN_NAMES
from klopt.scoring.tree import HIGHEST, printed
from klopt.text.answer_parts import read_answer
from klopt.text.markup import read_text
from klopt.types import MESSAGE_TYPES

WHYS: Final = ("no_pages", "nothing_found", "abstained", "nothing_said")  # why no page answers
_WITHOUT_PAGES: Final = {"no_contexts": "no_pages", "nothing_found": "nothing_found"}
_TOO_SOON: Final = "abstains_too_soon"  # node: abstains although the pages answer
SHOWN: Final = 100  # Maximum number of pages, names and questions that are listed
FIRST: Final = 3  # Number of pages, answers and questions in the summary

WELL_RATED: Final = 50  # Rated answers from which the estimate of untrue answers is narrow

_CALIBRATED: Final = "profile:default@"  # in fingerprints for which there is a calibration
_RETRIEVED: Final = re.compile(r"\|retrieved:(\d+)@")  # in fingerprints, with the number of pages
_SMALL_TALK_CHARS: Final = 160  # A longer answer is about something
_COURTESIES: Final = ("opener", "closing", "question_back")
_AROUND: Final = " ,.:;!?–-"  # around a question, by which it is not distinguished
_UNITS: Final = {"day": (1, 35), "week": (7, 210), "month": (31, 1100), "year": (366, 40_200)}
"""Unit → its maximum length, and the maximum length of a log drawn in it, in days."""


@dataclass(slots=True)
class Kept:
    """An answer on the page, and how often it was given with this score."""

    row: ScoredRow
    log: LogRow
    count: int = 1

    @property
    def worst_claim(self) -> CheckedClaim | None:
        """The claim most certainly at fault: one that a page contradicts in words, if there is."""
        return min(
            (claim for claim in self.row.claims if claim.fault),
            key=lambda claim: (not has_counter_evidence(claim), claim.truth),
            default=None,
        )


@dataclass(slots=True)
class Period:
    """The verdicts of a day, a week or a month."""

    start: date
    verdicts: Counter[str] = field(default_factory=Counter)

    @property
    def total(self) -> int:
        """The number of its answers."""
        return self.verdicts.total()


@dataclass(slots=True)
class Mention:
    """How often a text occurred, as first written, and in which answer first."""

    text: str
    id: str
    why: str = ""
    count: int = 0


@dataclass(slots=True)
class LogFigures:
    """The figures of a scored log.

    Pages are by name and language of the answer, since pages in two languages often share a name;
    ``names`` are on no page; ``judged`` and ``labels`` (without answers that abstain) count equal
    ones; ``uncalibrated_count`` those of a profile other than ``default``; ``retrieve`` is the
    number of pages that klopt found for each answer without any.
    """

    worst: int
    verdicts: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)
    languages: Counter[str] = field(default_factory=Counter)
    by_type: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    by_day: dict[date, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    pages: dict[tuple[str, str], PageCounts] = field(default_factory=dict)
    unnamed_count: int = 0
    names: dict[str, Mention] = field(default_factory=dict)
    unanswered: dict[str, Mention] = field(default_factory=dict)
    unanswered_by: Counter[str] = field(default_factory=Counter)
    judged: Counter[JudgedScore] = field(default_factory=Counter)
    labels: Counter[ScoredLabel] = field(default_factory=Counter)
    uncalibrated_count: int = 0
    retrieve: int = 0
    unread: int = 0
    _answers: dict[bytes, int] = field(default_factory=dict)
    _heap: list[tuple[float, float, int, tuple[float, bytes]]] = field(default_factory=list)
    _kept: dict[tuple[float, bytes], Kept] = field(default_factory=dict)

    def add(self, row: ScoredRow, log: LogRow) -> None:
        """Count a row."""
        self.verdicts[row.verdict] += 1
        if row.reason_code is not None and row.score is None:
            self.reasons[row.reason_code[:NAME_CHARS]] += 1
        if row.language is not None:
            self.languages[row.language[:NAME_CHARS]] += 1
        kind = row.message_type if row.message_type in MESSAGE_TYPES else ""
        self.by_type[kind][row.verdict] += 1
        prune(self.reasons, int)
        prune(self.languages, int)
        if log.day is not None:
            self.by_day[log.day][row.verdict] += 1
        self._count_judged(row, log)
        key = _identity(row, log)
        count = self._answers[key] = self._answers.get(key, 0) + 1
        prune(self._answers, int)
        self.unnamed_count += count_pages(self.pages, row, is_repeat=count > 1)
        self._count_names(row)
        self._count_unanswered(row, log)
        self._keep(row, log, key)

    @property
    def total(self) -> int:
        """The number of answers."""
        return self.verdicts.total()

    @property
    def scored_count(self) -> int:
        """The number of answers with a score."""
        return self.total - self.verdicts["unscored"]

    def untrue(self) -> UntrueEstimate | None:
        """Estimate how many answers are untrue; None for few answers or another profile."""
        if self.uncalibrated_count or self.scored_count < LEAST:
            return None
        return Calibration.load().untrue(self.labels)

    @property
    def is_rated(self) -> bool:
        """Whether enough answers are rated for a narrow estimate, or all of a few answers."""
        labelled = (n for label, n in self.labels.items() if label.is_untrue is not None)
        return 0 < min(WELL_RATED, self.labels.total()) <= sum(labelled)

    def worst_answers(self) -> list[Kept]:
        """Return the different answers with the lowest scores that have a claim at fault."""
        found: dict[bytes, Kept] = {}
        for kept in self.kept():
            if kept.worst_claim is not None and kept.row.verdict != "send":
                found.setdefault(_identity(kept.row, kept.log), kept)
            if len(found) == FIRST:
                break
        return list(found.values())

    def kept(self) -> list[Kept]:
        """Return the answers with the lowest scores, the lowest first."""
        return [self._kept[key] for *_, key in sorted(self._heap, reverse=True)]

    def periods(self) -> tuple[str, list[Period]]:
        """Return the unit of time, and all its periods from the first to the last."""
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

    def undated_count(self) -> int:
        """Return the number of answers without a day."""
        return self.total - sum(counts.total() for counts in self.by_day.values())

    def pictures(self) -> Pictures:
        """Return the figures of the charts; their threshold is the lowest score sent."""
        sent = [answer.score for answer in self.judged if answer.is_sent]
        return pictures(self.judged, min(sent, default=HIGHEST))

    def to_dict(self) -> dict[str, Any]:
        """Return the figures for JSON, in a fixed order."""
        unit, periods = self.periods()
        return {
            "answers": self.total,
            "unread": self.unread,
            "untrue": None if (untrue := self.untrue()) is None else asdict(untrue),
            "verdicts": by_verdict(self.verdicts),
            "not_scored": dict(self.reasons.most_common()),
            "languages": dict(self.languages.most_common()),
            "by_message_type": {
                kind or "unknown": by_verdict(counts) for kind, counts in by_size(self.by_type)
            },
            "over_time": {
                "unit": unit,
                "periods": [
                    {"start": period.start.isoformat(), **by_verdict(period.verdicts)}
                    for period in periods
                ],
                "undated": self.undated_count(),
            },
            "pages": [page.to_dict() for page in behind_untrue(self.pages)[:SHOWN]],
            "pages_without_a_name": self.unnamed_count,
            "beside_ratings": for_json(self.pictures()) if self.judged else None,
            "names_of_no_page": [
                {"name": own.text, "answers": own.count, "id": own.id}
                for own in most(self.names)[:SHOWN]
            ],
            "unanswered": {
                **{why: self.unanswered_by[why] for why in WHYS},
                "questions": [
                    {"question": own.text, "asked": own.count, "id": own.id, "why": own.why}
                    for own in most(self.unanswered)[:SHOWN]
                ],
            },
            "worst": [
                {"id": own.row.id, "score": own.row.score, "verdict": own.row.verdict}
                | {"count": own.count, "why": own.row.explanation}
                for own in self.kept()[:SHOWN]
            ],
        }

    def _count_judged(self, row: ScoredRow, log: LogRow) -> None:
        if row.score is None:
            return
        score = printed(row.score)
        self.uncalibrated_count += _CALIBRATED not in row.fingerprint
        if retrieved := _RETRIEVED.search(row.fingerprint):
            self.retrieve = int(retrieved[1])
        if not row.abstained:
            is_right = truth_of(log.rating)
            self.labels[ScoredLabel(score, None if is_right is None else not is_right)] += 1
        if log.rating is None:
            return
        rating = round(2 * log.rating) / 2
        self.judged[JudgedScore(score, rating, row.verdict == "send", is_held=False)] += 1

    def _count_names(self, row: ScoredRow) -> None:
        found = row.measurements.get(UNKNOWN_NAMES)
        texts = () if found is None else (span.text.strip()[:NAME_CHARS] for span in found.evidence)
        for key, text in {text.casefold(): text for text in texts if text}.items():
            self.names.setdefault(key, Mention(text, row.id)).count += 1
        prune(self.names, lambda mention: mention.count)

    def _count_unanswered(self, row: ScoredRow, log: LogRow) -> None:
        why = unanswered(row)
        if not why:
            return
        if row.reason_code in _WITHOUT_PAGES and _is_small_talk(log.answer, row.language):
            return
        self.unanswered_by[why] += 1
        question = " ".join(log.question[: 4 * NAME_CHARS].split())
        key = _without_greeting(question, row.language) or f"\0{row.id}"
        self.unanswered.setdefault(key, Mention(question, row.id, why)).count += 1
        prune(self.unanswered, lambda mention: mention.count)

    def _keep(self, row: ScoredRow, log: LogRow, answer: bytes) -> None:
        """Keep an answer among the worst; one repeated with the same score is only counted."""
        if row.score is None or not self.worst:
            return
        if len(self._heap) == self.worst and -row.score < self._heap[0][0]:
            return
        key = row.score, answer
        if key in self._kept:
            self._kept[key].count += 1
            return
        least = min((each.truth for each in row.claims), default=1.0)
        place = (-row.score, -least, -self.total, key)
        if len(self._heap) < self.worst:
            heapq.heappush(self._heap, place)
        elif place > self._heap[0]:
            *_, dropped = heapq.heapreplace(self._heap, place)
            del self._kept[dropped]
        else:
            return
        shown = log.question[:QUESTION_CHARS], log.answer[: ANSWER_CHARS + 1]
        self._kept[key] = Kept(row, LogRow(*shown, log.day))


def unanswered(row: ScoredRow) -> str:
    """Return why no page answers the question of a row, one of `WHYS`; empty where one may.

    >>> unanswered(ScoredRow("7", "send", "scored", 4.0, abstained=True))
    'abstained'
    """
    if row.reason_code in _WITHOUT_PAGES:
        return _WITHOUT_PAGES[row.reason_code]
    if row.abstained:
        return "" if row.rule == _TOO_SOON else "abstained"
    is_near = any(claim.passage is not None for claim in row.claims)
    return "" if is_near or not row.claims or row.verdict == "send" else "nothing_said"


@lru_cache(4096)
def _is_small_talk(answer: str, language: str | None) -> bool:
    """Return whether an answer has no claim, as to a word of thanks.

    >>> _is_small_talk("Graag gedaan!", "nl"), _is_small_talk("Dat kan niet.", "nl")
    (True, False)
    """
    if language not in LANGUAGES or not 0 < len(answer) <= _SMALL_TALK_CHARS:
        return False
    parts = read_answer(read_text(answer), language, load(language)).parts
    return all(part.kind in _COURTESIES for part in parts)


def _identity(row: ScoredRow, log: LogRow) -> bytes:
    """Return a digest that equal answers share, whatever their case and spaces."""
    answer = log.answer or "\n".join(claim.text for claim in row.claims) or row.id
    text = " ".join(answer[: ANSWER_CHARS + 1].split()).casefold()
    return hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=16).digest()


def _without_greeting(question: str, language: str | None) -> str:
    """Return a question in lower case, without greeting and final punctuation.

    >>> _without_greeting("Goedemorgen team, kan dat?", "nl")
    'kan dat'
    """
    text = question.casefold()
    greeting = _greeting(language) if language in LANGUAGES else None
    if greeting is not None and (found := greeting.match_start(text)) is not None:
        text = text[found.end() :]
    return text.strip(_AROUND) or question.casefold()


@cache
def _greeting(language: str) -> Pattern | None:
    patterns = load_one(language, "messages").patterns
    return next((pattern for pattern in patterns if pattern.id == "greeting"), None)


def by_size(groups: Mapping[str, Counter[str]]) -> list[tuple[str, Counter[str]]]:
    """Return groups, the largest first."""
    return sorted(groups.items(), key=lambda each: (-each[1].total(), each[0]))


def most(mentions: Mapping[str, Mention]) -> list[Mention]:
    """Return mentions, the most frequent first."""
    return sorted(mentions.values(), key=lambda mention: -mention.count)


def _start(day: date, unit: str) -> date:
    if unit == "week":
        return day - timedelta(day.weekday())
    return day.replace(**{"day": {}, "month": {"day": 1}, "year": {"month": 1, "day": 1}}[unit])
