"""What the benchmark of translation reads from the data, and counts of it by hand."""

from __future__ import annotations

import json

import pytest

from benchmarks.memories import Coverage, build, coverage, page_pairs, turn_pairs
from benchmarks.translation import Way, agreement
from klopt import Page, Scorer, Turn
from klopt.bilingual.pairs import Pair
from klopt.evaluation.rated import Rated

SAVING = "# Opslaan\n\nKlik op **Opslaan**. Wacht 5 tellen.\n\nDaarna is het klaar."
SAVING_EN = "# Save\n\nClick **Save**. Wait 5 counts.\n\nThen it is done."
LEAVE = "# Verlof\n\nDaarna is het klaar.\n\nDe zon schijnt.\n\n```\nklopt demo\n```"


@pytest.fixture
def data(tmp_path):
    for folder, pages in (
        ("nl", {"opslaan": SAVING, "verlof": LEAVE}),
        ("en", {"opslaan": SAVING_EN}),
    ):
        (tmp_path / "help" / folder).mkdir(parents=True)
        for name, text in pages.items():
            (tmp_path / "help" / folder / f"{name}.md").write_text(text, encoding="utf-8")
    row = {
        "question": "Hoe sla ik op?",
        "question_en": "How do I save?",
        "answer": "Klik op **Opslaan**.",
        "answer_en": "Click **Save**.",
    }
    (tmp_path / "turns-nl").mkdir()
    (tmp_path / "turns-nl" / "dev.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")
    return tmp_path


def test_pages_of_one_name_and_both_texts_of_a_turn_are_pairs(data):
    assert [one.origin for one in page_pairs(data)] == ["opslaan.md"]
    assert [(one.source, one.target) for one in turn_pairs(data)] == [
        ("Hoe sla ik op?", "How do I save?"),
        ("Klik op **Opslaan**.", "Click **Save**."),
    ]


def test_how_much_of_the_pages_a_memory_has(tmp_path):
    """Four sentences of the first page, and one of the three of the second; code is no sentence."""
    path = tmp_path / "memory.sqlite"
    built = build(path, [Pair(SAVING, SAVING_EN, "opslaan.md")])
    assert (built.pairs, built.entries) == (1, 5)
    pages = [Page(SAVING, id="opslaan.md"), Page(LEAVE, id="verlof.md")]
    assert coverage(path, pages) == Coverage(pages=2, pages_whole=1, sentences=7, sentences_found=5)


def rows(scores):
    scorer = Scorer.load("afas")
    page = "Klik op **Orlinde**."
    return tuple(
        Rated(
            place,
            Turn("Kan dat?", page, [page], rating=1 + place),
            scorer.score(Turn("Kan dat?", page, [page], language="nl"), measure_all=True),
            score,
        )
        for place, score in enumerate(scores)
    )


def test_ways_are_compared_on_the_turns_that_both_score():
    original, other = Way(rows((1.0, 2.0, 3.0, 4.0))), Way(rows((4.0, 3.0, 2.0)), on_original=2)
    found = agreement({"original": original, "whole": other})
    assert "less" not in found["original"]
    assert (found["whole"]["n"], found["whole"]["on_original"]) == (3, 2)
    less = found["whole"]["less"]
    assert (less["n"], less["differ"], less["rho"]["value"]) == (3, 3, -2.0)
    assert less["features"] == {}
