"""Counts of translated rows in an evaluation."""

import dataclasses

import pytest

from klopt import Page, Scorer, Turn
from klopt.evaluation import evaluate
from klopt.evaluation.rated import TranslatedRows, translated_rows
from klopt.scoring.notes import TranslationNote
from klopt.translation import CachedTranslator, Translate, TranslationCache
from tests.evaluation.rated_rows import judged
from tests.translation.fakes import entries

DONE = TranslationNote("nl", "en", "marked", "translated")
FAILED = TranslationNote("nl", "en", "marked", "failed", "not_in_cache", "1 of 4 sentences")
LATE = TranslationNote("nl", "en", "marked", "failed", "timeout", "too late")
UNMASKED = dataclasses.replace(DONE, unmasked_count=2)
MOST = TranslatedRows(1, {"not_in_cache": 2, "timeout": 1}, {}, 1)
NONE = TranslatedRows(0, {}, {"not_in_cache": 1}, 0)

GOOD = "De medewerker vraagt verlof aan in het portaal."
PAGE = Page(f"# Verlof aanvragen\n\n{GOOD}", id="verlof.md")
QUESTION = "Hoe vraag ik verlof aan in het portaal?"
BAD = "De directeur vraagt verlof aan bij de kassa."
UNKNOWN = "De stagiair vraagt verlof aan in het portaal."
PAIRS = (
    ("Verlof aanvragen", "Request leave"),
    (GOOD, "The employee requests leave in the portal."),
    (QUESTION, "How do I request leave in the portal?"),
    (BAD, "The director requests leave at the till."),
)


def assessed(note, score=3.0, **fields):
    return dataclasses.replace(judged(score, 3).assessment, translation=note, **fields)


@pytest.mark.parametrize(
    ("assessments", "expected"),
    [
        ([], None),
        ([assessed(None)], None),
        ([assessed(None), assessed(DONE)], TranslatedRows(1, {}, {}, 0)),
        ([*[assessed(FAILED)] * 2, assessed(LATE), assessed(UNMASKED)], MOST),
        ([assessed(FAILED, None, reason_code="not_translated")], NONE),
        ([assessed(FAILED, None, reason_code="out_of_scope")], TranslatedRows(0, {}, {}, 0)),
    ],
)
def test_rows_are_counted_by_the_outcome_of_their_translation(assessments, expected):
    assert translated_rows(assessments) == expected


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    path = tmp_path_factory.mktemp("cache") / "cache.sqlite"
    with TranslationCache(path, create=True) as made:
        made.add(entries(PAIRS))
        yield made


def test_untranslated_rows_are_included_and_counted(cache):
    translate = Translate(CachedTranslator(cache, target="en"))
    translated, plain = (
        Scorer.load("afas", all_types=True, translate=t) for t in (translate, None)
    )
    turns = [
        Turn(QUESTION + " " * index, answer, [PAGE], f"row-{index}", language="nl", rating=rating)
        for index, (answer, rating) in enumerate([(GOOD, 5), (BAD, 1), (UNKNOWN, 2)] * 4)
    ]
    found = evaluate(turns, translated, against=plain, resamples=100)
    first, second = found.profiles
    assert (first.name, second.name) == ("afas (en)", "afas")
    assert first.translation == TranslatedRows(8, {"not_in_cache": 4}, {}, 0)
    assert second.translation is None
    assert found.rows.not_scored == {}
    assert first.agreement[0].spearman.n == 12
    assert len(first.fingerprints) == 2
    assert set(second.fingerprints) < set(first.fingerprints)
    comparison = found.comparison
    assert (comparison.first, comparison.second, comparison.n) == ("afas (en)", "afas", 12)
    hal = next(one for one in comparison.features if one.name == "hal")
    assert hal.n == 12
    assert hal.differ_count <= 8
