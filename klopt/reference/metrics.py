"""BLEU, ROUGE and BERTScore against a reference answer, for comparison as in both papers."""

from __future__ import annotations

import hashlib
import threading
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module, metadata
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any, Final, Literal, TypeAlias

import regex

from klopt._internal.imports import needs
from klopt.errors import ConfigurationError
from klopt.text.markup import read_text
from klopt.text.reader import ANSWER_LIMIT_CHARS
from klopt.types import Turn

Family: TypeAlias = Literal["bleu", "rouge", "bert_score"]

METRICS: Final[Mapping[str, Family]] = {
    "bleu": "bleu",
    "rouge_1": "rouge",
    "rouge_2": "rouge",
    "rouge_l": "rouge",
    "bert_score_precision": "bert_score",
    "bert_score_recall": "bert_score",
    "bert_score_f1": "bert_score",
}  # Metric → family, in the order of the HR chatbot paper's table 3; higher is better, 1 at most

_APOSTROPHES: Final = str.maketrans(dict.fromkeys("’‘ʼ", "'"))
_WORD: Final = regex.compile(r"[\p{L}\p{M}\p{N}]+(?:'[\p{L}\p{M}\p{N}]+)*", regex.VERSION1)
_ROUGE_SIGNATURE: Final = "measure:f1|case:folded|tok:unicode-words|stem:no"
_BERT_WEIGHTS: Final = ("model.safetensors", "pytorch_model.bin")
_DECIMALS: Final = 6  # further ones depend on the machine


@dataclass(frozen=True, slots=True)
class Measured:
    """Metric → figure or None, and the reasons of those that are None."""

    values: Mapping[str, float | None]
    reasons: Mapping[str, str]


class BertScorer:
    """BERTScore by a local model on the CPU; nothing is downloaded.

    Thread-safe. The folder is one saved by transformers; ``layer`` is the output layer, from 1, or
    that which bert-score lists for the folder's name. Raises ConfigurationError if the model or the
    layer is missing or unknown. Source: Zhang et al. (2020); HR chatbot paper, section 3.3.3 and
    table 3. Without idf weights and baseline rescaling; the paper does not state its settings.
    """

    def __init__(self, folder: Path, layer: int | None = None) -> None:
        if not (folder / "config.json").is_file():
            raise ConfigurationError(
                f"{folder}: no model for BERTScore, because config.json is missing; give the "
                "folder of a model that transformers saved: klopt downloads none"
            )
        with needs("bertscore", "BERTScore needs bert-score"):
            bert_score, transformers = map(import_module, ("bert_score", "transformers"))
        self._folder = folder.resolve()
        listed = bert_score.utils.model2layers.items()
        known = {name.rpartition("/")[2]: best for name, best in listed}
        self._layer = layer or known.get(self._folder.name)
        if self._layer is None:
            raise ConfigurationError(
                f"{folder}: bert-score lists no layer for a model of this name; give one, "
                "usually at about three quarters of the model's layers"
            )
        logging = transformers.utils.logging
        verbosity, has_bars = logging.get_verbosity(), logging.is_progress_bar_enabled()
        logging.set_verbosity_error()  # It warns of weights that BERTScore does not use.
        logging.disable_progress_bar()
        try:
            config = transformers.AutoConfig.from_pretrained(self._folder, local_files_only=True)
            # bert-score recognises the T5 family by the path.
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
        """Precision, recall and F1 of two texts with words, -1 to 1, cut at the model's limit."""
        with self._lock:
            figures = self._scorer.score([answer], [reference])
            values = (min(1.0, round(float(figure[0]), _DECIMALS)) + 0.0 for figure in figures)
            return dict(zip(("precision", "recall", "f1"), values, strict=True))

    def signature(self) -> str:
        """The settings in sacrebleu's style, with a hash of the weights."""
        files = [path for name in _BERT_WEIGHTS if (path := self._folder / name).is_file()]
        digest = "unknown"
        if files:
            with files[0].open("rb") as file:
                digest = hashlib.file_digest(file, "sha256").hexdigest()[:12]
        return (
            f"model:{self._folder.name}|sha256:{digest}|layer:{self._layer}|idf:no|rescale:no"
            f"|version:{metadata.version('bert-score')}"
        )


def measure(names: Sequence[str], turn: Turn, *, bert: BertScorer | None = None) -> Measured:
    """Compute metrics of an answer against its reference; None with a reason where undefined.

    ConfigurationError for a name that is unknown or needs a model.

    >>> turn = Turn("Hoe?", "Klik op Nieuw.", reference="1. Klik op **Nieuw**.", id="7")
    >>> measure(["bleu", "rouge_l"], turn).values
    {'bleu': 1.0, 'rouge_l': 1.0}
    """
    families, read = _families(names, bert), _plain(turn)
    if isinstance(read, str):
        return Measured(dict.fromkeys(names), dict.fromkeys(names, read))
    figures: dict[str, float | None] = {}
    if "bleu" in families:
        figures["bleu"] = bleu(*read)
    if "rouge" in families:
        figures |= rouge(*read)
    if bert is not None and "bert_score" in families:
        scores = bert.score(*read)
        figures |= {f"bert_score_{name}": score for name, score in scores.items()}
    lacking = [name for name in names if figures[name] is None]
    reasons = dict.fromkeys(lacking, "the reference is a single word")
    return Measured({name: figures[name] for name in names}, reasons)


