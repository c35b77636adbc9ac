"""Lines as they are typed: what is shown, and what is said of those that cannot be done.

`pytest --snapshot-update tests/cli/test_lines.py` writes down anew what they print.
"""

from __future__ import annotations

import re
import shlex
import socket
import tomllib
from pathlib import Path

import pytest

from klopt.scoring.profile import profile_text
from klopt.translation.memory import Memory
from tests.cli.column_rows import judged, rated
from tests.cli.conftest import PRINTER, SAVING, TURNS, write_log
from tests.cli.judged_log import ROWS
from tests.cli.test_explain import TURN
from tests.models.server import KEY
from tests.report.scored_log import logged, scored
from tests.translation.fakes import trusted

LINES = tomllib.loads(Path(__file__).with_name("lines.toml").read_text("utf-8"))
USAGE = re.compile(r"^Usage: .*?\nTry .*?\n\n", re.MULTILINE | re.DOTALL)
ANSI = re.compile(r"\x1b\[[0-9;]*m")
DIGITS = re.compile(r"\d+([.,]\d+)+|\d+%|(?<=[@ :])[0-9a-f]{8,64}")
"""What moves with the scores: figures, versions and digests."""
LOGS = {
    "log": TURNS,
    "unread": [{"id": "a", "answer": 5}],
    "rated": rated(team=lambda index: "ab"[index % 2], second=lambda _: "instruction"),
    "turned": rated(rating=lambda index: [1, 5, 2][index % 3]),
    "labelled": rated(rating=lambda _: None, label=lambda index: index % 2),
    "many": (row | {"id": f"{row['id']}-{n}"} for n in range(5) for row in rated()),
    "unrated": rated(rating=lambda _: None),
    "labels": rated(rating=lambda _: None, label=lambda _: "invoice"),
    "twice-rated": rated(id=lambda index: f"row-{index % 11}"),
    "no-pages": rated(contexts=lambda _: []),
    "judged": judged(),
    "strangers": [{"id": "a", "score": 1}, {"id": 7, "score": 2}],
    "twice": [{"id": "row-1", "score": 1}, {"id": "row-2"}, {"id": "row-1", "score": 1}],
    "without-id": [{"id": "row-1", "score": 1}, {"score": 1}],
    "no-numbers": [{"id": "row-1", "verdict": "send", "ok": True, "rating": 3, "metrics": {}}],
    "reference": ROWS,
    "replies": [{"id": "a", "model": "m", "technique": "cloze_fact", "task": "", "response": "{}"}],
    "said": [{"id": "sum", "rating": 5}],
    "wrong": [{"id": "sum"}, {"id": "steps", "truth": 2}],
    "claims": [{"passage": "Dat kan.", "claim": "Dat kan niet."}],
    "scores": [scored("a1"), scored("a2")],
    "scored": [logged("a1"), logged("a2")],
    "faults": [
        TURN | {"id": "nl"},
        {
            "id": "en",
            "question": "How do I close all the windows on the screen?",
            "answer": "You close all the windows with [bold]Alt+F8[/] on the keyboard.",
            "contexts": ["You close all the windows with **Alt+F7** on the keyboard."],
        },
    ],
    "empty": [],
}
TEXTS = {
    "help/opslaan.md": SAVING,
    "help/apparaten/printer.md": PRINTER,
    "en/save.md": "# Save\n",
    "numbers/a.md": "12 34 56",
    "list.jsonl": "[1]\n",
    "scores.xls": "PK",
    "app.po": 'msgid ""\nmsgstr "Language: nl\\n"\n\nmsgid "Save"\nmsgstr "Opslaan"\n',
    "fuzzy.po": 'msgid ""\nmsgstr "Language: nl\\n"\n\n#, fuzzy\nmsgid "a"\nmsgstr "b"\n',
    "cut.tmx": "<tmx><body><tu>",
    "cut.po": 'msgid ""\nmsgstr ""\n\nmsgid "Save"\n',
    "same-name.toml": profile_text("default"),
    "no-pipeline.toml": profile_text("afas").replace(
        'pipeline = "klopt"', 'pipeline = "nl_core_news_none"'
    ),
    "terms-fr.toml": '[lexicon]\nid = "company_terms"\nlanguage = "fr"\nsource = "ours"\n'
    'licence = "ours"\nretrieved = 2026-01-01\nchanges = "none"\n[lists]\nterms = ["printer"]\n',
}


@pytest.fixture
def desk(tmp_path, monkeypatch):
    """A folder with all that the lines name, from which nobody reaches a network."""
    for name, text in TEXTS.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    (tmp_path / "empty").mkdir()
    for name, rows in LOGS.items():
        LOGS[name] = list(rows)
        write_log(tmp_path / f"{name}.jsonl", *LOGS[name])
    for name in ("own.tm", "own.jsonl"):
        with Memory.open(tmp_path / name, create=True) as memory:
            memory.add(trusted([("Opslaan", "Save")]))
    monkeypatch.chdir(tmp_path)
    for name in ("create_connection", "getaddrinfo"):
        monkeypatch.setattr(socket, name, None)
    return tmp_path


def contents(folder):
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.usefixtures("desk")
@pytest.mark.parametrize("command", LINES["shown"])
def test_what_a_person_sees(klopt, snapshot, command):
    told = []
    for line in LINES["shown"][command]:
        run = klopt(*shlex.split(line), terminal=True, terminal_err=False)
        assert run.code == 0, line
        seen = DIGITS.sub(lambda met: re.sub(r"\w", "0", met[0]), ANSI.sub("", run.out))
        told.append("\n".join([f"$ klopt {line}", *map(str.rstrip, (seen + run.err).split("\n"))]))
    assert "\n".join(told) == snapshot


@pytest.mark.parametrize("command", LINES["refused"])
def test_what_cannot_be_done_is_said_and_nothing_is_written(klopt, desk, snapshot, command):
    before = contents(desk)
    told = []
    for line in LINES["refused"][command]:
        run = klopt(
            *shlex.split(line.replace("KEY@", f"{KEY}@").replace(" KEY", f" {KEY}")),
            OPENAI_API_KEY=KEY,
            DEEPL_API_KEY="",
            stdin=(desk / "rated.jsonl").read_bytes(),
        )
        assert (run.out, run.code in (2, 3)) == ("", True), line
        assert not re.search(f"{KEY}|Traceback|are sent to", run.err), line
        told.append(f"{run.code} klopt {line}\n{USAGE.sub('', run.err)}")
    assert contents(desk) == before
    assert "\n".join(told) == snapshot
