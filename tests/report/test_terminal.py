"""Page and terminal say the same: the view words it once."""

from __future__ import annotations

import io
import re

import pytest
from rich.console import Console

from klopt import heuristics
from klopt.evaluation import Evaluation
from klopt.report import html
from klopt.report.terminal import show
from klopt.report.worded import worded
from klopt.report.wording import feature_name
from tests.report.reader import Reader
from tests.report.wadlinde import example, with_texts

VIEW = worded(Evaluation.from_dict(example()))


def on_terminal(evaluation: Evaluation, width: int = 100) -> str:
    file = io.StringIO()
    show(worded(evaluation), Console(file=file, width=width, force_terminal=False))
    return file.getvalue()


def joined(text: str) -> str:
    return " ".join(text.split())


@pytest.fixture(scope="module")
def terminal() -> str:
    return joined(on_terminal(Evaluation.from_dict(example())))


@pytest.fixture(scope="module")
def page() -> str:
    reader = Reader()
    reader.feed(html.render(Evaluation.from_dict(example())))
    return joined(" ".join(reader.words))


def test_every_sentence_stands_on_both(terminal, page):
    said = [VIEW.lead, *VIEW.notes]
    said += [sentence for one in VIEW.outcomes for sentence in one.sentences]
    said += [sentence for one in VIEW.sections for sentence in one.sentences]
    said += [note for one in VIEW.sections for group in one.groups for note in group.notes]
    assert len(said) > 20
    assert [one for one in said if one not in terminal or one not in page] == []


def test_every_table_stands_on_both_unless_it_is_for_one(terminal, page):
    tables = [
        (table, section.on_terminal)
        for section in VIEW.sections
        for group in section.groups
        for table in group.tables
    ]
    assert len(tables) > 15
    for table, is_both in tables:
        assert (table.caption in terminal) == is_both
        assert (table.caption in page) == table.on_page


def test_a_narrow_terminal_cuts_no_figure(terminal):
    narrow = on_terminal(Evaluation.from_dict(example()), width=40)
    assert re.findall(r"0\.\d\d to 0\.\d\d", joined(narrow)) == re.findall(
        r"0\.\d\d to 0\.\d\d", terminal
    )
    assert "…" not in narrow


def test_hostile_texts_do_not_take_over_the_terminal():
    evil = "\x1b[2J\u202e[red]x\n[/red]"
    shown = on_terminal(with_texts(Evaluation.from_dict(example()), lambda _: evil))
    assert "\x1b" not in shown
    assert "\u202e" not in shown
    assert "\ufffd[2J\ufffd[red]x [/red]" in shown


def test_every_heuristic_has_words():
    assert all(feature_name(one.name) != one.name for one in heuristics.ALL)
