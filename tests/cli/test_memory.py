"""``klopt memory``: translations in, out and shown."""

from __future__ import annotations

import json

import pytest

from klopt.errors import InputError
from klopt.translation.memory import Entry, Memory

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


def test_an_import_that_is_stopped_makes_no_memory(klopt, files, monkeypatch):
    def stop(*_args, **_named):
        raise KeyboardInterrupt

    monkeypatch.setattr("klopt.cli.memory.learn", stop)
    run = klopt("memory", "import", files / "ours.tm", files / "app.po", *LANGUAGES)
    assert (run.code, run.err.splitlines()[-1]) == (130, "Stopped.")
    assert not (files / "ours.tm").exists()


def test_import_of_a_catalogue_and_again(klopt, files):
    memory = files / "ours.tm"
    run = klopt("memory", "import", memory, files / "app.po", *LANGUAGES)
    assert (run.code, run.out) == (0, "")
    assert run.err == (
        f"{files / 'app.po'}: 2 translations; left out: 1 obsolete.\n"
        f"{memory}: 2 new, 0 changed, 0 as they were. 0 passages could not be paired.\n"
    )
    rows = exported(klopt, memory, files / "out.jsonl")
    assert rows[0] == {
        "from": "nl", "to": "en", "provider": "trusted", "source": "Klik op ⟦1⟧.",
        "target": "Click ⟦1⟧.", "origin": "app.po",
    }  # fmt: skip
    (files / "app.po").write_text(PO.replace("Printers &", "Printers and"), encoding="utf-8")
    run = klopt("memory", "import", memory, files / "app.po", *LANGUAGES)
    assert run.err.endswith(
        f"{memory}: 0 new, 1 changed, 1 as they were. 0 passages could not be paired.\n"
    )


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


def test_rows_that_carry_both_texts(klopt, files, write):
    log = write(
        files / "log.jsonl",
        {"id": "a", "question": "Hoe sla ik op?", "question_en": "How do I save?",
         "answer": "Klik op **Opslaan**.", "answer_en": "Click **Save**."},
        {"id": "b", "question": "En nu?", "question_en": "And now?", "answer": "Wacht."},
        {"id": "c", "question": "Dus?", "question_en": 5, "answer": "Ja.", "answer_en": "Yes."},
    )  # fmt: skip
    with log.open("a", encoding="utf-8") as file:
        file.write("geen JSON\n")
    memory = files / "ours.tm"
    run = klopt("memory", "rows", memory, log, "--pair", "question=question_en",
                "--pair", "answer = answer_en", *LANGUAGES)  # fmt: skip
    assert (run.code, run.out) == (3, "")
    lines = run.err.splitlines()
    assert lines[0].startswith(f"Warning: {log}, line 4: not JSON")
    assert lines[1:] == [
        f"Warning: {log}: 2 rows without a text in both question and question_en",
        f"Warning: {log}: 2 rows without a text in both answer and answer_en",
        f"{memory}: 4 new, 0 changed, 0 as they were. 0 passages could not be paired.",
    ]
    assert {row["source"] for row in exported(klopt, memory, files / "out.jsonl")} == {
        "Hoe sla ik op?", "En nu?", "Klik op ⟦1⟧.", "Ja.",
    }  # fmt: skip


def test_show(klopt, files):
    memory = files / "ours.tm"
    klopt("memory", "import", memory, files / "app.po", *LANGUAGES)
    run = klopt("memory", "show", memory, "--examples", "5")
    assert (run.code, run.err) == (0, "")
    lines = run.out.splitlines()
    assert lines[0].split() == ["from", "to", "provider", "entries", "digest"]
    assert lines[1].split()[:4] == ["nl", "en", "trusted", "2"]
    assert lines[3:] == [
        "nl to en, trusted",
        "Klik op ⟦1⟧.  (app.po)",
        "  Click ⟦1⟧.",
        "Printers en scanners  (app.po)",
        "  Printers & scanners",
    ]
    run = klopt("memory", "show", memory, "--examples", "1", "--json")
    (row,) = run.rows
    assert list(row) == ["from", "to", "provider", "entries", "digest", "examples"]
    assert (row["entries"], len(row["digest"]), len(row["examples"])) == (2, 64, 1)
    assert row["digest"].startswith(lines[1].split()[4])


