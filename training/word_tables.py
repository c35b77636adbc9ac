"""``python -m training.word_tables``: what words of other languages stand for, by an encoder.

For each frequent word of a language the English word that multilingual-e5-small finds most alike,
less what all words of the language have in common. It serves where our own tables have nothing
(`klopt.translation.word_for_word`). Half an hour on one core.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np
import wordfreq
from numpy.typing import NDArray

from klopt.translation.word_for_word import SOURCES, WordTable
from training.command import given
from training.meanings import WORD, directions, meanings, unit, word_counts
from training.rated_turns import corpus

OUTPUT: Final = Path(__file__).parent.parent / "klopt" / "translation" / "words"
IN_CORPUS: Final = {"en": 10_000, "nl": 9_000}
"""So many of the most frequent words of the corpus are read."""
IN_GENERAL: Final = {"en": 9_000, "nl": 8_000, "de": 12_000, "fr": 13_000}
"""And so many of those of the language at large."""
MOST: Final = {"en": 15_000, "nl": 13_000, "de": 12_000, "fr": 13_000}
SHARED: Final = 3
"""So many directions that all English words share are taken out."""
NEIGHBOURS: Final = 10
"""So many of the nearest say how dense it is around a word (CSLS, Conneau et al. 2018)."""
LEAST: Final = 0.4
"""The least cosine of two words that stand for each other."""
HEAD: Final = """\
# Written by `python -m training.word_tables`: English words, and those that multilingual-e5-small
# (MIT) finds most alike among the frequent ones of the language (wordfreq, CC BY-SA 4.0).
"""

Floats = NDArray[np.float64]


def words_of(language: str, data: Path) -> list[str]:
    """The most frequent words of a language in small letters, those of the corpus first."""
    counts = word_counts(corpus(data, language) if language in IN_CORPUS else ())
    known = [word for word, _ in counts.most_common(IN_CORPUS.get(language, 0))]
    count = IN_GENERAL[language]
    general = [one for one in wordfreq.top_n_list(language, count + 6_000) if WORD.fullmatch(one)]
    return list(dict.fromkeys([*known, *general[:count]]))[: MOST[language]]


def vectors(words: Sequence[str]) -> Floats:
    """What the encoder knows of words, without what all of them have in common."""
    units = unit(meanings(words).astype(np.float64))
    return units - units.mean(axis=0)


def nearest(own: Floats, english: Floats) -> tuple[NDArray[np.int64], Floats, Floats]:
    """Of each word the English one most alike by CSLS, their cosine, and what CSLS gives both."""
    cosines = own @ english.T
    around = np.sort(cosines, axis=1)[:, -NEIGHBOURS:].mean(axis=1)
    around_there = np.sort(cosines, axis=0)[-NEIGHBOURS:].mean(axis=0)
    alike = 2 * cosines - around[:, None] - around_there
    best, rows = alike.argmax(axis=1), np.arange(len(own))
    return best, cosines[rows, best], alike[rows, best]


def table_of(
    words: Sequence[str], own: Floats, english: Sequence[str], theirs: Floats, ours: WordTable
) -> dict[str, list[str]]:
    """English word → the words that stand for it, each in small letters and by its likest form."""
    best, cosines, alike = nearest(own, theirs)
    chosen: dict[str, int] = {}
    for row in np.argsort(-alike, kind="stable").tolist():
        chosen.setdefault(words[row].lower(), row)
    table: dict[str, list[str]] = {}
    for word, row in sorted(chosen.items()):
        word_there = english[int(best[row])]
        if cosines[row] >= LEAST and word_there != word and not ours.knows(word):
            table.setdefault(word_there, []).append(word)
    return table


def main() -> None:
    """Writes the table of each language."""
    arguments = given(__doc__, OUTPUT, "corpus")
    english = words_of("en", arguments.data)
    theirs = vectors(english)
    shared = directions(theirs)[:SHARED]
    theirs = unit(theirs - theirs @ shared.T @ shared)
    for language in sorted(SOURCES):
        words = words_of(language, arguments.data)
        if language == "de":
            words = [form for word in words for form in (word, word.capitalize())]
        own = vectors(words)
        own = unit(own - own @ shared.T @ shared)
        table = table_of(words, own, english, theirs, WordTable.load(language))
        lines = [f'"{word}" = "{" ".join(table[word])}"' for word in sorted(table)]
        file = arguments.output / f"{language}.alike.toml"
        file.write_text("\n".join([HEAD, *lines, ""]), encoding="utf-8")
        print(f"{language}: {sum(map(len, table.values()))} words, {file}")


if __name__ == "__main__":
    main()
