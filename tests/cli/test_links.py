"""Pages that are links to files outside their folder, by the commands that read pages."""

from __future__ import annotations

import pytest

from tests.cli.conftest import PRINTER, SAVING, write_log

QUESTION = {"question": "Hoe sla ik een document op?", "answer": "Klik op **Opslaan**."}


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "elders.md").write_text(SAVING, "utf-8")
    pages = tmp_path / "help"
    pages.mkdir()
    (pages / "printer.md").write_text(PRINTER, "utf-8")
    (pages / "opslaan.md").symlink_to("../elders.md")
    write_log(tmp_path / "log.jsonl", {"id": "a", **QUESTION, "contexts": ["opslaan.md"]})
    return tmp_path


def test_a_link_is_followed_when_that_is_asked_for(klopt, folder):
    pages = ("--pages", folder / "help")
    run = klopt("score", folder / "log.jsonl", *pages)
    assert (run.code, run.rows[0]["status"]) == (3, "error")
    assert run.err.startswith(f"Warning: {folder / 'help'}: not read, as the file is outside")
    run = klopt("score", folder / "log.jsonl", *pages, "--follow-links")
    assert (run.code, run.rows[0]["status"], run.err) == (0, "scored", "")
    run = klopt("explain", folder / "log.jsonl", *pages, "--follow-links", "--id", "a")
    assert (run.code, run.err) == (0, "")
