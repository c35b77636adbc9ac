"""A real browser, if installed, and fixtures for the tests that open a page in it."""

import contextlib
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
WAIT_MS = 180_000
MARK = "document.documentElement.setAttribute('data-pwned', '1')"
HOSTILE = (
    f"\"><script>{MARK}; document.title='pwned'</script>"
    f'<img src=x onerror="{MARK}">\'><svg onload="{MARK}"></svg>'
    f'</title></style></desc></blockquote><a href="javascript:{MARK}">'
)
REFUSED = "violates the following Content Security Policy directive"
AXE = Path(__file__).parents[2] / "node_modules" / "axe-core" / "axe.min.js"
NO_AXE = "no axe-core: npm install --no-save axe-core puts it into node_modules"


@dataclass(frozen=True)
class Seen:
    """A page after loading in the browser, and the messages of the console."""

    title: str
    dom: str
    log: str

    @property
    def is_marked(self) -> bool:
        return re.search(r"<html[^>]* data-pwned", self.dom) is not None


def executable() -> str | None:
    return next((path for name in NAMES if (path := shutil.which(name))), None)


@pytest.fixture(scope="module")
def chromium():
    """A running browser."""
    hint = "no Playwright: pip install playwright to run these tests"
    playwright = pytest.importorskip("playwright.sync_api", reason=hint)
    path = executable()
    if path is None:
        pytest.skip("no browser: install the Debian package chromium to run these tests")
    with playwright.sync_playwright() as started:
        found = started.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield found
        found.close()


@contextlib.contextmanager
def tab(chromium: Any, **settings: Any) -> Iterator[tuple[Any, list[str]]]:
    """Open a page in a context of its own; return it and its list of console messages."""
    with chromium.new_context(**settings) as context:
        context.set_default_timeout(WAIT_MS)
        page = context.new_page()
        messages: list[str] = []
        page.on("console", lambda one: one.type == "verbose" or messages.append(one.text))
        page.on("pageerror", lambda error: messages.append(str(error)))
        yield page, messages


@pytest.fixture
def see(chromium, tmp_path):
    """Opens a page in the browser."""

    def load(page: str) -> Seen:
        file = tmp_path / "page.html"
        file.write_text(page, encoding="utf-8")
        with tab(chromium) as (opened, messages):
            opened.goto(file.as_uri())
            return Seen(opened.title(), opened.content(), "\n".join(messages))

    return load


def without_policy(page: str) -> str:
    stripped = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", page)
    assert stripped != page
    return stripped


def violations(page: Any) -> list[tuple[str, list[str]]]:
    """Return what axe-core reports on a page, with all details open; skip without axe-core."""
    if not AXE.is_file():
        pytest.skip(NO_AXE)
    page.evaluate("for (const part of document.querySelectorAll('details')) part.open = true")
    page.evaluate(AXE.read_text("utf-8"))
    found = page.evaluate("axe.run(document)")["violations"]
    return [(one["id"], [node["html"] for node in one["nodes"]]) for one in found]
