"""BLEU and ROUGE: how many words an answer shares with a reference answer, and in what order.

They say little about truth: an answer that swaps one menu for another keeps nearly every word,
and a true answer in other words loses most of them. They stand here to be compared with, as both
papers do. Neither reads the help pages.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from types import ModuleType, SimpleNamespace
from typing import Any, Final

import regex

from klopt.errors import ExtraMissingError

BLEU_TOKENIZER: Final = "intl"
_APOSTROPHES: Final = str.maketrans(dict.fromkeys("’‘ʼ", "'"))
_WORD: Final = regex.compile(r"[\p{L}\p{M}\p{N}]+(?:'[\p{L}\p{M}\p{N}]+)*", regex.VERSION1)


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
