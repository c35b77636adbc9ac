"""The built site in a real browser: its search and its two languages."""

import functools
import http.server
import threading
from typing import Any

import pytest

from tests.conftest import ROOT

SITE = ROOT / "site"


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:
        pass


@pytest.fixture(scope="module")
def address():
    built = SITE / "search" / "search_index.json"
    sources = [ROOT / "mkdocs.yml", *(ROOT / "docs").rglob("*.*")]
    newest = max(path.stat().st_mtime for path in sources)
    if not built.exists() or built.stat().st_mtime < newest:
        pytest.skip("the site is missing or outdated: make docs, and run these tests again")
    handler = functools.partial(_Quiet, directory=SITE)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture(scope="module")
def page(address, chromium):
    return chromium.new_page()


@pytest.mark.parametrize(
    ("words", "first"),
    [
        ("second opinion", "how-to/second-opinions"),
        ("long logs", "how-to/big-logs"),
        ("budget", "how-to/decide-before-you-answer"),
        ("index file", "how-to/index-file"),
    ],
)
def test_the_search_lists_guides_first(address, page, words, first):
    page.goto(f"{address}/index.html?q={words}")
    links = page.locator("a.md-search-result__link")
    links.first.wait_for()
    assert links.first.get_attribute("href").startswith(f"{address}/{first}.html")


@pytest.mark.parametrize(
    ("page_name", "other"),
    [
        ("tutorials/bot", "nl/tutorials/bot"),
        ("nl/reference/limits", "reference/limits"),
        ("how-to/tune", "nl/index"),
        ("nl/index", "index"),
    ],
)
def test_the_switch_leads_to_the_page_in_the_other_language(address, page, page_name, other):
    def language() -> str:
        return str(page.locator("html").get_attribute("lang"))

    page.goto(f"{address}/{page_name}.html")
    before = language()
    page.locator(".md-select").hover()
    page.locator(".md-select__link", has_text="English" if before == "nl" else "Nederlands").click()
    page.wait_for_url(f"{address}/{other}.html")
    assert {before, language()} == {"nl", "en"}
