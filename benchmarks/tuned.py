"""``python -m benchmarks.tuned``: what tuning klopt to a company brings, and the time it takes.

Three help centres, and the demo company. For a help centre all that `default` was learnt from was
learnt from other companies, as in `benchmarks.left_out`; of the demo company it never saw anything.
`klopt company init` reads the pages; the rated answers are split in two halves by the page that
they rest on. From one half the entries that `klopt company suggest` advises are accepted and
`klopt fit` learns from near `default`, beside answers made of pages that the other half does not
rest on; the other half is measured. All in the company's folder, as its people would.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import shutil
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from importlib import resources
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from benchmarks.learning import MADE, figure, scored, started
from benchmarks.left_out import PROFILE
from benchmarks.suggestions import halves
from klopt import Scorer, lexicons
from klopt.batch.pages import read_pages
from klopt.company.folder import Company
from klopt.company.starting import start
from klopt.company.suggesting import suggest
from klopt.company.suggestions import Suggestions
from klopt.company.trials import Trials
from klopt.comparing import using
from klopt.reading.reader import Reader
from klopt.records import Page, Turn
from klopt.scoring.profile import Profile
from klopt.tuning.corruption import synthesise
from klopt.tuning.fitting import FEWEST_SAMPLES, Learnt, fit, measuring
from klopt.tuning.samples import Sample, samples
from training.companies import (
    learnt_without,
    lines_left_out,
    measured,
    scores_left_out,
    weights_without,
)
from training.rated_turns import CENTRES, demo_turns

OUTPUT: Final = Path(__file__).parent / "tuned.json"
SPLITS: Final = 5
LANGUAGE: Final = "nl"
NAMES: Final = ("bc nl", "hr nl", "fin nl")
WAYS: Final = ("default", "folder", "fitted")


class Place(NamedTuple):
    """A company: its pages, its rated answers, and `default` as it is for one never seen."""

    pages: Mapping[str, Page]
    folder: Path
    turns: Sequence[Turn]
    default: Profile
    company: str | None


class Clock:
    """The seconds of the processor that each step takes, one entry for each time."""

    def __init__(self) -> None:
        self.seconds: dict[str, list[float]] = {}

    @contextmanager
    def timing(self, step: str) -> Iterator[None]:
        """Counts what is done within as a step."""
        began = time.process_time()
        yield
        self.seconds.setdefault(step, []).append(time.process_time() - began)


def places(data: Path) -> Iterator[tuple[str, Place]]:
    """The demo company, and each help centre."""
    demo = [one for one in demo_turns() if one.language == LANGUAGE]
    home = Path(str(resources.files("klopt.data").joinpath("demo", "pages", LANGUAGE)))
    yield "demo nl", Place(read_pages(home), home, demo, Profile.load("default"), None)
    found = measured(data, PROFILE)
    lines = lines_left_out(found, scores_left_out(found, PROFILE), PROFILE)
    for centre in CENTRES:
        if centre.name in NAMES:
            learnt = weights_without(centre.company, found, PROFILE)
            home = data / "help" / centre.pages
            default = started(PROFILE, learnt, lines[centre.company])
            yield (
                centre.name,
                Place(read_pages(home), home, centre.load(data), default, centre.company),
            )


def profile_of(company: Company, default: Profile) -> Profile:
    """The company's profile as its folder has it, over that default."""
    return dataclasses.replace(
        company.load(),
        evidence=default.evidence,
        block_below=default.block_below,
        send_from=default.send_from,
    )


def measured_by(profile: Profile, turns: Sequence[Turn], *, made: bool = False) -> list[Sample]:
    """What is learnt from."""
    scorer = Scorer(measuring(profile), all_types=True)
    return samples(((one, scorer.score(one, measure_all=True)) for one in turns), made=made)


