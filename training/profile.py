"""``python -m training.profile``: learns the default profile from the rated turns.

In three steps, each by what ``klopt fit`` does:

1. Dutch: the rated turns over the real help centre, and answers made from its pages; the cuts of
   the tree are learnt here.
2. English: the same turns in translation, over the English pages, and answers made from those.
3. English, Solution Coverage alone: the labelled TechQA answers, whose pages have headings such
   as "Resolving the problem", which those of the help centre do not have.
"""

from __future__ import annotations

import argparse
import dataclasses
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from klopt import Page, Scorer, Turn, lexicons
from klopt.reading.reader import Reader
from klopt.scoring.profile import Profile
from klopt.tuning.corruption import synthesise
from klopt.tuning.fitting import Learnt, Settings, figures, fit, held_out_scores, measuring
from klopt.tuning.profile_file import to_toml
from klopt.tuning.samples import Sample, samples
from training.rated_turns import english_turns, real_pages, real_turns, techqa_turns

BASE: Final = Path(__file__).parent / "default_profile.toml"
OUTPUT: Final = Path(__file__).parent.parent / "klopt" / "scoring" / "profiles" / "default.toml"
MADE_COUNT: Final = 1_000
LABELLED: Final = ("solution_coverage",)


def base_profile() -> Profile:
    """The tree and the heuristics, before anything is learnt."""
    return Profile.read(BASE.read_text("utf-8"), where=str(BASE), folder=BASE.parent)


def learnt_profile(base: Profile, learnt: Learnt) -> Profile:
    """The profile with what was learnt."""
    return dataclasses.replace(
        base, tree=learnt.tree, evidence=learnt.evidence, learnt_from=learnt.rows
    )


def measured(turns: Sequence[Turn], *, made: bool = False) -> list[Sample]:
    """The turns as samples, every heuristic measured."""
    scorer = Scorer(measuring(base_profile()), all_types=True)
    return samples(((turn, scorer.score(turn, measure_all=True)) for turn in turns), made=made)


def made_turns(pages: Sequence[Page], language: str, seed: int) -> list[Turn]:
    """True and untrue answers made from help pages."""
    reader = Reader(lexicons.load(language))
    return [one.turn for one in synthesise(pages, reader, seed=seed, count=MADE_COUNT)]


def rated_samples(data: Path, language: str, seed: int) -> list[Sample]:
    """The rated turns of a language, and the answers made from its pages."""
    turns = real_turns(data) if language == "nl" else english_turns(data)
    made = made_turns(real_pages(data, language), language, seed)
    return measured(turns) + measured(made, made=True)


def learn(data: Path, seed: int = 0) -> tuple[Learnt, list[str]]:
    """What the default profile holds, and what to say of it."""
    profile = base_profile()
    head: list[str] = []
    for language in ("nl", "en"):
        settings = Settings(seed=seed, cuts=language == "nl")
        found = rated_samples(data, language, seed)
        head += _lines(f"Rated turns, {language}", found, profile, settings)
        profile = learnt_profile(profile, fit(found, profile, settings))
    labelled = measured(techqa_turns(data))
    settings = Settings(seed=seed, only=LABELLED)
    head += _lines("TechQA answers, en", labelled, profile, settings)
    return fit(labelled, profile, settings), head


def _lines(what: str, found: Sequence[Sample], profile: Profile, settings: Settings) -> list[str]:
    scores = held_out_scores(found, profile, settings)
    held_out = figures(found, scores, profile.send_from)
    return [
        line
        for lines in held_out.values()
        for line in (f"{what}, held out by page:", *(f"  {figure}" for figure in lines))
    ]


def main() -> None:
    """Learns the profile and writes it."""
    parser = argparse.ArgumentParser(prog="python -m training.profile", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder of the real data")
    parser.add_argument("-o", "--output", type=Path, default=OUTPUT)
    arguments = parser.parse_args()
    if not arguments.data.is_dir():
        sys.exit(f"There is no folder {arguments.data}: the default profile is learnt from it.")
    learnt, lines = learn(arguments.data)
    head = [
        "The profile that klopt uses unless another is named. Its cuts and weights were learnt by",
        "`make profile`; docs/default-profile.md says from what, and how far to trust it.",
        "",
        *lines,
    ]
    text = to_toml(
        BASE.read_text("utf-8"), learnt, languages=("nl", "en"), name="default", head=head
    )
    arguments.output.write_text(text, encoding="utf-8")
    print("\n".join(lines))
    print(f"Written to {arguments.output}")


if __name__ == "__main__":
    main()
