"""The two training stages, as spaCy configurations."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from spacy.cli.train import train
from spacy.language import Language
from spacy.util import load_config, registry
from thinc.api import Config

HERE: Final = Path(__file__).parent
FIRST: Final = HERE / "pipeline.cfg"
SECOND: Final = HERE / "refine.cfg"
RESTORE: Final = "klopt_restore_trees.v1"


@registry.callbacks(RESTORE)  # type: ignore[untyped-decorator]
def restore_trees() -> Callable[[Language], Language]:
    """Lets a lemmatizer that was read from disk go on learning.

    spaCy 3.8 does not restore which edit tree belongs to which label, so every word would be
    taught label 0.
    """

    def restore(nlp: Language) -> Language:
        lemmatizer: Any = nlp.get_pipe("trainable_lemmatizer")
        labels = lemmatizer.cfg.get("labels", ())
        lemmatizer.tree2label = {tree: label for label, tree in enumerate(labels)}
        return nlp

    return restore


def train_first(
    language: str, corpus: Path, dev: Path, output: Path, *, steps: int | None = None
) -> None:
    """Train every component from nothing."""
    config = _config(language, corpus, dev)
    config["training"]["max_steps"] = steps or config["training"]["max_steps"]
    _train(config, output)


def train_second(
    language: str, first: Path, corpus: Path, dev: Path, output: Path, *, steps: int | None = None
) -> None:
    """Go on from `first`; no component is initialised again."""
    config = _config(language, corpus, dev)
    config["components"] = {name: {"source": str(first)} for name in config["nlp"]["pipeline"]}
    config["initialize"] = {"before_init": {"@callbacks": RESTORE}}
    _replace(config["training"], load_config(SECOND)["training"])
    if steps:
        config["training"]["max_steps"] = steps
        config["training"]["optimizer"]["learn_rate"]["total_steps"] = steps
    _train(config, output)


def step_count(pipeline: Path) -> int:
    """How many steps a stage was trained for, given the pipeline that it wrote."""
    return int(load_config(pipeline / "config.cfg")["training"]["max_steps"])


def _config(language: str, corpus: Path, dev: Path) -> Config:
    config = load_config(FIRST)
    config["nlp"]["lang"] = language
    config["paths"] = {"train": str(corpus), "dev": str(dev)}
    return config


def _train(config: Config, output: Path) -> None:
    output.mkdir(parents=True, exist_ok=True)
    config.to_disk(output / "config.cfg")
    train(output / "config.cfg", output)


def _replace(config: dict[str, Any], changes: dict[str, Any]) -> None:
    """Blocks that name a registered function are replaced whole; others are merged."""
    for key, value in changes.items():
        registered = isinstance(value, dict) and any(name.startswith("@") for name in value)
        if isinstance(value, dict) and not registered:
            _replace(config.setdefault(key, {}), value)
        else:
            config[key] = value
