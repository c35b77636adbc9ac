"""The metrics against a reference answer, by name: BLEU, ROUGE and BERTScore, by their libraries.

BLEU and ROUGE say little about truth: an answer that swaps one menu for another keeps nearly every
word, and a true answer in other words loses most of them. They stand here to be compared with, as
both papers do. None reads the help pages.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from types import ModuleType, SimpleNamespace
from typing import Any, Final, Literal, TypeAlias

import regex

from klopt.checking.bert import BertScorer
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


@dataclass(frozen=True, slots=True)
class Measured:
    """What was measured on one answer.

    Attributes:
        id: The row's.
        values: Metric name → figure, in the order asked for; None where it cannot be measured.
        reasons: Metric name → why it is None; for those only.
    """

    id: str
    values: Mapping[str, float | None]
    reasons: Mapping[str, str]


def measure(
    names: Sequence[str], turns: Iterable[Turn], *, bert: BertScorer | None = None
) -> tuple[Measured, ...]:
    """Measures answers against their references, both read as plain text.

    Args:
        names: Which metrics, of `METRICS`.
        turns: Answers with a `reference`; without one nothing can be measured.
        bert: The model for BERTScore, when that is asked for (`needs_model`).

    Returns:
        One for each turn, in order. A figure is None, with the reason, when there is no reference,
        when answer or reference has no word or more than 20,000 characters, and for ROUGE-2 when
        the reference is a single word.

    Raises:
        ConfigurationError: A name is not known, stands twice, or needs a model and there is none.
        ExtraMissingError: What a metric needs is not installed; the message names the extra.

    >>> turn = Turn("Hoe?", "Klik op Nieuw.", reference="1. Klik op **Nieuw**.", id="7")
    >>> measure(["bleu", "rouge_l"], [turn])[0].values
    {'bleu': 1.0, 'rouge_l': 1.0}
    """
    _check(names, bert)
    families = {METRICS[name] for name in names}

    def measured(turn: Turn) -> Measured:
        read = _plain(turn)
        if isinstance(read, str):
            return Measured(turn.id, dict.fromkeys(names), dict.fromkeys(names, read))
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
        return Measured(turn.id, values, dict.fromkeys(lacking, "the reference is a single word"))

    return tuple(map(measured, turns))


def needs_model(names: Iterable[str]) -> bool:
    """Whether any of the metrics needs a `BertScorer`.

    >>> needs_model(["bleu"]), needs_model(["bert_score_f1"])
    (False, True)
    """
    return any(METRICS.get(name) == "bert_score" for name in names)


def signatures(names: Sequence[str], *, bert: BertScorer | None = None) -> dict[str, str]:
    """The settings of each metric, so that figures of different runs can be compared.

    Raises:
        ConfigurationError: As `measure`.
        ExtraMissingError: As `measure`.

    >>> signatures(["rouge_1"])
    {'rouge_1': 'measure:f1|case:folded|tok:unicode-words|stem:no'}
    """
    _check(names, bert)
    found = {"rouge": _ROUGE_SIGNATURE}
    families = {METRICS[name] for name in names}
    if "bleu" in families:
        found["bleu"] = str(_bleu().get_signature())
    if bert is not None and "bert_score" in families:
        found["bert_score"] = bert.signature()
    return {name: found[METRICS[name]] for name in names}


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

    >>> round(bleu("Klik op Nieuw.", "Klik op Opslaan."), 3)
    0.354
    """
    one, other = (unicodedata.normalize("NFC", text) for text in (answer, reference))
    return min(1.0, float(_bleu().sentence_score(one, [other]).score) / 100)


def rouge(answer: str, reference: str) -> dict[str, float | None]:
    """ROUGE as F1 of plain texts with words; ROUGE-2 is None for a reference of a single word.

    rouge-score counts, by our `words` and without its English stemmer. The longest common row is
    rapidfuzz's: rouge-score fills a table of all pairs of words, which for two answers of 20,000
    characters takes a minute and a gigabyte.

    Source:
        HR chatbot paper, section 3.3.3 and table 3; Lin (2004).

    >>> rouge("Klik op Nieuw", "Klik op de knop Nieuw")["rouge_l"]
    0.75
    """
    ours, theirs = words(answer), words(reference)
    found = _rouge().score(reference, answer)
    longest = _library("rapidfuzz.distance", "rapidfuzz").LCSseq.similarity(ours, theirs)
    return {
        "rouge_1": float(found["rouge1"].fmeasure),
        "rouge_2": float(found["rouge2"].fmeasure) if len(theirs) > 1 else None,
        "rouge_l": 2 * longest / (len(ours) + len(theirs)),
    }


def _check(names: Sequence[str], bert: BertScorer | None) -> None:
    for place, name in enumerate(names):
        if name not in METRICS:
            raise ConfigurationError(f'metric "{name}" is not one of {", ".join(METRICS)}')
        if name in names[:place]:
            raise ConfigurationError(f'metric "{name}" is asked for twice')
        if bert is None and needs_model([name]):
            problem = "needs a model on this machine, and none was given: name its folder"
            raise ConfigurationError(f'metric "{name}" {problem}')


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
