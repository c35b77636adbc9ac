"""Pages to mend: those beside which answers go wrong, and questions that no page answers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Final

from klopt.company.answers import Answer, Answers
from klopt.company.suggestions import Suggestion

_FEWEST: Final = 2
_MOST: Final = 20
_SHOWN: Final = 3
_MOST_CHARS: Final = 300


def page_faults(answers: Answers) -> Iterator[Suggestion]:
    """Pages beside which two or more untrue answers go wrong, and what no page answers."""
    beside: dict[tuple[str, str], dict[str, str]] = defaultdict(dict)
    open_questions: dict[str, dict[str, str]] = defaultdict(dict)
    for answer in answers.all:
        for one in answer.now.statements if _is_untrue(answer) else ():
            if one.fault and one.passage is not None:
                places = beside[answer.language, one.passage.page]
                places.setdefault(answer.turn.id, f"“{one.text}” beside “{one.passage.text}”")
        if _is_open(answer):
            asked = " ".join(answer.turn.question.split())[:_MOST_CHARS]
            open_questions[answer.language].setdefault(asked, answer.turn.id)
    ranked = sorted(beside.items(), key=lambda each: (-len(each[1]), each[0]))
    for (language, page), found in ranked[:_MOST]:
        if page and len(found) >= _FEWEST:
            yield Suggestion(
                language,
                f"{len(found)} answers go wrong beside this page: say there more "
                "plainly what holds",
                page=page,
                count=len(found),
                examples=tuple(one[:_MOST_CHARS] for one in found.values())[:_SHOWN],
                answers=tuple(found),
            )
    for language, questions in sorted(open_questions.items()):
        yield Suggestion(
            language,
            f"{len(questions)} question{'s' * (len(questions) > 1)} that no page answers: write "
            "one, or give the bot the page that there is",
            count=len(questions),
            examples=tuple(questions)[:_SHOWN],
            answers=tuple(questions.values()),
        )


def _is_untrue(answer: Answer) -> bool:
    """Whether a person calls it untrue; where nobody rated it, whether it is blocked."""
    if answer.is_rated:
        return answer.truth is False
    return answer.now.verdict == "block"


def _is_open(answer: Answer) -> bool:
    """Whether it rightly says that it does not know."""
    if not answer.now.abstained:
        return False
    return bool(answer.truth) if answer.is_rated else answer.now.verdict == "send"
