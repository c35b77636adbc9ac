"""How questions of a log begin of which klopt does not know the type."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import Final

import regex

from klopt.classifier import classify
from klopt.company.entries import Entry
from klopt.company.finding.pages import Found
from klopt.company.suggestions import Suggestion
from klopt.lexicons import Lexicons
from klopt.lexicons.patterns import compile_pattern
from klopt.records import Turn

LEAST: Final = 3
OPENING_WORDS: Final = (3, 2)
"""Of openings of so many words, the longer ones first."""
LEAST_SHARE: Final = 0.5
"""Of the questions that begin so, at least half are not known."""
LEAST_SCORE: Final = 1.5
"""Below it a type is hardly more than a guess."""
WEIGHT: Final = 3.0
MOST_CHARS: Final = 200

_WORDS: Final = regex.compile(r"[\p{L}\p{N}’']+")


def find_messages(turns: Iterable[Turn], lexicons: Lexicons) -> Found:
    """Openings that recur among the questions that no pattern, or only a weak one, knows.

    One with which more questions begin that are known would change what is right already.

    The type suggested is what people called those questions, where the log says so, or else what
    most questions with the same first word are taken for.
    """
    unknown: dict[tuple[str, ...], list[Turn]] = defaultdict(list)
    by_first: dict[str, Counter[str]] = defaultdict(Counter)
    known: dict[str, str] = {}
    begun: Counter[tuple[str, ...]] = Counter()
    for turn in turns:
        words = _opening(turn.question)
        if not words:
            continue
        begun.update({words[:length] for length in OPENING_WORDS})
        found = classify(turn.question, lexicons)
        if found.message_type == "unspecified" or found.score(found.message_type) < LEAST_SCORE:
            for length in OPENING_WORDS:
                if len(words) >= length:
                    unknown[words[:length]].append(turn)
        else:
            by_first[words[0]][found.message_type] += 1
            known.setdefault(words[0], turn.question)
    suggestions: list[Suggestion] = []
    taken: set[int] = set()
    for opening in sorted(unknown, key=lambda one: (-len(one), -len(unknown[one]), one)):
        met = [turn for turn in unknown[opening] if id(turn) not in taken]
        if len(met) < max(LEAST, LEAST_SHARE * begun[opening]):
            continue
        called = Counter(one.message_type for one in met if one.message_type is not None)
        types = called or by_first[opening[0]]
        types.pop("unspecified", None)
        if not types:
            continue
        taken |= set(map(id, met))
        message_type = min(types, key=lambda one: (-types[one], one))
        suggestions.append(_suggestion(opening, message_type, met, begun[opening], known, lexicons))
    return Found("messages", (), tuple(suggestions))


def _opening(question: str) -> tuple[str, ...]:
    return tuple(_WORDS.findall(question[:MOST_CHARS].casefold())[: OPENING_WORDS[0]])


def _suggestion(
    opening: tuple[str, ...],
    message_type: str,
    met: list[Turn],
    count: int,
    known: Mapping[str, str],
    lexicons: Lexicons,
) -> Suggestion:
    between = r"[^\p{L}\p{N}’']+"
    begun = between.join(map(regex.escape, opening))
    source = rf"\A[^\p{{L}}\p{{N}}]{{0,9}}{begun}(?![\p{{L}}\p{{N}}])"
    examples = tuple(dict.fromkeys(" ".join(one.question.split())[:MOST_CHARS] for one in met))
    near = " ".join(known.get(opening[0], "").split())[:MOST_CHARS]
    if not near or compile_pattern(source).search(near) is not None:
        near = opening[0]
    pattern = {
        "id": "opening_" + "_".join(opening),
        "weight": WEIGHT,
        "pattern": source,
        "hit": " ".join(opening),
        "miss": near,
    }
    why = (
        f"{count} questions of the log begin so, and of {len(met)} "
        f"klopt does not know the type: is it {message_type}?"
    )
    entry = Entry("messages", message_type, pattern=pattern)
    return Suggestion(lexicons.language, why, entry, count=len(met), examples=examples[:3])
