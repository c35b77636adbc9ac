"""``python -m benchmarks.suggestions``: what `klopt company suggest` brings on answers held out.

For each help centre all that was learnt was learnt from other companies, as in
`benchmarks.left_out`: the default profile as it is shipped has learnt from these very answers. The
rated answers are split in two halves by the page that they rest on. What is suggested on one half
is applied there and measured on the other: all entries that are advised, since they help answers on
other pages, and each kind alone; then what only the answers speak for that it was found on.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from copy import copy
from pathlib import Path
from typing import Any, Final

import numpy as np

from benchmarks.left_out import PROFILE
from klopt.batch.pages import read_pages
from klopt.company.effects import Figures
from klopt.company.entries import Entry
from klopt.company.suggesting import Found, suggest
from klopt.company.trials import Answer, Trials
from klopt.comparing import using
from klopt.records import Page
from klopt.scoring.profile import Profile
from training.companies import Found as Samples
from training.companies import (
    learnt_without,
    lines_left_out,
    measured,
    scores_left_out,
    weights_without,
)
from training.rated_turns import CENTRES, Centre

OUTPUT: Final = Path(__file__).parent / "suggestions.json"
SPLITS: Final = 10
ALL: Final = "all that is advised"
_COMPANY: Final = """
[profile]
name = "company"
extends = "default"
[heuristics.denied_names]
[verdict]
review_on = ["components_defined", "denied_names", "guide_asked", "step_order", "weakest_statement"]
"""


def profile_without(centre: Centre, found: Samples) -> Profile:
    """A company's profile over a default that was learnt from all other companies."""
    scores = scores_left_out(found, PROFILE)
    lines = lines_left_out(found, scores, PROFILE)[centre.company]
    weights = weights_without(centre.company, found, PROFILE)
    return dataclasses.replace(
        Profile.read(_COMPANY, where="company", folder=None),
        tree=weights.tree,
        evidence=weights.evidence,
        block_below=lines.block_below,
        send_from=lines.send_from,
    )


def kind_of(found: Found) -> str:
    """What a suggestion is of, and whether it is advised."""
    entry = found.suggestion.entry
    if entry is None:
        return "pages"
    part = f" {entry.part}" if entry.lexicon == "product_names" else ""
    return f"{entry.lexicon}{part}{'' if found.is_advised else ', not advised'}"


def among(trials: Trials, answers: Sequence[Answer]) -> Trials:
    """The same, of some answers alone."""
    half = copy(trials)
    half.answers = tuple(answers)
    known = {(one.turn.question, one.turn.answer) for one in answers}
    half.turns = tuple(one for one in trials.turns if (one.question, one.answer) in known)
    return half


def halves(trials: Trials, seed: int) -> tuple[Trials, Trials]:
    """The answers in two halves, those on one page together."""
    pages = sorted({one.page for one in trials.answers})
    order = np.random.Generator(np.random.PCG64(seed)).permutation(len(pages))
    first = {pages[place] for place in order[: len(pages) // 2]}
    sides = (
        [one for one in trials.answers if (one.page in first) is side] for side in (True, False)
    )
    one, other = (among(trials, side) for side in sides)
    return one, other


def right_types(trials: Trials, language: str, entries: Sequence[Entry]) -> int:
    """Of how many questions the type is told as people stated it."""
    told = trials.type_with(language, entries)
    return sum(told(turn) == turn.message_type for turn in trials.turns)


def gains(trials: Trials, language: str, entries: Sequence[Entry]) -> dict[str, float]:
    """How much better the other half gets with entries put in."""
    before = Figures.of(trials.answers)
    then = trials.with_entries(language, entries, range(len(trials.answers)))
    after = Figures.of(
        [
            dataclasses.replace(one, now=then.get(place, one.now))
            for place, one in enumerate(trials.answers)
        ]
    )
    types = right_types(trials, language, entries) - right_types(trials, language, ())
    return {
        "agreement": after.agreement - before.agreement,
        "true_sent": before.true_held_back - after.true_held_back,
        "untrue_sent": after.untrue_sent - before.untrue_sent,
        "types_right": types,
    }


def measured_on(
    trials: Trials, centre: Centre, pages: Mapping[str, Page], splits: int
) -> dict[str, Any]:
    """For each kind of suggestion what it brings the other half, over all splits."""
    every: dict[str, list[dict[str, float]]] = defaultdict(list)
    counts: Counter[str] = Counter()
    before = []
    for seed in range(splits):
        one, other = halves(trials, seed)
        before.append(Figures.of(other.answers))
        by_kind: dict[str, list[Entry]] = {ALL: []}
        for found in suggest(one, pages):
            entry = found.suggestion.entry
            if entry is not None:
                by_kind.setdefault(kind_of(found), []).append(entry)
                if found.is_advised:
                    by_kind[ALL].append(entry)
        for kind, entries in by_kind.items():
            counts[kind] += len(entries)
            if entries:
                every[kind].append(gains(other, centre.language, entries))
    return {
        "n": len(trials.answers),
        "before": {
            name: round(float(np.mean([getattr(one, name) for one in before])), 3)
            for name in ("agreement", "true_held_back", "true", "untrue_sent", "untrue")
        },
        "kinds": {
            kind: {"suggested": counts[kind], "splits": len(some), **_means(some, splits)}
            for kind, some in sorted(every.items())
        },
    }


def _means(some: Sequence[Mapping[str, float]], splits: int) -> dict[str, Any]:
    """Means over all splits, in those without a suggestion 0; and the range of the agreement."""
    agreement = [one["agreement"] for one in some]
    found: dict[str, Any] = {
        name: round(sum(one[name] for one in some) / splits, 4) for name in some[0]
    }
    found["agreement_range"] = [round(min(agreement), 4), round(max(agreement), 4)]
    found["splits_better"] = sum(one > 0 for one in agreement)
    found["splits_worse"] = sum(one < 0 for one in agreement)
    return found


def main() -> None:
    """Prints the figures and stores them."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.suggestions", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder of the real data")
    parser.add_argument("--splits", type=int, default=SPLITS)
    parser.add_argument("-o", "--output", type=Path, default=OUTPUT)
    arguments = parser.parse_args()
    if not arguments.data.is_dir():
        print(f"The real data are not at {arguments.data}: nothing can be suggested.")
        return
    samples = measured(arguments.data, PROFILE)
    figures = {}
    for centre in CENTRES:
        profile = profile_without(centre, samples)
        pages = read_pages(arguments.data / "help" / centre.pages)
        with using(learnt_without(centre.company)):
            trials = Trials(profile, centre.load(arguments.data))
            found = measured_on(trials, centre, pages, arguments.splits)
        figures[centre.name] = found
        print(f"{centre.name}  {found['before']}", flush=True)
        for kind, one in found["kinds"].items():
            print(f"  {kind:<30} {one}", flush=True)
    arguments.output.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    print(f"Written to {arguments.output}")


if __name__ == "__main__":
    main()
