"""An evaluation on a terminal has the same texts as its page."""

import io
import re
from html import unescape
from itertools import pairwise

import pytest
from rich.console import Console

from klopt.evaluation.evaluation import Evaluation
from klopt.report import html
from klopt.report.html import show
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


def test_every_sentence_is_on_both(terminal, page):
    worded = Worded(EXAMPLE, Wording("en"))
    texts = [worded.lead(), *worded.notes()]
    for profile in EXAMPLE.profiles:
        texts += [*worded.sentences(profile), *worded.captions(profile)]
    texts += [sentence for key in worded.sections() for sentence in worded.sums(key)]
    assert len(texts) > 15
    assert [text for text in texts if text not in terminal or text not in page] == []


def test_every_table_is_on_both():
    on_page = re.findall(r"<caption>(.*?)</caption>", unescape(html.render(EXAMPLE)))
    lines = on_terminal(EXAMPLE, width=200).split("\n")
    captions = [line for before, line in pairwise(lines) if not before and line]
    assert len(on_page) > 15
    shared = {one for one in captions if not one.startswith("Worst") and one != "In plain words"}
    assert set(on_page) == shared


def test_a_narrow_terminal_shows_every_figure(terminal):
    narrow, interval = on_terminal(EXAMPLE, width=40), r"0\.\d\d to 0\.\d\d"
    assert re.findall(interval, joined(narrow)) == re.findall(interval, terminal)
    assert "…" not in narrow


def test_hostile_texts_do_not_control_the_terminal():
    evil = "\x1b[2J\u202e[red]x\n[/red]"
    shown = on_terminal(with_texts(EXAMPLE, lambda _: evil))
    assert "\x1b" not in shown
    assert "\u202e" not in shown
    assert "\ufffd[2J\ufffd[red]x [/red]" in shown
