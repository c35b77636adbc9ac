"""What the encoder learns from: statements beside places, with what the places say of them."""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

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
    says,
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
        language: Of both.
        question: What was asked; may be empty.
        claim: The statement.
        place: What it is held against.
        label: The number of the label.
        given_away: What the statement's words alone say of the three labels.
        open: Whether it is only known that it is not supported.
        wrong: First characters and ends of its wrong words; None where nobody marked them.
        is_rival: Whether the example before this one must stand below it.
        rival: That example.
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
        known = {one.name: getattr(self, one.name) for one in fields(self)}
        return json.dumps({name: known[name] for name in known if name not in MADE}) + "\n"

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
        yield Example(
            company,
            language,
            row["question"] or "",
            row["claim"],
            " ".join(read_text(row["passage"]).text.split()),
            LABELS.index(row["label"]),
            tuple(row["claim_only"]),
        )


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
        for place in deciding:
            yield Example(
                row.company,
                row.language,
                row.question,
                wrong.text,
                place,
                1,
                wrong=((first - shift, end - shift),),
            )
            yield Example(
                row.company,
                row.language,
                row.question,
                right.text,
                place,
                0,
                wrong=(),
                is_rival=True,
                lean=row.words_alone,
            )
        for one in (right, wrong):
            for place in [place for place in one.texts if place not in deciding][:1]:
                yield Example(
                    row.company, row.language, row.question, one.text, place, 2, weight=0.3
                )


def turns(data: Path) -> Iterator[Example]:
    """The statements of rated answers, each beside its best place."""
    for centre in CENTRES:
        if not centre.has_spans:
            continue
        own, spans = language_of(centre.language), centre.spans(data)
        for turn in centre.load(data):
            untrue, unsupported = spans[turn.id]
            pages = {page.id: page for page in turn.pages}
            for one in sentences_of(own, turn.question, turn.answer, pages, 1):
                label = label_of(one.answer.plain, turn.answer, one.span, untrue, unsupported)
                text = one.text
                wrong = [(at, at + len(words)) for words in untrue if (at := text.find(words)) >= 0]
                for place in one.texts:
                    yield Example(
                        centre.company,
                        centre.language,
                        turn.question,
                        text,
                        place,
                        label,
                        wrong=tuple(wrong) if wrong or label != 1 else None,
                        weight=0.5,
                    )


def _deciding(row: PairRow, right: Sentence, wrong: Sentence) -> list[str]:
    """The places that have the page's deciding words, of those near; else the one with most."""
    found = dict.fromkeys(place for place in (*right.texts, *wrong.texts) if says(place, row))
    if found:
        return list(found)[:2]
    words = set(bare(row.page_says).split())
    every = [place.text for one in right.match.contexts for place in places_of(one.index)]
    return [max(every, key=lambda text: len(words & set(bare(text).split())) - len(text) / 1000)]
