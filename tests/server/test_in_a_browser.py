"""The pages of a real service in a real browser: the example, the search for pages, each call."""

import json
import re

import pytest

from klopt._internal import shipped
from tests.report.browser import HOSTILE, tab, violations

PHONE = {"width": 400, "height": 800}


@pytest.fixture
def page(chromium):
    with tab(chromium, locale="nl-NL", viewport=PHONE) as (page, messages):
        yield page
        assert messages == []


def test_the_pages_load_nothing_from_elsewhere(service, client, page):
    policy = client.get("/").headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; script-src 'self'")
    page.goto(service.url)
    assert page.locator("html").get_attribute("lang") == "nl"
    assert page.locator("[aria-pressed=true]").count() == 1
    for name in ("try.html", "try.css", "try.js", "docs.html", "docs.js"):
        text = re.sub(r"// .*", "", shipped.text("klopt.server", name))
        assert not re.search(r"https?://|//\w", text)


def show_response(page, service, found: object, typed: str) -> None:
    """Fill in the form and show this response."""
    page.route("**/v1/score", lambda route: route.fulfill(json=found))
    page.goto(service.url)
    for name in ("question", "answer", "page", "names"):
        page.locator(f"#{name}").fill(typed)
    page.locator("#go").click()
    page.locator("#result:not([hidden])").wait_for()


@pytest.mark.parametrize("is_refused", [False, True])
def test_hostile_texts_do_not_run_even_without_the_policy(service, chromium, is_refused):
    passage = {"text": HOSTILE, "page": HOSTILE, "line": HOSTILE}
    claim = {
        "text": HOSTILE, "relation": HOSTILE, "fault": True, "passage": passage,
        "wrong": [[0, len(HOSTILE)]], "differing": [[1, 3], [4, len(HOSTILE)]],
    }  # fmt: skip
    found = {"verdict": HOSTILE, "explanation": HOSTILE, "statements": [claim]}
    if is_refused:
        found = {"error": {"code": HOSTILE, "message": HOSTILE}}
    with tab(chromium, bypass_csp=True) as (page, _):
        show_response(page, service, found, HOSTILE)
        assert page.evaluate("document.documentElement.dataset.pwned") is None
        assert page.title() == "klopt"
        assert page.locator("img, svg").count() == 0
        shown = page.locator("#result").text_content()
        assert shown.count(HOSTILE) >= (1 if is_refused else 4)


def test_the_example_is_scored_and_pages_are_found(service, page):
    page.goto(service.url)
    page.locator("#question:valid").wait_for()
    page.keyboard.press("Tab")
    page.locator("#go").press("Enter")
    page.locator("#result:not([hidden])").wait_for()
    assert page.locator("#verdict").inner_text() == "Niet versturen"
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
def test_the_pages_are_accessible(service, page, path):
    page.goto(service.url + path)
    page.locator("button").first.wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    assert violations(page) == []
