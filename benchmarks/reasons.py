"""``python -m benchmarks.reasons``: whether the reason that is given names what people marked.

Everything learnt, and the lines of the verdicts, were learnt without the company of the answers.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from benchmarks.left_out import Span, meets, places
from klopt import Assessment
from training.command import given, share, store
from training.companies import UNTRUE, LeftOut
from training.profile import base_profile

QUOTED: Final = re.compile("[“„«]\\s?([^”“»]*?)\\s?[”“»]")


def named_in(one: Assessment) -> Iterator[Span]:
    """Where in an answer the words of it stand that its reason quotes; words of a page are none."""
    quoted = {words.strip("… ") for words in QUOTED.findall(one.why)}
    unsupported = (
        each
        for measurement in one.measurements.values()
        for each in measurement.evidence
        if each.kind == "unsupported"
    )
    theirs = {page for statement in one.statements for _, page in statement.rivals}
    for each in (*one.statements, *unsupported):
        text = " ".join(each.text.split())
        for words in quoted - theirs:
            at = text.find(words)
            if words and at >= 0:
                yield each.start + at, min(each.end, each.start + at + len(words))


def counts(data: Path) -> Counter[str]:
    """How many untrue answers are not sent, and how many of their reasons name a marked fault."""
    rated = LeftOut.measured(data, base_profile())
    counted = Counter[str]()
    for centre in rated.samples:
        if not centre.has_spans:
            continue
        marked = centre.spans(data)
        with rated.scorer(centre.company) as scorer:
            for turn in centre.load(data):
                if turn.rating is None or turn.rating > UNTRUE:
                    continue
                one = scorer.score(turn)
                if one.verdict in ("send", "unscored"):
                    continue
                spans = places(turn.answer, [each for some in marked[turn.id] for each in some])
                counted["held_untrue"] += bool(spans)
                counted["named"] += any(meets(each, spans) for each in named_in(one))
    return counted


def main() -> None:
    """Prints the figures and stores them."""
    options = given(__doc__, Path(__file__).with_suffix(".json"))
    counted = counts(options.data)
    print(
        "untrue answers that are not sent, of which the reason names a marked fault: "
        f"{share(counted['named'], counted['held_untrue'])}"
    )
    store(dict(counted), options.output)


if __name__ == "__main__":
    main()
