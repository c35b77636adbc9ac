"""``klopt score --translate`` online and from a cache, and imports of spreadsheets."""

import json
import re
import socket

import pytest

from tests.translation.fakes import english
from tests.translation.server import TranslationServer

PAGE = "# Opslaan\n\nDe gebruiker opent het bestand. Klik op **Opslaan**."
FIRST = {
    "id": "first",
    "question": "Hoe opent de gebruiker het bestand?",
    "answer": "De gebruiker opent het bestand. Klik op **Opslaan**.",
    "contexts": [PAGE],
}
SECOND = {**FIRST, "id": "second", "answer": "De gebruiker klikt op **Bewaren**."}
ENGLISH = {
    "id": "english",
    "question": "How does the user open the file?",
    "answer": "The user opens the file.",
    "contexts": ["The user opens the file and then saves it."],
}
GERMAN = {
    "id": "german",
    "question": "Was ist das denn für ein Dokument?",
    "answer": "Das weiß ich nicht so genau.",
    "contexts": ["Das ist ein Dokument, und das wissen wir nicht so genau."],
}
KNOWN = [
    ("Hoe opent de gebruiker het bestand?", "How does the user open the file?"),
    ("De gebruiker opent het bestand.", "The user opens the file."),
    ("Klik op ⟦1⟧.", "Click ⟦1⟧."),
    ("Opslaan", "Save"),
]


@pytest.fixture
def folder(tmp_path, monkeypatch, write):
    """The working directory, with a log."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NO_PROXY", "*")
    monkeypatch.setenv("no_proxy", "*")
    write(tmp_path / "log.jsonl", FIRST, SECOND, ENGLISH)
    return tmp_path


def translate(line: str) -> str:
    """Return the English line, with its placeholders unchanged."""
    target = english(re.sub(r"\[X(\d+)X\]", r"⟦\1⟧", line))
    return re.sub(r"⟦(\d+)⟧", r"[X\1X]", target)


def test_online_translations_are_reused_offline(klopt, folder, monkeypatch):
    online = "--translate", "en", "--translation-cache", "new.tm"
    with TranslationServer(translate) as server:
        command = ("score", "log.jsonl", *online, "--translator", f"libretranslate={server.url}")
        run = klopt(*command, "-o", "one.jsonl")
        where = server.url.removeprefix("http://")
        assert run.code == 0
        assert f"new.tm are sent to {where} (libretranslate)" in run.err
        assert run.err.count("are sent to") == 1
        lines = [line for text in server.texts for line in text.split("\n")]
        count = len(server.received)
        assert klopt(*command).code == 0
        assert len(server.received) == count
    assert sorted(lines) == sorted(set(lines))
    assert [line for line in lines if "Opslaan" in line or "Bewaren" in line] == ["Opslaan"]
    for name in ("socket", "create_connection", "getaddrinfo"):
        monkeypatch.setattr(socket, name, None)
    for name in ("two.jsonl", "three.jsonl"):
        run = klopt("score", "log.jsonl", *online, "-o", name)
        assert run.code == 0
        assert "are sent to" not in run.err
    one, two, three = (folder / f"{name}.jsonl" for name in ("one", "two", "three"))
    assert two.read_bytes() == three.read_bytes()
    first, second = (
        [json.loads(line) | {"fingerprint": ""} for line in path.read_text().splitlines()]
        for path in (one, two)
    )
    assert first == second
    assert [row["status"] for row in first] == ["scored"] * 3


@pytest.mark.parametrize(("encoding", "delimiter"), [("utf-16", "\t"), ("utf-8", ";")])
def test_translations_of_a_spreadsheet_are_imported(klopt, tmp_path, encoding, delimiter):
    rows = [["from", "to", "source", "target"], ["nl", "en", "Eén knop.", "One button — left."]]
    file, cache = tmp_path / "nl-en.csv", tmp_path / "ours.sqlite"
    file.write_text("\n".join(map(delimiter.join, rows)), encoding)
    assert klopt("translations", "import", cache, file).code == 0
    (found,) = klopt("translations", "export", cache).rows
    assert list(found.values()) == rows[1]
