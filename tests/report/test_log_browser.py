"""A real browser reads the report of a log: nothing of the log runs, and its own script filters."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path

import pytest

from klopt.report.log_figures import LogFigures
from klopt.report.log_page import render
from klopt.report.scored import AskedRow, ScoredRow
from tests.report.browser import HOSTILE, MARK, REFUSED, without_policy
from tests.report.scored_log import ANSWER, QUESTION, place, scored, statement, unsupported

AXE = Path(__file__).parents[2] / "node_modules" / "axe-core" / "axe.min.js"
AUDIT = """
addEventListener('load', async () => {
  document.querySelectorAll('details').forEach((one) => { one.open = true; });
  const { violations } = await axe.run(document);
  const told = violations.map(({ id, nodes }) => [id, nodes.map((one) => one.html)]);
  document.documentElement.dataset.axe = JSON.stringify(told);
});
"""
SHOWN = """
document.documentElement.dataset.shown =
  [...document.querySelectorAll('.card')].filter((one) => one.checkVisibility())
    .map((one) => one.querySelector('.id').textContent).join();
"""


def page(text: str = "", count: int = 3, language: str = "nl") -> str:
    figures = LogFigures(1000)
    for number in range(count):
        passage = place(f"Blokkeren duurt 30 minuten. {text}", f"kaarten.md{text}")
        row = scored(
            f"n{number}{text}",
            score=1.0 + 3 * number / count,
            verdict="block" if number % 2 == 0 else "review",
            explanation=f"Niet versturen. {text}",
            abstained=number == 1,
            measurements={
                "components_defined": {"value": 0.0, "evidence": [unsupported(f"Pas {text}")]}
            },
            statements=[
                statement("Open Passen.", "supported"),
                statement(
                    f"Dat duurt 60 minuten. {text}", "contradicted", fault=True, passage=passage
                ),
            ],
        )
        asked = AskedRow(f"{QUESTION} {number} {text}", f"{ANSWER} {text}")
        figures.add(ScoredRow.from_mapping(row), asked)
    return "".join(render(figures, language, f"scores{text}"))


def after(one: str, script: str) -> str:
    """The page with a script after its own, which its policy would refuse."""
    return without_policy(one).replace("</body>", f"<script>{script}</script></body>")


def seen_data(seen, name: str) -> str:
    found = re.search(rf'<html[^>]* data-{name}="([^"]*)"', seen.dom)
    assert found is not None, seen.log[-2000:]
    return html.unescape(found[1])


def test_hostile_texts_do_not_run_even_without_the_policy(see):
    seen = see(without_policy(page(HOSTILE)))
    assert not seen.is_marked
    assert seen.title == "Wat de chatbot antwoordt"
    assert "<img" not in seen.dom


def test_the_policy_lets_in_the_own_script_and_style_sheet_alone(see):
    clean = see(page(HOSTILE))
    assert REFUSED not in clean.log
    assert 'name="count">3 van 3 getoond<' in clean.dom
    stopped = see(page().replace("</main>", f"<script>{MARK}</script></main>"))
    assert not stopped.is_marked
    assert REFUSED in stopped.log
    changed = see(page().replace('"use strict";', f'"use strict";{MARK};'))
    assert not changed.is_marked


def test_without_its_script_every_answer_is_there(see):
    bare = re.sub(r"<script>.*?</script>", "", page(count=60), flags=re.DOTALL)
    assert len(seen_data(see(after(bare, SHOWN)), "shown").split(",")) == 60


@pytest.mark.parametrize(
    ("act", "shown"),
    [
        ("", "n0,n1,n2"),
        ("form.words.value = 'N1'; changed();", "n1"),
        ("form.words.value = '60 MINUTEN  hoe'; changed();", "n0,n1,n2"),
        ("form.words.value = 'elders'; changed();", ""),
        ("form.verdict.value = 'review'; changed();", "n1"),
        ("form.kind.value = 'error'; changed();", ""),
        ("document.querySelectorAll('#questions .find button')[0].click();", "n1"),
    ],
)
def test_answers_are_found(see, act, shown):
    begin = "const form = document.getElementById('filter').elements;"
    begin += "const changed = () => form.words.dispatchEvent(new Event('input', {bubbles: true}));"
    one = page().replace('value="instruction">', 'value="error"></option><option>')
    assert seen_data(see(after(one, begin + act + SHOWN)), "shown") == shown


def test_more_are_shown_when_asked_for(see):
    seen = see(after(page(count=120), f"document.getElementById('more').click();{SHOWN}"))
    assert len(seen_data(seen, "shown").split(",")) == 100
    assert "100 van 120 getoond" in seen.dom


@pytest.mark.parametrize("language", ["nl", "en"])
@pytest.mark.parametrize(
    "flag",
    ["--window-size=1200,900", "--window-size=400,800", "--blink-settings=preferredColorScheme=0"],
)
def test_everybody_can_use_it(see, language, flag):
    if not AXE.is_file():
        pytest.skip("no axe-core: npm install --no-save axe-core puts it into node_modules")
    audit = AXE.read_text("utf-8").replace("</script", "<\\/script") + AUDIT
    seen = see(after(page(language=language), audit), "--virtual-time-budget=60000", flag)
    assert json.loads(seen_data(seen, "axe")) == []
