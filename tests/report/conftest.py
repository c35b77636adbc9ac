"""A real browser, where there is one."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.report.browser import FLAGS, NAMES, SECONDS, Seen


@pytest.fixture(scope="module")
def browser() -> str:
    found = next((path for name in NAMES if (path := shutil.which(name))), None)
    if found is None:
        pytest.skip("no browser: install the Debian package chromium to run these tests")
    return found


@pytest.fixture
def see(browser: str, tmp_path: Path) -> Callable[[str], Seen]:
    def look(page: str, *flags: str) -> Seen:
        file = tmp_path / "report.html"
        file.write_text(page, encoding="utf-8")
        command = [
            browser,
            *FLAGS,
            *flags,
            f"--user-data-dir={tmp_path / 'profile'}",
            file.as_uri(),
        ]
        run = subprocess.run(command, capture_output=True, timeout=SECONDS, check=True)
        return Seen(run.stdout.decode(), run.stderr.decode(errors="replace"))

    return look
