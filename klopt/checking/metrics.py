"""The metrics against a reference answer, by name, for many answers at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from klopt.checking.bert import BertScore, BertScorer
from klopt.checking.overlap import Rouge, bleu, bleu_signature, rouge, rouge_signature, words
from klopt.errors import ConfigurationError
from klopt.reading.markup import read_text
from klopt.reading.reader import ANSWER_LIMIT_CHARS
from klopt.records import Turn

Family: TypeAlias = Literal["bleu", "rouge", "bert_score"]

NO_REFERENCE: Final = "there is no reference answer"
NO_PAIR: Final = "the reference is a single word"


@dataclass(frozen=True, slots=True)
class Metric:
    """One figure that compares an answer with a reference answer.

    Attributes:
        name: What its column is called.
        family: What computes it; figures of one family are computed together.
        extra: The optional dependencies that it needs: ``pip install 'klopt[EXTRA]'``.
        low: The lowest it can be; the highest is 1. Higher is nearer to the reference.
    """

    name: str
    family: Family
    extra: str
    low: float = 0.0


METRICS: Final[Mapping[str, Metric]] = {
    metric.name: metric
    for metric in (
        Metric("bleu", "bleu", "metrics"),
        Metric("rouge_1", "rouge", "metrics"),
        Metric("rouge_2", "rouge", "metrics"),
        Metric("rouge_l", "rouge", "metrics"),
        Metric("bert_score_precision", "bert_score", "bertscore", -1.0),
        Metric("bert_score_recall", "bert_score", "bertscore", -1.0),
        Metric("bert_score_f1", "bert_score", "bertscore", -1.0),
    )
}
"""Every metric, in the order of the HR chatbot paper's table 3."""


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
    families = {METRICS[name].family for name in names}
    pairs = [_pair(turn) for turn in turns]
    figures: list[dict[str, float | None]] = [{} for _ in pairs]
    usable = [place for place, pair in enumerate(pairs) if pair.problem is None]
    for place in usable:
        answer, reference = pairs[place].answer, pairs[place].reference
        if "bleu" in families:
            figures[place]["bleu"] = bleu(answer, reference)
        if "rouge" in families and (found := rouge(answer, reference)) is not None:
            figures[place] |= _rouge_figures(found)
    if "bert_score" in families and bert is not None:
        scores = bert.score(
            [pairs[place].answer for place in usable], [pairs[place].reference for place in usable]
        )
        for place, score in zip(usable, scores, strict=True):
            figures[place] |= _bert_figures(score)
    return tuple(_measured(names, pair, row) for pair, row in zip(pairs, figures, strict=True))


def needs_model(names: Iterable[str]) -> bool:
    """Whether any of the metrics needs a `BertScorer`.

    >>> needs_model(["bleu"]), needs_model(["bert_score_f1"])
    (False, True)
    """
    return any(name in METRICS and METRICS[name].family == "bert_score" for name in names)


def signatures(names: Sequence[str], *, bert: BertScorer | None = None) -> dict[str, str]:
    """The settings of each metric, so that figures of different runs can be compared.

    Args:
        names: Which metrics, of `METRICS`.
        bert: The model for BERTScore, when that is among them.

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
    found = {family: settings[family]() for family in {METRICS[name].family for name in names}}
    return {name: found[METRICS[name].family] for name in names}


@dataclass(frozen=True, slots=True)
class _Pair:
    id: str
    answer: str = ""
    reference: str = ""
    problem: str | None = None


def _check(names: Sequence[str], bert: BertScorer | None) -> None:
    for place, name in enumerate(names):
        if name not in METRICS:
            raise ConfigurationError(f'metric "{name}" is not one of {", ".join(METRICS)}')
        if name in names[:place]:
            raise ConfigurationError(f'metric "{name}" is asked for twice')
    if bert is None and needs_model(names):
        first = next(name for name in names if needs_model([name]))
        raise ConfigurationError(
            f'metric "{first}" needs a model on this machine, and none was given: name its folder'
        )


def _pair(turn: Turn) -> _Pair:
    if turn.reference is None:
        return _Pair(turn.id, problem=NO_REFERENCE)
    for name, text in (("answer", turn.answer), ("reference", turn.reference)):
        if len(text) > ANSWER_LIMIT_CHARS:
            return _Pair(
                turn.id,
                problem=f"the {name} has {len(text)} characters, more than {ANSWER_LIMIT_CHARS}",
            )
    answer, reference = read_text(turn.answer).text, read_text(turn.reference).text
    for name, text in (("answer", answer), ("reference", reference)):
        if not words(text):
            return _Pair(turn.id, problem=f"the {name} has no words")
    return _Pair(turn.id, answer, reference)


def _measured(names: Sequence[str], pair: _Pair, figures: Mapping[str, float | None]) -> Measured:
    values = {name: figures.get(name) for name in names}
    why = pair.problem or NO_PAIR
    return Measured(pair.id, values, {name: why for name, one in values.items() if one is None})


def _rouge_figures(found: Rouge) -> dict[str, float | None]:
    return {"rouge_1": found.rouge_1, "rouge_2": found.rouge_2, "rouge_l": found.rouge_l}


def _bert_figures(found: BertScore) -> dict[str, float | None]:
    return {
        "bert_score_precision": found.precision,
        "bert_score_recall": found.recall,
        "bert_score_f1": found.f1,
    }
