"""`make pipelines`: from CoNLL-U files to the bundled pipelines, their scores and model cards.

    python -m training.pipelines --treebanks DIR --output klopt/pipelines

DIR holds ``nl-train.conllu``, ``nl-dev.conllu``, ``en-train.conllu`` and ``en-dev.conllu``.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import spacy
from spacy.language import Language

from klopt.pipelines import hash_of
from training.evaluation import imperatives, measure
from training.lemmas import count
from training.packing import pack, with_rules, write_card
from training.stages import step_count, train_first, train_second
from training.steps import FOLDER, generate
from training.treebanks import Sentence, read_conllu, to_docbin

SEED: Final = 20261122
PER_TEMPLATE: Final = 7
LANGUAGES: Final = ("nl", "en")
MARKS_STRUCTURE: Final = frozenset({"nl"})

Scores = dict[str, dict[str, float]]


def main(arguments: Sequence[str] | None = None) -> int:
    """Parse the command line and make every language's pipeline."""
    parser = argparse.ArgumentParser(prog="python -m training.pipelines")
    parser.add_argument("--treebanks", type=Path, required=True, help="folder of CoNLL-U files")
    parser.add_argument("--output", type=Path, default=Path("klopt/pipelines"))
    parser.add_argument("--languages", nargs="+", choices=LANGUAGES, default=list(LANGUAGES))
    parser.add_argument("--steps", type=int, help="training steps of each stage, for a trial")
    options = parser.parse_args(arguments)
    missing = [
        str(path)
        for language in options.languages
        for part in ("train", "dev")
        if not (path := options.treebanks / f"{language}-{part}.conllu").is_file()
    ]
    if missing:
        parser.error(f"not there: {', '.join(missing)}")
    with tempfile.TemporaryDirectory() as temporary:
        for language in options.languages:
            make(language, options, Path(temporary) / language)
    return 0


def make(language: str, options: argparse.Namespace, work: Path) -> None:
    """Train, pack, measure and describe one language's pipeline."""
    work.mkdir(parents=True, exist_ok=True)
    treebank = list(read_conllu(options.treebanks / f"{language}-train.conllu"))
    dev = list(read_conllu(options.treebanks / f"{language}-dev.conllu"))
    own = generate(language, seed=SEED, per_template=PER_TEMPLATE)
    _say(language, f"{len(treebank)} sentences of treebanks, {len(own)} of our own")
    dev_file = _convert(work / "dev.spacy", dev)
    first = work / "first" / "model-best"
    _say(language, "first stage: treebanks")
    corpus = _convert(work / "treebank.spacy", treebank, seed=SEED)
    train_first(language, corpus, dev_file, work / "first", steps=options.steps)
    tables = count([*treebank, *own], marks_structure=language in MARKS_STRUCTURE)
    scores: dict[str, Scores] = {}
    scores["first"] = _measure(language, with_rules(first, tables), dev)
    folder = work / "final" / "model-best"
    _say(language, "second stage")
    corpus = _convert(work / "final.spacy", treebank, own, seed=SEED)
    train_second(language, first, corpus, dev_file, work / "final", steps=options.steps)
    scores["final"] = _measure(language, with_rules(folder, tables), dev)
    target = options.output / language
    pack(with_rules(folder, tables), target, scores["final"]["dev_gold"])
    packed = spacy.load(target)
    scores["final"] = _measure(language, packed, dev)
    (target / "scores.json").write_text(json.dumps(scores, indent=2) + "\n", "utf-8")
    facts = {
        "seed": SEED,
        "steps": step_count(work / "first" / "model-best"),
        "refine_steps": step_count(work / "final" / "model-best"),
        "own_count": len(own),
        "imperative_count": len(imperatives(dev)),
        "heldout_count": len(_heldout(language)),
        "hash": hash_of(target),
    }
    write_card(target, language, facts, scores)
    _say(language, f"in {target}: {json.dumps(scores['final'])}")


def _convert(path: Path, *corpora: Sequence[Sentence], seed: int | None = None) -> Path:
    vocab = spacy.blank("xx").vocab
    first, *others = [to_docbin(vocab, list(corpus), seed=seed) for corpus in corpora]
    for other in others:
        first.merge(other)
    first.to_disk(path)
    return path


def _measure(language: str, nlp: Language, dev: Sequence[Sentence]) -> Scores:
    return {
        "dev_gold": measure(nlp, dev, gold_words=True),
        "dev_text": measure(nlp, dev, gold_words=False),
        "imperatives": measure(nlp, imperatives(dev), gold_words=True),
        "heldout_steps": measure(nlp, _heldout(language), gold_words=True),
    }


def _heldout(language: str) -> list[Sentence]:
    return list(read_conllu(FOLDER / f"{language}-heldout.conllu"))


def _say(language: str, message: str) -> None:
    print(f"[{language}] {message}", flush=True)


if __name__ == "__main__":
    raise SystemExit(main())
