"""``--opinion encoder:FOLDER``: a model in a folder is asked about answers, and told of."""

from __future__ import annotations

import pytest

from tests.opinions.onnx_models import write

WORDS = (
    *("bestand", "bewaren", "daarna", "de", "en", "kies", "klik", "map", "medewerker", "op"),
    *("opslaan", "van", "als", "click", "file", "save", "then", "and", "niet", "not"),
)


@pytest.fixture
def folder(tmp_path):
    return write(tmp_path / "nli-klein", words=WORDS)


def test_asked_of_all(klopt, company, folder):
    given = ["score", company.log, "--pages", company.pages, "--opinion", f"encoder:{folder}"]
    run = klopt(*given, "--opinion-when", "always")
    found = {row["id"]: row for row in run.rows}
    assert "second opinions asked of encoder nli-klein." in run.err
    (note,) = found["steps"]["opinions"]
    assert (note["who"], note["status"], note["cost_usd"]) == ("encoder nli-klein", "given", 0.0)
    assert [one["relation"] for one in note["statements"]] == ["supported"] * 3
    assert found["steps"]["verdict"] == "send"
    assert "|opinion:encoder:" in found["steps"]["fingerprint"]
    (note,) = found["missing"]["opinions"]
    assert note["statements"][-1]["relation"] == "not_stated"
    assert found["missing"]["verdict"] == "block"
    assert "Volgens een tweede mening (encoder nli-klein)" in found["missing"]["explanation"]
    assert "By a second opinion (encoder nli-klein)" in found["english"]["explanation"]
