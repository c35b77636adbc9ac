"""``python -m training.profile``: learns the default profile from the rated turns.

From the rated answers of all help centres, each measured with what was learnt without its
company, in both languages together. Where answers are sent and blocked follows from risk: by the
scores of each company under weights learnt from all others. English, Solution Coverage and Solution
Known come from the labelled TechQA answers, whose pages have headings such as "Resolving the
problem".
"""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path
from typing import Final

from klopt import Scorer
from klopt.tuning.fitting import FitSettings, LearntWeights, fit, measuring
from klopt.tuning.lines import DrawnLines
from klopt.tuning.profile_file import to_toml
from klopt.tuning.samples import samples
from training.command import given
from training.companies import BASE, LeftOut
from training.rated_turns import techqa_turns

OUTPUT: Final = Path(__file__).parent.parent / "klopt" / "scoring" / "profiles" / "default.toml"
LABELLED: Final = ("solution_coverage", "solution_known")
HELD_BACK: Final = 0.10
"""Of the answers that are labelled right, so many may fall below the line."""
HEAD: Final = (
    "The profile that klopt uses unless another is named. Its weights and lines were learnt by",
    "`make profile`; docs/default-profile.md says from what, and how far to trust it.",
)


def learn(data: Path) -> tuple[LearntWeights, DrawnLines]:
    """What the default profile holds."""
    rated = LeftOut.measured(data)
    learnt, lines = rated.weights(""), rated.lines("")
    profile = dataclasses.replace(
        rated.profile, tree=learnt.tree, evidence=learnt.evidence, send_from=lines.send_from
    )
    scorer = Scorer(measuring(profile), all_types=True)
    turns = techqa_turns(data)
    labelled = samples((turn, scorer.score(turn, measure_all=True)) for turn in turns)
    added = fit(labelled, profile, FitSettings(only=LABELLED, held_back_share=HELD_BACK))
    rows = {
        language: added.rows.get(language, frozenset()) | learnt.rows.get(language, frozenset())
        for language in profile.languages
    }
    return dataclasses.replace(added, rows=rows), lines


def main() -> None:
    """Learns the profile and writes it."""
    arguments = given(__doc__, OUTPUT)
    learnt, lines = learn(arguments.data)
    base = BASE.read_text("utf-8")
    text = to_toml(base, learnt, languages=("nl", "en"), name="default", head=HEAD)
    for name, value in lines._asdict().items():
        text = re.sub(rf"^{name} = .*$", f"{name} = {value:g}", text, flags=re.MULTILINE)
    arguments.output.write_text(text, encoding="utf-8")
    print(f"block below {lines.block_below:g}, send from {lines.send_from:g}")
    print(f"Written to {arguments.output}")


if __name__ == "__main__":
    main()
