"""Generate training sentences for support text from the templates in ``steps/*.toml``.

Newspaper treebanks contain hardly any instructions. A template is a dependency tree with gaps; the
generator fills the gaps and returns CoNLL-U rows. ``nl.toml`` describes the notation.
"""

import random
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any, Final

from training.treebanks import DEPREL, HEAD, LEMMA, Row, Sentence

FOLDER: Final = Path(__file__).parent / "steps"
VERB_FIELDS: Final = ("imp", "particle", "lemma", "inf", "ptcp", "pres")
INSIDE: Final = {"DET": "det", "ADJ": "amod", "PRON": "nmod:poss", "NOUN": "compound"}
POS_OF_LABEL: Final = {
    label: pos.split()
    for pos, labels in tomllib.loads((FOLDER / "labels.toml").read_text("utf-8")).items()
    for label in labels
}
NO_SPACE_BEFORE: Final = frozenset({",", ".", ":", "?", ")", "-", "n't"})
NO_SPACE_AFTER: Final = frozenset({"(", "-"})
ITEM: Final = re.compile(
    r"(?P<form>[^:/]+|:)(?:/(?P<pos>[A-Z]+))??:(?P<label>.+?)(?:>(?P<head>\d+))?"
)
GAP: Final = re.compile(r"\{(?P<group>[a-z]+)(?P<number>\d*)(?:\.(?P<part>[a-z]+))?\}")


@dataclass(frozen=True)
class Word:
    """A word of a template or filling; `head` counts from 0 within its item, None outside."""

    form: str
    lemma: str
    pos: str
    label: str = ""
    head: int | None = None


@dataclass(frozen=True)
class Item:
    """An item of a template: a word or a gap, with its place in the tree (head 0: the root)."""

    text: str
    pos: str | None
    label: str
    head: int


