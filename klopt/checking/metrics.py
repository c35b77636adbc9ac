"""The metrics against a reference answer, by name: BLEU, ROUGE and BERTScore.

BLEU and ROUGE say little about truth: an answer that swaps one menu for another keeps nearly every
word, and a true answer in other words loses most of them. They stand here to be compared with, as
both papers do. Neither reads the help pages.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cache
from importlib import import_module
from types import ModuleType, SimpleNamespace
from typing import Any, Final, Literal, TypeAlias

import regex

from klopt.checking.bert import BertScorer
from klopt.errors import ConfigurationError, ExtraMissingError
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


BLEU_TOKENIZER: Final = "intl"
_APOSTROPHES: Final = str.maketrans(dict.fromkeys("’‘ʼ", "'"))
_WORD: Final = regex.compile(r"[\p{L}\p{M}\p{N}]+(?:'[\p{L}\p{M}\p{N}]+)*", regex.VERSION1)


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
    """Measures answers against their references.

    Both are read as klopt reads any text, Markdown or HTML, and compared as plain text: bold type,
    list numbers and the marks around code are no words, and a reference that marks its key terms
    in bold says the same as an answer that does not.

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
    pairs = [_pair(turn) for turn in turns]
    usable = [pair for pair in pairs if pair.problem is None]
    for pair in usable:
        if "bleu" in families:
            pair.figures["bleu"] = bleu(pair.answer, pair.reference)
        if "rouge" in families and (found := rouge(pair.answer, pair.reference)) is not None:
            pair.figures |= asdict(found)
    if "bert_score" in families and bert is not None:
        scores = bert.score([one.answer for one in usable], [one.reference for one in usable])
        for pair, score in zip(usable, scores, strict=True):
            pair.figures |= {f"bert_score_{name}": one for name, one in asdict(score).items()}
    measured = []
    for pair in pairs:
        values = {name: pair.figures.get(name) for name in names}
        why = pair.problem or "the reference is a single word"
        reasons = {name: why for name, one in values.items() if one is None}
        measured.append(Measured(pair.id, values, reasons))
    return tuple(measured)


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
    settings: dict[Family, Callable[[], str]] = {"bleu": bleu_signature, "rouge": rouge_signature}
    if bert is not None:
        settings["bert_score"] = bert.signature
    found = {family: settings[family]() for family in {METRICS[name] for name in names}}
    return {name: found[METRICS[name]] for name in names}


@dataclass(frozen=True, slots=True)
class Rouge:
    """F1 of what an answer and a reference share, each 0 to 1, higher is nearer.

    Attributes:
        rouge_1: Of single words.
        rouge_2: Of pairs of neighbouring words; None when the reference is a single word.
        rouge_l: Of the longest row of words that both have in the same order, gaps allowed.
    """

    rouge_1: float
    rouge_2: float | None
    rouge_l: float


def words(text: str) -> list[str]:
    """The words of a text as ROUGE counts them: in any script, accents kept, case folded.

    A word is a stretch of letters and digits. An apostrophe inside it belongs to it and is the
    same however it is written; one before it is dropped, since it may as well be a quotation
    mark. Both spellings of an accent (NFC and NFD) are the same word.

    The tokenizer of rouge-score knows a-z and 0-9 only: to it, "één" is the word "n". On texts of
    just those, without apostrophes, the two find the same words.

    >>> words("Eén van de foto’s is ’s avonds één keer gezien.")
    ['eén', 'van', 'de', "foto's", 'is', 's', 'avonds', 'één', 'keer', 'gezien']
    """
    folded = unicodedata.normalize("NFC", text).casefold().translate(_APOSTROPHES)
    return _WORD.findall(unicodedata.normalize("NFC", folded))


def bleu(answer: str, reference: str) -> float | None:
    """Sentence BLEU of a plain answer against one reference, from 0 to 1, higher is nearer.

    The share of the answer's stretches of 1, 2, 3 and 4 tokens that the reference has too, as a
    geometric mean, and less when the answer is shorter than the reference. Case counts.

    sacrebleu computes it, with these settings: effective order, since an answer of three words has
    no stretch of four; exponential smoothing, sacrebleu's default; the tokenizer "intl", which
    splits off all punctuation of Unicode. The default "13a" knows that of ASCII only, so that to
    it ‘Opslaan’ in curly quotes, or "klaar…", is another word than without; it also takes apart
    what looks like an HTML entity. `bleu_signature` names the settings.

    Returns:
        1.0 for equal texts; None when one of them has no word. Accents in NFC or NFD are the same.

    Raises:
        ExtraMissingError: sacrebleu is not installed.

    Source:
        HR chatbot paper, section 3.3.3; Papineni et al. (2002); Post (2018) for sacrebleu. The
        paper does not say which tokenizer or smoothing it used. The figures published with
        TechSupportEval are over single characters, not words.

    >>> bleu("Klik op Opslaan.", "Klik op Opslaan.")
    1.0
    >>> round(bleu("Klik op Nieuw.", "Klik op Opslaan."), 3)
    0.354
    """
    if not (words(answer) and words(reference)):
        return None
    one, other = (unicodedata.normalize("NFC", text) for text in (answer, reference))
    return min(1.0, float(_bleu().sentence_score(one, [other]).score) / 100)