def tuned(place: Place, folder: Path, splits: int) -> dict[str, Any]:
    """What each step brings one company, and takes."""
    clock = Clock()
    untouched = Company(folder / "company", "company", (place.folder,))
    with clock.timing("init"):
        own = list({page.id: page for page in place.pages.values()}.values())
        begun = start(untouched, own, LANGUAGE, place.turns)
    reader = Reader(lexicons.load(LANGUAGE))
    with clock.timing("make answers"):
        made = [one.turn for one in synthesise(own, reader, seed=0, count=MADE)]
        made_samples = measured_by(profile_of(untouched, place.default), made, made=True)
    trials = Trials(profile_of(untouched, place.default), place.turns)
    figures: dict[str, list[dict[str, Any]]] = {way: [] for way in WAYS}
    suggested: dict[str, list[int]] = defaultdict(list)
    for seed in range(splits):
        company = dataclasses.replace(untouched, path=folder / f"split{seed}")
        shutil.copytree(untouched.path, company.path)
        half, other = halves(trials, seed)
        with clock.timing("suggest"):
            found = suggest(half, place.pages)
        chosen = [one.suggestion for one in found if one.is_advised]
        Suggestions(company.path).joined(chosen).decided(
            [one.id for one in chosen], "accepted"
        ).write()
        pages_to_mend = sum(one.suggestion.entry is None for one in found)
        suggested["advised"].append(len(chosen))
        suggested["for people to judge"].append(len(found) - len(chosen) - pages_to_mend)
        suggested["pages to mend"].append(pages_to_mend)
        profile = profile_of(company, place.default)
        turns = [one.turn for one in other.answers]
        unseen = measured_by(profile, turns)
        pages = {one.group for one in unseen}
        with clock.timing("fit"):
            seen = measured_by(profile, [one.turn for one in half.answers])
            more = [one for one in made_samples if one.group not in pages]
            learnt = fit([*seen, *more], profile) if len(seen) >= FEWEST_SAMPLES else None
        before = Learnt(profile.tree, profile.evidence)
        plain = Learnt(place.default.tree, place.default.evidence)
        for way, which, some in (
            ("default", plain, measured_by(place.default, turns)),
            ("folder", before, unseen),
            ("fitted", learnt, unseen),
        ):
            if which is not None:
                figures[way].append(_figures(which, some, place.default.send_from))
    counts = {kind.kind: len(kind.entries) for kind in begun.found}
    return {
        "pages": len(own),
        "answers": len(trials.answers),
        "put_in": counts,
        "to_decide_on": len(begun.open),
        "suggested": suggested,
        "seconds": {step: round(float(np.mean(took)), 1) for step, took in clock.seconds.items()},
        **{way: _summed(some) for way, some in figures.items() if len(some) == splits},
    }


def _figures(learnt: Learnt, some: Sequence[Sample], send_from: float) -> dict[str, Any]:
    """How right it is on answers held out."""
    found = figure(scored(learnt, some), some, send_from)
    sent = found.sent
    return {
        "spearman": found.spearman,
        "auc": found.auc,
        "untrue_of_sent": [sent.untrue_count, sent.count],
        "sent_of_true": [sent.true_count, sent.total_true],
    }


def _summed(splits: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Means with the lowest and the highest, and what is sent in all splits."""
    told: dict[str, Any] = {}
    for name in ("spearman", "auc"):
        values = [one[name] for one in splits]
        told[name] = [round(float(one), 3) for one in (np.mean(values), min(values), max(values))]
    for name in ("untrue_of_sent", "sent_of_true"):
        told[name] = [sum(one[name][place] for one in splits) for place in (0, 1)]
    return told


def shown(figures: Mapping[str, Mapping[str, Any]]) -> str:
    """The figures as tables of Markdown. `klopt fit` refuses halves with too few answers."""
    lines = [
        "| company | profile | Spearman | untrue of sent | sent of true |",
        "|---|---|---|---|---|",
    ]
    for name, found in figures.items():
        for way in filter(found.__contains__, WAYS):
            one = found[way]
            mean, low, high = one["spearman"]
            lines.append(
                f"| {name} | {way} | {mean:.2f} ({low:.2f} to {high:.2f}) "
                f"| {one['untrue_of_sent'][0]} of {one['untrue_of_sent'][1]} "
                f"| {one['sent_of_true'][0]} of {one['sent_of_true'][1]} |"
            )
    lines += [
        "",
        "| company | pages | words | names | others | advised | to judge | to mend "
        "| init | suggest | fit |",
        "|" + 11 * "---|",
    ]
    for name, found in figures.items():
        entries, took = found["put_in"], found["seconds"]
        others = sum(entries.values()) - entries["terms"] - entries["names"]
        means = " | ".join(f"{np.mean(counts):.1f}" for counts in found["suggested"].values())
        fit_s = took["make answers"] + took["fit"]
        lines.append(
            f"| {name} | {found['pages']} | {entries['terms']} | {entries['names']} | {others} "
            f"| {means} | {took['init']:.0f} s | {took['suggest']:.0f} s | {fit_s:.0f} s |"
        )
    return "\n".join(lines)


def main() -> None:
    """Prints the figures and stores them."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.tuned", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder of the real data")
    parser.add_argument("--splits", type=int, default=SPLITS)
    parser.add_argument("-o", "--output", type=Path, default=OUTPUT)
    arguments = parser.parse_args()
    if not arguments.data.is_dir():
        print(f"The real data are not at {arguments.data}: no company can be left out.")
        return
    figures = {}
    for name, place in places(arguments.data):
        left_out = nullcontext() if place.company is None else using(learnt_without(place.company))
        with left_out, tempfile.TemporaryDirectory() as folder:
            figures[name] = tuned(place, Path(folder), arguments.splits)
        print(name, json.dumps(figures[name]), flush=True)
    lines = ",\n".join(f"{json.dumps(key)}: {json.dumps(one)}" for key, one in figures.items())
    arguments.output.write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")
    print(shown(figures))
    print(f"Written to {arguments.output}")


if __name__ == "__main__":
    main()
