"""Reports in a real browser: no text of theirs runs as a script, and the log's own script filters.

Each safeguard is tested without the other, and the first test shows that a script would be noticed.
"""

import re
from typing import Any

import pytest

from klopt.report import html
from klopt.report.log_page import render
from klopt.report.scored import LogRow
from tests.report.browser import HOSTILE, MARK, REFUSED, tab, violations, without_policy
from tests.report.reader import Reader
from tests.report.scored_log import ANSWER, QUESTION, claim, figures_of, naming, place, scored
from tests.report.wadlinde import evaluated, example, with_texts


def evaluation_page(text: str = "") -> str:
    return html.render(with_texts(evaluated(example()), lambda words: f"{text} {words}"))


def log_page(text: str = "", count: int = 3, language: str = "nl") -> str:
    passage = place(f"Blokkeren duurt 30 minuten. {text}", f"kaarten.md{text}")
    wrong = claim(f"Dat duurt 60 minuten. {text}", "contradicted", fault=True, passage=passage)
    rows = [
        scored(
            f"n{number}{text}",
            score=1.0 + 3 * number / count,
            verdict="block" if number % 2 == 0 else "review",
            explanation=f"Niet versturen. {text}",
            abstained=number == 1,
            measurements=naming(f"Pas {text}"),
            claims=[claim("Open Passen.", "supported"), wrong],
        )
        for number in range(count)
    ]
    log = [LogRow(f"{QUESTION} {number} {text}", f"{ANSWER} {text}") for number in range(count)]
    figures = figures_of(*rows, worst=1000, log=log)
    return "".join(render(figures, language, f"scores{text}", ["klopt company review acme/"]))


def with_script(page: str) -> str:
    return page.replace("</main>", f"<script>{MARK}</script></main>")


each_page = pytest.mark.parametrize("make", [evaluation_page, log_page])


@pytest.fixture
def opened(chromium, tmp_path):
    """Opens a page, for as long as the test lasts."""
    with tab(chromium) as (page, _):
        file = tmp_path / "report.html"

        def show(text: str) -> Any:
            file.write_text(text, "utf-8")
            page.goto(file.as_uri())
            return page

        yield show


def test_a_script_runs_without_the_policy(see):
    assert see(without_policy(with_script(evaluation_page()))).is_marked


@each_page
def test_hostile_texts_do_not_run_even_without_the_policy(see, make):
    seen = see(without_policy(make(HOSTILE)))
    assert not seen.is_marked
    assert seen.title in ("How well klopt agrees with people", "Wat de chatbot antwoordt")
    reader = Reader(seen.dom)
    tags = [tag for tag, _ in reader.tags]
    assert {"img", "iframe"}.isdisjoint(tags)
    assert tags.count("script") == (make is log_page)
    assert not any(name.startswith("on") for _, attributes in reader.tags for name in attributes)
    assert "".join(reader.words).count(HOSTILE) >= 4


@each_page
def test_the_policy_allows_only_the_own_style_sheet_and_script(see, make):
    page = make(HOSTILE)
    assert REFUSED not in see(page).log
    for changed in (with_script(page), page.replace("<style>", "<style>p{color:red}")):
        seen = see(changed)
        assert (seen.is_marked, REFUSED in seen.log) == (False, True)
    assert not see(page.replace('"use strict";', f'"use strict";{MARK};')).is_marked


def test_without_its_script_every_answer_is_there(opened):
    bare = re.sub(r"<script>.*?</script>", "", log_page(count=60), flags=re.DOTALL)
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
def test_answers_are_filtered(opened, act, shown):
    begin = "const form = document.getElementById('filter').elements;"
    begin += "const changed = () => form.words.dispatchEvent(new Event('input', {bubbles: true}));"
    page = opened(log_page().replace('value="instruction">', 'value="error"></option><option>'))
    assert "3 van 3 getoond" in page.content()
    page.evaluate(f"{{{begin}{act}}}")
    assert ",".join(page.locator(".card:visible .id").all_text_contents()) == shown


def test_the_button_shows_more_answers(opened):
    page = opened(log_page(count=120))
    page.locator("#more").click()
    assert page.locator(".card:visible").count() == 100
    assert "100 van 120 getoond" in page.content()


@pytest.mark.parametrize("text", ["", "lang " * 200])
def test_the_log_page_prints_on_one_sheet(opened, text):
    printed = opened(log_page(text, count=60)).pdf(format="A4")
    assert len(re.findall(rb"/Type\s*/Page\b", printed)) == 1


@pytest.mark.parametrize("width", [320, 400, 1280])
def test_nothing_is_wider_than_the_screen(opened, width):
    page = opened(log_page("x" * 300))
    page.set_viewport_size({"width": width, "height": 900})
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("language", ["nl", "en"])
def test_the_log_page_is_accessible(chromium, tmp_path, language):
    file = tmp_path / "report.html"
    file.write_text(log_page(language=language), "utf-8")
    for width, scheme in ((1200, "light"), (400, "light"), (1200, "dark")):
        size = {"width": width, "height": 900}
        with tab(chromium, viewport=size, color_scheme=scheme) as (page, _):
            page.goto(file.as_uri())
            assert violations(page) == []
