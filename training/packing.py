"""Makes the folder that is shipped out of a trained pipeline: smaller, and without our paths."""

from __future__ import annotations

import json
import shutil
import tomllib
from pathlib import Path
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
