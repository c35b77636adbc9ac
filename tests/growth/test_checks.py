"""Patterns, replies of models and checks against a reference take time in proportion, too."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest

from klopt import Scorer, Turn
from klopt.checking import Checker, TextSolver, measure
from klopt.checking.published.cloze_fact import cloze_test, read_fills
from klopt.checking.published.step_restore import ordering_test, read_order, read_task
from klopt.checking.reference import read_reference
from klopt.checking.strategies import graded
from klopt.errors import KloptError
from klopt.evaluation import Evaluation, evaluate
from klopt.lexicons.literals import required_literals
from klopt.lexicons.patterns import LONGEST_SOURCE_CHARS, compile_pattern
from klopt.models.judges.forms import read as read_judgement
from klopt.reading.reader import ANSWER_LIMIT_CHARS
from klopt.report.html import render
from tests.growth.growing import assert_linear, shapes

pytestmark = pytest.mark.slow

REFERENCE = read_reference("1. Klik op **Opslaan**.\n2. Kies de **map**.")


def tried(read: Callable[[str], Any]) -> Callable[[str], None]:
    """Reads a text, which may be refused."""

    def attempt(text: str) -> None:
        with suppress(KloptError):
            read(text)

    return attempt


@shapes("patterns")
def test_patterns(shape):
    assert_linear(
        shape.text,
        LONGEST_SOURCE_CHARS - 100,
        compiled=tried(compile_pattern),
        literals=required_literals,
    )


def test_a_report():
    scorer = Scorer.load()
    turn = Turn("Kan dat?", "Dat kan.", ["Dat kan niet."], rating=1.0, language="nl")

    def made(count: int) -> Evaluation:
        turns = [replace(turn, id=str(number)) for number in range(count)]
        return evaluate(turns, scorer, resamples=2, worst=count)

    assert_linear(made, 100, report=render)


@shapes("replies")
def test_replies(shape):
    options = ordering_test(REFERENCE, "")
    assert_linear(
        shape.text,
        100_000,
        fills=tried(lambda text: read_fills(text, 2, "Klik op Opslaan.")),
        order=tried(lambda text: read_order(text, options, REFERENCE, "strict")),
        published_order=tried(lambda text: read_order(text, options, REFERENCE, "published")),
        task=tried(lambda text: read_task(text, REFERENCE)),
        g_eval=tried(lambda text: read_judgement("g_eval", text)),
        prometheus=tried(lambda text: read_judgement("prometheus", text)),
    )


@shapes("references")
def test_references(shape):
    checker = Checker(TextSolver(), "strict", graded())
    answer, reference = "Klik op **Opslaan** en kies de map.", "1. Klik op **Opslaan**.\n2. Kies."
    assert_linear(
        shape.text,
        ANSWER_LIMIT_CHARS // 4,
        rules=lambda text: cloze_test(read_reference(text, key_terms="rules")),
        steps=lambda text: ordering_test(read_reference(text, as_published=True), ""),
        answer=lambda text: checker.check(Turn("Hoe?", text, reference=reference)),
        reference=lambda text: checker.check(Turn("Hoe?", answer, reference=text)),
        both=lambda text: checker.check(Turn("Hoe?", text, reference=text)),
        overlap=lambda text: measure(
            ("bleu", "rouge_1", "rouge_2", "rouge_l"), [Turn("Hoe?", text, reference=text)]
        ),
    )
