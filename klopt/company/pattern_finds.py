"""Patterns that answers and questions suggest: words that announce a name, or tell a type."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import Final

from klopt.company.effects import Candidate, Effect
from klopt.company.entries import Entry
from klopt.company.trials import Answer, Trials
from klopt.evaluation.rated import is_rated
from klopt.records import Turn

OWN: Final = "own_"
"""What the ids of the patterns begin with."""
_FEWEST: Final = 2
"""So many answers on different pages make a pattern; of questions one more."""
_MOST_WORDS: Final = 3
_MOST_CHARS: Final = 300
_WEIGHT: Final = 5
"""Names the type in words; see the head of ``messages.toml``."""
_NAME: Final = r"(?<label>\p{Lu}[\p{L}\p{N}-]*(?:[ ]\p{Lu}[\p{L}\p{N}-]*){0,3})"
_BEFORE: Final = re.compile(r"(?<!\w)([^\W\d_]{4,40}) \Z")
_WORD: Final = re.compile(r"\w+")


def cues(trials: Trials) -> Iterator[Candidate]:
    """Nouns before names that a page sets apart and an answer does not, such as "tile Leave"."""
    found: dict[tuple[str, str], list[tuple[int, str, str]]] = defaultdict(list)
    for place, answer in enumerate(trials.answers):
        for noun, name, sentence in _announced(trials, answer):
            found[answer.language, noun].append((place, name, sentence))
    for (language, noun), seen in sorted(found.items()):
        on = frozenset(place for place, _, _ in seen)
        if len({trials.answers[place].page for place in on}) < _FEWEST:
            continue
        _, name, _ = seen[0]
        pattern = {
            "id": f"{OWN}{noun}",
            "case": "exact",
            "pattern": rf"(?<!\w)(?i:{re.escape(noun)})[ ]{_NAME}",
            "hit": [f"{noun} {name}"],
            "miss": [f"{noun} {name.lower()}"],
        }
        key = trials.languages[language].reader.tokenizer.key(noun)
        yield Candidate(
            language,
            Entry("components", "named_control", pattern=pattern),
            f"{len(on)} answers have a name of a page behind “{noun}”, as plain text: this reads "
            "such names as names",
            on,
            frozenset(
                place
                for place, answer in enumerate(trials.answers)
                if answer.is_rated
                and answer.language == language
                and (key in answer.said or key in answer.given)
            ),
            tuple(dict.fromkeys(one for _, _, one in seen))[:_FEWEST],
        )


def _announced(trials: Trials, answer: Answer) -> Iterator[tuple[str, str, str]]:
    """Noun, name and sentence of each name of a page that the answer has as mere words."""
    text = answer.reading.plain.text
    own = [(one.start, one.end) for one in answer.reading.components]
    tokenizer = trials.languages[answer.language].reader.tokenizer
    names = {
        one.text
        for page in answer.pages
        for one in page.reading.components
        if one.kind not in ("code", "key")
        and one.text[:1].isalpha()
        and one.text[:1].isupper()
        and len(one.text) > _MOST_WORDS
    }
    for name in sorted(names):
        for match in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", text):
            before = _BEFORE.search(text, max(0, match.start() - 50), match.start())
            if before is None or any(a < match.end() and match.start() < b for a, b in own):
                continue
            noun = before[1]
            spans = (one for one in answer.reading.sentences if match.start() < one.end)
            span = next(spans, None)
            if noun[:1].islower() and not any(tokenizer.read(noun).stops) and span is not None:
                yield noun, name, text[span.start : span.end].strip()[:_MOST_CHARS]


def types(trials: Trials) -> Iterator[tuple[Candidate, Effect]]:
    """Words of questions whose message type a person stated, and klopt tells wrong.

    They stand in three or more of those questions, so that each has others that suggest them, and
    in none of another type. What they do is told at once: a stated type goes before a told one, so
    that no score of a rated answer moves.
    """
    by_language: dict[str, list[Turn]] = defaultdict(list)
    for turn in trials.turns:
        if turn.message_type is not None and is_rated(turn):
            by_language[turn.language].append(turn)
    for language, turns in sorted(by_language.items()):
        if len({turn.message_type for turn in turns}) < _FEWEST:
            continue
        told = trials.type_with(language, ())
        before = [told(turn) for turn in turns]
        for words, wanted, places in _telling(turns, before):
            yield _tried(trials, language, turns, before, (words, wanted, places))


def _telling(turns: Sequence[Turn], told: Sequence[str]) -> Iterator[tuple[str, str, list[int]]]:
    """Words, the type they tell, and the wrongly told questions that have them; the longest."""
    wrong: dict[tuple[str, str], list[int]] = defaultdict(list)
    types: dict[str, Counter[str]] = defaultdict(Counter)
    for place, turn in enumerate(turns):
        for words in _runs(turn.question):
            types[words][str(turn.message_type)] += 1
            if told[place] != turn.message_type:
                wrong[words, str(turn.message_type)].append(place)
    seen: list[set[int]] = []
    ranked = sorted(wrong.items(), key=lambda each: (-len(each[1]), -len(each[0][0]), each[0]))
    for (words, wanted), places in ranked:
        is_new = not any(one.issuperset(places) for one in seen)
        if len(places) > _FEWEST and len(types[words]) == 1 and is_new:
            seen.append(set(places))
            yield words, wanted, places


def _runs(question: str) -> set[str]:
    """Runs of two and three words."""
    words = _WORD.findall(question[: 4 * _MOST_CHARS].casefold())
    return {
        " ".join(words[at : at + count])
        for count in range(_FEWEST, _MOST_WORDS + 1)
        for at in range(len(words) - count + 1)
    }


def _tried(
    trials: Trials,
    language: str,
    turns: Sequence[Turn],
    before: Sequence[str],
    found: tuple[str, str, list[int]],
) -> tuple[Candidate, Effect]:
    words, wanted, places = found
    other = next(turn.question for turn in turns if turn.message_type != wanted)
    pattern = {
        "id": f"{OWN}{words.replace(' ', '_')}",
        "weight": _WEIGHT,
        "pattern": rf"(?<!\w){'[ ]'.join(map(re.escape, words.split()))}(?!\w)",
        "hit": [words],
        "miss": [other[:_MOST_CHARS]],
    }
    entry = Entry("messages", wanted, pattern=pattern)
    told = trials.type_with(language, [entry])
    after = {place: told(turn) for place, turn in enumerate(turns) if words in _runs(turn.question)}
    changed = [place for place, kind in after.items() if kind != before[place]]
    gains = [1 if after[one] == turns[one].message_type else -1 for one in changed]
    candidate = Candidate(
        language,
        entry,
        f"{len(places)} questions of the type {wanted} have these words, and klopt takes them "
        "for another type",
        frozenset(),
        frozenset(),
        tuple(turns[place].question[:_MOST_CHARS] for place in places[:_MOST_WORDS]),
    )
    return candidate, Effect(
        tried=len(after),
        changed=tuple(turns[place].id for place in changed),
        moves=dict(Counter(f"to the {'right' if one > 0 else 'wrong'} type" for one in gains)),
        right=sum(gains),
        noun="question",
        pages=len(places),
    )
