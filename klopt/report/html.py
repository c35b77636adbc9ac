"""An evaluation as one HTML page, and as tables and sentences on a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any, Final

from rich.console import Console
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from klopt._internal import shipped
from klopt.evaluation.evaluation import Evaluation
from klopt.report import drawn
from klopt.report.evidence import ANSWER_CHARS
from klopt.report.templating import Markup, digest, environment
from klopt.report.worded import FIGURES, Worded
from klopt.report.wording import MAX_ROWS, Wording, brief
from klopt.types import clean


def render(evaluation: Evaluation, language: str = "en") -> str:
    """Return the page in Dutch (``nl``) or English: results in words, worst answers, tables.

    Texts are escaped and cut; control and direction characters become U+FFFD. A Content Security
    Policy allows the page's own style sheet only.
    """
    css = shipped.text("klopt.report", "style.css")
    page = environment().get_template("page.html")
    return page.render(css=Markup(css), digest=digest(css), **given(evaluation, language))


def given(evaluation: Evaluation, language: str) -> dict[str, Any]:
    """Return the variables of the templates."""
    words = Wording(language)
    limits = {"agreement_figures": FIGURES, "answer_chars": ANSWER_CHARS, "most": MAX_ROWS}
    worded = {"texts": words.texts, "wording": words, "worded": Worded(evaluation, words)}
    return {"evaluation": evaluation, "drawn": drawn, **worded, **limits}


_LONGEST_NAME: Final = 32
_WIDEST: Final = 200
_STYLES: Final = {"#": "bold", "~": "dim"}


def show(found: Evaluation, console: Console, language: str = "en") -> None:
    """Print the tables, and below them, where a reader looks first, the results in words."""
    filled = given(found, language)
    worded: Worded = filled["worded"]
    page = environment("txt").get_template("terminal.txt").render(filled)
    lines = [line for line in page.split("\n") if line.strip(" ")]
    for is_row, group in groupby(lines, lambda line: "\t" in line):
        if is_row:
            _show_table([line.split("\t")[:-1] for line in group], console)
            continue
        for line in group:
            sign, _, words = line.partition(" ")
            console.print(Text("\n" * (sign == "#") + words, _STYLES[sign]))
    console.print(Text(f"\n{worded.words.say('page', 'in_words')}", style="bold"))
    sentences = [worded.lead(), *worded.notes()]
    for profile in found.profiles:
        name = f"{brief(profile.name)}: " if len(found.profiles) > 1 else ""
        sentences += (f"{name}{sentence}" for sentence in worded.sentences(profile))
    for key in worded.sections():
        sentences += worded.sums(key)
    for sentence in sentences:
        console.print(Text(clean(f"- {sentence}")))


def _show_table(rows: Sequence[Sequence[str]], console: Console) -> None:
    """Print a table at its own width; a narrower terminal wraps lines and cuts no figure."""
    grid = Table(box=None, pad_edge=False, header_style="dim")
    for place, head in enumerate(rows[0]):
        grid.add_column(Text(head), justify="right" if place else "left", no_wrap=place > 0)
    grid.columns[0].max_width = _LONGEST_NAME
    grid.columns[0].overflow = "fold"
    for row in rows[1:]:
        grid.add_row(*map(Text, row))
    widest = console.options.update(max_width=_WIDEST)
    width = console.width
    console.width = max(width, Measurement.get(console, widest, grid).maximum)
    console.print(grid)
    console.width = width
