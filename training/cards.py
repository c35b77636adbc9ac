"""Model cards, written from what was measured."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from string import Template
from typing import Final

from training.packing import SOURCES, VERSION

TEMPLATE: Final = Path(__file__).parent / "model_card.md"
LANGUAGE_NAMES: Final = {"en": "English", "nl": "Dutch"}
LEMMA_NOTES: Final = {
    "nl": "separable verbs and compounds carry `_` (`uit_zetten`, `netwerk_kabel`).",
    "en": "lower case but for names.",
}
MEASURES: Final = {
    "uas": "UAS",
    "las": "LAS",
    "uas_all": "UAS, all",
    "las_all": "LAS, all",
    "pos": "Part of speech",
    "lemma": "Lemma",
    "nsubj_f": "F1 of nsubj",
    "subjects_f": "F1 of all subject labels",
    "root": "Root",
}
STEP_MEASURES: Final = ("uas", "las", "pos", "root")
RUNS: Final = {"first": "first", "without_own": "refined without our sentences", "final": "final"}
MEGABYTE: Final = 1_000_000

Scores = Mapping[str, Mapping[str, Mapping[str, float]]]


@dataclass(frozen=True)
class Facts:
    """What a card says besides scores; `steps` are those of the best pipeline of each stage."""

    language: str
    seed: int
    steps: tuple[int, int]
    own_count: int
    imperative_count: int
    heldout_count: int
    hash: str


def write_card(folder: Path, facts: Facts, scores: Scores) -> None:
    """Write ``MODEL_CARD.md`` beside a packed pipeline."""
    meta = json.loads((folder / "meta.json").read_text("utf-8"))
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    sources = tomllib.loads(SOURCES.read_text("utf-8"))[facts.language]
    card = Template(TEMPLATE.read_text("utf-8")).substitute(
        language=facts.language,
        language_name=LANGUAGE_NAMES[facts.language],
        name=meta["name"],
        version=VERSION,
        date=datetime.now(UTC).date().isoformat(),
        size=f"{size / MEGABYTE:.1f} MB",
        spacy_version=meta["spacy_version"],
        seed=facts.seed,
        steps=facts.steps[0],
        refine_steps=facts.steps[1],
        own_count=facts.own_count,
        components=", ".join(meta["pipeline"]),
        hash=facts.hash,
        sources="\n".join(_source(source) for source in sources),
        scores=_table(
            [
                (f"{name}, {kind}", [scores[run][part][measure] for run in scores])
                for measure, name in MEASURES.items()
                for kind, part in (("gold words", "dev_gold"), ("text", "dev_text"))
            ],
            scores,
        ),
        imperative_count=facts.imperative_count,
        heldout_count=facts.heldout_count,
        step_scores=_table(
            [
                (f"{MEASURES[measure]}, {kind}", [scores[run][part][measure] for run in scores])
                for measure in STEP_MEASURES
                for kind, part in (("imperatives", "imperatives"), ("held out", "heldout_steps"))
            ],
            scores,
        ),
        lemma_note=LEMMA_NOTES[facts.language],
    )
    (folder / "MODEL_CARD.md").write_text(card, "utf-8")


def _source(source: Mapping[str, str]) -> str:
    where = f", {source['url']}" if source["url"] else ""
    return f"- {source['name']} ({source['author']}{where}): {source['license']}"


def _table(rows: list[tuple[str, list[float]]], scores: Scores) -> str:
    order = [run for run in RUNS if run in scores]
    runs = list(scores)
    lines = [
        f"| | {' | '.join(RUNS[run] for run in order)} |",
        f"|---|{'---:|' * len(order)}",
    ]
    for name, values in rows:
        by_run = dict(zip(runs, values, strict=True))
        lines.append(f"| {name} | {' | '.join(f'{by_run[run]:.3f}' for run in order)} |")
    return "\n".join(lines)
