"""``klopt index``, and the options --index and --retrieve of other commands."""

import json

import pytest

from tests.conftest import DEMO, demo_rows
from tests.llm.opinions.onnx_models import write_embedding_model

PAGES = DEMO / "pages" / "nl"
ROWS = [row for row in demo_rows() if row["language"] == "nl"][:6]


@pytest.fixture
def built(klopt, tmp_path):
    path = tmp_path / "help.klopt"
    run = klopt("index", "build", "--pages", PAGES, "-o", path, "--processes", 1)
    assert (run.code, run.out, run.err) == (0, "", f"30 pages. Written to {path}.\n")
    return path


def test_rows_without_pages_get_retrieved_pages(klopt, built, tmp_path, write):
    bare = write(tmp_path / "bare.jsonl", *({**row, "contexts": []} for row in ROWS))
    run = klopt("score", bare, "--index", built)
    hint = "6 rows without contexts: --retrieve 3 finds pages for them in the index."
    assert run.err == f"Warning: {hint}\n"
    assert {row["reason_code"] for row in run.rows} == {"no_contexts"}
    found = klopt("score", bare, "--index", built, "--retrieve", "3").rows
    assert {row["status"] for row in found} == {"scored"}
    assert all(len(row["retrieved"]) == 3 for row in found)
    run = klopt("explain", bare, "--id", ROWS[0]["id"], "--index", built, "--retrieve=2")
    assert json.loads(run.out)["retrieved"] == found[0]["retrieved"][:2]
    run = klopt("evaluate", bare, "--index", built, "--retrieve", "3", "--against", "afas")
    assert run.code == 0
    for profile in json.loads(run.out)["profiles"]:
        assert all("|retrieved:3@" in mark for mark in profile["fingerprints"])
        assert profile["fingerprints"]


def test_a_search_with_vectors_needs_the_model(klopt, tmp_path, write):
    model = write_embedding_model(tmp_path / "model", [["verlof", "contraseña"], ["bon"]])
    pages = tmp_path / "pages"
    pages.mkdir()
    (pages / "verlof.md").write_text("# Verlof\n\nKlik op **Verlof** en kies de dagen.", "utf-8")
    (pages / "bon.md").write_text("# Bon\n\nKlik op **Bon** en kies het bestand.", "utf-8")
    index = tmp_path / "help.klopt"
    build = ("index", "build", "--pages", pages, "-o", index, "--processes", 1)
    assert klopt(*build, "--embedder", model).code == 0
    search = ("index", "search", index, "contraseña", "-k", 1, "--language", "es")
    found = klopt(*search, "--format", "jsonl", KLOPT_EMBEDDER=str(model))
    assert (found.code, json.loads(found.out)["page"]) == (0, "verlof.md")
    refused = klopt(*search)
    assert (refused.code, "KLOPT_EMBEDDER" in refused.err) == (2, True)
    row = {"question": "Hoe vraag ik verlof aan?", "answer": "Klik op **Verlof**."}
    log = write(tmp_path / "log.jsonl", row)
    refused = klopt("score", log, "--index", index, "--retrieve", 1)
    assert (refused.code, "KLOPT_EMBEDDER" in refused.err) == (2, True)
    scored = klopt("score", log, "--index", index, "--retrieve", 1, KLOPT_EMBEDDER=str(model))
    assert scored.code == 0
