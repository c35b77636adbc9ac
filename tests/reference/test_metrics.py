"""BLEU and ROUGE by hand, in Dutch spelling, and compared with published figures."""

import json
import math

import pytest

from klopt import Turn
from klopt.reference.metrics import bleu, measure, rouge, words
from tests.tables import tables


@pytest.mark.parametrize(("text", "expected"), tables("reference", "metrics")["words"])
def test_words_of_rouge(text, expected):
    assert words(text) == expected


@pytest.mark.parametrize(
    ("answer", "reference", "expected"),
    [
        # 3 of 4 tokens, 1 of 3 pairs; 0 of 2 and 0 of 1 are smoothed to 1/4.
        ("Klik op Nieuw.", "Klik op Opslaan.", (3 / 4 * 1 / 3 * 1 / 4 * 1 / 4) ** (1 / 4)),
        # All 2 tokens and 1 pair; half the length of the reference.
        ("Klik op", "Klik op Opslaan.", math.exp(1 - 4 / 2)),
        # 4 of 5, 2 of 4, 1 of 3, 0 of 2; no penalty for a longer answer.
        ("Klik nu op Opslaan.", "Klik op Opslaan.", (4 / 5 * 2 / 4 * 1 / 3 * 1 / 4) ** (1 / 4)),
        ("Wacht even", "Klik op Opslaan.", 0.0),
        # Case counts: 3 of 4, 2 of 3, 1 of 2, 0 of 1.
        ("klik op Opslaan.", "Klik op Opslaan.", (3 / 4 * 2 / 3 * 1 / 2 * 1 / 2) ** (1 / 4)),
        ("Ja.", "Ja.", 1.0),
    ],
)
def test_bleu_by_hand(answer, reference, expected):
    assert bleu(answer, reference) == pytest.approx(expected, abs=1e-12)


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


WORD_NAMES = ("bleu", "rouge_1", "rouge_2", "rouge_l")
REFERENCE = "1. Open **Instellingen**.\n2. Klik op **Opslaan**.\n"


class Bert:
    """A fake BERTScore model."""

    def score(self, answer, reference):
        return dict.fromkeys(("precision", "recall", "f1"), 1.0 if answer == reference else 0.25)

    def signature(self):
        return "model:none"


def turn(answer, reference=REFERENCE):
    return Turn("Hoe?", answer, reference=reference)


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
def test_a_missing_or_long_text_gives_none_with_a_reason(answer, reference, reason):
    names = [*WORD_NAMES, "bert_score_f1"]
    row = measure(names, turn(answer, reference), bert=Bert())
    assert row.values == dict.fromkeys(names)
    assert row.reasons == dict.fromkeys(names, reason)


def test_the_published_figures_are_reproduced(data):
    """TechSupportEval computed them with a blank between all characters."""
    paths = [data / "techqa" / name for name in ("dev.jsonl", "baseline_scores.jsonl")]
    if not all(path.is_file() for path in paths):
        pytest.skip(f"{paths[0]} or {paths[1]} is missing")
    rows, published = (
        {row["id"]: row for row in map(json.loads, path.read_text("utf-8").splitlines())}
        for path in paths
    )
    assert len(rows) > 400
    for name, row in rows.items():
        if not row["answer"]:
            continue
        answer, reference = (" ".join(row[field]) for field in ("answer", "ground_truth"))
        found, theirs = rouge(answer, reference), published[name]
        assert bleu(answer, reference) == pytest.approx(theirs["bleu|none"], abs=1e-9)
        # rouge-score only reads the letters a-z; two answers have others.
        tolerance = 1e-9 if (row["answer"] + row["ground_truth"]).isascii() else 1e-3
        assert found["rouge_1"] == pytest.approx(theirs["rouge1|none"], abs=tolerance)
        assert found["rouge_l"] == pytest.approx(theirs["rougeL|none"], abs=tolerance)
