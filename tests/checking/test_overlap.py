"""BLEU and ROUGE: figures worked out by hand, Dutch spelling, and the libraries' own figures."""

from __future__ import annotations

import math
import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rouge_score.rouge_scorer import RougeScorer
from rouge_score.tokenize import tokenize as library_words

from klopt.checking.metrics import bleu, rouge, signatures, words
from klopt.errors import ExtraMissingError

DUTCH = "Ga 's avonds naar Foto’s en klik één keer op ‘Opslaan’."
dutch_texts = (
    st.lists(
        st.sampled_from(["klik", "op", "Opslaan", "één", "foto's", "10", "nieuw", "."]),
        min_size=1,
        max_size=12,
    )
    .filter(lambda found: found != ["."] * len(found))
    .map(" ".join)
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("één", ["één"]),
        ("ÉÉN Één", ["één", "één"]),
        ("coördinaten geïnstalleerd", ["coördinaten", "geïnstalleerd"]),
        ("foto's foto’s fotoʼs", ["foto's"] * 3),
        ("'s avonds, ’s nachts", ["s", "avonds", "s", "nachts"]),
        ("klik op 'Opslaan'", ["klik", "op", "opslaan"]),
        ("wi-fi aan/uit", ["wi", "fi", "aan", "uit"]),
        ("snake_case v10.1.2", ["snake", "case", "v10", "1", "2"]),
        ("STRASSE straße", ["strasse", "strasse"]),
        ("保存 Ελλάδα", ["保存", "ελλάδα"]),
        ("… – ‘ ’ '", []),
        ("", []),
    ],
)
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


def test_without_the_extra_the_error_names_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "rapidfuzz.distance", None)
    with pytest.raises(ExtraMissingError) as caught:
        rouge("Klik op Nieuw", "Klik op Opslaan")
    assert str(caught.value) == (
        "BLEU and ROUGE need rapidfuzz; install with: pip install 'klopt[metrics]'"
    )
