"""Page and terminal say the same: it is worded once."""

import io
import re
from html import unescape
from itertools import pairwise

import pytest
from rich.console import Console

from klopt.evaluation import Evaluation
from klopt.report import html
from klopt.report.terminal import show
from klopt.report.worded import Worded
from klopt.report.wording import Wording
from tests.report.reader import words
from tests.report.wadlinde import evaluated, example, with_texts

EXAMPLE = evaluated(example())


def on_terminal(evaluation: Evaluation, width: int = 100) -> str:
    file = io.StringIO()
    show(evaluation, Console(file=file, width=width, force_terminal=False))
    return file.getvalue()


def joined(text: str) -> str:
    return " ".join(text.split())


@pytest.fixture(scope="module")
def terminal():
    return joined(on_terminal(EXAMPLE))


@pytest.fixture(scope="module")
def page():
    return words(html.render(EXAMPLE))


def test_every_sentence_stands_on_both(terminal, page):
    worded = Worded(EXAMPLE, Wording("en"))
    said = [worded.lead(), *worded.notes()]
    for profile in EXAMPLE.profiles:
        said += [*worded.sentences(profile), *worded.captions(profile)]
    said += [sentence for key in worded.sections() for sentence in worded.sums(key)]
    assert len(said) > 15
    assert [one for one in said if one not in terminal or one not in page] == []


def test_every_table_stands_on_both():
    on_page = re.findall(r"<caption>(.*?)</caption>", unescape(html.render(EXAMPLE)))
    lines = on_terminal(EXAMPLE, width=200).split("\n")
    captions = [line for before, line in pairwise(lines) if not before and line]
    assert len(on_page) > 15
    of_both = {one for one in captions if not one.startswith("Worst") and one != "In plain words"}
    assert set(on_page) == of_both


def test_a_narrow_terminal_cuts_no_figure(terminal):
    narrow = on_terminal(EXAMPLE, width=40)
    assert re.findall(r"0\.\d\d to 0\.\d\d", joined(narrow)) == re.findall(
        r"0\.\d\d to 0\.\d\d", terminal
    )
    assert "…" not in narrow


def test_hostile_texts_do_not_take_over_the_terminal():
    evil = "\x1b[2J\u202e[red]x\n[/red]"
    shown = on_terminal(with_texts(EXAMPLE, lambda _: evil))
    assert "\x1b" not in shown
    assert "\u202e" not in shown
    assert "\ufffd[2J\ufffd[red]x [/red]" in shown
