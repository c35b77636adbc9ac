"""BERTScore by bert-score: how near each word of an answer is in meaning to one of a reference."""

from __future__ import annotations

import hashlib
import threading
from importlib import import_module, metadata
from pathlib import Path
from typing import Final

from klopt.errors import ConfigurationError
from klopt.extras import needs

_WEIGHTS: Final = ("model.safetensors", "pytorch_model.bin")
_DECIMALS: Final = 6  # further ones depend on the machine


class BertScorer:
    """BERTScore by a model in a folder on this machine, on its processor; nothing is downloaded.

    Safe to use from several threads; it works for one of them at a time.

    Args:
        folder: A model as transformers saves it (``config.json``, weights, tokenizer).
        layer: The layer whose output stands for a token, from 1; None takes the one that
            bert-score lists for a model of the folder's name.

    Raises:
        ConfigurationError: There is no such model or layer, or the choice of a layer is not known.
        ExtraMissingError: bert-score is not installed.

    Source:
        Zhang et al. (2020); HR chatbot paper, section 3.3.3 and table 3. Without weights for rare
        words (idf) and without rescaling by a baseline; the paper does not say its settings.
    """

    def __init__(self, folder: Path, layer: int | None = None) -> None:
        if not (folder / "config.json").is_file():
            raise ConfigurationError(
                f"{folder}: no model for BERTScore is there (no config.json); give a folder that "
                "holds one as transformers saves it: klopt downloads none"
            )
        with needs("bertscore", "BERTScore needs bert-score"):
            bert_score, transformers = map(import_module, ("bert_score", "transformers"))
        self._folder = folder.resolve()
        listed = bert_score.utils.model2layers.items()
        known = {name.rpartition("/")[2]: best for name, best in listed}
        self._layer = layer or known.get(self._folder.name)
        if self._layer is None:
            raise ConfigurationError(
                f"{folder}: bert-score lists no layer for a model of this name; give one (about "
                "three quarters of those that the model has is usual)"
            )
        logging = transformers.utils.logging
        verbosity, has_bars = logging.get_verbosity(), logging.is_progress_bar_enabled()
        logging.set_verbosity_error()  # no word on weights that BERTScore has no use for
        logging.disable_progress_bar()
        try:
            config = transformers.AutoConfig.from_pretrained(self._folder, local_files_only=True)
            # bert-score tells the T5 family by the path.
            if ("t5" in str(self._folder)) != ("t5" in config.model_type):
                raise ConfigurationError(f'{folder}: "t5" in a path is for a model of that family')
            self._scorer = bert_score.BERTScorer(
                str(self._folder), self._layer, device="cpu", use_fast_tokenizer=True
            )
        except (AssertionError, OSError, ValueError) as error:
            raise ConfigurationError(f"{folder}: the model cannot be loaded: {error}") from None
        finally:
            logging.set_verbosity(verbosity)
            if has_bars:
                logging.enable_progress_bar()
        # How many tokens the model can place; RoBERTa's places begin after that of its padding.
        is_roberta = "roberta" in config.model_type or config.model_type == "camembert"
        places = config.max_position_embeddings - is_roberta * ((config.pad_token_id or 0) + 1)
        tokenizer = self._scorer._tokenizer
        tokenizer.model_max_length = min(tokenizer.model_max_length, places)
        self._lock = threading.Lock()

    def score(self, answer: str, reference: str) -> dict[str, float]:
        """``precision``, ``recall`` and ``f1`` of two plain texts with words, -1 to 1.

        What is longer than the model reads, mostly 512 tokens, is cut there.
        """
        with self._lock:
            figures = self._scorer.score([answer], [reference])
        names = ("precision", "recall", "f1")
        return {
            name: min(1.0, round(float(figure[0]), _DECIMALS)) + 0.0
            for name, figure in zip(names, figures, strict=True)
        }

    def signature(self) -> str:
        """The settings, written as sacrebleu writes its own; the model by the hash of its weights.

        It reads the whole file of weights.
        """
        found = [path for name in _WEIGHTS if (path := self._folder / name).is_file()]
        digest = "unknown"
        if found:
            with found[0].open("rb") as file:
                digest = hashlib.file_digest(file, "sha256").hexdigest()[:12]
        return (
            f"model:{self._folder.name}|sha256:{digest}|layer:{self._layer}|idf:no|rescale:no"
            f"|version:{metadata.version('bert-score')}"
        )
