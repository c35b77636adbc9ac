"""``klopt score`` and ``klopt explain`` with --translate: who is asked what, what is said."""

from __future__ import annotations

import json
import re
import socket
from pathlib import Path

import pytest

from tests.translation.fakes import english
from tests.translators.server import TranslationServer

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
def folder(tmp_path: Path, monkeypatch, write) -> Path:
    """Where the command runs, with a log."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NO_PROXY", "*")
    monkeypatch.setenv("no_proxy", "*")
    write(tmp_path / "log.jsonl", FIRST, SECOND, ENGLISH)
    return tmp_path


def careful(line: str) -> str:
    """A server that leaves marks alone as they travel."""
    said = english(re.sub(r"\[X(\d+)X\]", r"⟦\1⟧", line))
    return re.sub(r"⟦(\d+)⟧", r"[X\1X]", said)


SENT = (
    "Sentences of questions, answers and pages that are not in new.tm are sent to {where} "
    "(libretranslate) for translation to en. Names of screens, commands, paths, addresses, codes "
    "and numbers in them stay here, unless a sentence comes back without its marks for them: it "
    "is then sent as it stands.\n"
)


def test_online_and_then_offline(klopt, folder: Path, monkeypatch):
    online = "--translate", "en", "--translator", "libretranslate", "--memory", "new.tm"
    with TranslationServer(careful) as server:
        asking = ("score", "log.jsonl", *online, "--translator-url", server.url)
        run = klopt(*asking, "-o", "one.jsonl")
        where = server.url.removeprefix("http://")
        assert (run.code, run.err.split("\n", 1)[0] + "\n") == (0, SENT.format(where=where))
        assert run.err.count("are sent to") == 1
        lines = [line for text in server.texts for line in text.split("\n")]
        asked = len(server.asked)
        assert klopt(*asking).code == 0
        assert len(server.asked) == asked
    assert sorted(lines) == sorted(set(lines))
    assert [line for line in lines if "Opslaan" in line or "Bewaren" in line] == ["Opslaan"]
    for name in ("socket", "create_connection", "getaddrinfo"):
        monkeypatch.setattr(socket, name, None)
    for name in ("two.jsonl", "three.jsonl"):
        run = klopt("score", "log.jsonl", *online, "--offline", "-o", name)
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


@pytest.mark.parametrize(
    ("language", "because"), [("de", "Die Antwort sagt"), ("fr", "La réponse dit")]
)
def test_the_demo_has_answers_over_pages_in_another_language(klopt, language, because):
    run = klopt("demo", "--language", language, "--json")
    assert [row["language"] for row in run.rows] == [language] * 10
    assert {row["verdict"] for row in run.rows} <= {"review", "block"}
    assert any(because in row["explanation"] for row in run.rows)