class Steps:
    """The templates of one language, from a TOML file."""

    def __init__(self, path: Path) -> None:
        table = tomllib.loads(path.read_text("utf-8"))
        self._is_dutch = path.stem == "nl"
        self._words: dict[str, dict[str, str]] = {}
        for pos, entries in table["words"].items():
            for entry in entries:
                form, _, lemma = entry.partition("=")
                self._words.setdefault(form.lower(), {})[pos] = lemma or form
        self._names: Mapping[str, list[str]] = table["names"]
        self._phrases: Mapping[str, list[str]] = table["phrases"]
        self._verbs = {
            group: [dict(zip(VERB_FIELDS, verb.split("|"), strict=True)) for verb in verbs]
            for group, verbs in table["verbs"].items()
        }
        trees = (tree for block in table["templates"] for tree in block["trees"])
        self.templates = [[_item(text) for text in tree.split()] for tree in trees]

    def sentences(self, *, seed: int, per_template: int) -> list[Sentence]:
        """Fill each template `per_template` times; in random order, without duplicates."""
        rng = random.Random(seed)
        filled: dict[str, Sentence] = {}
        for items in self.templates:
            for _ in range(per_template):
                rows = self._fill(items, rng)
                filled.setdefault(" ".join(row[1] for row in rows), rows)
        sentences = list(filled.values())
        rng.shuffle(sentences)
        return sentences

    def _fill(self, items: Sequence[Item], rng: random.Random) -> Sentence:
        chosen: dict[str, Any] = {}
        filled = [self._filling(item, chosen, rng) for item in items]
        starts = [0, *accumulate(map(len, filled))]
        heads = [
            start + next(place for place, word in enumerate(words) if word.head is None)
            for start, words in zip(starts, filled, strict=False)
        ]
        rows: Sentence = []
        for start, item, words in zip(starts, items, filled, strict=False):
            for word in words:
                if word.head is not None:
                    head, label = start + word.head, word.label
                else:
                    head, label = heads[item.head - 1] if item.head else None, item.label
                rows.append(_row(len(rows) + 1, word, head, label))
        root = next(number for number, row in enumerate(rows) if row[HEAD] == "0")
        if rng.random() < 0.85:
            rows.append(_row(len(rows) + 1, Word(".", ".", "PUNCT"), root, "punct"))
        for row, after in pairwise(rows):
            if after[1] in NO_SPACE_BEFORE or row[1] in NO_SPACE_AFTER:
                row[9] = "SpaceAfter=No"
        if self._is_dutch:
            _mark_particles(rows)
        rows[0][1] = rows[0][1][:1].upper() + rows[0][1][1:]
        return rows

    def _filling(self, item: Item, chosen: dict[str, Any], rng: random.Random) -> list[Word]:
        gap = GAP.fullmatch(item.text)
        if gap is None:
            expected = [item.pos] if item.pos else POS_OF_LABEL.get(item.label, [])
            return [self._word(item.text, expected)]
        group, name = gap["group"], gap["group"] + gap["number"]
        if name not in chosen:
            taken = [value for other, value in chosen.items() if other.startswith(group)]
            every: Sequence[Any] = {**self._verbs, **self._phrases, **self._names}[group]
            chosen[name] = rng.choice([one for one in every if one not in taken])
        if group in self._names:
            return self._name(chosen[name])
        if group in self._phrases:
            return self._phrase(chosen[name])
        verb, part = chosen[name], gap["part"]
        lemma, pos = (verb[part], "ADP") if part == "particle" else (verb["lemma"], "VERB")
        return [Word(verb[part], lemma, pos)]

    def _name(self, name: str) -> list[Word]:
        forms = name.split()
        head, label = (0, "flat") if self._is_dutch else (len(forms) - 1, "compound")
        return [
            Word(form, form, "PROPN", label, None if place == head else head)
            for place, form in enumerate(forms)
        ]

    def _phrase(self, phrase: str) -> list[Word]:
        *before, noun = phrase.split()
        words = [self._inside(text) for text in before]
        form, _, lemma = noun.partition("=")
        last = len(before)
        return [
            *(Word(word.form, word.lemma, word.pos, INSIDE[word.pos], last) for word in words),
            Word(form, lemma or form.lower(), "NOUN"),
        ]

    def _word(self, form: str, expected: Sequence[str]) -> Word:
        """Return a declared word; its part of speech is given, expected by its label, or unique."""
        senses = self._words.get(form.lower(), {})
        pos = next((pos for pos in expected if pos in senses), None)
        if pos is None and len(senses) == 1:
            [pos] = senses
        if pos is None:
            senses_there = ", ".join(senses) or "no part of speech"
            raise ValueError(f'"{form}" has {senses_there}; write form/POS')
        return Word(form, senses[pos], pos)

    def _inside(self, form: str) -> Word:
        """Return a word before the noun of a phrase; an undeclared word is a noun."""
        if not INSIDE.keys() & self._words.get(form.lower(), {}).keys():
            return Word(form, form.lower(), "NOUN")
        return self._word(form, tuple(INSIDE))


def _item(text: str) -> Item:
    match = ITEM.fullmatch(text)
    if match is None:
        raise ValueError(f'"{text}" is not form:label>head')
    return Item(match["form"], match["pos"], match["label"], int(match["head"] or 0))


def _row(number: int, word: Word, head: int | None, label: str) -> Row:
    outer = "0" if head is None else str(head + 1)
    return [str(number), word.form, word.lemma, word.pos, "_", "_", outer, label, "_", "_"]


def _mark_particles(rows: Sentence) -> None:
    """Add separate particles to the lemmas of verbs, as Dutch treebanks do: ``uit_zetten``."""
    for row in rows:
        verb = rows[int(row[HEAD]) - 1]
        if row[DEPREL] == "compound:prt" and "_" not in verb[LEMMA]:
            verb[LEMMA] = f"{row[LEMMA]}_{verb[LEMMA]}"


def generate(language: str, *, seed: int, per_template: int) -> list[Sentence]:
    """Return the sentences of a language; the same seed gives the same sentences."""
    return Steps(FOLDER / f"{language}.toml").sentences(seed=seed, per_template=per_template)