def test_show_cleans_what_could_rewrite_the_screen(klopt, files):
    line = {"from": "nl", "to": "en", "provider": "trusted", "source": "a\x1b[8mb", "target": "c"}
    (files / "in.jsonl").write_text(json.dumps(line), encoding="utf-8")
    memory = files / "ours.tm"
    assert klopt("memory", "import", memory, files / "in.jsonl").code == 0
    run = klopt("memory", "show", memory, "--examples", "1", terminal=True)
    assert "\x1b[8m" not in run.out
    assert "a\ufffd[8mb" in run.out


def test_show_an_empty_memory(klopt, files):
    (files / "in.jsonl").write_text("", encoding="utf-8")
    memory = files / "ours.tm"
    run = klopt("memory", "import", memory, files / "in.jsonl")
    assert run.err.endswith(f"{memory}: 0 new, 0 changed, 0 as they were.\n")
    assert klopt("memory", "show", memory).out == "The memory is empty.\n"
    assert exported(klopt, memory, files / "out.jsonl") == []


MISUSE = {
    "import without languages": (
        ["import", "NEW", "PO"], 2,
        "PO: not written by klopt, so state its languages with --from and --to",
    ),
    "twice the same": (
        ["import", "NEW", "PO", "--from", "nl", "--to", "nl"], 2, "--from and --to are both nl",
    ),
    "no language": (
        ["import", "NEW", "PO", "--from", "Dutch", "--to", "en"], 2,
        '"Dutch" is not the code of a language, such as nl',
    ),
    "no translation file": (
        ["import", "NEW", "PAGE", *LANGUAGES], 3, "PAGE: not a translation file; klopt reads TMX,",
    ),
    "nothing of use": (
        ["import", "NEW", "FUZZY", *LANGUAGES], 3, "FUZZY: nothing in it can be used: 1 fuzzy",
    ),
    "memory forgotten": (["import", "PO", "PO", *LANGUAGES], 3, "PO: not a translation memory of"),
    "no such file": (["import", "NEW", "weg.po", *LANGUAGES], 3, "weg.po: there is no such file"),
    "pages without languages": (["pages", "NEW", "NL", "EN"], 2, "Missing option '--from'"),
    "pages of no partner": (
        ["pages", "NEW", "NL", "OTHER", *LANGUAGES], 3,
        "NL: no page has one of the same name in OTHER; the first is opslaan.md",
    ),
    "no such pages": (["pages", "NEW", "NL", "weg", *LANGUAGES], 3, "no such folder of pages"),
    "rows without pair": (["rows", "NEW", "LOG", *LANGUAGES], 2, "Missing option '--pair'"),
    "pair without sign": (
        ["rows", "NEW", "LOG", "--pair", "question", *LANGUAGES], 2,
        '"question" is not of the form question=question_en',
    ),
    "pair of no field": (
        ["rows", "NEW", "LOG", "--pair", "question=weg", *LANGUAGES], 3,
        "LOG: no row has a text in both question and weg",
    ),
    "export of nothing": (
        ["export", "NEW", "-o", "out.tmx"], 3,
        "there is no such memory; klopt memory import, pages or rows makes one",
    ),
    "export to another kind": (
        ["export", "OLD", "-o", "out.csv"], 2, "out.csv must end in .jsonl or .tmx.",
    ),
    "export onto itself": (
        ["export", "OLD", "-o", "OLD"], 2, "is the memory; choose another file for -o.",
    ),
    "export to no folder": (
        ["export", "OLD", "-o", "weg/out.tmx"], 3, "weg/out.tmx: cannot be written: No such file",
    ),
    "show of nothing": (["show", "NEW"], 3, "there is no such memory;"),
    "show of another": (["show", "PO"], 3, "not a translation memory of klopt;"),
}  # fmt: skip


