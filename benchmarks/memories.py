"""Translation memories of what the real data have in both languages, as `klopt memory` fills them.

From pages of the same name, from the turns that come with their translation, and from the
catalogue of messages that the help pages were translated by.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from klopt import Page, lexicons
from klopt.batch.pages import read_pages
from klopt.bilingual.formats import read_file
from klopt.bilingual.learning import learn
from klopt.bilingual.pairs import Pair
from klopt.errors import TranslationError
from klopt.reading.reader import Reader
from klopt.scoring.interpretation import foreign
from klopt.translation.interpreter import MemoryInterpreter
from klopt.translation.masks import read_units
from klopt.translation.memory import TRUSTED, Memory

SOURCE, TARGET = "nl", "en"
FIELDS = (("question", "question_en"), ("answer", "answer_en"))


def page_pairs(data: Path) -> list[Pair]:
    """The pages that are there in both languages, as ``klopt memory pages`` pairs them."""
    own, theirs = (read_pages(data / "help" / language) for language in (SOURCE, TARGET))
    return [
        Pair.of_pages(page, theirs[name], page.id)
        for name, page in own.items()
        if name == page.id and name in theirs
    ]


def turn_pairs(data: Path) -> list[Pair]:
    """Questions and answers with their translations, as ``klopt memory rows`` pairs them."""
    file = data / "turns-nl" / "dev.jsonl"
    with file.open(encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    return [Pair(row[own], row[theirs], file.name) for row in rows for own, theirs in FIELDS]


def message_pairs(data: Path) -> list[Pair]:
    """The catalogue of the help pages, as ``klopt memory import`` reads it."""
    return list(read_file(data / "help" / "nl.po", SOURCE, TARGET).pairs)


@dataclass(frozen=True, slots=True)
class Built:
    """What building a memory gave.

    Attributes:
        pairs: Pairs of texts that it was learnt from.
        entries: In the memory.
        seconds: Aligning them and writing the memory.
    """

    pairs: int
    entries: int
    seconds: float


def build(path: Path, pairs: Iterable[Pair]) -> Built:
    """Makes a memory of pairs, in a file that is not there yet."""
    start = time.perf_counter()
    learnt = learn(pairs, SOURCE, TARGET)
    with Memory.open(path, create=True) as memory:
        entries = memory.add(learnt.entries)
    return Built(learnt.pairs_count, entries, round(time.perf_counter() - start, 2))


@dataclass(frozen=True, slots=True)
class Coverage:
    """How much of some pages a memory has.

    Attributes:
        pages: How many there are.
        pages_whole: Pages of which every sentence is there, so that they can be read.
        sentences: Sentences with words in them, each as often as it stands on the pages.
        sentences_found: Those that the memory has, alone or as part of their block.
    """

    pages: int
    pages_whole: int
    sentences: int
    sentences_found: int


def coverage(path: Path, pages: Iterable[Page]) -> Coverage:
    """What share of the pages a memory has."""
    reader = Reader(lexicons.load(SOURCE))
    page_count = whole = total = found = 0
    with Memory.open(path, create=False, read_only=True) as memory:
        interpreter = MemoryInterpreter(memory, target=TARGET)
        for page in pages:
            text = foreign(reader.read(page.text, page.format))
            page_count += 1
            total_here, found_here = _sentences(memory, text.plain, text.sentences, text.names)
            total += total_here
            found += found_here
            try:
                interpreter.interpret([text], SOURCE)
            except TranslationError:
                continue
            whole += 1
    return Coverage(page_count, whole, total, found)


def _sentences(memory: Memory, *text: object) -> tuple[int, int]:
    """The sentences of a page with words in them, and how many of them the memory has."""
    units = read_units(*text)  # type: ignore[arg-type]
    keys = [unit.whole.text for unit in units] + [
        sentence.text for unit in units for sentence in unit.sentences
    ]
    known = {
        key
        for key, entry in zip(keys, memory.find(keys, SOURCE, TARGET, (TRUSTED,)), strict=True)
        if entry is not None
    }
    total = found = 0
    for unit in units:
        for sentence in unit.sentences:
            if sentence.has_words:
                total += 1
                is_in_block = len(unit.sentences) > 1 and unit.whole.text in known
                found += is_in_block or sentence.text in known
    return total, found
