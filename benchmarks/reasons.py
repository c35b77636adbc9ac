"""``python -m benchmarks.reasons``: whether the reason that is given names what people marked.

Everything learnt, and the lines of the verdicts, were learnt without the company of the answers.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from benchmarks.left_out import PROFILE, meets
from klopt import Assessment, Scorer, Turn
from klopt.comparing import using
from training.companies import (
    UNTRUE,
    learnt_without,
    lines_left_out,
    measured,
    scores_left_out,
    weights_without,
)
from training.rated_turns import Centre

OUTPUT: Final = Path(__file__).parent / "reasons.json"
_QUOTED: Final = re.compile("“([^”]*)”")


def assessed(data: Path) -> Iterator[tuple[Centre, Turn, Assessment]]:
    """Each rated answer as it is assessed by what was learnt from other companies."""
    found = measured(data, PROFILE)
    lines = lines_left_out(found, scores_left_out(found, PROFILE), PROFILE)
    for centre in found:
        weights = weights_without(centre.company, found, PROFILE)
        own = lines[centre.company]
        profile = dataclasses.replace(
            PROFILE, tree=weights.tree, evidence=weights.evidence, **own._asdict()
        )
        with using(learnt_without(centre.company)):
            scorer = Scorer(profile, all_types=True)
            for turn in centre.load(data):
                yield centre, turn, scorer.score(turn)


def named_in(one: Assessment) -> Iterator[tuple[int, int]]:
    """Where in an answer the words of it stand that its reason quotes; words of a page are none."""
    quoted = {words.strip("… ") for words in _QUOTED.findall(one.why)}
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


def named_fault(one: Assessment) -> bool:
    """Whether what comes out names a fault in the answer."""
    names = one.measurements.get("components_defined")
    is_unknown = names is not None and any(each.kind == "unsupported" for each in names.evidence)
    return is_unknown or any(statement.fault for statement in one.statements)


def counts(found: Sequence[tuple[Centre, Turn, Assessment]], data: Path) -> Counter[str]:
    """What was sent beside a fault, and how many reasons name a marked fault."""
    marked = {centre: centre.spans(data) for centre, _, _ in found if centre.has_spans}
    counted = Counter[str]()
    for centre, turn, one in found:
        counted["sent"] += one.verdict == "send"
        counted["sent_beside_fault"] += one.verdict == "send" and named_fault(one)
        if not centre.has_spans or one.verdict in ("send", "unscored"):
            continue
        if turn.rating is None or turn.rating > UNTRUE:
            continue
        words = [each for some in marked[centre][turn.id] for each in some]
        spans = [(at, at + len(each)) for each in words if (at := turn.answer.find(each)) >= 0]
        counted["held_untrue"] += bool(spans)
        counted["named"] += any(meets(each, spans) for each in named_in(one))
    return counted


def main() -> None:
    """Prints the figures and stores them."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.reasons", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder of the real data")
    parser.add_argument("-o", "--output", type=Path, default=OUTPUT)
    arguments = parser.parse_args()
    if not arguments.data.is_dir():
        print(f"The real data are not at {arguments.data}: no reason can be held against them.")
        return
    counted = counts(list(assessed(arguments.data)), arguments.data)
    share = counted["named"] / max(1, counted["held_untrue"])
    print(f"sent beside a named fault: {counted['sent_beside_fault']} of {counted['sent']}")
    print(
        f"untrue answers that are not sent: {counted['held_untrue']}; "
        f"the reason names a marked fault: {counted['named']} ({share:.0%})"
    )
    arguments.output.write_text(json.dumps(dict(counted), indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
