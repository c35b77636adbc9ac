"""The metrics against a reference answer, by name, for many answers at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Final, Literal, TypeAlias

from klopt.checking.bert import BertScorer
from klopt.checking.overlap import bleu, bleu_signature, rouge, rouge_signature, words
from klopt.errors import ConfigurationError
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
    return tuple(_measured(names, pair) for pair in pairs)


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
    first = next((name for name in names if needs_model([name])), None)
    if bert is None and first is not None:
        raise ConfigurationError(
            f'metric "{first}" needs a model on this machine, and none was given: name its folder'
        )


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


def _measured(names: Sequence[str], pair: _Pair) -> Measured:
    values = {name: pair.figures.get(name) for name in names}
    why = pair.problem or "the reference is a single word"
    return Measured(pair.id, values, {name: why for name, one in values.items() if one is None})
