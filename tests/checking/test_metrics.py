"""The metrics by name; and the figures that TechSupportEval published."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from klopt import Turn
from klopt.checking.metrics import METRICS, bleu, measure, needs_model, rouge, signatures
from klopt.errors import ConfigurationError

WORD_NAMES = ("bleu", "rouge_1", "rouge_2", "rouge_l")
REFERENCE = "1. Open **Instellingen**.\n2. Klik op **Opslaan**.\n"


class Bert:
    """Stands in for a model: near when the texts are equal."""

    def score(self, answer, reference):
        return dict.fromkeys(("precision", "recall", "f1"), 1.0 if answer == reference else 0.25)

    def signature(self):
        return "model:none"


def turn(answer, reference=REFERENCE, name="7"):
    return Turn("Hoe?", answer, id=name, reference=reference)


@pytest.mark.parametrize(
    "answer",
    [
        REFERENCE,
        "1. Open Instellingen.\n2. Klik op Opslaan.",
        "* Open *Instellingen*.\n* Klik op `Opslaan`.",
        "<ol><li>Open <b>Instellingen</b>.</li><li>Klik op <b>Opslaan</b>.</li></ol>",
    ],
)
def test_markup_makes_no_difference(answer):
    assert measure(WORD_NAMES, [turn(answer)])[0].values == dict.fromkeys(WORD_NAMES, 1.0)


def test_a_row_for_each_turn_in_order_with_figures_in_the_order_asked_for():
    rows = measure(["rouge_l", "bleu"], [turn("Klik.", name="b"), turn(REFERENCE, name="a")])
    assert [row.id for row in rows] == ["b", "a"]
    assert [list(row.values) for row in rows] == [["rouge_l", "bleu"]] * 2
    assert rows[0].values["rouge_l"] == pytest.approx(2 * 1 / (1 + 5))
    assert rows[1].reasons == {}


@pytest.mark.parametrize(
    ("answer", "reference", "reason"),
    [
        ("Klik.", None, "there is no reference answer"),
        ("", "Klik.", "the answer has no words"),
        ("** … **", "Klik.", "the answer has no words"),
        ("Klik.", "---", "the reference has no words"),
        ("x" * 20_001, "Klik.", "the answer has 20001 characters, more than 20000"),
        ("Klik.", "x" * 20_001, "the reference has 20001 characters, more than 20000"),
    ],
)
def test_what_cannot_be_measured_is_none_with_the_reason(answer, reference, reason):
    names = [*WORD_NAMES, "bert_score_f1"]
    row = measure(names, [turn(answer, reference)], bert=Bert())[0]
    assert row.values == dict.fromkeys(names)
    assert row.reasons == dict.fromkeys(names, reason)


def test_a_reference_of_one_word_has_no_pairs():
    row = measure(WORD_NAMES, [turn("Ja", "Ja")])[0]
    assert row.values == {"bleu": 1.0, "rouge_1": 1.0, "rouge_2": None, "rouge_l": 1.0}
    assert row.reasons == {"rouge_2": "the reference is a single word"}


def test_bert_score_skips_what_cannot_be_measured():
    turns = [turn("Klik."), turn(""), turn(REFERENCE)]
    rows = measure(["bert_score_recall", "bleu"], turns, bert=Bert())
    assert [row.values["bert_score_recall"] for row in rows] == [0.25, None, 1.0]


def test_no_turns_and_no_metrics():
    assert measure(["bleu"], []) == ()
    assert measure([], [turn("Klik.")])[0].values == {}


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (["blue"], f'metric "blue" is not one of {", ".join(METRICS)}'),
        (["bleu", "bleu"], 'metric "bleu" is asked for twice'),
        (
            ["bleu", "bert_score_f1"],
            'metric "bert_score_f1" needs a model on this machine, and none was given: name its '
            "folder",
        ),
    ],
)
def test_wrong_names_are_told_before_anything_is_measured(names, message):
    for call in (lambda: measure(names, [turn("Klik.")]), lambda: signatures(names)):
        with pytest.raises(ConfigurationError) as caught:
            call()
        assert str(caught.value) == message


def test_every_metric_has_a_signature_and_one_family_needs_a_model():
    found = signatures(list(METRICS), bert=Bert())
    assert list(found) == list(METRICS)
    assert found["bert_score_f1"] == "model:none"
    assert found["rouge_1"] == found["rouge_l"] != found["bleu"]
    assert {name for name in METRICS if needs_model([name])} == {
        name for name, family in METRICS.items() if family == "bert_score"
    }


def test_the_published_figures_are_over_characters(data: Path):
    """TechSupportEval put a blank between all characters; then the figures are theirs."""
    rows, published = (
        _by_id(data / "techqa" / name) for name in ("dev.jsonl", "baseline_scores.jsonl")
    )
    assert len(rows) > 400
    for name, row in rows.items():
        if not row["answer"]:
            continue
        answer, reference = (" ".join(row[field]) for field in ("answer", "ground_truth"))
        found, theirs = rouge(answer, reference), published[name]
        assert bleu(answer, reference) == pytest.approx(theirs["bleu|none"], abs=1e-9)
        # rouge-score knows the letters a-z only; two answers have others.
        room = 1e-9 if (row["answer"] + row["ground_truth"]).isascii() else 1e-3
        assert found["rouge_1"] == pytest.approx(theirs["rouge1|none"], abs=room)
        assert found["rouge_l"] == pytest.approx(theirs["rougeL|none"], abs=room)


def _by_id(path: Path):
    if not path.is_file():
        pytest.skip(f"there is no {path}")
    lines = path.read_text("utf-8").splitlines()
    return {row["id"]: row for row in map(json.loads, lines)}
