"""``python -m benchmarks.left_out``: what the scores are worth for a company never seen.

For each help centre the weights, the line and the cuts of the default profile are learnt from the
rated turns of the other companies in its language, and its own turns are scored with those.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
from scipy.stats import spearmanr

from klopt import Scorer, Turn
from klopt.tuning.fitting import Settings, fit, measuring
from klopt.tuning.samples import Sample, samples
from training.profile import base_profile
from training.rated_turns import CENTRES, Centre, english_turns

OUTPUT: Final = Path(__file__).parent / "left_out.json"
TRANSLATED: Final = Centre("gnome", "en", "turns-nl/dev.jsonl", "en")
"""The Dutch turns of the first centre in English translation."""
UNSCORED: Final = 3.0
"""What an answer without a score counts as when answers are put in order."""


def turns_of(centre: Centre, data: Path) -> list[Turn]:
    """The turns of a centre."""
    return english_turns(data) if centre is TRANSLATED else centre.load(data)


def measured(data: Path) -> dict[Centre, list[Sample]]:
    """The rated turns of all centres, every heuristic measured."""
    scorer = Scorer(measuring(base_profile()), all_types=True)
    found = {}
    for centre in (*CENTRES, TRANSLATED):
        turns = turns_of(centre, data)
        found[centre] = samples((turn, scorer.score(turn, measure_all=True)) for turn in turns)
    return found


def left_out(found: Mapping[Centre, Sequence[Sample]]) -> dict[str, dict[str, Any]]:
    """For each centre Spearman with the ratings, learnt without its company."""
    figures: dict[str, dict[str, Any]] = {}
    for centre, own in found.items():
        others = [
            sample
            for other, some in found.items()
            if other.company != centre.company and other.language == centre.language
            for sample in some
        ]
        learnt = fit(others, base_profile(), Settings())
        scores = [learnt.walk(sample).score for sample in own]
        ranked = [UNSCORED if score is None else score for score in scores]
        rho = spearmanr(ranked, [sample.rating for sample in own]).statistic
        figures[centre.name] = {"n": len(own), "spearman": round(float(rho), 3)}
    for language in ("nl", "en"):
        rhos = [one["spearman"] for name, one in figures.items() if name.endswith(language)]
        figures[f"mean {language}"] = {"spearman": round(float(np.mean(rhos)), 3)}
    return figures


def main() -> None:
    """Prints the figures and stores them."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.left_out", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder of the real data")
    parser.add_argument("-o", "--output", type=Path, default=OUTPUT)
    arguments = parser.parse_args()
    if not arguments.data.is_dir():
        print(f"The real data are not at {arguments.data}: no company can be left out.")
        return
    figures = left_out(measured(arguments.data))
    for name, one in figures.items():
        print(f"{name:<12} {'  '.join(f'{key} {value}' for key, value in one.items())}")
    arguments.output.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    print(f"Written to {arguments.output}")


if __name__ == "__main__":
    main()
