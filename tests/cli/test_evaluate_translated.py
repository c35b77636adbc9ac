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


@pytest.fixture(scope="module")
def memory(tmp_path_factory):
    path = tmp_path_factory.mktemp("memory") / "demo.sqlite"
    with Memory.open(path, create=True) as made:
        made.add(learn([TextPair(*pair) for pair in IN_ENGLISH], "nl", "en").entries)
    return path


@pytest.fixture
def run(klopt, company, memory, tmp_path, write):
    def start(rows, *arguments):
        options = ("--pages", company.pages, "--resamples", 100, "--profile", "afas")
        translating = ("--translate", "en", "--memory", memory)
        log = write(tmp_path / "rated.jsonl", *rows)
        return klopt("evaluate", log, *options, *translating, *arguments)

    return start


def test_the_original_stands_beside_the_translation(run):
    found = run(rated())
    assert (found.code, found.err) == (0, "")
    (table,) = found.rows
    assert [one["name"] for one in table["profiles"]] == ["afas (en)", "afas"]
    assert [one["translation"] for one in table["profiles"]] == [
        {"translated": 12, "on_original": {}, "not_scored": {}, "unmasked": 0},
        None,
    ]
    comparison = table["comparison"]
    assert (comparison["first"], comparison["second"], comparison["n"]) == ("afas (en)", "afas", 12)
    differ = {one["name"]: one["differ_count"] for one in comparison["features"]}
    assert differ["hal"] > 0
    assert differ["components_defined"] == differ["complex_answer"] == 0
    (fingerprint,) = table["profiles"][0]["fingerprints"]
    assert "|translator:marked:en:memory@" in fingerprint
    assert table["profiles"][1]["fingerprints"][0].endswith("|translator:none")


def test_rows_that_must_be_translated_are_left_out(run, tmp_path):
    """Every third answer is a sentence that the memory does not have."""
    page = tmp_path / "report.html"
    unknown = "De zon schijnt in het dossier."
    rows = (row | {"answer": row["answer"].replace(SENTENCE, unknown)} for row in rated())
    found = run(rows, "--translate-required", "--html", page, "--lang", "en")
    told = (
        "afas (en): 4 of 12 answers could not be read in translation: 4 not scored (4 "
        "not_in_memory)."
    )
    assert (found.code, found.err) == (3, f"Warning: {told}\nWritten to {page}.\n")
    table = found.rows[0]
    assert table["rows"]["not_scored"] == {"not_translated": 4}
    assert table["comparison"]["n"] == 8
    assert told in page.read_text("utf-8")
