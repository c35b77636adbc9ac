"""A small company to score, and the command run inside this process, with or without a terminal.

`Klopt` calls the same ``main`` as the installed command, so that a test does not wait for a start;
tests of a pseudo-terminal, a signal or a closed pipe start a process.
"""

import io
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from klopt.cli import main
from tests.tables import tables
from tests.waiting import wait_for

COLUMNS = 100
OWN_VARIABLES = ("COLORTERM", "FORCE_COLOR", "NO_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE")

COMPANY = tables("cli", "company")
SAVING, PRINTER = COMPANY["pages"]["saving"], COMPANY["pages"]["printer"]
TURNS = tuple(COMPANY["turns"])


@dataclass(frozen=True)
class Run:
    """Exit code and output of a run."""

    code: int
    out: str
    err: str

    @property
    def rows(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.out.splitlines()]


class _Stream(io.TextIOWrapper):
    def __init__(self, *, terminal: bool, errors: str) -> None:
        self.written = io.BytesIO()
        super().__init__(self.written, "utf-8", errors, newline="", write_through=True)
        self._terminal = terminal

    def isatty(self) -> bool:
        return self._terminal


class Klopt:
    """Runs ``klopt`` with arguments inside this process."""

    def __call__(
        self,
        *arguments: object,
        stdin: bytes = b"",
        terminal: bool = False,
        terminal_err: bool | None = None,
        **variables: str,
    ) -> Run:
        out = _Stream(terminal=terminal, errors="strict")
        err_is_terminal = terminal if terminal_err is None else terminal_err
        err = _Stream(terminal=err_is_terminal, errors="backslashreplace")
        with pytest.MonkeyPatch.context() as patch:
            for name in OWN_VARIABLES:
                patch.delenv(name, raising=False)
            environment = {"COLUMNS": str(COLUMNS), "TERM": "xterm-256color", **variables}
            for name, value in environment.items():
                patch.setenv(name, value)
            patch.setattr(sys, "argv", ["klopt", *map(str, arguments)])
            typed = io.BufferedReader(io.BytesIO(stdin))
            patch.setattr(sys, "stdin", io.TextIOWrapper(typed, "utf-8"))
            patch.setattr(sys, "stdout", out)
            patch.setattr(sys, "stderr", err)
            with pytest.raises(SystemExit) as stop:
                main()
        assert isinstance(stop.value.code, int)
        return Run(stop.value.code, *(one.written.getvalue().decode() for one in (out, err)))


def started(*arguments: object, **variables: str) -> subprocess.Popen[bytes]:
    """Start the command in a process that Ctrl-C stops, even if the tests run in the background."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        return subprocess.Popen(
            [sys.executable, "-m", "klopt", *map(str, arguments)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, **variables},
        )
    finally:
        signal.signal(signal.SIGINT, before)


def stopped(
    process: subprocess.Popen[bytes], is_time: Callable[[], bool]
) -> tuple[int, bytes, list[str]]:
    """Stop a process by Ctrl-C when it is time; return exit code, output and message lines."""
    wait_for(lambda: process.poll() is not None or is_time())
    assert process.poll() is None
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=180)
    return process.returncode, out, err.decode().splitlines()


@pytest.fixture(scope="session")
def klopt():
    return Klopt()


@pytest.fixture(scope="session")
def company(tmp_path_factory):
    """A chat log and a folder with help pages."""
    folder = tmp_path_factory.mktemp("company")
    pages = folder / "pages"
    (pages / "apparaten").mkdir(parents=True)
    (pages / "opslaan.md").write_text(SAVING, encoding="utf-8")
    (pages / "apparaten" / "printer.md").write_text(PRINTER, encoding="utf-8")
    return SimpleNamespace(log=write_log(folder / "log.jsonl", *TURNS), pages=pages)


def write_log(path: Path, *turns: dict[str, Any]) -> Path:
    path.write_text("".join(json.dumps(turn) + "\n" for turn in turns), encoding="utf-8")
    return path


@pytest.fixture(scope="session")
def write():
    return write_log
