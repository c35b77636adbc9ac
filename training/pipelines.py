"""`make pipelines`: train the bundled pipelines, with their scores and model cards.

    python -m training.pipelines --treebanks DIR --output klopt/text/pipelines

DIR holds ``nl-train.conllu``, ``nl-dev.conllu``, ``en-train.conllu`` and ``en-dev.conllu``.
"""

import argparse
import json
import shutil
import tempfile
import tomllib
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import jinja2
import spacy
from spacy.cli.train import train
from spacy.language import Language
from spacy.strings import StringStore
from spacy.util import load_config, registry
from thinc.api import Config

from klopt.text.pipelines import hash_of
from klopt.text.pipelines.lemma_rules import FACTORY, Tables
from training.lemmas import count
from training.steps import FOLDER, generate
from training.treebanks import Sentence, imperatives, measure, read_conllu, to_docbin

HERE: Final = Path(__file__).parent
SEED: Final = 20261122
PER_TEMPLATE: Final = 7
LANGUAGES: Final = ("nl", "en")
PARTS: Final = ("train", "dev")
MARKS_STRUCTURE: Final = frozenset({"nl"})
RESTORE: Final = "klopt_restore_trees.v1"

Scores = dict[str, dict[str, float]]


def main(arguments: Sequence[str] | None = None) -> int:
    """Parse the command line and make every language's pipeline."""
    parser = argparse.ArgumentParser(prog="python -m training.pipelines")
    parser.add_argument("--treebanks", type=Path, required=True, help="folder of CoNLL-U files")
    parser.add_argument("--output", type=Path, default=Path("klopt/text/pipelines"))
    parser.add_argument("--languages", nargs="+", choices=LANGUAGES, default=list(LANGUAGES))
    parser.add_argument("--steps", type=int, help="training steps of each stage, for a trial")
    options = parser.parse_args(arguments)
    names = [f"{language}-{part}.conllu" for language in options.languages for part in PARTS]
    if missing := [name for name in names if not (options.treebanks / name).is_file()]:
        parser.error(f"missing in {options.treebanks}: {', '.join(missing)}")
    for language in options.languages:
        with tempfile.TemporaryDirectory() as work:
            make(language, options, Path(work))
    return 0


def make(language: str, options: argparse.Namespace, work: Path) -> None:
    """Train, pack, measure and describe one language's pipeline."""
    treebank, dev = (
        list(read_conllu(options.treebanks / f"{language}-{part}.conllu")) for part in PARTS
    )
    held_out = list(read_conllu(FOLDER / f"{language}-heldout.conllu"))
    own = generate(language, seed=SEED, per_template=PER_TEMPLATE)
    tables = count([*treebank, *own], marks_structure=language in MARKS_STRUCTURE)

    def measured(nlp: Language) -> Scores:
        return {
            "dev_gold": measure(nlp, dev, gold_words=True),
            "dev_text": measure(nlp, dev, gold_words=False),
            "imperatives": measure(nlp, imperatives(dev), gold_words=True),
            "heldout_steps": measure(nlp, held_out, gold_words=True),
        }

    print(f"[{language}] first stage: {len(treebank)} sentences of treebanks", flush=True)
    config = load_config(HERE / "pipeline.cfg")
    config["nlp"]["lang"] = language
    config["paths"] = {
        "train": str(_convert(work / "treebank.spacy", treebank, seed=SEED)),
        "dev": str(_convert(work / "dev.spacy", dev)),
    }
    steps = {"steps": _set_steps(config, options.steps)}
    first = trained(config, work / "first")
    scores = {"first": measured(with_rules(first, tables))}
    print(f"[{language}] second stage: {len(own)} sentences of our own too", flush=True)
    config["paths"]["train"] = str(_convert(work / "final.spacy", treebank, own, seed=SEED))
    config = second_stage(config, first)
    steps["refine_steps"] = _set_steps(config, options.steps)
    nlp = with_rules(trained(config, work / "final"), tables)
    target = options.output / language
    pack(nlp, target, measure(nlp, dev, gold_words=True))
    scores["final"] = measured(spacy.load(target))
    (target / "scores.json").write_text(json.dumps(scores, indent=2) + "\n", "utf-8")
    counts = {"own": len(own), "imperatives": len(imperatives(dev)), "held_out": len(held_out)}
    card = card_of(target, scores, **steps, counts=counts, date=datetime.now(UTC).date())
    (target / "MODEL_CARD.md").write_text(card, "utf-8")
    print(f"[{language}] in {target}: {json.dumps(scores['final'])}", flush=True)


