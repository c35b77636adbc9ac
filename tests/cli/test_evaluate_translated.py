"""``klopt evaluate --translate``: beside the original, feature by feature, nothing mixed unsaid."""

from __future__ import annotations

import pytest

from klopt.bilingual.learning import learn
from klopt.bilingual.pairs import TextPair
from klopt.translation.memory import Memory
from tests.cli.column_rows import INVENTED, QUESTION, SENTENCE, rated
from tests.cli.conftest import ENGLISH, SAVING

IN_ENGLISH = (
    (SAVING, ENGLISH.replace("2. Click **Save**.", "2. Click **Save**.\n3. Choose the folder.")),
    (QUESTION, "How do I save a document?"),
    (SENTENCE, "You keep a document there."),
    ("Klik op **Bestand**.", "Click **File**."),
    ("Klik op **Opslaan**.", "Click **Save**."),
    ("Kies de map van de medewerker.", "Choose the folder of the employee."),
    (
        "Na het opslaan staat het document in het dossier.",
        "After saving, the document is in the file.",
    ),
    (INVENTED, "Click **File** and then click **Keep as**."),
)


@pytest.fixture
def memory(tmp_path):
    path = tmp_path / "demo.sqlite"
    with Memory.open(path, create=True) as made:
        made.add(learn([TextPair(*pair) for pair in IN_ENGLISH], "nl", "en").entries)
    return path


def test_the_original_stands_beside_and_rows_that_must_be_translated_are_left_out(
    klopt, company, memory, tmp_path, write
):
    """Every third answer is a sentence that the memory does not have."""
    unknown, page = "De zon schijnt in het dossier.", tmp_path / "report.html"
    rows = (row | {"answer": row["answer"].replace(SENTENCE, unknown)} for row in rated())
    found = klopt(
        *("evaluate", write(tmp_path / "rated.jsonl", *rows), "--pages", company.pages),
        *("--profile", "afas", "--resamples", 100, "--html", page, "--lang", "en"),
        *("--translate", "en", "--memory", memory, "--translate-required"),
    )
    told = (
        "afas (en): 4 of 12 answers could not be read in translation: 4 not scored (4 "
        "not_in_memory)."
    )
    assert (found.code, found.err) == (3, f"Warning: {told}\nWritten to {page}.\n")
    assert told in page.read_text("utf-8")
    (table,) = found.rows
    assert table["rows"]["not_scored"] == {"not_translated": 4}
    assert table["comparison"]["n"] == 8
    assert [one["name"] for one in table["profiles"]] == ["afas (en)", "afas"]
    assert table["profiles"][1]["fingerprints"][0].endswith("|translator:none")
