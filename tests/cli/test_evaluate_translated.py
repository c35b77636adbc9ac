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
    ("U bewaart een document in het dossier van de medewerker.", "You keep a document there."),
    ("Klik op **Bestand**.", "Click **File**."),
    ("Klik op **Opslaan**.", "Click **Save**."),
    ("Kies de map van de medewerker.", "Choose the folder of the employee."),
    (
        "Na het opslaan staat het document in het dossier.",
        "After saving, the document is in the file.",
    ),
    (INVENTED, "Click **File** and then click **Keep as**."),
)
UNKNOWN = "De zon schijnt in het dossier."


@pytest.fixture(scope="module")
def memory(tmp_path_factory):
    path = tmp_path_factory.mktemp("memory") / "demo.sqlite"
    with Memory.open(path, create=True) as made:
        made.add(learn([TextPair(*pair) for pair in IN_ENGLISH], "nl", "en").entries)
    return path


@pytest.fixture(scope="module")
def log(tmp_path_factory, write):
    return write(tmp_path_factory.mktemp("rated") / "rated.jsonl", *rated())


@pytest.fixture(scope="module")
def partly(tmp_path_factory, write):
    """The third of the rows has a sentence that the memory does not have."""
    rows = ({**row, "answer": row["answer"].replace(SENTENCE, UNKNOWN)} for row in rated())
    return write(tmp_path_factory.mktemp("partly") / "rated.jsonl", *rows)


@pytest.fixture(scope="module")
def run(klopt, company, memory):
    def start(file, *arguments, **settings):
        options = ("--pages", company.pages, "--resamples", 100, "--profile", "afas")
        translating = ("--translate", "en", "--memory", memory)
        return klopt("evaluate", file, *options, *translating, *arguments, **settings)

    return start


def test_the_original_stands_beside_the_translation(run, log):
    found = run(log)
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


def test_rows_that_must_be_translated_are_left_out(run, partly, tmp_path):
    page = tmp_path / "report.html"
    found = run(partly, "--translate-required", "--html", page, "--lang", "en")
    assert (found.code, found.err) == (
        3,
        "Warning: afas (en): 4 of 12 answers could not be read in translation: 4 not scored "
        f"(4 not_in_memory).\nWritten to {page}.\n",
    )
    table = found.rows[0]
    assert table["rows"]["not_scored"] == {"not_translated": 4}
    assert table["comparison"]["n"] == 8
    text = page.read_text("utf-8")
    assert (
        "afas (en): 4 of 12 answers could not be read in translation: 4 not scored (4 "
        "not_in_memory)."
    ) in text