def _convert(path: Path, *corpora: list[Sentence], seed: int | None = None) -> Path:
    vocab = spacy.blank("xx").vocab
    first, *others = [to_docbin(vocab, corpus, seed=seed) for corpus in corpora]
    for other in others:
        first.merge(other)
    first.to_disk(path)
    return path


@registry.callbacks(RESTORE)  # type: ignore[untyped-decorator]
def restore_trees() -> Callable[[Language], Language]:
    """Return a callback that lets a lemmatizer from disk continue its training.

    spaCy 3.8 does not restore which edit tree belongs to which label, so that every word would be
    trained with label 0.
    """

    def restore(nlp: Language) -> Language:
        lemmatizer: Any = nlp.get_pipe("trainable_lemmatizer")
        labels = lemmatizer.cfg.get("labels", ())
        lemmatizer.tree2label = {tree: label for label, tree in enumerate(labels)}
        return nlp

    return restore


def second_stage(config: Config, first: Path) -> Config:
    """Return the configuration of the second stage, which initialises no component."""
    config = config.merge(load_config(HERE / "refine.cfg"))
    config["components"] = {name: {"source": str(first)} for name in config["nlp"]["pipeline"]}
    config["initialize"] = {"before_init": {"@callbacks": RESTORE}}
    return config


def _set_steps(config: Config, steps: int | None) -> int:
    """Shorten a stage if ``steps`` is given, and return its number of steps."""
    training = config["training"]
    if steps:
        training["max_steps"] = steps
        if isinstance(rate := training["optimizer"]["learn_rate"], dict):
            rate["total_steps"] = steps
    return int(training["max_steps"])


def trained(config: Config, folder: Path) -> Path:
    """Train by a configuration, and return the folder of the best evaluation."""
    folder.mkdir()
    config.to_disk(folder / "config.cfg")
    train(folder / "config.cfg", folder)
    return folder / "model-best"


def with_rules(folder: Path, tables: Tables) -> Language:
    """Load a trained pipeline and add our lemma rules as its last component."""
    nlp = spacy.load(folder)
    rules: Any = nlp.add_pipe(FACTORY, last=True)
    rules.tables = tables
    return nlp


def pack(nlp: Language, target: Path, performance: dict[str, float]) -> None:
    """Write the pipeline, reduced and without local paths, and replace `target` by it."""
    output = target.with_name(f".{target.name}.new")
    shutil.rmtree(output, ignore_errors=True)
    output.parent.mkdir(parents=True, exist_ok=True)
    nlp.to_disk(output)
    _prune_strings(nlp, output / "vocab" / "strings.json")
    config = Config().from_disk(output / "config.cfg", interpolate=False)
    kept = Config({section: config[section] for section in ("nlp", "components")})
    kept.to_disk(output / "config.cfg")
    meta: dict[str, Any] = json.loads((output / "meta.json").read_text("utf-8"))
    about = tomllib.loads((HERE / "sources.toml").read_text("utf-8"))
    meta.update(**about["meta"], sources=about[meta["lang"]], performance=performance)
    meta.pop("spacy_git_version", None)
    text = json.dumps(meta, ensure_ascii=False, indent=2) + "\n"
    (output / "meta.json").write_text(text, "utf-8")
    shutil.rmtree(target, ignore_errors=True)
    output.rename(target)


def _prune_strings(nlp: Language, path: Path) -> None:
    """Keep only the strings that a component looks up by hash."""
    lemmatizer: Any = nlp.get_pipe("trainable_lemmatizer")
    parser: Any = nlp.get_pipe("parser")
    morphologizer: Any = nlp.get_pipe("morphologizer")
    strings = nlp.vocab.strings
    kept = {*parser.labels, *morphologizer.labels}
    for number in range(len(lemmatizer.trees)):
        node = lemmatizer.trees[number]
        kept.update(strings[node[side]] for side in ("orig", "subst") if side in node)
    StringStore(sorted(kept)).to_disk(path)


def card_of(folder: Path, scores: dict[str, Scores], **facts: object) -> str:
    """Return the model card of a packed pipeline; ``facts`` are variables of its template."""
    template = jinja2.Template(
        (HERE / "model_card.md").read_text("utf-8"), undefined=jinja2.StrictUndefined,
        trim_blocks=True, keep_trailing_newline=True, autoescape=False,
    )  # fmt: skip
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    card: str = template.render(
        facts,
        meta=json.loads((folder / "meta.json").read_text("utf-8")),
        size=f"{size / 1e6:.1f} MB",
        seed=SEED,
        hash=hash_of(folder),
        scores=scores,
    )
    return card


if __name__ == "__main__":
    raise SystemExit(main())
