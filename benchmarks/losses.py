"""``python -m benchmarks.losses``: how many losses in a translation klopt detects.

The sentences were translated by people between Dutch and English: a help centre's gettext file and
rated turns. Counts the translations in which klopt reports a loss: complete ones, ones without
their first value in figures, and ones without their second half.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Final

from klopt import lexicons
from klopt.text.quantities import quantities
from klopt.text.tokens import Tokenizer
from klopt.translation.masks import MIN_WORDS, Segment, lost_part
from training.command import given, share, show
from training.rated_turns import rows_of

_ENTRY: Final = re.compile(r'^msgid ((?:".*"\n)+)msgstr ((?:".*"\n)+)', re.MULTILINE)
_SENTENCE: Final = re.compile(r"(?<=[.!?])\s+|\n+")
_TAG: Final = re.compile(r"<[^>]+>")


def pairs(data: Path) -> Iterator[tuple[str, str]]:
    """Yield Dutch sentences with their English translations."""
    both = [
        tuple("".join(map(ast.literal_eval, text.splitlines())) for text in entry[::-1])
        for entry in _ENTRY.findall((data / "help" / "nl.po").read_text("utf-8"))[1:]
    ]
    for row in rows_of(data / "turns-nl" / "dev.jsonl"):
        both += ((row[name], row[f"{name}_en"]) for name in ("question", "answer"))
    for dutch, english in both:
        sides = [_SENTENCE.split(_TAG.sub("", text).strip()) for text in (dutch, english)]
        if all(map(str.strip, (dutch, english))) and len(sides[0]) == len(sides[1]):
            yield from zip(*sides, strict=True)


def _is_lost(segment: Segment, source: str, target: str, translated: str) -> bool:
    return bool(lost_part(segment, segment.text, translated, source, target))


def main() -> None:
    """Print the table."""
    every = sorted(set(pairs(given(__doc__, needs="help").data)))
    rows = []
    for source, target in (("nl", "en"), ("en", "nl")):
        tokenizer = Tokenizer(lexicons.load(target))
        whole, values, halves = [], [], []
        for pair in every:
            text, translated = pair if source == "nl" else pair[::-1]
            is_lost = partial(_is_lost, Segment(0, len(text), text, ()), source, target)
            whole.append(is_lost(translated))
            for value in quantities(translated, tokenizer.read(translated), target):
                if any(map(str.isdigit, translated[value.start : value.end])):
                    values.append(is_lost(translated[: value.start] + translated[value.end :]))
                    break
            if len(text.split()) >= MIN_WORDS:
                words = translated.split()
                halves.append(is_lost(" ".join(words[: len(words) // 2])))
        counts = [share(sum(found), len(found)) for found in (whole, values, halves)]
        rows.append([f"{source} to {target}", *counts])
    show("Losses found", ["", "as translated", "without a value", "without a half"], rows)


if __name__ == "__main__":
    main()
