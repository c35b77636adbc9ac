"""Which kind of file a file is."""

from __future__ import annotations

import json
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from klopt.batch.output import to_json
from klopt.bilingual.formats import read_file, to_row
from klopt.errors import ExtraMissingError, InputError
from klopt.extras import install
from klopt.translation.memory import Entry

PO = 'msgid ""\nmsgstr ""\n"Language: nl\\n"\n\nmsgid "Save"\nmsgstr "Bewaar"\n'
TMX = (
    '<tmx version="1.4"><body><tu><tuv xml:lang="nl"><seg>Bewaar</seg></tuv>'
    '<tuv xml:lang="en"><seg>Save</seg></tuv></tu></body></tmx>'
)


@pytest.mark.parametrize(("name", "content"), [("a.PO", PO), ("a.pot", PO), ("a.tmx", TMX)])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
def test_the_ending_tells_what_others_wrote(tmp_path, name, content, encoding):
    path = tmp_path / name
    path.write_bytes(content.encode(encoding))
    found = read_file(path, "nl", "en")
    assert [(pair.source, pair.target) for pair in found.pairs] == [("Bewaar", "Save")]


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("a.txt", "not a translation file; klopt reads TMX (.tmx), gettext PO (.po) and what "
         "klopt memory export wrote (.jsonl)"),
        ("a.xlf", "XLIFF is no longer read; save it as TMX or PO, as the tool that wrote it can, "
         "or xliff2po"),
        ("weg.po", "there is no such file"),
    ],
)  # fmt: skip
def test_another_file(tmp_path, name, problem):
    path = tmp_path / name
    if name != "weg.po":
        path.write_text(PO, encoding="utf-8")
    with pytest.raises(InputError) as told:
        read_file(path, "nl", "en")
    assert str(told.value) == f"{path}: {problem}"


@pytest.mark.parametrize(
    ("name", "limit", "told"),
    [("a.po", 100_000_000, "100,000,000"), ("a.tmx", 1_000_000_000, "1,000,000,000")],
)
def test_a_file_that_is_too_large_is_not_read(tmp_path, name, limit, told):
    path = tmp_path / name
    with path.open("wb") as file:
        file.truncate(limit + 1)
    with pytest.raises(InputError) as caught:
        read_file(path, "nl", "en")
    assert str(caught.value) == f"{path}: larger than {told} bytes; split it"


@pytest.mark.parametrize(
    ("name", "content", "missing", "told"),
    [
        ("a.po", PO, "polib", "reading PO needs polib"),
        ("a.tmx", TMX, "defusedxml.ElementTree", "reading XML needs defusedxml"),
    ],
)
def test_without_the_extra_the_error_names_it(tmp_path, monkeypatch, name, content, missing, told):
    monkeypatch.setitem(sys.modules, missing, None)
    (tmp_path / name).write_text(content, "utf-8")
    with pytest.raises(ExtraMissingError) as caught:
        read_file(tmp_path / name, "nl", "en")
    assert str(caught.value) == f"{told}; install with: {install('translation')}"


# JSON lines: what a line is, and every line that is none told at once.

ENTRY = Entry("nl", "en", "trusted", "Bewaar ⟦1⟧.", "Save ⟦1⟧.", "a.po")
ROW = {
    "from": "nl", "to": "en", "provider": "trusted", "source": "Bewaar ⟦1⟧.",
    "target": "Save ⟦1⟧.", "origin": "a.po",
}  # fmt: skip


def read(path, *lines):
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return read_file(path)


def test_a_line(tmp_path):
    assert to_row(ENTRY) == ROW
    assert list(to_row(ENTRY)) == ["from", "to", "provider", "source", "target", "origin"]
    lines = json.dumps(ROW), "", "  ", json.dumps(ROW)
    assert read(tmp_path / "a.jsonl", *lines).entries == (ENTRY, ENTRY)


def test_a_line_that_is_still_to_be_translated_is_left_out(tmp_path):
    rows = ROW, {**ROW, "target": ""}, {**ROW, "target": " ", "source": "b"}
    found = read(tmp_path / "a.jsonl", *map(json.dumps, rows))
    assert (found.entries, found.skipped) == ((ENTRY,), {"untranslated": 2})


@given(st.text(min_size=1).filter(str.strip), st.text(min_size=1).filter(str.strip))
def test_any_text_comes_back(tmp_path_factory, source, target):
    entry = Entry("nl", "en", "google", source, target)
    path = tmp_path_factory.getbasetemp() / "round.jsonl"
    assert read(path, to_json(to_row(entry))).entries == (entry,)


PROBLEMS = {
    "not JSON: Expecting value: line 1 column 1 (char 0)": "x",
    "not a JSON object": "[1]",
    "no to, provider; a line has from, to, provider, source, target, origin":
        json.dumps({"from": "nl", "source": "a", "target": "b"}),
    "there is no field naam; a line has from, to, provider, source, target, origin":
        json.dumps({**ROW, "naam": 1}),
    "target is not text": json.dumps({**ROW, "target": None}),
    "source is empty": json.dumps({**ROW, "source": " "}),
    "in the target ⟦1⟧ is lost; it has each mark of the source once":
        json.dumps({**ROW, "target": "Save [1]."}),
    "in the target ⟦1⟧ stands twice; it has each mark of the source once":
        json.dumps({**ROW, "target": "⟦1⟧ ⟦1⟧"}),
    'from is "Dutch language", not a language such as nl':
        json.dumps({**ROW, "from": "Dutch language"}),
    'to is "", not a language such as nl': json.dumps({**ROW, "to": ""}),
    'provider is "Google", not one word in lower case such as trusted':
        json.dumps({**ROW, "provider": "Google"}),
}  # fmt: skip


@pytest.mark.parametrize("problem", PROBLEMS)
def test_what_is_wrong_with_a_line(tmp_path, problem):
    path = tmp_path / "a.jsonl"
    with pytest.raises(InputError) as told:
        read(path, json.dumps(ROW), "", PROBLEMS[problem])
    assert str(told.value) == (
        f"{path}: not lines of a memory, nothing was read:\nline 3: {problem}"
    )


def test_every_problem_is_told_up_to_twenty(tmp_path):
    with pytest.raises(InputError) as told:
        read(tmp_path / "a.jsonl", *["[]"] * 23)
    lines = str(told.value).splitlines()
    assert lines[1:] == [f"line {n}: not a JSON object" for n in range(1, 21)] + ["and 3 more"]


def test_deep_json_and_bytes_that_are_no_text(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"[" * 200_000 + b"\n" + b'{"from": "\xff"}\n')
    with pytest.raises(InputError) as told:
        read_file(path)
    assert [line[:20] for line in str(told.value).splitlines()[1:]] == [
        "line 1: not JSON: ma", "line 2: not JSON: 'u",
    ]  # fmt: skip
