"""``python -m benchmarks.losses``: how many losses of a translation klopt notices, and wrongly.

Counts sentences that people translated between Dutch and English, in the gettext file of a help
centre and in rated turns: those in which klopt finds a loss, and those in which it does after the
first value in figures or the second half was taken out of the translation.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Final

from klopt import lexicons
from klopt.text.quantities import quantities
from klopt.text.quantity import Quantity
from klopt.text.tokens import Tokenizer
from klopt.translation.masks import MIN_WORDS, Segment, lost_part
from training.command import given, share, show

_ENTRY: Final = re.compile(r'^msgid ((?:".*"\n)+)msgstr ((?:".*"\n)+)', re.MULTILINE)
_SENTENCE: Final = re.compile(r"(?<=[.!?])\s+|\n+")
_TAG: Final = re.compile(r"<[^>]+>")


def pairs(data: Path) -> Iterator[tuple[str, str]]:
    """Yields Dutch sentences with their English ones."""
    both = [
        tuple("".join(map(ast.literal_eval, text.splitlines())) for text in entry[::-1])
        for entry in _ENTRY.findall((data / "help" / "nl.po").read_text("utf-8"))[1:]
    ]
    for line in (data / "turns-nl" / "dev.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        both += ((row[name], row[f"{name}_en"]) for name in ("question", "answer"))
    for dutch, english in both:
        sides = [_SENTENCE.split(_TAG.sub("", text).strip()) for text in (dutch, english)]
        if all(map(str.strip, (dutch, english))) and len(sides[0]) == len(sides[1]):
            yield from zip(*sides, strict=True)


def _written(value: Quantity, text: str) -> str:
    return text[value.start : value.end]


def _is_lost(segment: Segment, source: str, target: str, translated: str) -> bool:
    return bool(lost_part(segment, segment.text, translated, source, target))


def main() -> None:
    """Prints the table."""
    every = sorted(set(pairs(given(__doc__, needs="help").data)))
    rows = []
    for source, target in (("nl", "en"), ("en", "nl")):
        tokenizer = Tokenizer(lexicons.load(target))
        whole, values, halves = [], [], []
        for pair in every:
            text, translated = pair if source == "nl" else pair[::-1]

            segment = Segment(0, len(text), text, ())
            is_lost = partial(_is_lost, segment, source, target)

            whole.append(is_lost(translated))
            found = quantities(translated, tokenizer.read(translated), target)
            figures = (one for one in found if any(map(str.isdigit, _written(one, translated))))
            if (first := next(figures, None)) is not None:
                values.append(is_lost(translated[: first.start] + translated[first.end :]))
            if len(text.split()) >= MIN_WORDS:
                words = translated.split()
                halves.append(is_lost(" ".join(words[: len(words) // 2])))
        counts = [share(sum(found), len(found)) for found in (whole, values, halves)]
        rows.append([f"{source} to {target}", *counts])
    show("Losses found", ["", "as translated", "without a value", "without a half"], rows)


if __name__ == "__main__":
    main()
