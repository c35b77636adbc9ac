"""The commands that write files, their input, and their runs in processes of their own."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from klopt.translation import CacheEntry, TranslationCache
from tests.cli.conftest import write_log
from tests.cli.judged_log import ROWS, reply
from tests.conftest import DEMO, demo_rows
from tests.faults.running import CHECKPOINT_ROWS, NONE, Ended, Fault, Run
from tests.llm.server import Server, replies
from tests.translation.server import TranslationServer

JUDGED, FEW = 24, 6
LONG = 2 * CHECKPOINT_ROWS + 30
GROWING = re.compile(r"\.out\.\w+\.[0-9a-f]{16}\.(part|rows)|own\.tm-journal")
"""Names of files during a run."""

Begin = Callable[..., Run]


@dataclass(frozen=True)
class Task:
    """A command that writes.

    Attributes:
        arguments: With ``{read}`` for the folder of input, and ``{models}`` and ``{translators}``
            for servers.
        writes: The files that appear when they are complete.
        adds_to: The files to which it adds.
    """

    arguments: tuple[str, ...]
    writes: tuple[str, ...] = ()
    adds_to: tuple[str, ...] = ()


def lines(*arguments: str, adds_to: str = "") -> Task:
    """Return a task that writes JSON lines with -o."""
    return Task((*arguments, "-o", "out.jsonl"), ("out.jsonl",), (adds_to,) if adds_to else ())


LLM = ("--solver", "llm", "--model", "tiny", "--base-url", "{models}", "--at-once", "1")
TO_EN = ("--language", "nl", "--translate", "en")
ONLINE = (*TO_EN, "--translator", "libretranslate={translators}")
LITTLE = ("--folds", "2")
CACHE, RECORD = "own.tm", "replies.jsonl"
TASKS = {
    "score": lines("score", "{read}/few.jsonl"),
    "long": lines("score", "{read}/long.jsonl", "--processes", "1"),
    "long csv": lines("score", "{read}/long.jsonl", "--processes", "1", "--format", "csv"),
    "claims": lines("claims", "{read}/claims.jsonl"),
    "judge": lines("judge", "{read}/judged.jsonl"),
    "evaluate": Task(
        ("evaluate", "{read}/few.jsonl", "-o", "out.json", "-o", "out.html"),
        ("out.json", "out.html"),
    ),
    "fit": Task(("fit", "{read}/log.jsonl", *LITTLE, "-o", "out.toml"), ("out.toml",)),
    "terms": Task(("company", "terms", "--pages", "{read}/nl", "-o", "out.toml"), ("out.toml",)),
    "index": Task(("index", "build", "--pages", "{read}/nl", "-o", "out.klopt"), ("out.klopt",)),
    "missing": lines("translations", "missing", "{read}/full.tm", "{read}/few.jsonl"),
    "export": lines("translations", "export", "{read}/full.tm"),
    "import": Task(("translations", "import", CACHE, "{read}/full.jsonl"), (), (CACHE,)),
    "translate": lines(
        "score", "{read}/one.jsonl", *ONLINE, "--translation-cache", CACHE, adds_to=CACHE
    ),
    "record": lines("judge", "{read}/judged.jsonl", *LLM, "--transcripts", RECORD, adds_to=RECORD),
}


def named(commands: Mapping[str, object], *quick: str) -> list[Any]:
    """Return parameters by name; all but the quick ones are slow tests."""
    return [
        pytest.param(one, id=name, marks=() if name in quick else pytest.mark.slow)
        for name, one in commands.items()
    ]


def tasks() -> list[Any]:
    return named(TASKS, "export", "import", "long")


@pytest.fixture(scope="session")
def read(tmp_path_factory):
    """The folder with the input of the commands."""
    folder = tmp_path_factory.mktemp("read")
    turns = [dict(row) for row in demo_rows() if row["language"] == "nl"][:JUDGED]
    for turn in turns:
        turn["contexts"] = [(DEMO / "pages" / "nl" / turn["contexts"][0]).read_text("utf-8")]
    words = ["".join(one) for one in itertools.product("bdfklmnprs", "aeiou", "kls")]
    pairs = [{"nl": f"Kies de {word} eerst.", "en": f"First choose {word}."} for word in words]
    entries = [
        {"from": "nl", "to": "en", "source": pair["nl"], "target": pair["en"]} for pair in pairs
    ]
    claims = [{"passage": "Klik op Opslaan.", "claim": f"Klik {n} keer."} for n in range(12)]
    long = [{"id": str(n), "question": "Hoe?", "answer": "?" * (n % 7)} for n in range(LONG)]
    long[0] = {**turns[0], "id": "0"}  # a log without scored rows ends with code 3
    files = {"log": turns, "long": long, "few": turns[:FEW], "one": turns[:1], "claims": claims}
    for name, rows in {**files, "judged": [*ROWS], "full": entries}.items():
        write_log(folder / f"{name}.jsonl", *rows)
    for language, word in (("nl", "Klik op"), ("en", "Click")):
        (folder / language).mkdir()
        for n in range(8):
            text = f"# Knop {n}\n\n{word} **Knop {n}**.\n\n{word} **Knop {n + 1}** 3."
            (folder / language / f"{n}.md").write_text(text, "utf-8")
    with TranslationCache(folder / "full.tm", create=True) as cache:
        cache.add(CacheEntry("nl", "en", one["nl"], one["en"]) for one in pairs)
    return folder


@pytest.fixture(scope="session")
def servers():
    with Server(then=replies(reply)) as models, TranslationServer(str) as translators:
        yield {"models": models.base_url, "translators": translators.url}


@pytest.fixture(scope="session")
def begin(tmp_path_factory, read, servers):
    """Starts a run of a command in a folder."""
    numbers = itertools.count()

    def started(folder: Path, *arguments: str, fault: Fault = NONE) -> Run:
        output = tmp_path_factory.mktemp(f"output-{next(numbers)}")
        filled = [one.format(read=read, **servers) for one in arguments]
        return Run(folder, output, *filled, fault=fault)

    return started


_WHEN = re.compile(r'"seconds": [0-9.e-]+|^retrieved = .*$', re.MULTILINE)
OLD = "klopt\r\n\x1a an old file that begins like an index"
OLD_ENTRY = CacheEntry("nl", "en", "Wat er al stond.", "what was there before")


@dataclass
class Place:
    """A folder with old files in which a task runs."""

    folder: Path
    task: Task
    begin: Begin

    def __post_init__(self) -> None:
        self.folder.mkdir()
        for name in self.task.writes:
            (self.folder / name).write_text(OLD, "utf-8")
        if CACHE in self.task.adds_to:
            with TranslationCache(self.folder / CACHE, create=True) as cache:
                cache.add([OLD_ENTRY])

    def start(self, fault: Fault = NONE) -> Run:
        return self.begin(self.folder, *self.task.arguments, fault=fault)

    def run(self, fault: Fault = NONE) -> Ended:
        return self.start(fault).end()

    def done(self, fault: Fault = NONE) -> Ended:
        """Run the task without an error."""
        ended = self.run(fault)
        assert ended.code == 0, ended.err
        return ended

    def assert_done_as(self, other: Place) -> None:
        """Check that the folder has the files of the other run, and no others."""
        assert self.names == self.own
        assert self.written() == other.written()
        assert self.added() == other.added()

    @property
    def names(self) -> set[str]:
        return {one.name for one in self.folder.iterdir()}

    @property
    def has_checkpoint(self) -> bool:
        """Whether the next run can resume."""
        return any(b'{"checkpoint": ' in one.read_bytes() for one in self.folder.glob(".*.rows"))

    @property
    def own(self) -> set[str]:
        """The names of all files without temporary ones."""
        return {*self.task.writes, *self.task.adds_to}

    def written(self) -> dict[str, str]:
        """Return the complete files without dates and durations."""
        whole = {name: (self.folder / name).read_bytes() for name in self.task.writes}
        return {
            name: _WHEN.sub("", data.decode("utf-8", "replace")) for name, data in whole.items()
        }

    def added(self) -> set[object]:
        """Return the entries of the file to which the task adds, without a partial last line."""
        if CACHE in self.task.adds_to:
            with TranslationCache(self.folder / CACHE) as cache:
                return set(cache.entries())
        found = self.folder / RECORD
        lines = found.read_bytes().split(b"\n")[:-1] if found.exists() else []
        return {(line["id"], line["technique"]) for line in map(json.loads, lines)}


@pytest.fixture(scope="session")
def place(tmp_path_factory, begin):
    return lambda task: Place(tmp_path_factory.mktemp("place") / "own", task, begin)


@pytest.fixture(scope="session")
def whole(place):
    """The place of a task after a run without a fault, and the number of its moments."""
    done: dict[Task, tuple[Place, int]] = {}

    def run(task: Task) -> tuple[Place, int]:
        if task not in done:
            own = place(task)
            done[task] = own, own.done().moments
            assert own.names == own.own
        return done[task]

    return run


def assert_reported(ended: Ended, problem: str = "") -> None:
    """Check that one line reports the problem, with exit code 3 and without a traceback."""
    assert ended.code == 3, ended.err
    assert "Traceback" not in ended.err
    errors = [line for line in ended.err.splitlines() if line.startswith("Error: ")]
    assert len(errors) == 1, ended.err
    assert ended.err.splitlines()[-1] == errors[0]
    assert problem in errors[0]
