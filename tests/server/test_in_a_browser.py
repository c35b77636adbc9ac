"""A real browser opens the pages of a real service: an example, pages to find, each call to try."""

from __future__ import annotations

import json

import pytest

from tests.company.test_review_browser import chromium, context
from tests.report.conftest import browser
from tests.report.test_log_browser import AXE

__all__ = ["browser", "chromium", "context"]


@pytest.fixture
def page(chromium):
    with chromium.new_context(locale="nl-NL", viewport={"width": 400, "height": 800}) as context:
        context.set_default_timeout(30_000)
        page = context.new_page()
        said: list[str] = []
        page.on("console", lambda one: said.append(one.text) if one.type == "error" else None)
        page.on("pageerror", lambda error: said.append(str(error)))
        yield page
        assert said == []


def violations(page) -> list[str]:
    if not AXE.is_file():
        pytest.skip("no axe-core: npm install --no-save axe-core puts it into node_modules")
    page.evaluate(AXE.read_text("utf-8"))
    return [one["id"] for one in page.evaluate("axe.run(document)")["violations"]]


def test_the_example_is_checked_and_pages_are_found(service, page):
    page.goto(service.url)
    page.locator("#question:valid").wait_for()
    page.keyboard.press("Tab")
    page.locator("#go").press("Enter")
    page.locator("#result:not([hidden])").wait_for()
    assert page.locator("#verdict").inner_text() == "Tegenhouden"
    assert page.locator("mark.wrong").all_inner_texts() == ["120"]
    assert page.locator("mark.page").all_inner_texts() == ["90"]
    page.locator("#to-en").press("Enter")
    assert page.locator("#question").input_value().startswith("Until when")
    page.locator("#known summary").press("Enter")
    page.locator("#pages button").nth(1).wait_for()
    page.locator("#find").fill("wie mag een printer toevoegen?")
    page.get_by_text("printer.md: Een printer toevoegen").press("Enter")
    assert page.locator("#names").input_value() == "printer.md"
    assert page.locator("#page").input_value() == ""
    page.locator("#question").fill("Eigen vraag")
    page.locator("#to-nl").press("Enter")
    assert page.locator("#question").input_value() == "Eigen vraag"


def test_each_call_can_be_tried(service, page):
    page.goto(f"{service.url}/docs")
    calls = page.locator("#calls details")
    calls.first.wait_for()
    for number, call in enumerate(calls.all()):
        if number:
            call.locator("summary").press("Enter")
        call.locator("button").press("Enter")
        call.locator("pre:not([hidden])").wait_for()
        status, _, body = call.locator("pre").inner_text().partition("\n")
        assert status == "200", body
    assert json.loads(calls.first.locator("pre").inner_text()[3:])["verdict"] == "block"
    assert page.locator("#records summary").first.inner_text() == "Row"
    assert page.locator("main").bounding_box()["width"] <= 400


@pytest.mark.parametrize("path", ["/", "/docs"])
def test_everybody_can_use_them(service, chromium, path):
    with chromium.new_context(viewport={"width": 400, "height": 800}) as context:
        page = context.new_page()
        page.goto(service.url + path)
        page.locator("button").first.wait_for()
        page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
        assert violations(page) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= 400
