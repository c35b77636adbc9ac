"""``python -m training.word_tables``: what words of other languages stand for, by an encoder.

For each frequent word of a language the English word that multilingual-e5-small finds most alike,
less what all words of the language have in common. It serves where our own tables have nothing
(`klopt.translation.word_for_word`).
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np
import regex
import wordfreq
from numpy.typing import NDArray

from klopt.translation.word_for_word import SOURCES, WordTable
from training.encoder.meanings import meanings

OUTPUT: Final = Path(__file__).parent.parent / "klopt" / "translation" / "words"
ENGLISH, OTHERS = 15_000, 13_000
"""So many words are read of English, and of each other language."""
SHARED: Final = 3
"""So many directions that all English words share are taken out."""
NEIGHBOURS: Final = 10
"""So many of the nearest say how dense it is around a word (CSLS, Conneau et al. 2018)."""
LEAST: Final = 0.4
"""The least cosine of two words that stand for each other."""
WORD: Final = regex.compile(r"\p{L}+(?:[-'’]\p{L}+)*")

Floats = NDArray[np.float64]


def words_of(language: str, count: int) -> list[str]:
    """The most frequent words of a language, in small letters."""
    found = wordfreq.top_n_list(language, count + count // 2)
    return [word for word in found if WORD.fullmatch(word)][:count]


def vectors(words: Sequence[str]) -> Floats:
    """What the encoder knows of words, without what all of them have in common."""
    found = _unit(meanings(words).astype(np.float64))
    return found - found.mean(axis=0)


def nearest(own: Floats, english: Floats) -> tuple[NDArray[np.int64], Floats]:
    """Of each word the English one that it is most alike by CSLS, and the cosine of both."""
    cosines = own @ english.T
    around = np.sort(cosines, axis=1)[:, -NEIGHBOURS:].mean(axis=1)
    around_there = np.sort(cosines, axis=0)[-NEIGHBOURS:].mean(axis=0)
    best = (2 * cosines - around[:, None] - around_there).argmax(axis=1)
    return best, cosines[np.arange(len(own)), best]


def _unit(rows: Floats) -> Floats:
    found: Floats = rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)
    return found


def main() -> None:
    """Writes the table of each language."""
    parser = argparse.ArgumentParser(prog="python -m training.word_tables", description=__doc__)
    parser.add_argument("-o", "--output", type=Path, default=OUTPUT)
    parser.add_argument("--language", choices=sorted(SOURCES), action="append")
    arguments = parser.parse_args()
    english = words_of("en", ENGLISH)
    theirs = vectors(english)
    shared = np.linalg.svd(theirs, full_matrices=False)[2][:SHARED]
    theirs = _unit(theirs - theirs @ shared.T @ shared)
    for language in arguments.language or sorted(SOURCES):
        table = WordTable.load(language)
        words = [word for word in words_of(language, OTHERS) if not table.knows(word)]
        own = vectors(words)
        best, cosines = nearest(_unit(own - own @ shared.T @ shared), theirs)
        found: dict[str, list[str]] = {}
        for word, number, cosine in zip(words, best.tolist(), cosines.tolist(), strict=True):
            if cosine >= LEAST and english[number] != word:
                found.setdefault(english[number], []).append(word)
        lines = [f'"{one}" = "{" ".join(found[one])}"' for one in sorted(found)]
        file = arguments.output / f"{language}.alike.toml"
        file.write_text("\n".join([HEAD, *lines, ""]), encoding="utf-8")
        print(f"{language}: {sum(map(len, found.values()))} words, {file}")


HEAD: Final = """\
# Written by `python -m training.word_tables`: English words, and those that multilingual-e5-small
# (MIT) finds most alike among the frequent ones of the language (wordfreq, CC BY-SA 4.0).
"""


if __name__ == "__main__":
    main()
