"""``klopt memory``: translations in, out and shown."""

from __future__ import annotations

import json

import pytest

DUTCH = """# Een document opslaan

1. Klik op **Bestand**.
2. Klik op **Opslaan**.

Na het opslaan staat het document in het dossier. Wacht 5 tellen.
"""
ENGLISH = """# Save a document

1. Click **File**.
2. Click **Save**.

After saving the document is in the file. Wait 5 seconds.
"""
PO = """msgid ""
msgstr ""
"Content-Type: text/plain; charset=UTF-8\\n"
"Language: nl\\n"

msgid "Click <gui>Save</gui>."
msgstr "Klik op <gui>Opslaan</gui>."

msgid "Printers & scanners"
msgstr "Printers en scanners"

#~ msgid "Old"
#~ msgstr "Oud"
"""
LANGUAGES = ("--from", "nl", "--to", "en")


@pytest.fixture
def files(tmp_path):
    for language, text in (("nl", DUTCH), ("en", ENGLISH)):
        (tmp_path / language).mkdir()
        (tmp_path / language / "opslaan.md").write_text(text, encoding="utf-8")
    (tmp_path / "app.po").write_text(PO, encoding="utf-8")
    return tmp_path


def exported(klopt, memory, output):
    run = klopt("memory", "export", memory, "-o", output)
    assert (run.code, run.out) == (0, "")
    return [json.loads(line) for line in output.read_text("utf-8").splitlines()]


@pytest.mark.parametrize("ending", ["jsonl", "tmx"])
def test_what_was_exported_comes_back_as_it_was(klopt, files, ending):
    memory, copy, output = files / "ours.tm", files / "copy.tm", files / f"out.{ending}"
    klopt("memory", "import", memory, files / "app.po", *LANGUAGES)
    run = klopt("memory", "export", memory, "-o", output)
    assert (run.code, run.out, run.err) == (0, "", f"2 entries written to {output}.\n")
    run = klopt("memory", "import", copy, output)
    assert run.err == (f"{output}: 2 translations.\n{copy}: 2 new, 0 changed, 0 as they were.\n")
    assert exported(klopt, copy, files / "a.jsonl") == exported(klopt, memory, files / "b.jsonl")
    shown = [klopt("memory", "show", one, "--json").out for one in (memory, copy)]
    assert shown[0] == shown[1]


def test_pages_of_the_same_name(klopt, files):
    (files / "nl" / "alleen.md").write_text("# Alleen\n", encoding="utf-8")
    (files / "en" / "opslaan.md").rename(files / "en" / "opslaan.markdown")
    memory = files / "ours.tm"
    run = klopt("memory", "pages", memory, files / "nl", files / "en", *LANGUAGES)
    assert (run.code, run.out) == (0, "")
    assert run.err.startswith(
        f"Warning: 1 page of {files / 'nl'} without one of the same name in {files / 'en'}; the "
        f"first: alleen.md\n{memory}: "
    )
    rows = exported(klopt, memory, files / "out.jsonl")
    found = {row["source"]: row["target"] for row in rows}
    assert found["Een document opslaan"] == "Save a document"
    assert found["Wacht ⟦1⟧ tellen."] == "Wait ⟦1⟧ seconds."
    assert {row["origin"] for row in rows} == {"opslaan.md"}


# missing

LOG = [
    {
        "id": "1",
        "question": "Hoe bewaart u het document?",
        "answer": "Klik op **Opslaan**. Wacht 7 tellen. Bel de helpdesk daarna even.",
        "contexts": [DUTCH],
    },
    {"id": "2", "question": "How do you save it?", "answer": "You click **Save**.",
     "contexts": [ENGLISH]},
]  # fmt: skip


def test_missing_and_filled_in(klopt, files, write):
    memory, log, todo = files / "ours.tm", files / "log.jsonl", files / "todo.jsonl"
    write(log, *LOG)
    klopt("memory", "pages", memory, files / "nl", files / "en", *LANGUAGES)
    run = klopt("memory", "missing", memory, log, "-o", todo)
    assert (run.code, run.out) == (0, "")
    assert run.err == f"2 sentences are not in {memory}, written to {todo}.\n"
    rows = [json.loads(line) for line in todo.read_text("utf-8").splitlines()]
    assert rows == [
        {"from": "nl", "to": "en", "provider": "trusted", "source": source, "target": "",
         "origin": "log.jsonl"}
        for source in ("Hoe bewaart u het document?", "Bel de helpdesk daarna even.")
    ]  # fmt: skip
    run = klopt("memory", "import", memory, todo)
    assert (run.code, run.err) == (3, f"Error: {todo}: nothing in it can be used: 2 untranslated\n")
    rows[0]["target"] = "How do you save the document?"
    write(todo, *rows)
    assert klopt("memory", "import", memory, todo).code == 0
    run = klopt("memory", "missing", memory, log)
    assert run.err == f"1 sentence is not in {memory}.\n"
    rows[1]["target"] = "Then call the help desk."
    write(todo, *rows)
    assert klopt("memory", "import", memory, todo).code == 0
    assert klopt("memory", "missing", memory, log).err == f"0 sentences are not in {memory}.\n"
    run = klopt("score", log, "--translate", "en", "--memory", memory)
    assert [row["status"] for row in run.rows] == ["scored", "scored"]