@pytest.mark.parametrize("name", MISUSE)
def test_misuse(klopt, files, write, monkeypatch, name):
    arguments, code, message = MISUSE[name]
    monkeypatch.chdir(files)
    write(files / "log.jsonl", {"id": "a", "question": "Hoe?"})
    (files / "other").mkdir()
    (files / "other" / "iets.md").write_text("# Iets\n", encoding="utf-8")
    fuzzy = 'msgid ""\nmsgstr "Language: nl\\n"\n\n#, fuzzy\nmsgid "a"\nmsgstr "b"\n'
    (files / "fuzzy.po").write_text(fuzzy, encoding="utf-8")
    klopt("memory", "import", "old.jsonl", "app.po", *LANGUAGES)
    names = {
        "NEW": "new.tm", "OLD": "old.jsonl", "PO": "app.po", "FUZZY": "fuzzy.po", "NL": "nl",
        "PAGE": "nl/opslaan.md", "EN": "en", "OTHER": "other", "LOG": "log.jsonl",
    }  # fmt: skip
    run = klopt("memory", *(names.get(one, one) for one in arguments))
    for ours, theirs in names.items():
        message = message.replace(ours, theirs) if ours in arguments else message
    assert (run.code, run.out) == (code, "")
    assert message in " ".join(run.err.split())
    assert "Traceback" not in run.err
    assert not (files / "new.tm").exists()


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("bad.tmx", "<tmx><body><tu>", "line 1: not XML: no element found, column 15"),
        ("bad.tmx", "<tmx><body>", "line 1: not XML: no element found, column 11"),
        ("bad.po", 'msgid ""\nmsgstr ""\n\nmsgid "Save"\nmsg', "or the file is cut off here"),
        ("bad.po", 'msgid ""\nmsgstr ""\n\nmsgid "Save"\n', "the file is cut off or damaged"),
    ],
)
def test_nothing_is_imported_when_one_file_is_cut_off(klopt, files, name, content, told):
    (files / name).write_text(content, encoding="utf-8")
    memory = files / "ours.tm"
    run = klopt("memory", "import", memory, files / "app.po", files / name, *LANGUAGES)
    assert run.code == 3
    assert f"Error: {files / name}, line " in run.err
    assert told in run.err
    assert not memory.exists()


@pytest.mark.parametrize("ending", ["jsonl", "tmx"])
def test_a_half_export_leaves_no_file(klopt, files, monkeypatch, ending):
    def entries(_):
        yield Entry("nl", "en", "trusted", "a", "b")
        raise InputError("the disk went away")

    memory = files / "ours.tm"
    klopt("memory", "import", memory, files / "app.po", *LANGUAGES)
    before = sorted(files.iterdir())
    monkeypatch.setattr(Memory, "entries", entries)
    run = klopt("memory", "export", memory, "-o", files / f"out.{ending}")
    assert (run.code, run.err) == (3, "Error: the disk went away\n")
    assert sorted(files.iterdir()) == before


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


def test_missing_does_not_overwrite_what_it_reads(klopt, files, write):
    memory, log = files / "ours.tm", files / "log.jsonl"
    write(log, *LOG)
    klopt("memory", "pages", memory, files / "nl", files / "en", *LANGUAGES)
    for output in (memory, log):
        run = klopt("memory", "missing", memory, log, "-o", output)
        assert run.code == 2
        assert run.err.endswith(f"{output} is read here; choose another file for -o.\n")


def test_missing_says_which_rows_it_could_not_read(klopt, files, write):
    memory, log = files / "ours.tm", files / "log.jsonl"
    write(log, *LOG, {"id": "3", "question": 3})
    klopt("memory", "pages", memory, files / "nl", files / "en", *LANGUAGES)
    run = klopt("memory", "missing", memory, log)
    assert run.code == 3
    assert run.err.startswith("Warning: ")


def test_missing_where_there_is_no_memory_yet(klopt, files, write):
    memory, log = files / "none.tm", files / "log.jsonl"
    write(log, LOG[0])
    run = klopt("memory", "missing", memory, log)
    assert run.code == 0
    assert len(run.rows) == 6
    assert not memory.exists()
