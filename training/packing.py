"""Makes what is shipped of a trained pipeline: a smaller folder without our paths, and its card."""

from __future__ import annotations

import json
import shutil
import tomllib
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from string import Template
from typing import Any, Final

import spacy
from spacy.language import Language
from spacy.strings import StringStore
from thinc.api import Config

from klopt.pipelines.lemma_rules import FACTORY, LemmaRules, Tables

NAME: Final = "klopt_sm"
VERSION: Final = "0.1.0"
LICENCE: Final = "CC BY-SA 4.0"
SPACY_VERSION: Final = ">=3.8.0,<3.9.0"
KEPT_SECTIONS: Final = ("nlp", "components")
DROPPED_META: Final = ("spacy_git_version",)
SOURCES: Final = Path(__file__).parent / "sources.toml"


def with_rules(folder: Path, tables: Tables) -> Language:
    """A trained pipeline with our lemma rules as its last component."""
    nlp = spacy.load(folder)
    rules = nlp.add_pipe(FACTORY, last=True)
    if not isinstance(rules, LemmaRules):
        raise TypeError(f"{FACTORY} made {type(rules).__name__}")
    rules.tables = tables
    return nlp


def pack(nlp: Language, output: Path, performance: dict[str, float]) -> None:
    """Write the pipeline beside `output`, then put it in its place."""
    target, output = output, output.with_name(f".{output.name}.new")
    shutil.rmtree(output, ignore_errors=True)
    output.parent.mkdir(parents=True, exist_ok=True)
    nlp.to_disk(output)
    _prune_strings(nlp, output / "vocab" / "strings.json")
    config = Config().from_disk(output / "config.cfg", interpolate=False)
    kept = Config({section: config[section] for section in KEPT_SECTIONS})
    kept.to_disk(output / "config.cfg")
    meta: dict[str, Any] = json.loads((output / "meta.json").read_text("utf-8"))
    language = meta["lang"]
    meta.update(
        name=NAME,
        version=VERSION,
        license=LICENCE,
        author="the klopt contributors",
        description="Support text: part of speech, dependencies, lemma. Bundled with klopt.",
        sources=tomllib.loads(SOURCES.read_text("utf-8"))[language],
        spacy_version=SPACY_VERSION,
        performance=performance,
    )
    for key in DROPPED_META:
        meta.pop(key, None)
    text = json.dumps(meta, ensure_ascii=False, indent=2) + "\n"
    (output / "meta.json").write_text(text, "utf-8")
    shutil.rmtree(target, ignore_errors=True)
    output.rename(target)


def _prune_strings(nlp: Language, path: Path) -> None:
    """Keep the strings that a component looks up by hash; not every word of the corpus."""
    lemmatizer: Any = nlp.get_pipe("trainable_lemmatizer")
    parser: Any = nlp.get_pipe("parser")
    morphologizer: Any = nlp.get_pipe("morphologizer")
    strings = nlp.vocab.strings
    kept = {*parser.labels, *morphologizer.labels}
    for number in range(len(lemmatizer.trees)):
        node = lemmatizer.trees[number]
        kept.update(strings[node[side]] for side in ("orig", "subst") if side in node)
    StringStore(sorted(kept)).to_disk(path)


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
PARTS: Final = {"gold words": "dev_gold", "text": "dev_text"}
STEP_MEASURES: Final = ("uas", "las", "pos", "root")
STEP_PARTS: Final = {"imperatives": "imperatives", "held out": "heldout_steps"}

Scores = Mapping[str, Mapping[str, Mapping[str, float]]]


def write_card(folder: Path, language: str, facts: Mapping[str, Any], scores: Scores) -> None:
    """Write ``MODEL_CARD.md`` beside a packed pipeline; facts are what the template names."""
    meta = json.loads((folder / "meta.json").read_text("utf-8"))
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    card = Template(TEMPLATE.read_text("utf-8")).substitute(
        facts,
        language=language,
        language_name=LANGUAGE_NAMES[language],
        name=meta["name"],
        version=VERSION,
        date=datetime.now(UTC).date().isoformat(),
        size=f"{size / 1e6:.1f} MB",
        spacy_version=meta["spacy_version"],
        components=", ".join(meta["pipeline"]),
        sources="\n".join(map(_source, tomllib.loads(SOURCES.read_text("utf-8"))[language])),
        scores=_table(MEASURES, PARTS, scores),
        step_scores=_table(STEP_MEASURES, STEP_PARTS, scores),
        lemma_note=LEMMA_NOTES[language],
    )
    (folder / "MODEL_CARD.md").write_text(card, "utf-8")


def _source(source: Mapping[str, str]) -> str:
    where = f", {source['url']}" if source["url"] else ""
    return f"- {source['name']} ({source['author']}{where}): {source['license']}"


def _table(measures: Iterable[str], parts: Mapping[str, str], scores: Scores) -> str:
    lines = [f"| | {' | '.join(scores)} |", f"|---|{'---:|' * len(scores)}"]
    for measure in measures:
        for kind, part in parts.items():
            cells = " | ".join(f"{scores[run][part][measure]:.3f}" for run in scores)
            lines.append(f"| {MEASURES[measure]}, {kind} | {cells} |")
    return "\n".join(lines)
