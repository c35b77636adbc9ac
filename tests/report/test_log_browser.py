"""A real browser reads the report of a log: nothing of the log runs, and its own script filters."""

import re
from typing import Any

import pytest

from klopt.report.log_figures import LogFigures
from klopt.report.log_page import render
from klopt.report.scored import LogRow, ScoredRow
from tests.report.browser import HOSTILE, MARK, REFUSED, tab, violations, without_policy
from tests.report.scored_log import ANSWER, QUESTION, claim, place, scored, unsupported


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
            claims=[
                claim("Open Passen.", "supported"),
                claim(f"Dat duurt 60 minuten. {text}", "contradicted", fault=True, passage=passage),
            ],
        )
        asked = LogRow(f"{QUESTION} {number} {text}", f"{ANSWER} {text}")
        figures.add(ScoredRow.from_mapping(row), asked)
    return "".join(render(figures, language, f"scores{text}", ["klopt company review acme/"]))


@pytest.fixture
def opened(chromium, tmp_path):
    """Opens a page, for as long as the test lasts."""
    with tab(chromium) as (found, _):
        file = tmp_path / "report.html"

        def look(text: str) -> Any:
            file.write_text(text, "utf-8")
            found.goto(file.as_uri())
            return found

        yield look


def ids(opened: Any) -> str:
    """Of the answers that are shown."""
    return ",".join(opened.locator(".card:visible .id").all_text_contents())


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


def test_without_its_script_every_answer_is_there(opened):
    bare = re.sub(r"<script>.*?</script>", "", page(count=60), flags=re.DOTALL)
    assert opened(bare).locator(".card:visible").count() == 60


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
def test_answers_are_found(opened, act, shown):
    begin = "const form = document.getElementById('filter').elements;"
    begin += "const changed = () => form.words.dispatchEvent(new Event('input', {bubbles: true}));"
    found = opened(page().replace('value="instruction">', 'value="error"></option><option>'))
    found.evaluate(f"{{{begin}{act}}}")
    assert ids(found) == shown


def test_more_are_shown_when_asked_for(opened):
    found = opened(page(count=120))
    found.locator("#more").click()
    assert found.locator(".card:visible").count() == 100
    assert "100 van 120 getoond" in found.content()


@pytest.mark.parametrize("text", ["", "lang " * 200])
def test_printed_it_is_one_sheet(opened, text):
    printed = opened(page(text, count=60)).pdf(format="A4")
    assert len(re.findall(rb"/Type\s*/Page\b", printed)) == 1


@pytest.mark.parametrize("width", [320, 400, 1280])
def test_nothing_is_wider_than_the_screen(opened, width):
    found = opened(page("x" * 300))
    found.set_viewport_size({"width": width, "height": 900})
    assert found.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("language", ["nl", "en"])
def test_everybody_can_use_it(chromium, tmp_path, language):
    file = tmp_path / "report.html"
    file.write_text(page(language=language), "utf-8")
    for width, scheme in ((1200, "light"), (400, "light"), (1200, "dark")):
        size = {"width": width, "height": 900}
        with tab(chromium, viewport=size, color_scheme=scheme) as (found, _):
            found.goto(file.as_uri())
            assert violations(found) == []
