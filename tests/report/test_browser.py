"""A real browser reads the page: nothing of the data runs, and the style sheet is let in.

Each safeguard is tested without the other, and the first test shows that a script would be seen.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from klopt.evaluation import Evaluation
from klopt.report import html
from tests.report.reader import Reader
from tests.report.wadlinde import example, with_texts

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
    *("--enable-logging=stderr", "--dump-dom"),
)
SECONDS = 120
MARK = "document.documentElement.setAttribute('data-pwned', '1')"
HOSTILE = (
    f"\"><script>{MARK}; document.title='pwned'</script>"
    f'<img src=x onerror="{MARK}">\'><svg onload="{MARK}"></svg>'
    f'</title></style></desc></blockquote><a href="javascript:{MARK}">'
)
REFUSED = "violates the following Content Security Policy directive"


@dataclass(frozen=True)
class Seen:
    """What the browser made of a page."""

    dom: str
    log: str

    @property
    def title(self) -> str:
        found = re.search(r"<title>(.*?)</title>", self.dom, re.DOTALL)
        return "" if found is None else found[1]

    @property
    def is_marked(self) -> bool:
        return re.search(r"<html[^>]* data-pwned", self.dom) is not None


@pytest.fixture(scope="module")
def browser() -> str:
    found = next((path for name in NAMES if (path := shutil.which(name))), None)
    if found is None:
        pytest.skip("no browser: install the Debian package chromium to run these tests")
    return found


@pytest.fixture
def see(browser: str, tmp_path: Path) -> Callable[[str], Seen]:
    def look(page: str) -> Seen:
        file = tmp_path / "report.html"
        file.write_text(page, encoding="utf-8")
        command = [browser, *FLAGS, f"--user-data-dir={tmp_path / 'profile'}", file.as_uri()]
        run = subprocess.run(command, capture_output=True, timeout=SECONDS, check=True)
        return Seen(run.stdout.decode(), run.stderr.decode(errors="replace"))

    return look


def without_policy(page: str) -> str:
    stripped = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", page)
    assert stripped != page
    return stripped


def with_script(page: str) -> str:
    return page.replace("</main>", f"<script>{MARK}; document.title='pwned'</script></main>")


def render() -> str:
    return html.render(Evaluation.from_dict(example()))


def hostile_page() -> str:
    evaluation = Evaluation.from_dict(example())
    return html.render(with_texts(evaluation, lambda words: f"{HOSTILE} {words}"))


def test_a_script_would_be_seen(see):
    seen = see(without_policy(with_script(render())))
    assert seen.is_marked
    assert seen.title == "pwned"


def test_an_unescaped_text_would_be_seen(see):
    page = render().replace("Hoe geef ik", f"{HOSTILE} Hoe geef ik")
    assert see(without_policy(page)).is_marked


def test_hostile_texts_do_not_run_even_without_the_policy(see):
    seen = see(without_policy(hostile_page()))
    assert not seen.is_marked
    assert seen.title == "How well klopt agrees with people"
    reader = Reader()
    reader.feed(seen.dom)
    tags = {tag for tag, _ in reader.tags}
    assert tags.isdisjoint({"script", "img", "iframe"})
    assert not any(name.startswith("on") for _, held in reader.tags for name in held)
    assert "".join(reader.words).count(f"{HOSTILE} Hoe geef ik een nieuw adres door") >= 8


def test_the_policy_stops_a_script_and_lets_the_style_sheet_in(see):
    clean = see(render())
    assert REFUSED not in clean.log
    assert "<polyline" in clean.dom
    stopped = see(with_script(render()))
    assert not stopped.is_marked
    assert REFUSED in stopped.log


def test_the_policy_stops_another_style_sheet(see):
    assert REFUSED in see(render().replace("<style>", "<style>p{color:red}")).log
