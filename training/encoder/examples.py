"""What the encoder learns from: statements beside places, with what the places say of them.

The first stage also has sentences of the corpora beside themselves, as they are and turned by one
exchange: it teaches that one word decides. What keeps a sentence as it is is exchanged in both, so
that it is not the exchange that tells.
"""

from __future__ import annotations

import gzip
import json
import random
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

from klopt import lexicons
from klopt.comparing.learnt import LABELS
from klopt.comparing.passages import places_of
from klopt.reading.markup import read_text
from training.claims import claim_rows, label_of
from training.pair_rows import (
    PairRow,
    Sentence,
    bare,
    differing,
    language_of,
    pair_rows,
    sentences_of,
)
from training.rated_turns import CENTRES

PUBLIC: Final = {
    "vitaminc": 26_000,
    "conjnli": 10_000,
    "snli": 6_000,
    "breaking-nli": 3_000,
    "med": 4_000,
    "help": 3_000,
}
"""How many of each public set."""
TWO_LABELS: Final = frozenset({"med", "help"})
MOST_PLACES: Final = 2
"""So many places of each statement are looked at."""
EVEN: Final = (1 / 3, 1 / 3, 1 / 3)


MADE: Final = frozenset({"rival", "ids", "marks"})


@dataclass(slots=True, eq=False)
class Example:
    """A statement beside a place.

    Attributes:
        company: Whose; "" for public texts.
        given_away: What the statement's words alone say of the three labels.
        open: Whether it is only known that it is not supported.
        wrong: First characters and ends of its wrong words; None where nobody marked them.
        is_rival: Whether the example before this one, its `rival`, must stand below it.
        lean: By how much the words alone put the one above its rival.
        weight: How much it counts.
    """

    company: str
    language: str
    question: str
    claim: str
    place: str
    label: int
    given_away: tuple[float, ...] = EVEN
    open: bool = False
    wrong: tuple[tuple[int, int], ...] | None = None
    is_rival: bool = False
    rival: Example | None = None
    lean: float = 0.0
    weight: float = 1.0
    ids: list[int] = field(default_factory=list)
    marks: list[float] = field(default_factory=list)

    def line(self) -> str:
        """As a line of JSON."""
        kept = (one.name for one in fields(self) if one.name not in MADE)
        return json.dumps({name: getattr(self, name) for name in kept}) + "\n"

    @classmethod
    def of(cls, line: str) -> Example:
        """From a line of JSON."""
        return cls(**json.loads(line))

    @property
    def first(self) -> str:
        """What stands before the place."""
        return f"{self.question} {self.claim}" if self.question else self.claim


def with_rivals(examples: list[Example]) -> list[Example]:
    """Examples in the order in which they were made, with the rivals of those that have one."""
    for before, one in pairwise(examples):
        one.rival = before if one.is_rival else None
    return examples


