"""What the tests that open a page in a real browser share."""

from __future__ import annotations

import re
from dataclasses import dataclass

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


def without_policy(page: str) -> str:
    stripped = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", page)
    assert stripped != page
    return stripped
