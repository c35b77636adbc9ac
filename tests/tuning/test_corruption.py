"""Synthetic answers: the same for the same pages and seed, and labelled as they were made."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from klopt import Page
from klopt.batch.pages import read_pages
from klopt.reading.reader import Reader
from klopt.tuning.corruption import SOURCE_MISSING, Synthetic, synthesise
from klopt.tuning.faults import CORRUPTIONS

DEMO = Path(__file__).parent.parent.parent / "data" / "demo" / "pages"
SCRIPT = """
from pathlib import Path
from klopt import lexicons
from klopt.batch.pages import read_pages
from klopt.reading.reader import Reader
from klopt.tuning.corruption import synthesise
pages = list(read_pages(Path({folder!r})).values())
for one in synthesise(pages, Reader(lexicons.load("nl")), seed=3, count=40):
    print(repr((one.turn.question, one.turn.answer, one.corruption)))
"""


def demo_pages(language: str) -> list[Page]:
    return list(read_pages(DEMO / language).values())


@pytest.fixture(scope="module")
def made(dutch: Reader) -> list[Synthetic]:
    return synthesise(demo_pages("nl"), dutch, seed=7, count=200)


def test_count_share_and_kinds(made: list[Synthetic]):
    assert len(made) == 200
    assert sum(one.turn.label is True for one in made) == 90
    kinds = Counter((one.corruption or "").split("+")[0] for one in made)
    assert set(kinds) == {*CORRUPTIONS, SOURCE_MISSING, ""}
    del kinds[""]
    assert max(kinds.values()) - min(kinds.values()) <= 1


def test_label_rating_and_corruption_fit(made: list[Synthetic]):
    for one in made:
        assert one.turn.label is (one.corruption is None)
        assert one.turn.rating == (5 if one.turn.label else 1)
        assert one.turn.language == "nl"
        assert one.turn.message_type in {"instruction", "general", "binary", "error"}


def test_contexts(made: list[Synthetic]):
    """One of the contexts is the page, unless it was left out on purpose."""
    left_out = 0
    for one in made:
        names = [page.id for page in one.turn.pages]
        assert 2 <= len(names) <= 5
        assert len(set(names)) == len(names)
        left_out += one.page not in names
        assert (one.page not in names) or one.corruption != SOURCE_MISSING
    assert 10 <= left_out <= 30


def test_answers_are_finished(made: list[Synthetic]):
    for one in made:
        assert one.turn.question.strip()
        assert one.turn.answer.strip()
        assert not set("⟦⟧⟪⟫⟨⟩{}") & set(one.turn.answer + one.turn.question)
    assert len({(one.turn.question, one.turn.answer) for one in made}) == len(made)
    assert [one.turn.id for one in made] == [f"made-{n:05}" for n in range(1, 201)]


def test_no_untrue_answer_is_a_true_one(made: list[Synthetic]):
    true = {one.turn.answer for one in made if one.corruption is None}
    untrue = {
        one.turn.answer
        for one in made
        if one.corruption is not None and one.corruption not in (SOURCE_MISSING, "neighbour_guide")
    }
    assert not true & untrue


@pytest.mark.parametrize("shuffle", range(3))
def test_order_of_pages_does_not_matter(shuffle: int, dutch: Reader, made: list[Synthetic]):
    pages = demo_pages("nl")
    random.Random(shuffle).shuffle(pages)
    assert synthesise(pages, dutch, seed=7, count=200) == made


def test_seed_matters(dutch: Reader, made: list[Synthetic]):
    assert synthesise(demo_pages("nl"), dutch, seed=8, count=200) != made


def test_hash_seed_does_not_matter():
    def run(hash_seed: str) -> str:
        script = SCRIPT.format(folder=str(DEMO / "nl"))
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
        arguments = [sys.executable, "-c", script]
        return subprocess.run(
            arguments, env=environment, capture_output=True, text=True, check=True
        ).stdout

    first = run("1")
    assert first.count("\n") == 40
    assert first == run("2")


def test_english(english: Reader):
    found = synthesise(demo_pages("en"), english, seed=1, count=80)
    assert len(found) == 80
    assert {one.turn.language for one in found} == {"en"}
    assert len({one.corruption for one in found}) >= 12


@pytest.mark.parametrize(
    "pages",
    [
        [],
        [Page("", id="empty")],
        [Page("# Alleen een titel", id="title")],
        [Page("***\n\n| | |\n<div><b>", id="odd")],
        [Page("x" * 70_000, id="long")],
        [Page("⟦⟧ {0} \\ **\n\n1. Klik\n2. Klik", id="brackets")],
    ],
    ids=["none", "empty", "title", "odd", "long", "brackets"],
)
def test_pages_that_give_nothing(pages: list[Page], dutch: Reader):
    assert synthesise(pages, dutch, seed=1, count=20) == []


def test_a_page_given_twice_counts_once(dutch: Reader):
    pages = demo_pages("nl")[:4]
    assert synthesise([*pages, *pages], dutch, seed=1, count=20) == synthesise(
        pages, dutch, seed=1, count=20
    )


@pytest.mark.parametrize("count", [0, 1, 2])
def test_few(count: int, dutch: Reader):
    assert len(synthesise(demo_pages("nl"), dutch, seed=1, count=count)) <= count
