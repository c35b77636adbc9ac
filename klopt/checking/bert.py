"""BERTScore: how near each word of an answer is in meaning to one of a reference answer."""

from __future__ import annotations

import hashlib
import threading
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module, metadata
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol

from klopt.errors import ConfigurationError, ExtraMissingError

if TYPE_CHECKING:
    from types import ModuleType

BATCH_TEXTS: Final = 32
_DECIMALS: Final = 6
_CONFIG: Final = "config.json"
_WEIGHTS: Final = ("model.safetensors", "pytorch_model.bin")
_SHOWN_CHARS: Final = 12


@dataclass(frozen=True, slots=True)
class BertScore:
    """How near an answer and a reference are, each -1 to 1, higher is nearer.

    Attributes:
        precision: Of the answer's tokens, how near the nearest of the reference is, on average.
        recall: The same the other way round.
        f1: The harmonic mean of the two.
    """

    precision: float
    recall: float
    f1: float


class BertScorer:
    """BERTScore by a model in a folder on this machine; nothing is ever downloaded.

    bert-score matches the tokens; the model is loaded here, and not by bert-score, which takes a
    folder that is not there for the name of a model to download. Transformers is told to look at
    local files only, whatever ``HF_HUB_OFFLINE`` says; the environment is not touched. Code that
    comes with a model is not run. The processor computes, also where there is a graphics card, so
    that figures do not depend on it.

    Safe to use from several threads; it works for one of them at a time.

    Attributes:
        folder: The model.
        layer: The layer that is used.
        longest_tokens: How many tokens of a text are read, those that open and close it included.

    Args:
        folder: A model as transformers saves it (``config.json``, weights, tokenizer).
        layer: The layer whose output stands for a token, from 1. Which is best differs from model
            to model: bert-score lists 9 of 12 for multilingual BERT, 17 of 24 for RoBERTa large.
            None takes bert-score's own choice for a model of the folder's name.

    Raises:
        ConfigurationError: There is no such model or layer, or the choice of a layer is not known.
        ExtraMissingError: bert-score is not installed.

    Source:
        Zhang et al. (2020); HR chatbot paper, section 3.3.3 and table 3. Without weights for rare
        words (idf) and without rescaling by a baseline, as those need further data; the paper does
        not say which model or settings it used.
    """

    def __init__(self, folder: Path, layer: int | None = None) -> None:
        if not (folder / _CONFIG).is_file():
            raise ConfigurationError(
                f"{folder}: no model for BERTScore is there (no {_CONFIG}); give a folder that "
                "holds one as transformers saves it: klopt downloads none"
            )
        utils, transformers = _libraries()
        self.folder = folder.resolve()
        try:
            config = transformers.AutoConfig.from_pretrained(self.folder, local_files_only=True)
            self.layer = _layer(config, layer, utils.model2layers, folder)
            config.num_hidden_layers = self.layer
            # As bert-score does, RoBERTa's first word is one after a blank, like all its others.
            first_word = {"add_prefix_space": True} if config.model_type == "roberta" else {}
            with _quietly(transformers):
                self._model = transformers.AutoModel.from_pretrained(
                    self.folder, config=config, local_files_only=True
                )
                self._tokenizer = transformers.AutoTokenizer.from_pretrained(
                    self.folder, local_files_only=True, **first_word
                )
        except (OSError, ValueError) as error:
            if isinstance(error, ConfigurationError):
                raise
            raise ConfigurationError(f"{folder}: the model cannot be loaded: {error}") from None
        self._model.eval()
        # How many tokens the model can place; RoBERTa's places begin after that of its padding.
        is_roberta = "roberta" in config.model_type or config.model_type == "camembert"
        places = config.max_position_embeddings - is_roberta * ((config.pad_token_id or 0) + 1)
        self.longest_tokens = min(self._tokenizer.model_max_length, places)
        self._tokenizer.model_max_length = self.longest_tokens
        self._compare = utils.bert_cos_score_idf
        self._lock = threading.Lock()

    def score(self, answers: Sequence[str], references: Sequence[str]) -> tuple[BertScore, ...]:
        """Scores answers against references, pair by pair.

        Args:
            answers: Plain texts with a word in each. What is longer than the model reads
                (`longest_tokens`, mostly 512) is cut there, as bert-score does.
            references: As many.

        Returns:
            For each pair its score, to six decimals: further ones depend on what else is in the
            batch. 1.0 for equal texts; nothing for no texts.

        Raises:
            ValueError: They are not as many.
        """
        if len(answers) != len(references):
            raise ValueError(f"{len(answers)} answers and {len(references)} references")
        if not answers:
            return ()
        weights: defaultdict[int, float] = defaultdict(lambda: 1.0)
        weights[self._tokenizer.sep_token_id] = 0.0
        weights[self._tokenizer.cls_token_id] = 0.0
        with self._lock:
            rows = self._compare(
                self._model,
                list(references),
                list(answers),
                self._tokenizer,
                weights,
                device="cpu",
                batch_size=BATCH_TEXTS,
            ).tolist()
        return tuple(
            BertScore(*(min(1.0, round(figure, _DECIMALS)) + 0.0 for figure in row)) for row in rows
        )

    def signature(self) -> str:
        """The settings, written as sacrebleu writes its own; the model by the hash of its weights.

        It reads the whole file of weights.
        """
        found = [path for name in _WEIGHTS if (path := self.folder / name).is_file()]
        digest = "unknown"
        if found:
            with found[0].open("rb") as file:
                digest = hashlib.file_digest(file, "sha256").hexdigest()[:_SHOWN_CHARS]
        version = metadata.version("bert-score")
        return (
            f"model:{self.folder.name}|sha256:{digest}|layer:{self.layer}|idf:no|rescale:no"
            f"|version:{version}"
        )


class _Config(Protocol):
    model_type: str
    num_hidden_layers: int
    max_position_embeddings: int
    pad_token_id: int | None


def _libraries() -> tuple[ModuleType, ModuleType]:
    try:
        return import_module("bert_score.utils"), import_module("transformers")
    except ImportError:
        raise ExtraMissingError(
            "BERTScore needs bert-score; install it with: pip install 'klopt[bertscore]'"
        ) from None


@contextmanager
def _quietly(transformers: ModuleType) -> Iterator[None]:
    """No word on the weights that BERTScore has no use for: the upper layers and the heads."""
    logs = transformers.utils.logging
    level, bars = logs.get_verbosity(), logs.is_progress_bar_enabled()
    logs.set_verbosity_error()
    logs.disable_progress_bar()
    try:
        yield
    finally:
        logs.set_verbosity(level)
        if bars:
            logs.enable_progress_bar()


def _layer(config: _Config, layer: int | None, known: Mapping[str, int], folder: Path) -> int:
    count = config.num_hidden_layers
    if layer is None:
        by_name = {name.rpartition("/")[2]: best for name, best in known.items()}
        layer = by_name.get(folder.resolve().name)
        if layer is None:
            raise ConfigurationError(
                f"{folder}: bert-score lists no layer for a model of this name; give one from 1 "
                f"to {count} (about three quarters of them is usual: {max(1, round(0.75 * count))})"
            )
    if not 1 <= layer <= count:
        raise ConfigurationError(f"{folder}: layer {layer} is not one of 1 to {count}")
    return layer
