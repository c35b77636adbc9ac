"""The page to try klopt on: nothing of what it is given runs, nothing comes from elsewhere."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from klopt import shipped
from tests.report.browser import FLAGS, HOSTILE, REFUSED, SECONDS, Seen
from tests.report.conftest import browser
from tests.report.reader import Reader

__all__ = ["browser"]

FILLED = """
for (const id of ["question", "answer", "page", "names"]) document.getElementById(id).value = TEXT;
document.getElementById("turn").requestSubmit();
"""


@pytest.fixture
def see(browser: str, tmp_path: Path) -> Callable[[str], Seen]:
    def look(address: str) -> Seen:
        profile = f"--user-data-dir={tmp_path / 'profile'}"
        command = [browser, *FLAGS, profile, "--virtual-time-budget=3000", address]
        run = subprocess.run(command, capture_output=True, timeout=SECONDS, check=True)
        return Seen(run.stdout.decode(), run.stderr.decode(errors="replace"))

    return look


def filled(tmp_path: Path, found: object, typed: str) -> str:
    """The address of the page as it is when something was typed and the service has answered."""
    answer = json.dumps(found).replace("<", "\\u003c")
    text = json.dumps(typed).replace("<", "\\u003c")
    before = (
        f"window.fetch = async () => ({{ json: async () => ({answer}) }}); const TEXT = {text};"
    )
    page = shipped.text("klopt.server", "try.html").replace(
        "</body>",
        f"<script>{before}</script><script>{shipped.text('klopt.server', 'try.js')}</script>"
        f"<script>{FILLED}</script></body>",
    )
    file = tmp_path / "try.html"
    file.write_text(page, encoding="utf-8")
    return file.as_uri()


def test_nothing_comes_from_elsewhere_and_the_policy_lets_its_own_in(service, client, see):
    policy = client.get("/").headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; script-src 'self'")
    seen = see(service.url)
    assert REFUSED not in seen.log
    assert re.search(r'<html lang="(nl|en)">', seen.dom)
    assert seen.dom.count('aria-pressed="true"') == 1
    for name in ("try.html", "try.css", "try.js", "docs.html", "docs.js"):
        assert not re.search(
            r"https?://|//\w", re.sub(r"// .*", "", shipped.text("klopt.server", name))
        )


@pytest.mark.parametrize("is_refused", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_hostile_texts_are_shown_and_do_not_run_even_without_the_policy(see, tmp_path, is_refused):
    passage = {"text": HOSTILE, "page": HOSTILE, "line": HOSTILE}
    statement = {
        "text": HOSTILE, "relation": HOSTILE, "fault": True, "passage": passage,
        "wrong": [[0, 2]], "differing": [[1, 3], [4, 5]],
    }  # fmt: skip
    found = {"verdict": HOSTILE, "explanation": HOSTILE, "statements": [statement]}
    if is_refused:
        found = {"error": {"code": HOSTILE, "message": HOSTILE}}
    seen = see(filled(tmp_path, found, HOSTILE))
    assert not seen.is_marked
    assert seen.title == "klopt"
    reader = Reader()
    reader.feed(seen.dom)
    assert {"img", "svg"}.isdisjoint(tag for tag, _ in reader.tags)
    assert "".join(reader.words).count(HOSTILE) >= (1 if is_refused else 4)


def test_a_fault_stands_beside_what_the_page_says_with_the_words_that_differ(see, tmp_path):
    """By characters, one of which takes two halves in the browser."""
    statement = {
        "text": "😀 tot 150 euro", "relation": "contradicted", "fault": True, "wrong": [[6, 9]],
        "passage": {"text": "😀 tot 50 euro", "page": "kosten.md", "line": 7},
        "differing": [[6, 8]],
    }  # fmt: skip
    found = {"verdict": "block", "explanation": "", "statements": [statement]}
    seen = see(filled(tmp_path, found, "x"))
    assert '<mark class="wrong">150</mark>' in seen.dom
    assert '<mark class="page">50</mark>' in seen.dom
    assert "kosten.md:7" in seen.dom
