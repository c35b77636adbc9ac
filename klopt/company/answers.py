"""A company's answers, as klopt scores them now."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from klopt.evaluation.rated import is_rated, truth
from klopt.reading.reader import Reading
from klopt.records import Turn
from klopt.scoring.assessment import Assessment
from klopt.scoring.profile import Profile
from klopt.scoring.scorer import Scorer
from klopt.scoring.setup import Languages
from klopt.tuning.samples import page_behind


@dataclass(frozen=True, eq=False)
class ScoredAnswer:
    """An answer as it is scored now.

    Attributes:
        turn: What was asked, answered and perhaps rated.
        now: What klopt makes of it.
        page: What it has in common with other answers that rest on the same page.
        reading: The answer, read.
    """

    turn: Turn
    now: Assessment
    page: str
    reading: Reading

    @property
    def truth(self) -> bool | None:
        """Whether a person called it true; None between the two, or where nobody did."""
        return truth(self.turn)

    @property
    def is_rated(self) -> bool:
        """Whether a person rated it."""
        return is_rated(self.turn)

    @property
    def is_sent(self) -> bool:
        """Whether klopt sends it."""
        return self.now.verdict == "send"

    @property
    def language(self) -> str:
        """Its language."""
        return self.reading.language


class Answers:
    """Answers of a company, some of them rated.

    Attributes:
        languages: What they were read with.
        all: Those that could be scored, in order.
    """

    def __init__(
        self, profile: Profile, turns: Iterable[Turn], advance: Callable[[], object] | None = None
    ) -> None:
        self.profile, self.languages = profile, Languages(profile)
        self.all: list[ScoredAnswer] = []
        scorer = Scorer(profile)
        for turn in turns:
            now = scorer.score(turn, measure_all=True)
            code = now.language
            if now.score is not None and code is not None and code in profile.languages:
                reading = self.languages[code].reader.read(turn.answer)
                self.all.append(ScoredAnswer(turn, now, page_behind(turn, now), reading))
            if advance is not None:
                advance()
