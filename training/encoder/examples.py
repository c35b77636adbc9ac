"""Claims beside passages with labels, for the encoder of `careful`.

No text of a real answer is among them, nor of the companies of `HELD_OUT`: `make bench-accuracy`
measures on those.
"""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from klopt.text.markup import read_text
from klopt.verification.networks import LABELS
from klopt.verification.windows import nearest
from training.claims import claim_rows, lesson_pairs
from training.pair_rows import PairRow, Sentence, differing

PUBLIC: Final = {
    "vitaminc": 5_000,
    "conjnli": 1_500,
    "snli": 1_000,
    "breaking-nli": 600,
    "med": 600,
    "help": 600,
}
"""Public set → its share of the training."""
TWO_LABELS: Final = frozenset({"med", "help"})
"""Public sets that do not distinguish contradicted and not stated."""
EVEN: Final = (1 / 3, 1 / 3, 1 / 3)
MOST_WINDOWS: Final = 2
HALF: Final = 0.5
CLAIMS: Final = 0.75
"""Share of the claims that are read: an hour and a quarter on one core."""
NEGATIVES: Final = 0.2
"""Share of the claims that are also read beside another passage of their page."""


@dataclass(frozen=True, slots=True)
class Example:
    """A claim beside a passage.

    Attributes:
        kind: ``public``, ``claim``, ``negative`` or ``pair``.
        question: The question before the claim, may be empty.
        claim: The claim.
        passage: The passage.
        label: The number of the label in `LABELS`.
        claim_only: The probabilities of the labels for a model that reads the claim alone.
        open: Whether it is only known that the claim is not supported.
        rival: The number, within the pair examples, of the one that this one must rank above; -1
            for none.
        weight: The weight of its loss.
    """

    kind: str
    question: str
    claim: str
    passage: str
    label: int
    claim_only: tuple[float, ...] = EVEN
    open: bool = False
    rival: int = -1
    weight: float = 1.0


def public(data: Path, seed: int) -> Iterator[Example]:
    """Yield a part of the public inference pairs."""
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
            yield Example("public", "", row["claim"], row["passage"], label, open=is_open)


def claims(data: Path, seed: int) -> Iterator[Example]:
    """Yield the labelled claims, some of them also beside another passage of their page."""
    chance = random.Random(seed)
    passages: dict[tuple[str, str, str], list[str]] = {}
    rows = list(claim_rows(data))
    for company, language, row in rows:
        passages.setdefault((company, language, row["page"]), []).append(row["passage"])
    for company, language, row in chance.sample(rows, int(CLAIMS * len(rows))):
        question, claim = row["question"] or "", row["claim"]
        label, known = LABELS.index(row["label"]), tuple(row["claim_only"])
        yield Example("claim", question, claim, _plain(row["passage"]), label, known)
        own = set(row["passage"].split(". "))
        others = [
            one
            for one in dict.fromkeys(passages[company, language, row["page"]])
            if own.isdisjoint(one.split(". "))
        ]
        if others and chance.random() < NEGATIVES:
            yield Example("negative", question, claim, _plain(chance.choice(others)), 2)


def _plain(passage: str) -> str:
    return " ".join(read_text(passage).text.split())


def pairs(data: Path, seed: int) -> Iterator[Example]:
    """Yield the sentences in which the answers of a pair differ, beside their nearest windows.

    Beside a window with the page's deciding words the true one is supported and ranks above the
    untrue one, which is contradicted; beside another window neither is stated.
    """
    chance, number = random.Random(seed), 0
    for row in lesson_pairs(data):
        both = differing(row, data)
        if both is None:
            continue
        true, untrue = both
        texts = _windows(true, MOST_WINDOWS), _windows(untrue, MOST_WINDOWS)
        deciding = _deciding(row, (*texts[0], *texts[1]))
        for passage in deciding[:MOST_WINDOWS]:
            yield Example("pair", row.question, untrue.text, passage, 1)
            yield Example("pair", row.question, true.text, passage, 0, rival=number)
            number += 2
        for sentence, own in zip((true, untrue), texts, strict=True):
            others = [one for one in own if one not in deciding]
            if others and chance.random() < HALF:
                yield Example("pair", row.question, sentence.text, others[0], 2)
                number += 1


def _windows(sentence: Sentence, most: int) -> list[str]:
    """Return the texts of the windows nearest to a sentence."""
    match = sentence.turn.match
    (found,) = nearest(match, [sentence.unit], most)
    return [match.contexts[page].index.windows[at].text for page, at in found]


def _deciding(row: PairRow, texts: tuple[str, ...]) -> list[str]:
    """Return the windows with the page's deciding words; else the one with most of them."""
    wanted = _bare(row.page_says)
    found = [one for one in dict.fromkeys(texts) if wanted in _bare(one)]
    if found or not texts:
        return found
    words = set(wanted.split())
    return [max(texts, key=lambda one: (len(words & set(_bare(one).split())), one))]


def _bare(text: str) -> str:
    return " ".join("".join(c if c.isalnum() else " " for c in text.lower()).split())


def examples(data: Path, file: Path, seed: int) -> list[Example]:
    """Return all examples; made once and kept in a file."""
    if not file.exists():
        made = [*pairs(data, seed), *claims(data, seed), *public(data, seed)]
        file.write_text("".join(json.dumps(asdict(one)) + "\n" for one in made), "utf-8")
    return [Example(**json.loads(line)) for line in file.read_text("utf-8").splitlines()]