def public(data: Path, seed: int) -> Iterator[Example]:
    """Some of the public sets."""
    rows: dict[str, list[dict[str, Any]]] = {name: [] for name in PUBLIC}
    with gzip.open(data / "nli" / "public-en.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            rows[row["src"]].append(row)
    chance = random.Random(seed)
    for name, count in PUBLIC.items():
        chance.shuffle(rows[name])
        for row in rows[name][:count]:
            label = LABELS.index(row["label"])
            is_open = name in TWO_LABELS and label != 0
            yield Example("", "en", "", row["claim"], row["passage"], label, open=is_open)


def claims(data: Path) -> Iterator[Example]:
    """The labelled claims, each beside its passage."""
    for company, language, row in claim_rows(data):
        place, label = " ".join(read_text(row["passage"]).text.split()), LABELS.index(row["label"])
        question, claim, known = row["question"] or "", row["claim"], tuple(row["claim_only"])
        yield Example(company, language, question, claim, place, label, known)


def pairs(data: Path) -> Iterator[Example]:
    """The sentences in which the answers of a pair differ, beside the places that are nearest.

    Where a place has the page's deciding words, the true one is supported and the untrue one
    contradicted, and the one stands above the other; elsewhere neither is stated.
    """
    for row in pair_rows(data):
        both = differing(row, data, MOST_PLACES)
        if both is None:
            continue
        right, wrong = both
        (first, end), shift = row.untrue_span, wrong.span[0]
        deciding = _deciding(row, right, wrong)
        asked = row.company, row.language, row.question
        for place in deciding:
            yield Example(*asked, wrong.text, place, 1, wrong=((first - shift, end - shift),))
            yield Example(
                *asked, right.text, place, 0, wrong=(), is_rival=True, lean=row.words_alone
            )
        for one in (right, wrong):
            for place in [place for place in one.texts if place not in deciding][:1]:
                yield Example(*asked, one.text, place, 2, weight=0.3)


def turns(data: Path) -> Iterator[Example]:
    """The statements of rated answers, each beside its best place."""
    for centre in (centre for centre in CENTRES if centre.has_spans):
        own, spans = language_of(centre.language), centre.spans(data)
        for turn in centre.load(data):
            untrue, unsupported = spans[turn.id]
            pages = {page.id: page for page in turn.pages}
            asked = centre.company, centre.language, turn.question
            for one in sentences_of(own, turn.question, turn.answer, pages, 1):
                label = label_of(one.answer.plain, turn.answer, one.span, untrue, unsupported)
                places = ((one.text.find(words), len(words)) for words in untrue)
                wrong = tuple((at, at + length) for at, length in places if at >= 0)
                known = wrong if wrong or label != 1 else None
                for place in one.texts:
                    yield Example(*asked, one.text, place, label, wrong=known, weight=0.5)


def _deciding(row: PairRow, right: Sentence, wrong: Sentence) -> list[str]:
    """The places that have the page's deciding words, of those near; else the one with most."""
    found = dict.fromkeys(
        place for place in (*right.texts, *wrong.texts) if bare(row.page_says) in bare(place)
    )
    if found:
        return list(found)[:2]
    words = set(bare(row.page_says).split())
    every = [place.text for one in right.match.contexts for place in places_of(one.index)]
    return [max(every, key=lambda text: len(words & set(bare(text).split())) - len(text) / 1000)]


TABLES: Final = tomllib.loads(Path(__file__).with_name("contrasts.toml").read_text("utf-8"))
SHORTEST, LONGEST = 7, 32
TURNED, KEPT = 0.42, 0.85
"""Up to the one, a sentence is turned; up to the other it is kept; beyond it is another one."""
_NUMBER: Final = re.compile(r"(?<![\w.,])\d{1,3}(?![\w.,])")

Swaps = list[tuple[re.Pattern[str], str]]


def contrasts(data: Path, language: str, count: int, seed: int) -> Iterator[Example]:
    """So many examples of one language."""
    chance = random.Random(seed)
    with gzip.open(data / "corpus" / f"{language}.txt.gz", "rt", encoding="utf-8") as lines:
        sentences = [one.strip() for one in lines if SHORTEST <= one.count(" ") < LONGEST]
    chance.shuffle(sentences)
    turns, keeps = _turns(language), _swaps(TABLES[language]["keeps"])
    made = 0
    for at, sentence in enumerate(sentences[:-1]):
        turned = _turned(sentence, turns, chance)
        if turned is None:
            continue
        beside = sentences[at + 1]
        passage = sentence if chance.random() < 0.4 else f"{sentence} {beside}"
        draw = chance.random()
        claim, label = (
            (turned, 1) if draw < TURNED else (sentence, 0) if draw < KEPT else (beside, 2)
        )
        if label == 2:
            passage = sentence
        elif chance.random() < 0.5:  # the passage may be the turned one as well
            passage = passage.replace(sentence, turned)
            claim = sentence if label else turned
        for _ in range(chance.randrange(3)):
            claim = _swapped(claim, keeps, chance) or claim
        yield Example("", language, "", claim, passage, label)
        made += 1
        if made == count:
            return


def _turns(language: str) -> Swaps:
    found = [tuple(pair) for pair in TABLES[language]["turns"]]
    tables = lexicons.load(language)
    for pair in tables["antonyms"].pairs:
        found += [(one, other) for one in pair.one for other in pair.other]
    for groups in tables["contrasts"].word_groups.values():
        found += [
            (one, other)
            for number, group in enumerate(groups)
            for one in group[:1]
            for after in groups[number + 1 : number + 4]
            for other in after[:1]
        ]
    return _swaps(found)


def _swaps(pairs: list[tuple[str, str]]) -> Swaps:
    return [
        (re.compile(rf"\b{re.escape(one)}\b", re.IGNORECASE), other)
        for pair in pairs
        for one, other in (pair, pair[::-1])
    ]


def _turned(sentence: str, turns: Swaps, chance: random.Random) -> str | None:
    number = _NUMBER.search(sentence)
    if number is not None and chance.random() < 0.5:
        other = str(max(1, int(number[0]) + chance.choice((-2, -1, 1, 2, 3, 10))))
        if other != number[0]:
            return sentence[: number.start()] + other + sentence[number.end() :]
    return _swapped(sentence, turns, chance)


def _swapped(sentence: str, swaps: Swaps, chance: random.Random) -> str | None:
    """The sentence with one of the words that it has exchanged; None where it has none."""
    for pattern, other in chance.sample(swaps, min(len(swaps), 120)):
        found = pattern.search(sentence)
        if found is not None:
            word = other.capitalize() if found[0][:1].isupper() else other
            return sentence[: found.start()] + word + sentence[found.end() :]
    return None