def bleu_signature() -> str:
    """The settings of `bleu` as sacrebleu declares them, its version included.

    >>> bleu_signature().rpartition("|")[0]
    'nrefs:1|case:mixed|eff:yes|tok:intl|smooth:exp'
    """
    return str(_bleu().get_signature())


def rouge(answer: str, reference: str) -> Rouge | None:
    """ROUGE-1, ROUGE-2 and ROUGE-L of a plain answer against one reference, as F1.

    rouge-score counts single words and pairs, with our tokenizer (`words`) and no stemming, as its
    stemmer knows English only. The longest common row of words comes from rapidfuzz: the result
    is the same, while rouge-score fills a table of all pairs of words, which for two answers of
    20,000 characters takes a minute and a gigabyte.

    Returns:
        1.0 each for equal texts; None when one of them has no word. ROUGE-2 alone is None when the
        reference is a single word, so that there is no pair to find.

    Raises:
        ExtraMissingError: rouge-score or rapidfuzz is not installed.

    Source:
        HR chatbot paper, section 3.3.3 and table 3; Lin (2004).

    >>> found = rouge("Klik op Nieuw", "Klik op de knop Nieuw")
    >>> round(found.rouge_1, 3), round(found.rouge_2, 3), found.rouge_l
    (0.75, 0.333, 0.75)
    """
    ours, theirs = words(answer), words(reference)
    if not (ours and theirs):
        return None
    found = _rouge().score(reference, answer)
    pairs = float(found["rouge2"].fmeasure) if len(theirs) > 1 else None
    longest = _extra("rapidfuzz.distance", "rapidfuzz").LCSseq.similarity(ours, theirs)
    row = 2 * longest / (len(ours) + len(theirs))
    return Rouge(float(found["rouge1"].fmeasure), pairs, row)


def rouge_signature() -> str:
    """The settings of `rouge`, written as sacrebleu writes its own."""
    return "measure:f1|case:folded|tok:unicode-words|stem:no"


@dataclass(slots=True)
class _Pair:
    id: str
    answer: str = ""
    reference: str = ""
    problem: str | None = None
    figures: dict[str, float | None] = field(default_factory=dict)


def _check(names: Sequence[str], bert: BertScorer | None) -> None:
    for place, name in enumerate(names):
        if name not in METRICS:
            raise ConfigurationError(f'metric "{name}" is not one of {", ".join(METRICS)}')
        if name in names[:place]:
            raise ConfigurationError(f'metric "{name}" is asked for twice')
    if bert is None and (unmet := [name for name in names if needs_model([name])]):
        problem = "needs a model on this machine, and none was given: name its folder"
        raise ConfigurationError(f'metric "{unmet[0]}" {problem}')


def _pair(turn: Turn) -> _Pair:
    if turn.reference is None:
        return _Pair(turn.id, problem="there is no reference answer")
    texts = []
    for name, source in (("answer", turn.answer), ("reference", turn.reference)):
        count = len(source)
        if count > ANSWER_LIMIT_CHARS:
            problem = f"the {name} has {count} characters, more than {ANSWER_LIMIT_CHARS}"
            return _Pair(turn.id, problem=problem)
        texts.append(read_text(source).text)
        if not words(texts[-1]):
            return _Pair(turn.id, problem=f"the {name} has no words")
    return _Pair(turn.id, texts[0], texts[1])


def _extra(module: str, package: str) -> ModuleType:
    try:
        return import_module(module)
    except ImportError:
        raise ExtraMissingError(
            f"BLEU and ROUGE need {package}; install it with: pip install 'klopt[metrics]'"
        ) from None


@cache
def _bleu() -> Any:  # noqa: ANN401 (sacrebleu may not be there)
    library = _extra("sacrebleu.metrics.bleu", "sacrebleu")
    metric = library.BLEU(effective_order=True, tokenize=BLEU_TOKENIZER)
    metric.sentence_score("", [""])  # before that it does not know how many references there are
    return metric


@cache
def _rouge() -> Any:  # noqa: ANN401 (rouge-score may not be there)
    library = _extra("rouge_score.rouge_scorer", "rouge-score")
    return library.RougeScorer(["rouge1", "rouge2"], tokenizer=SimpleNamespace(tokenize=words))
