"""klopt opens no connection, and writes only its output."""

import ast
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from klopt import Scorer, Turn
from klopt.translation import CachedTranslator, Translate, TranslationCache
from tests.conftest import modules
from tests.translation.fakes import Fake

PAGE = "# Opslaan\n\n1. Klik op **Bestand**.\n2. Klik op **Opslaan**.\n"
TURNS = (
    Turn("Hoe sla ik het op?", "Klik op **Bestand** en op **Opslaan**.", [PAGE]),
    Turn("How do I save it?", "Click **File**.", ["# Save\n\nClick **File**, then **Save**.\n"]),
)
NETWORK = {
    *("aiohttp", "deep_translator", "ftplib", "http", "httpx", "litellm", "openai", "requests"),
    *("smtplib", "socket", "socketserver", "ssl", "urllib", "urllib3", "webbrowser", "xmlrpc"),
}
CLIENTS = {"llm", "translation"}
"""The packages with HTTP clients."""
MOVING = ("os.mk", "os.re", "os.link", "os.sym")
"""Prefixes of audit events that create, move or remove files."""
NOT_FOR_SCORING = {"klopt.reference", "klopt.llm.calls", "klopt.llm.opinions"}
EXTRAS = {
    *("bert_score", "deep_translator", "httpx", "nltk", "onnxruntime", "openai", "rapidfuzz"),
    *("opentelemetry", "prometheus_client", "rouge_score", "sacrebleu", "starlette", "tokenizers"),
    *("spacy", "uvicorn"),
}


def imported(nodes):
    """The top-level packages of import statements."""
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif (
            isinstance(node, ast.ImportFrom)
            and node.level == 0
            and node.module != "urllib.parse"  # reads addresses, opens none
        ):
            yield (node.module or "").split(".")[0]


def test_only_clients_and_the_server_import_network_modules():
    found = [
        f"{path.name}: {name}"
        for path, module in modules().items()
        for name in imported(ast.walk(module))
        if name in NETWORK and path.parent.name not in {*CLIENTS, "server", "integrations"}
    ]
    assert found == []


WATCHED = """
import json, os, sys

events = []

def watch(event, arguments):
    if event.startswith(("socket.connect", "socket.getaddrinfo", "socket.bind", "socket.sendto",
                         "urllib.Request", "subprocess.Popen", "os.system", "os.exec",
                         "os.posix_spawn")):
        events.append([event, repr(arguments)[:200]])
    elif event == "open" and isinstance(arguments[2], int):
        if isinstance(arguments[0], int):
            pass  # a file that is already open
        elif arguments[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT):
            events.append(["write", os.path.abspath(os.fsdecode(arguments[0]))])
    elif event in ("os.mkdir", "os.rename", "os.remove", "os.link", "os.symlink"):
        events.append([event, os.path.abspath(os.fsdecode(arguments[0]))])

sys.addaudithook(watch)
from klopt.cli import main
sys.argv = ["klopt", *sys.argv[1:]]
try:
    main()
except SystemExit as stop:
    code = stop.code
modules = sorted(name for name in sys.modules)
print(json.dumps({"events": events, "code": code, "modules": modules}))
"""


def run_watched(folder, *options):
    """Run a command with an empty home folder, and return its audit events."""
    home, work = folder / "home", folder / "work"
    home.mkdir()
    work.mkdir()
    log, output = folder / "log.jsonl", folder / "out.jsonl"
    rows = [
        {"question": one.question, "answer": one.answer, "contexts": [p.text for p in one.pages]}
        for one in TURNS
    ]
    log.write_text("".join(json.dumps(row) + "\n" for row in rows))
    places = ("HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "USERPROFILE")
    environment = {
        **os.environ,
        **dict.fromkeys(places, str(home)),
        "PYTHONDONTWRITEBYTECODE": "1",
        "http_proxy": "http://127.0.0.1:9",
        "https_proxy": "http://127.0.0.1:9",
    }
    run = subprocess.run(
        [sys.executable, "-c", WATCHED, "score", str(log), "-o", str(output), *options],
        capture_output=True,
        cwd=work,
        env=environment,
        check=False,
    )
    assert run.returncode == 0, run.stderr.decode()[-2_000:]
    return folder, json.loads(run.stdout), run.stderr.decode()


@pytest.fixture(scope="module", params=["alone", "translated"])
def watched(request, tmp_path_factory):
    """A run without a translation, and one that translates from the cache."""
    folder = tmp_path_factory.mktemp(request.param)
    if request.param == "alone":
        return run_watched(folder)
    path = folder / "cache.sqlite"
    with TranslationCache(path, create=True) as cache:
        translator = CachedTranslator(cache, translator=Fake())
        Scorer.load(translate=Translate(translator)).score(TURNS[0])
    before = path.read_bytes()
    found = run_watched(folder, "--translate", "en", "--translation-cache", str(path))
    assert path.read_bytes() == before
    return found


def test_the_watched_run_scores_all_rows(watched):
    folder, found, err = watched
    assert found["code"] == 0
    assert err.startswith("2 answers: ")
    rows = [json.loads(line) for line in (folder / "out.jsonl").read_text().splitlines()]
    assert [row["status"] for row in rows] == ["scored", "scored"]
    is_translated = (rows[0].get("translation") or {}).get("status") == "translated"
    assert is_translated == (folder / "cache.sqlite").exists()
    assert {"numpy", "klopt.scoring"} <= set(found["modules"])


def test_scoring_imports_no_extra(watched):
    modules = set(watched[1]["modules"])
    assert not modules & NOT_FOR_SCORING
    assert not {name.split(".")[0] for name in modules} & EXTRAS


def test_a_run_opens_no_connection_and_starts_no_program(watched):
    reached = [
        (event, about)
        for event, about in watched[1]["events"]
        if event != "write"
        and not event.startswith(MOVING)
        # urllib3, which comes with spaCy, checks on import whether the machine has IPv6.
        and not (event == "socket.bind" and about.endswith("('::1', 0))"))
    ]
    assert reached == []


def test_a_run_writes_only_its_output(watched):
    """SQLite raises no audit events; its files would be in the folder."""
    folder, found, _ = watched
    touched = {
        Path(path)
        for event, path in found["events"]
        if event == "write" or event.startswith(MOVING)
    }
    assert [
        path
        for path in touched - {Path(os.devnull), folder}  # filelock creates the folder if missing
        if path.parent != folder or not path.name.startswith((".out.jsonl.", "out.jsonl"))
    ] == []
    names = {path.name for path in folder.iterdir()} - {"cache.sqlite"}
    assert names == {"home", "log.jsonl", "out.jsonl", "work"}
    assert [path for name in ("home", "work") for path in (folder / name).rglob("*")] == []