def needs_model(names: Iterable[str]) -> bool:
    """Whether any of the metrics needs a `BertScorer`.

    >>> needs_model(["bleu"]), needs_model(["bert_score_f1"])
    (False, True)
    """
    return any(METRICS.get(name) == "bert_score" for name in names)


def signatures(names: Sequence[str], *, bert: BertScorer | None = None) -> dict[str, str]:
    """Metric → its settings; raises like `measure`.

    >>> signatures(["rouge_1"])
    {'rouge_1': 'measure:f1|case:folded|tok:unicode-words|stem:no'}
    """
    families = _families(names, bert)
    settings = {"rouge": _ROUGE_SIGNATURE}
    if "bleu" in families:
        settings["bleu"] = str(_bleu().get_signature())
    if bert is not None and "bert_score" in families:
        settings["bert_score"] = bert.signature()
    return {name: settings[METRICS[name]] for name in names}


def words(text: str) -> list[str]:
    """The words of a text for ROUGE, in any script: NFC, case folded.

    rouge-score's own tokenizer knows a-z and 0-9 only.

    >>> words("Eén van de foto’s is ’s avonds één keer gezien.")
    ['eén', 'van', 'de', "foto's", 'is', 's', 'avonds', 'één', 'keer', 'gezien']
    """
    folded = unicodedata.normalize("NFC", text).casefold().translate(_APOSTROPHES)
    return _WORD.findall(unicodedata.normalize("NFC", folded))


def bleu(answer: str, reference: str) -> float:
    """Sentence BLEU of sacrebleu, 0 to 1, of plain texts with words.

    With effective order (for answers under four words) and the Unicode tokenizer "intl".
    Source: HR chatbot paper, section 3.3.3; Papineni et al. (2002); Post (2018).
    """
    answer, reference = (unicodedata.normalize("NFC", text) for text in (answer, reference))
    return min(1.0, float(_bleu().sentence_score(answer, [reference]).score) / 100)


def rouge(answer: str, reference: str) -> dict[str, float | None]:
    """ROUGE as F1 of plain texts with words; ROUGE-2 is None for a single-word reference.

    By rouge-score with our `words` and without its English stemmer; the longest common subsequence
    by rapidfuzz, in linear memory. Source: HR chatbot paper, section 3.3.3 and table 3; Lin (2004).
    """
    ours, theirs = words(answer), words(reference)
    scores = _rouge().score(reference, answer)
    longest = _library("rapidfuzz.distance", "rapidfuzz").LCSseq.similarity(ours, theirs)
    return {
        "rouge_1": float(scores["rouge1"].fmeasure),
        "rouge_2": float(scores["rouge2"].fmeasure) if len(theirs) > 1 else None,
        "rouge_l": 2 * longest / (len(ours) + len(theirs)),
    }


def _families(names: Sequence[str], bert: BertScorer | None) -> set[Family]:
    for name in names:
        if name not in METRICS:
            raise ConfigurationError(f'metric "{name}" is not one of {", ".join(METRICS)}')
        if bert is None and needs_model([name]):
            problem = "needs a local model: name its folder"
            raise ConfigurationError(f'metric "{name}" {problem}')
    return {METRICS[name] for name in names}


def _plain(turn: Turn) -> tuple[str, str] | str:
    """Answer and reference as plain text, or why they cannot be compared."""
    if turn.reference is None:
        return "there is no reference answer"
    texts = []
    for name, source in (("answer", turn.answer), ("reference", turn.reference)):
        if len(source) > ANSWER_LIMIT_CHARS:
            return f"the {name} has {len(source)} characters, more than {ANSWER_LIMIT_CHARS}"
        texts.append(read_text(source).text)
        if not words(texts[-1]):
            return f"the {name} has no words"
    return texts[0], texts[1]


def _library(module: str, package: str) -> ModuleType:
    with needs("metrics", f"BLEU and ROUGE need {package}"):
        return import_module(module)


@cache
def _bleu() -> Any:  # noqa: ANN401 (sacrebleu may not be there)
    library = _library("sacrebleu.metrics.bleu", "sacrebleu")
    metric = library.BLEU(effective_order=True, tokenize="intl")
    metric.sentence_score("", [""])  # Sets the number of references.
    return metric


@cache
def _rouge() -> Any:  # noqa: ANN401 (rouge-score may not be there)
    library = _library("rouge_score.rouge_scorer", "rouge-score")
    return library.RougeScorer(["rouge1", "rouge2"], tokenizer=SimpleNamespace(tokenize=words))
