"""The metrics against a reference answer, by name: BLEU, ROUGE and BERTScore, by their libraries.

BLEU and ROUGE say little about truth: an answer that swaps one menu for another keeps nearly every
word, and a true answer in other words loses most of them. They stand here to be compared with, as
both papers do. None reads the help pages.
"""

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

from klopt.errors import ConfigurationError
from klopt.extras import needs
from klopt.reading.markup import read_text
from klopt.reading.reader import ANSWER_LIMIT_CHARS
from klopt.records import Turn

Family: TypeAlias = Literal["bleu", "rouge", "bert_score"]

METRICS: Final[Mapping[str, Family]] = {
    "bleu": "bleu",
    "rouge_1": "rouge",
    "rouge_2": "rouge",
    "rouge_l": "rouge",
    "bert_score_precision": "bert_score",
    "bert_score_recall": "bert_score",
    "bert_score_f1": "bert_score",
}
"""Every metric, in the order of the HR chatbot paper's table 3, with its family: what computes it.

All are 1 at most, and nearer to the reference the higher they are; the lowest is 0, of BERTScore
-1.
"""

_APOSTROPHES: Final = str.maketrans(dict.fromkeys("’‘ʼ", "'"))
_WORD: Final = regex.compile(r"[\p{L}\p{M}\p{N}]+(?:'[\p{L}\p{M}\p{N}]+)*", regex.VERSION1)
_ROUGE_SIGNATURE: Final = "measure:f1|case:folded|tok:unicode-words|stem:no"
_BERT_WEIGHTS: Final = ("model.safetensors", "pytorch_model.bin")
_DECIMALS: Final = 6  # further ones depend on the machine


@dataclass(frozen=True, slots=True)
class Measured:
    """What was measured on an answer: metric → figure or None, and why those are None."""

    values: Mapping[str, float | None]
    reasons: Mapping[str, str]


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
        """The settings, written as sacrebleu writes its own; the model by its weights' hash."""
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
    """Measures an answer against its reference, both read as plain text.

    A figure is None, with the reason, when there is no reference, when answer or reference has no
    word or more than 20,000 characters, and for ROUGE-2 when the reference is a single word.

    Raises:
        ConfigurationError: A name is not one of `METRICS`, or needs a model and there is none.
        ExtraMissingError: What a metric needs is not installed; the message names the extra.

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
    values = {name: figures[name] for name in names}
    lacking = [name for name, figure in values.items() if figure is None]
    return Measured(values, dict.fromkeys(lacking, "the reference is a single word"))


def needs_model(names: Iterable[str]) -> bool:
    """Whether any of the metrics needs a `BertScorer`.

    >>> needs_model(["bleu"]), needs_model(["bert_score_f1"])
    (False, True)
    """
    return any(METRICS.get(name) == "bert_score" for name in names)


def signatures(names: Sequence[str], *, bert: BertScorer | None = None) -> dict[str, str]:
    """The settings of each metric, so that figures of different runs can be compared.

    Raises what `measure` does.

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
    """The words of a text for ROUGE: in any script, accents kept (NFC or NFD), case folded.

    rouge-score's own tokenizer knows a-z and 0-9 only: to it, "één" is the word "n".

    >>> words("Eén van de foto’s is ’s avonds één keer gezien.")
    ['eén', 'van', 'de', "foto's", 'is', 's', 'avonds', 'één', 'keer', 'gezien']
    """
    folded = unicodedata.normalize("NFC", text).casefold().translate(_APOSTROPHES)
    return _WORD.findall(unicodedata.normalize("NFC", folded))


def bleu(answer: str, reference: str) -> float:
    """Sentence BLEU of sacrebleu, 0 to 1, of plain texts with words; 1.0 for equal ones.

    Effective order, since an answer of three words has no stretch of four; the tokenizer "intl",
    since "13a" knows the punctuation of ASCII only.

    Source:
        HR chatbot paper, section 3.3.3; Papineni et al. (2002); Post (2018) for sacrebleu.
    """
    answer, reference = (unicodedata.normalize("NFC", text) for text in (answer, reference))
    return min(1.0, float(_bleu().sentence_score(answer, [reference]).score) / 100)


def rouge(answer: str, reference: str) -> dict[str, float | None]:
    """ROUGE as F1 of plain texts with words; ROUGE-2 is None for a reference of a single word.

    rouge-score counts, by our `words` and without its English stemmer. The longest common row is
    rapidfuzz's: rouge-score fills a table of all pairs of words, which for two answers of 20,000
    characters takes a minute and a gigabyte.

    Source:
        HR chatbot paper, section 3.3.3 and table 3; Lin (2004).
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
            problem = "needs a model on this machine, and none was given: name its folder"
            raise ConfigurationError(f'metric "{name}" {problem}')
    return {METRICS[name] for name in names}


def _plain(turn: Turn) -> tuple[str, str] | str:
    """Answer and reference, or why they cannot be compared."""
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
    metric.sentence_score("", [""])  # before that it does not know how many references there are
    return metric


@cache
def _rouge() -> Any:  # noqa: ANN401 (rouge-score may not be there)
    library = _library("rouge_score.rouge_scorer", "rouge-score")
    return library.RougeScorer(["rouge1", "rouge2"], tokenizer=SimpleNamespace(tokenize=words))
