"""Make the pictures of the site: python -m tests.docs.pictures (make docs-pictures).

They show the report of the tutorial on logs, the page of the service with the answer of the
tutorial on bots, and the review of the tutorial for companies.
"""

import contextlib
import json
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from playwright.sync_api import sync_playwright

from klopt import Page, Scorer
from klopt._internal import shipped
from tests.conftest import ROOT
from tests.docs.commands import Reader, steps
from tests.report.browser import executable

PICTURES: Final = ROOT / "docs" / "assets"
LARGEST_BYTES: Final = 150_000
_SCORING_SECONDS: Final = 10
_PAGE: Final = "declaratie-indienen.md"
_FILLED: Final = """
const GIVEN = %s;
Element.prototype.scrollIntoView = () => {};
for (const id of ["question", "answer", "names"]) document.getElementById(id).value = GIVEN[id];
window.fetch = async () => ({ json: async () => GIVEN.found });
document.getElementById("turn").requestSubmit();
"""


def report_page(folder: Path) -> Path:
    """Return the report of the tutorial on logs."""
    reader = Reader(folder)
    for step in steps(ROOT / "docs/tutorials/log.md"):
        reader.run(step)
    return folder / "report.html"


@contextlib.contextmanager
def review_page(folder: Path) -> Iterator[str]:
    """Run the review of the tutorial for companies, with all answers scored."""
    (folder / "company").mkdir()
    reader = Reader(folder / "company")
    for step in steps(ROOT / "docs/tutorials/company.md"):
        reader.run(step)
        if step.text.startswith("klopt company review"):
            break
    time.sleep(_SCORING_SECONDS)
    with contextlib.closing(reader):
        yield reader.url


def try_page(folder: Path) -> Path:
    """Return the page to try klopt, with a response of the service."""
    question = "Does my manager have to approve an expense claim of 80 euros?"
    answer = "Claims of up to and including 150 euros are approved automatically."
    page = Page((ROOT / "data/demo/pages/en" / _PAGE).read_text("utf-8"), id=_PAGE)
    found = Scorer.load().score(question, answer, page).to_dict()
    given = {"question": question, "answer": answer, "names": _PAGE, "found": found}
    script = _FILLED % json.dumps(given).replace("<", "\\u003c")
    text = shipped.text("klopt.server", "try.html").replace(
        "</body>", f"<script src=try.js></script><script>{script}</script></body>"
    )
    for name in ("try.css", "try.js"):
        (folder / name).write_text(shipped.text("klopt.server", name), encoding="utf-8")
    file = folder / "try.html"
    file.write_text(text, encoding="utf-8")
    return file


def take(address: str, picture: Path, height: int) -> None:
    """Take a picture of a page in a browser.

    Raises:
        SystemExit: There is no browser, or the picture is too large for a repository.
    """
    path = executable()
    if path is None:
        raise SystemExit("no browser: install the Debian package chromium")
    with sync_playwright() as started:
        browser = started.chromium.launch(executable_path=path, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1000, "height": height}, locale="en")
        page.goto(address)
        page.wait_for_load_state("networkidle")
        page.screenshot(path=picture)
        browser.close()
    size_bytes = picture.stat().st_size
    if size_bytes > LARGEST_BYTES:
        raise SystemExit(f"{picture}: {size_bytes} bytes; at most {LARGEST_BYTES}")


def main() -> None:
    """Take all pictures."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        take(report_page(folder).as_uri(), PICTURES / "report.png", 880)
        take(try_page(folder).as_uri(), PICTURES / "try.png", 960)
        with review_page(folder) as address:
            take(address, PICTURES / "review.png", 740)


if __name__ == "__main__":
    main()
