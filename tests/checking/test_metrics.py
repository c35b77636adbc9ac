"""BLEU and ROUGE by hand and by name, Dutch spelling, and the figures that were published."""

from __future__ import annotations

import json
import math
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rouge_score.rouge_scorer import RougeScorer
from rouge_score.tokenize import tokenize as library_words

from klopt import Turn
from klopt.checking.metrics import METRICS, bleu, measure, needs_model, rouge, signatures, words
from klopt.errors import ConfigurationError
from tests.tables import tables

DUTCH = "Ga 's avonds naar Foto’s en klik één keer op ‘Opslaan’."
dutch_words = st.sampled_from(["klik", "op", "Opslaan", "één", "foto's", "10", "nieuw", "."])
dutch_texts = st.lists(dutch_words, max_size=12).map(lambda found: " ".join(["op", *found]))


@pytest.mark.parametrize(("text", "expected"), tables("checking", "metrics")["words"])
def test_words(text, expected):
    assert words(text) == expected


@given(st.text("abcxyz0189 ABC.,:;-_/()\n", max_size=60))
def test_words_are_those_of_rouge_score_where_it_knows_the_letters(text):
    assert words(text) == library_words(text, None)


@given(st.text(max_size=40))
def test_both_spellings_of_an_accent_are_the_same_words(text):
    assert words(unicodedata.normalize("NFD", text)) == words(unicodedata.normalize("NFC", text))


@pytest.mark.parametrize(
    ("answer", "reference", "expected"),
    [
        # 3 of 4 tokens, 1 of 3 pairs; 0 of 2 and 0 of 1 are smoothed to 1/4 and 1/4.
        ("Klik op Nieuw.", "Klik op Opslaan.", (3 / 4 * 1 / 3 * 1 / 4 * 1 / 4) ** (1 / 4)),
        # All 2 tokens and the 1 pair; half as long as the reference.
        ("Klik op", "Klik op Opslaan.", math.exp(1 - 4 / 2)),
        # 4 of 5, 2 of 4, 1 of 3, 0 of 2: longer than the reference is no penalty as such.
        ("Klik nu op Opslaan.", "Klik op Opslaan.", (4 / 5 * 2 / 4 * 1 / 3 * 1 / 4) ** (1 / 4)),
        ("Wacht even", "Klik op Opslaan.", 0.0),
        # Case counts: 3 of 4, 2 of 3, 1 of 2, 0 of 1.
        ("klik op Opslaan.", "Klik op Opslaan.", (3 / 4 * 2 / 3 * 1 / 2 * 1 / 2) ** (1 / 4)),
        ("Ja.", "Ja.", 1.0),
    ],
)
def test_bleu_by_hand(answer, reference, expected):
    assert bleu(answer, reference) == pytest.approx(expected, abs=1e-12)


def test_bleu_splits_off_dutch_quotes_and_ellipses():
    quoted = bleu("Klik op ‘Opslaan’…", "Klik op Opslaan.")
    # Klik, op, Opslaan of 6 tokens; Klik op of 5 pairs; none of 4 and 3.
    assert quoted == pytest.approx((3 / 6 * 1 / 5 * 1 / 8 * 1 / 12) ** (1 / 4))


@pytest.mark.parametrize(
    ("answer", "reference", "expected"),
    [
        ("Klik op Nieuw", "Klik op de knop Nieuw", (3 / 4, 1 / 3, 3 / 4)),
        ("Nieuw op Klik", "Klik op Nieuw", (1.0, 0.0, 1 / 3)),
        ("één knop", "een knop", (1 / 2, 0.0, 1 / 2)),
        ("KLIK OP NIEUW!", "klik op nieuw", (1.0, 1.0, 1.0)),
        ("de foto’s", "de foto's", (1.0, 1.0, 1.0)),
        ("de foto", "de foto's", (1 / 2, 0.0, 1 / 2)),
        ("op op op", "op", (2 / 4, None, 2 / 4)),
        ("op", "op de knop", (2 / 4, 0.0, 2 / 4)),
        ("wacht", "klik op", (0.0, 0.0, 0.0)),
    ],
)
def test_rouge_by_hand(answer, reference, expected):
    assert tuple(rouge(answer, reference).values()) == pytest.approx(expected)


@pytest.mark.parametrize("text", ["Ja.", "Klik op Opslaan.", DUTCH])
def test_equal_texts_are_one_also_in_the_other_normal_form(text):
    other = unicodedata.normalize("NFD", text)
    pairs = 1.0 if len(words(text)) > 1 else None
    for answer, reference in ((text, text), (other, text), (text, other)):
        assert bleu(answer, reference) == 1.0
        assert rouge(answer, reference) == {"rouge_1": 1.0, "rouge_2": pairs, "rouge_l": 1.0}


@given(dutch_texts, dutch_texts)
def test_the_longest_row_is_that_of_rouge_score(one, other):
    class Words:
        def tokenize(self, text):
            return words(text)

    theirs = RougeScorer(["rougeL"], tokenizer=Words()).score(other, one)["rougeL"].fmeasure
    assert rouge(one, other)["rouge_l"] == pytest.approx(theirs)


def test_the_signature_tells_the_settings_and_the_version():
    settings, _, version = signatures(["bleu"])["bleu"].rpartition("|")
    assert settings == "nrefs:1|case:mixed|eff:yes|tok:intl|smooth:exp"
    assert version.startswith("version:")


WORD_NAMES = ("bleu", "rouge_1", "rouge_2", "rouge_l")
REFERENCE = "1. Open **Instellingen**.\n2. Klik op **Opslaan**.\n"


class Bert:
    """Stands in for a model: near when the texts are equal."""

    def score(self, answer, reference):
        return dict.fromkeys(("precision", "recall", "f1"), 1.0 if answer == reference else 0.25)

    def signature(self):
        return "model:none"


def turn(answer, reference=REFERENCE):
    return Turn("Hoe?", answer, reference=reference)


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
    assert measure(WORD_NAMES, turn(answer)).values == dict.fromkeys(WORD_NAMES, 1.0)


def test_figures_come_in_the_order_asked_for():
    found = measure(["rouge_l", "bleu"], turn("Klik."))
    assert list(found.values) == ["rouge_l", "bleu"]
    assert found.values["rouge_l"] == pytest.approx(2 * 1 / (1 + 5))
    assert (found.reasons, measure([], turn("Klik.")).values) == ({}, {})


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
    row = measure(names, turn(answer, reference), bert=Bert())
    assert row.values == dict.fromkeys(names)
    assert row.reasons == dict.fromkeys(names, reason)


def test_a_reference_of_one_word_has_no_pairs():
    row = measure(WORD_NAMES, turn("Ja", "Ja"))
    assert row.values == {"bleu": 1.0, "rouge_1": 1.0, "rouge_2": None, "rouge_l": 1.0}
    assert row.reasons == {"rouge_2": "the reference is a single word"}


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (["blue"], f'metric "blue" is not one of {", ".join(METRICS)}'),
        (
            ["bleu", "bert_score_f1"],
            'metric "bert_score_f1" needs a model on this machine, and '
            "none was given: name its folder",
        ),
    ],
)
def test_wrong_names_are_told_before_anything_is_measured(names, message):
    for call in (lambda: measure(names, turn("Klik.")), lambda: signatures(names)):
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
