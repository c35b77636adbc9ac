"""The review in a real browser: with the keyboard, two tabs, a crash and narrow screens."""

from typing import Any

import pytest

from klopt.company.suggestions import Suggestions
from tests.company.reviewed import ALLOW, path_of, rows, serving, stored, write_company
from tests.report.browser import AXE, NO_AXE, WAIT_MS, tab, violations

playwright = pytest.importorskip("playwright.sync_api")


@pytest.fixture
def context(chromium):
    with chromium.new_context() as found:
        found.set_default_timeout(WAIT_MS)
        yield found


@pytest.fixture(scope="module")
def unchanged(tmp_path_factory):
    """A review for tests that store nothing."""
    company = write_company(tmp_path_factory.mktemp("unchanged"))
    with serving(company) as served:
        yield company, served


def press(page: Any, key: str) -> None:
    with page.expect_navigation():
        page.keyboard.press(key)


def id_of(page: Any) -> str:
    return str(page.locator(".question-box .id").inner_text())


def test_the_keyboard_suffices(company, chromium):
    with serving(company) as served, tab(chromium) as (page, messages):
        page.goto(served.url)
        first = id_of(page)
        press(page, "2")
        assert page.locator("#said").inner_text() == "Opgeslagen: een 2."
        assert id_of(page) != first
        press(page, "p")
        assert (id_of(page), page.locator("[aria-pressed=true]").count()) == (first, 1)
        press(page, "n")

        page.goto(served.url + path_of("a3"))
        page.keyboard.press("u")
        assert "Selecteer eerst woorden" in page.locator("#nothing").inner_text()
        page.keyboard.press("w")
        for key in ["ArrowRight"] * 3 + ["Shift+ArrowRight"]:
            page.keyboard.press(key)
        press(page, "u")
        (marked,) = page.locator("mark.untrue").all_inner_texts()
        assert marked in rows()[3]["answer"]

        page.keyboard.press("t")
        assert page.evaluate("document.activeElement.id") == "kind"
        kind = page.locator("#kind").input_value()
        page.keyboard.press("ArrowUp")
        page.keyboard.press("ArrowUp")
        press(page, "Enter")
        assert page.locator("#kind").input_value() != kind
        page.keyboard.press("t")
        page.keyboard.press("Escape")
        page.keyboard.press("o")
        page.keyboard.type("klopt 1 niet?")
        page.reload()
        assert page.locator("#note").input_value() == "klopt 1 niet?"
        page.locator("#note").focus()
        press(page, "Control+Enter")
        page.keyboard.press("?")
        assert page.locator("#help").is_visible()
        page.keyboard.press("Escape")
        press(page, "1")
        found = {row["id"]: row for row in stored(company)}
        assert (found["a3"]["rating"], found["a3"]["untrue"]) == (1, [marked])
        assert found["a3"]["note"] == "klopt 1 niet?"
        assert found["a3"]["message_type"] not in ("", kind)

        press(page, "s")
        page.keyboard.press("n")
        press(page, "a")
        assert Suggestions.read(company.path)[ALLOW.id].status == "accepted"
        press(page, "s")
        assert messages == []


def test_two_tabs_a_reload_and_a_crash_lose_no_rating(company, context):
    with serving(company) as served:
        first, second = context.new_page(), context.new_page()
        first.goto(served.url)
        second.goto(served.url)
        assert first.url == second.url
        url = first.url
        press(first, "4")
        press(second, "2")
        assert "intussen" in second.locator("#said").inner_text()
        assert [row["rating"] for row in stored(company)] == [4]
        press(second, "2")
        assert [row["rating"] for row in stored(company)] == [2]
        place = first.url
        first.reload()
        assert first.url == place
        unrated = id_of(first)
        served.kill()
        with pytest.raises(playwright.Error), first.expect_navigation(timeout=20_000):
            first.keyboard.press("5")
        port = served.url.rpartition(":")[2]
    assert unrated not in {row["id"] for row in stored(company)}
    with company.rated.open("ab") as file:  # as if the crash had cut off a line
        file.write(b'{"id": "a7", "quest')
    with serving(company, "--port", port) as served:
        first = context.new_page()  # the old tab may still load an error page
        first.goto(place)
        assert id_of(first) == unrated
        second.goto(url)
        assert second.locator("[aria-pressed=true]").get_attribute("value") == "2"
        press(first, "5")
        assert [row["rating"] for row in stored(company)] == [2, 5]


def test_a_page_of_another_site_stores_nothing(unchanged, context):
    company, served = unchanged
    page = context.new_page()
    page.goto(served.url)
    token = page.locator("[name=token]").first.input_value()
    form = (
        f'<form method="post" action="{page.url}"><input name="token" value="{token}">'
        '<input name="rating" value="5"><button>x</button></form>'
    )
    other = context.new_page()
    other.route("http://evil.example/**", lambda route: route.fulfill(
        body=form, content_type="text/html"
    ))  # fmt: skip
    other.goto("http://evil.example/")
    with other.expect_navigation():
        other.locator("button").click()
    assert "geweigerd" in other.locator("main").inner_text()
    assert stored(company) == []


@pytest.mark.parametrize(
    ("width", "scheme"),
    [
        (1280, "light"),
        pytest.param(1280, "dark", marks=pytest.mark.slow),
        pytest.param(400, "light", marks=pytest.mark.slow),
        (400, "dark"),
    ],
)
def test_the_pages_are_accessible_on_every_screen(unchanged, chromium, width, scheme):
    size = {"width": width, "height": 800}
    _, served = unchanged
    with tab(chromium, viewport=size, color_scheme=scheme, bypass_csp=True) as (page, _):
        for path in (path_of("a3"), path_of("odd"), path_of("long"), "/suggestions"):
            page.goto(served.url)
            page.goto(served.url + path)
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            assert not page.evaluate("document.documentElement.hasAttribute('data-pwned')")
            assert page.title() == "Antwoorden beoordelen – Veerhuis"
            if AXE.is_file():
                assert violations(page) == []
    if not AXE.is_file():
        pytest.skip(NO_AXE)
