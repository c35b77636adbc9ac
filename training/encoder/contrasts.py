"""Sentences of the corpora beside themselves, as they are and turned by one exchange.

A first stage on them teaches that one word decides; what keeps a sentence as it is is exchanged in
both, so that it is not the exchange that tells.
"""

from __future__ import annotations

import gzip
import random
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from klopt import lexicons
from training.encoder.examples import Example

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
