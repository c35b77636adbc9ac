"""``klopt score`` and ``klopt explain`` with --translate: who is asked what, what is said."""

from __future__ import annotations

import json
import re
import socket
from pathlib import Path

import pytest

from klopt.cli.translations import MEMORY
from klopt.scoring.profile import profile_text
from klopt.translation.memory import Memory
from tests.translation.fakes import english, trusted
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
    """Where the command runs, with a log and a memory."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NO_PROXY", "*")
    monkeypatch.setenv("no_proxy", "*")
    write(tmp_path / "log.jsonl", FIRST, SECOND, ENGLISH)
    write(tmp_path / "known.jsonl", FIRST, ENGLISH)
    with Memory.open(tmp_path / "own.tm", create=True) as memory:
        memory.add(trusted(KNOWN))
    return tmp_path


@pytest.fixture
def no_sockets(monkeypatch):
    def refuse(*_args, **_named):
        raise AssertionError("klopt reached for the network")

    for name in ("socket", "create_connection", "getaddrinfo", "gethostbyname"):
        monkeypatch.setattr(socket, name, refuse)


@pytest.mark.usefixtures("no_sockets")
def test_by_a_memory_alone(klopt, folder: Path):
    run = klopt("score", "known.jsonl", "--translate", "en", "--memory", "own.tm")
    assert (run.code, run.err) == (0, "")
    first, second = run.rows
    assert (first["id"], first["status"], first["language"]) == ("first", "scored", "nl")
    assert first["translation"] == {
        "source": "nl",
        "target": "en",
        "scope": "marked",
        "status": "translated",
        "reason_code": None,
        "reason": None,
        "unmasked_count": 0,
    }
    assert "|translator:marked:en:memory@" in first["fingerprint"]
    assert "translation" not in second
    assert second["fingerprint"].endswith("|translator:none")


@pytest.mark.usefixtures("no_sockets")
@pytest.mark.parametrize("more", [(), ("--offline",), ("--translate-all",)])
def test_two_runs_give_the_same_bytes(klopt, folder: Path, more: tuple[str, ...]):
    options = "--translate", "en", "--memory", "own.tm", *more
    for name in ("one.jsonl", "two.jsonl"):
        run = klopt("score", "log.jsonl", *options, "-o", name)
        assert run.code == 0
    assert (folder / "one.jsonl").read_bytes() == (folder / "two.jsonl").read_bytes()
    scope = json.loads((folder / "one.jsonl").read_text("utf-8").splitlines()[0])["translation"]
    assert scope["scope"] == ("whole" if "--translate-all" in more else "marked")


def test_what_was_not_translated_is_counted(klopt, folder: Path, write):
    log = write(folder / "all.jsonl", FIRST, SECOND, GERMAN)
    run = klopt("score", log, "--translate", "en", "--memory", "own.tm")
    assert run.code == 3
    assert [row["status"] for row in run.rows] == ["scored", "scored_on_original", "error"]
    assert [row["reason_code"] for row in run.rows] == [None, "not_in_memory", "not_translated"]
    assert run.err.endswith(
        " 2 of them were not translated (not_in_memory 2): 1 scored on the original text, "
        "1 not scored.\n"
    )
    plain = klopt("score", "log.jsonl").rows[1]
    same = set(plain) - {"status", "reason_code", "reason", "explanation"}
    assert {key: run.rows[1][key] for key in same} == {key: plain[key] for key in same}


def test_required(klopt, folder: Path):
    options = "--translate", "en", "--memory", "own.tm", "--translate-required"
    run = klopt("score", "log.jsonl", *options)
    assert run.code == 3
    assert [row["status"] for row in run.rows] == ["scored", "error", "scored"]
    assert "0 scored on the original text, 1 not scored." in run.err
    assert "could not be read" not in run.err


def own_profile(folder: Path) -> Path:
    path = folder / "own.toml"
    path.write_text(profile_text("afas") + '\n[translate]\nto = "en"\nscope = "whole"\n', "utf-8")
    return path


def test_a_profile_that_translates(klopt, folder: Path):
    profile = own_profile(folder)
    run = klopt("score", "known.jsonl", "--profile", profile, "--memory", "own.tm")
    assert run.code == 0
    assert run.rows[0]["translation"]["scope"] == "whole"
    run = klopt("score", "known.jsonl", "--profile", profile, "--translate", "none")
    assert run.code == 0
    assert "translation" not in run.rows[0]
    run = klopt("explain", "known.jsonl", "--id", "first", "--profile", profile,
                "--translate", "none")  # fmt: skip
    assert run.code == 0
    run = klopt("score", "known.jsonl", "--profile", profile)
    assert run.code == 2
    assert f"there is no translation memory {MEMORY}" in run.err


def test_explain(klopt, folder: Path):
    options = "--translate", "en", "--memory", "own.tm", "--all-types", "--profile", "afas", "--all"
    run = klopt("explain", "log.jsonl", "--id", "first", *options)
    assert run.code == 0
    assert "translator:marked:en:memory" in run.out.replace("\n", "")
    run = klopt("explain", "log.jsonl", "--id", "second", *options)
    assert run.code == 0
    assert "not in the memory" in " ".join(run.out.split())
    run = klopt("explain", "log.jsonl", "--id", "second", *options, "--translate-required")
    assert run.code == 3


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
        run = klopt(
            "score", "log.jsonl", *online, "--translator-url", server.url, "-o", "one.jsonl"
        )
        where = server.url.removeprefix("http://")
        assert (run.code, run.err.split("\n", 1)[0] + "\n") == (0, SENT.format(where=where))
        assert run.err.count("are sent to") == 1
        lines = [line for text in server.texts for line in text.split("\n")]
        asked = len(server.asked)
        again = klopt("score", "log.jsonl", *online, "--translator-url", server.url)
        assert again.code == 0
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
    rows = [[json.loads(line) for line in path.read_text().splitlines()] for path in (one, two)]
    for first, second in zip(*rows, strict=True):
        first.pop("fingerprint")
        second.pop("fingerprint")
        assert first == second
    assert [row["status"] for row in rows[0]] == ["scored"] * 3


# classify


def test_classify_in_translation(klopt, folder: Path):
    with Memory.open(folder / "de.tm", create=True) as memory:
        memory.add(trusted([("Wie öffne ich das Dokument?", "How do I open the document?")], "de"))
    options = ("--language", "de", "--translate", "en", "--memory", "de.tm")
    run = klopt("classify", "-m", "Wie öffne ich das Dokument?", *options)
    (found,) = run.rows
    assert (found["message_type"], found["text"]) == ("instruction", "Wie öffne ich das Dokument?")
    run = klopt("classify", "-m", "Wie denn?", *options)
    (found,) = run.rows
    assert found["message_type"] is None
    assert found["reason"] == ("1 of 1 sentences are not in the memory; the first is “Wie denn?”")


def test_classify_without_translation_whatever_the_profile_says(klopt, folder: Path):
    text = profile_text("default") + '\n[translate]\nto = "en"\nscope = "whole"\n'
    (folder / "ours.toml").write_text(text, encoding="utf-8")
    options = ("--profile", "ours.toml", "--translate", "none")
    run = klopt("classify", "-m", "Hoe opent u het bestand?", *options)
    assert run.rows[0]["message_type"] == "instruction"
