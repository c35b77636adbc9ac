"""Find names to allow and pages to improve, from rated answers or from a log alone."""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from klopt.company.suggestions import Suggestion, reason
from klopt.evaluation.rated import is_rated, truth
from klopt.scoring.assessment import Assessment
from klopt.scoring.explanation import UNKNOWN_NAMES
from klopt.scoring.profile import Profile
from klopt.scoring.scorer import Scorer
from klopt.scoring.setup import Languages
from klopt.text.components import Component
from klopt.text.reader import Reading
from klopt.types import Page, Turn

MOST_LOGGED: Final = 500
MIN_LOGGED_ANSWERS: Final = 3
"""Unrated answers that must have a name before it is suggested."""
MIN_UNTRUE_ANSWERS: Final = 2
"""Untrue answers that must contradict a page before it is suggested."""
MAX_NAMES: Final = 200
MAX_PAGES: Final = 20
MAX_EXAMPLES: Final = 3
MAX_NAME_CHARS: Final = 100
MAX_EXAMPLE_CHARS: Final = 300


@dataclass(frozen=True, eq=False)
class ScoredAnswer:
    """A scored answer; ``truth`` is None if unrated or in between."""

    turn: Turn
    assessment: Assessment
    reading: Reading
    truth: bool | None

    @property
    def is_untrue(self) -> bool:
        """Whether a person rated it untrue; for an unrated answer whether klopt blocks it."""
        if is_rated(self.turn):
            return self.truth is False
        return self.assessment.verdict == "block"


def score_answers(
    profile: Profile, turns: Iterable[Turn], advance: Callable[[], object] = lambda: None
) -> list[ScoredAnswer]:
    """Score turns with a profile, and leave out those that get no score."""
    languages, scorer = Languages(profile), Scorer(profile)
    answers: list[ScoredAnswer] = []
    for turn in turns:
        assessment = scorer.score(turn, measure_all=True)
        code = assessment.language
        if assessment.score is not None and code is not None and code in profile.languages:
            reading = languages[code].reader.read(turn.answer)
            answers.append(ScoredAnswer(turn, assessment, reading, truth(turn)))
        advance()
    return answers


def suggest(answers: Sequence[ScoredAnswer], pages: Mapping[str, Page]) -> list[Suggestion]:
    """Return names to allow, those in most answers first, and then pages to improve."""
    names = sorted(unknown_names(answers, pages), key=lambda name: -len(name.answers))
    return [*names, *contradicted_pages(answers)]


def thinned(turns: Iterable[Turn], most: int = MOST_LOGGED) -> list[Turn]:
    """Return turns evenly spread over a log of any length, at most twice ``most``.

    >>> thinned(range(10), 2)
    [0, 4, 8]
    """
    kept: list[Turn] = []
    step = 1
    for number, turn in enumerate(turns):
        if number % step == 0:
            kept.append(turn)
        if len(kept) > 2 * most:
            kept, step = kept[::2], 2 * step
    return kept


def unknown_names(
    answers: Sequence[ScoredAnswer], pages: Mapping[str, Page]
) -> Iterator[Suggestion]:
    """Find names that the given pages lack, in true or enough unrated answers that are held."""
    texts = {name: page.text.casefold() for name, page in pages.items()}
    for language, found in _unsupported_names(answers):
        own = [answer for answer, _ in found.values()]
        held = [answer for answer in own if answer.assessment.verdict != "send"]
        true = [answer for answer in held if answer.truth]
        untrue = [answer for answer in own if answer.truth is False]
        is_logged = len(held) >= MIN_LOGGED_ANSWERS and not any(is_rated(one.turn) for one in own)
        if len(true) <= len(untrue) and not is_logged:
            continue
        name = unicodedata.normalize("NFC", next(iter(found.values()))[1].text.strip())
        page = next((page_id for page_id, text in texts.items() if name.casefold() in text), "")
        yield _with_why(
            Suggestion(
                language,
                "",
                name=name,
                examples=tuple(dict.fromkeys(map(_sentence, found.values())))[:MAX_EXAMPLES],
                answers=tuple(answer.turn.id for answer in true or held),
                reason=f"{'rated' if true else 'logged'}_{'elsewhere' if page else 'nowhere'}",
                where=page,
            )
        )


_Found = dict[int, tuple[ScoredAnswer, Component]]
"""Number of an answer → the answer, and the first mention of a name in it."""


def _unsupported_names(answers: Sequence[ScoredAnswer]) -> list[tuple[str, _Found]]:
    """Return language and mentions of each name that no given page supports, in most first."""
    names: dict[tuple[str, str], _Found] = defaultdict(dict)
    mentions: dict[tuple[str, str], int] = defaultdict(int)
    for number, answer in enumerate(answers):
        measured = answer.assessment.measurements.get(UNKNOWN_NAMES)
        evidence = measured.evidence if measured is not None else ()
        unsupported = {(span.start, span.end) for span in evidence if span.kind == "unsupported"}
        for component in answer.reading.components:
            is_name = component.kind not in ("code", "key")
            span = answer.reading.plain.original(component.start, component.end)
            if is_name and len(component.text) <= MAX_NAME_CHARS and span in unsupported:
                key = answer.reading.language, component.key
                names[key].setdefault(number, (answer, component))
                mentions[key] += 1
    ranked = sorted(names, key=lambda key: (-mentions[key], key))
    return [(key[0], names[key]) for key in ranked[:MAX_NAMES]]


def _sentence(mention: tuple[ScoredAnswer, Component]) -> str:
    answer, component = mention
    spans = (span for span in answer.reading.sentences if span.start <= component.start < span.end)
    return next((answer.reading.plain.text[span.start : span.end].strip() for span in spans), "")


def contradicted_pages(answers: Sequence[ScoredAnswer]) -> Iterator[Suggestion]:
    """Find pages that at least `MIN_UNTRUE_ANSWERS` untrue answers contradict."""
    examples: dict[tuple[str, str], dict[str, str]] = defaultdict(dict)
    for answer in filter(lambda answer: answer.is_untrue, answers):
        for claim in answer.assessment.claims:
            if claim.fault and claim.passage is not None and claim.passage.page:
                key = answer.reading.language, claim.passage.page
                example = f"“{claim.text}” ↔ “{claim.passage.text}”"[:MAX_EXAMPLE_CHARS]
                examples[key].setdefault(answer.turn.id, example)
    ranked = sorted(examples.items(), key=lambda each: (-len(each[1]), each[0]))
    for (language, page), own in ranked[:MAX_PAGES]:
        if len(own) >= MIN_UNTRUE_ANSWERS:
            shown = tuple(own.values())[:MAX_EXAMPLES]
            found = Suggestion(language, "", page=page, examples=shown, answers=tuple(own))
            yield _with_why(replace(found, reason="page"))


def _with_why(suggestion: Suggestion) -> Suggestion:
    return replace(suggestion, why=reason(suggestion, "en"))
