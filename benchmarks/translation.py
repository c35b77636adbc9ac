"""``python -m benchmarks.translation``: what reading Dutch turns in English translation brings.

The memory is made of what the real data have in both languages: the pages, and the turns with
their own translation. So the figures are those of a good translation; an online translator may do
worse. The default profile was learnt from these very turns: its first figures are in-sample, and
those of what was learnt without their company follow.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

from benchmarks.measured import say
from benchmarks.memories import (
    SOURCE,
    TARGET,
    Coverage,
    build,
    coverage,
    message_pairs,
    page_pairs,
    turn_pairs,
)
from benchmarks.rated_figures import RATED, RESAMPLING
from benchmarks.rated_sets import PROFILES
from benchmarks.text_tables import figure, grid, number, percent
from benchmarks.translation_speed import throughput
from klopt import Scorer, Turn, __version__
from klopt.comparing import using
from klopt.evaluation import Estimate
from klopt.evaluation.comparison import Comparison, compare
from klopt.evaluation.rated import Rated, select, translated_rows
from klopt.scoring.interpretation import Scope, Translate
from klopt.scoring.profile import Profile
from klopt.translation.interpreter import MemoryInterpreter
from klopt.translation.memory import Memory
from training.companies import learnt_without, measured, weights_without
from training.profile import base_profile
from training.rated_turns import CENTRES, english_turns, real_pages, real_turns

OUTPUT: Final = Path(__file__).parent / "translation.json"
FIGURES: Final = (
    "Spearman's rho",
    "AUC, true over untrue",
    "rated 1 and below 3",
    "rated 5 and below 3",
)
SHARES: Final = FIGURES[2:]
SCOPES: Final[tuple[Scope, ...]] = ("marked", "whole")
HEAD: Final = ("", "n", "rho", "AUC", "1 star < 3", "5 stars < 3")
TARGET_SHARE: Final = 0.5
COMPANY: Final = CENTRES[0].company
"""Whose turns are read."""


@dataclass(frozen=True, slots=True)
class Way:
    """The turns read in one way.

    Attributes:
        rows: Those that are scored and judged.
        on_original: Turns that were scored on the original as they could not be translated.
    """

    rows: tuple[Rated, ...]
    on_original: int = 0

    def figures(self) -> dict[str, Estimate]:
        """The figures of the rows."""
        return {name: RATED[name](self.rows) for name in FIGURES}

    def less(self, other: Way, names: tuple[str, str]) -> Comparison:
        """This way less another, on the same turns."""
        theirs = {row.place: row for row in other.rows}
        pairs = [(row, theirs[row.place]) for row in self.rows if row.place in theirs]
        return compare(names, pairs, RESAMPLING)


def read(turns: Sequence[Turn], scorer: Scorer) -> Way:
    """Scores the turns, everything measured."""
    assessments = [scorer.score(turn, measure_all=True) for turn in turns]
    counts = translated_rows(assessments)
    on_original = 0 if counts is None else sum(counts.on_original.values())
    return Way(select(turns, assessments), on_original)


def scorer(profile: Profile, memory: Memory | None = None, scope: Scope = "marked") -> Scorer:
    """A scorer of all message types that reads a translation from a memory, or the original."""
    translate = None
    if memory is not None:
        translate = Translate(MemoryInterpreter(memory, target=TARGET), scope)
    return Scorer(profile, all_types=True, translate=translate)


def ways(profile: Profile, data: Path, memory: Memory) -> dict[str, Way]:
    """The turns by a profile: as they are, in translation, and their translations as they are."""
    turns = real_turns(data)
    found = {"original": read(turns, scorer(profile))}
    for scope in SCOPES:
        found[scope] = read(turns, scorer(profile, memory, scope))
    found["english"] = read(english_turns(data), scorer(profile))
    say(f"scored by {profile.name}")
    return found


def without_their_company(data: Path) -> Profile:
    """The default profile as all other companies teach it; a labelled term has no weight in it."""
    profile = base_profile()
    weights = weights_without(COMPANY, measured(data, profile), profile)
    say(f"learnt without {COMPANY}")
    return dataclasses.replace(profile, tree=weights.tree, evidence=weights.evidence)


def agreement(found: Mapping[str, Way], *, features: bool = True) -> dict[str, Any]:
    """The figures of each way, and its differences to the original.

    Args:
        found: The ways, the original first.
        features: Feature by feature too.
    """
    original = found["original"]
    table: dict[str, Any] = {}
    for name, way in found.items():
        table[name] = {
            "n": len(way.rows),
            "on_original": way.on_original,
            "figures": {what: _plain(one) for what, one in way.figures().items()},
        }
        if name != "original":
            less = way.less(original, (name, "original"))
            table[name]["less"] = {
                "n": less.n,
                "differ": less.differ_count,
                "rho": _plain(less.spearman_difference),
                "auc": _plain(less.auc_difference),
                "p_first_better": less.p_first_better,
                "features": {
                    one.name: {
                        "n": one.n,
                        "differ": one.differ_count,
                        "rho": one.first,
                        "original": one.second,
                        "difference": _plain(one.spearman_difference),
                    }
                    for one in less.features
                    if features and one.differ_count
                },
            }
    return table


def _plain(one: Estimate) -> dict[str, Any]:
    return {"value": one.value, "low": one.low, "high": one.high, "n": one.n}


def _estimate(one: Mapping[str, Any]) -> Estimate:
    reason = "none" if one["value"] is None else None
    return Estimate(one["value"], one["low"], one["high"], one["n"], reason=reason)


def speed(data: Path, memory: Memory) -> dict[str, Any]:
    """Answers a second of each profile, by each way."""
    turns = real_turns(data)
    found = {}
    for name in PROFILES:
        profile = Profile.load(name)
        makers: dict[str, Callable[[], Scorer]] = {"original": partial(scorer, profile)}
        for scope in SCOPES:
            makers[scope] = partial(scorer, profile, memory, scope)
        found[name] = throughput(turns, makers)
        say(f"speed of {name}")
    return found


def measure(data: Path, folder: Path) -> dict[str, Any]:
    """Everything; the memories are made in a folder of their own."""
    pages, turns = page_pairs(data), turn_pairs(data)
    sources = {
        "pages and turns": [*pages, *turns],
        "pages": pages,
        "messages (nl.po)": message_pairs(data),
    }
    built = {
        name: build(folder / f"{place}.sqlite", pairs)
        for place, (name, pairs) in enumerate(sources.items())
    }
    say("memories built")
    own = real_pages(data, SOURCE)
    covered = {
        name: coverage(folder / f"{place}.sqlite", own) for place, name in enumerate(sources)
    }
    say("coverage")
    with Memory.open(folder / "0.sqlite", create=False, read_only=True) as memory:
        fast = speed(data, memory)
        read_ways = {one: ways(Profile.load(one), data, memory) for one in PROFILES}
        unseen = without_their_company(data)
        with using(learnt_without(COMPANY)):
            read_unseen = ways(unseen, data, memory)
    return {
        "klopt": __version__,
        "memories": {name: dataclasses.asdict(one) for name, one in built.items()},
        "coverage": {name: dataclasses.asdict(one) for name, one in covered.items()},
        "speed": fast,
        "agreement": {
            **{
                f"{name}{', in-sample' if name == 'default' else ''}": agreement(found)
                for name, found in read_ways.items()
            },
            "default, learnt without their company": agreement(read_unseen, features=False),
        },
    }


def lines(found: Mapping[str, Any]) -> list[str]:
    """The figures as text."""
    result: list[str] = []
    for name, table in found["agreement"].items():
        result += _agreement(name, table)
    covered = [
        [name, *(str(one[key]) for key in ("pairs", "entries", "seconds")), *_shares(some)]
        for (name, one), some in zip(
            found["memories"].items(), found["coverage"].values(), strict=True
        )
    ]
    head = ("memory of", "pairs", "entries", "seconds", "sentences", "pages whole")
    result += grid("Memories, and how much of the Dutch pages each has", head, covered)
    rows = [
        [
            f"{profile}, {name}",
            f"{one['answers_s']:.1f}",
            f"{one['share']:.2f}",
            "" if name == "original" else "met" if one["share"] >= TARGET_SHARE else "missed",
        ]
        for profile, some in found["speed"].items()
        for name, one in some.items()
    ]
    title = (
        "Answers a second of one core with a warm memory, and the share of the original (target "
        f"{TARGET_SHARE})"
    )
    return [*result, *grid(title, ("", "answers/s", "share", "target"), rows)]


def _agreement(profile: str, table: Mapping[str, Any]) -> list[str]:
    rows, less, features = [], [], []
    for name, one in table.items():
        cells = [
            (percent if what in SHARES else figure)(_estimate(value))
            for what, value in one["figures"].items()
        ]
        rows.append([name, str(one["n"]), *cells])
        if "less" not in one:
            continue
        some = one["less"]
        gains = [figure(_estimate(some[key]), signed=True) for key in ("rho", "auc")]
        less.append([name, str(some["n"]), str(some["differ"]), *gains])
        features += [
            [
                f"{name}: {feature}",
                *(str(values[key]) for key in ("n", "differ")),
                *(number(values[key]) for key in ("original", "rho")),
                figure(_estimate(values["difference"]), signed=True),
            ]
            for feature, values in some["features"].items()
        ]
    untranslated = max(one["on_original"] for one in table.values())
    return [
        *grid(f"{profile}: agreement with the ratings, 95% intervals", HEAD, rows),
        f"  ({untranslated} turns could not be translated and were scored on the original)",
        *grid(
            f"{profile}: less the original, on the same turns",
            ("", "n", "differ", "rho", "AUC"),
            less,
        ),
        *grid(
            f"{profile}: rho of each feature that differs",
            ("", "n", "differ", "original", "so read", "difference"),
            features,
        ),
    ]


def _shares(one: Mapping[str, int]) -> tuple[str, str]:
    some = Coverage(**one)
    return (
        f"{some.sentences_found / some.sentences:.1%}",
        f"{some.pages_whole} of {some.pages}",
    )


def main() -> None:
    """Prints the figures and writes them as JSON."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.translation", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder of the real data")
    parser.add_argument("-o", "--output", type=Path, default=OUTPUT)
    arguments = parser.parse_args()
    if not (arguments.data / "turns-nl").is_dir():
        parser.error(f"the turns are not at {arguments.data / 'turns-nl'}")
    with tempfile.TemporaryDirectory() as folder:
        found = measure(arguments.data, Path(folder))
    print("\n".join(lines(found)))
    rounded = json.loads(json.dumps(found), parse_float=lambda one: round(float(one), 4))
    arguments.output.write_text(json.dumps(rounded, indent=1) + "\n", encoding="utf-8")
    print(f"Written to {arguments.output}.")


if __name__ == "__main__":
    main()
