"""``klopt`` in real processes, forked from one that has imported it and so starts them fast.

A run can be killed while it writes, have a full disk, or an output without a reader. Each call in a
module that writes is a moment of writing; the n-th one is the same in each run.
"""

import importlib
import os
import resource
import signal
import sys
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from types import FrameType
from typing import Any

SECONDS = 120.0
CHECKPOINT_ROWS = 100
"""Rows between two checkpoints; fewer than a user has, so that runs are short."""
KEY = "wadlinde-0123456789"


WRITING = (
    "klopt._internal.files",
    "klopt._internal.files",
    "klopt.logs.resume",
    "klopt.llm.transcripts",
    "klopt.translation.cache",
)


class Moments:
    """Counts the moments of this process, and kills it at a given one."""

    count = fatal = 0

    def watch(self, fatal: int) -> None:
        self.fatal = fatal
        self._files = {importlib.import_module(name).__file__ for name in WRITING}
        sys.setprofile(self._note)

    def _note(self, frame: FrameType, _event: str, _argument: object) -> None:
        if frame.f_code.co_filename in self._files:
            self.count += 1
            if self.count == self.fatal:
                os.kill(os.getpid(), signal.SIGKILL)


MOMENTS = Moments()


@dataclass(frozen=True)
class Fault:
    """A fault during a run.

    Attributes:
        moment: The moment of writing, from 1, at which it is killed; 0 for none.
        most_bytes: The largest size of a file; None for no limit.
        output: Its standard output: ``closed``, ``unread`` (a pipe without a reader), a device, or
            the empty name for a file.
    """

    moment: int = 0
    most_bytes: int | None = None
    output: str = ""


NONE = Fault()


@dataclass(frozen=True)
class Ended:
    """The end of a run: exit code (-9 if it was killed), output, and moments of writing."""

    code: int
    out: str
    err: str
    moments: int


class Run:
    """A run in the background, until `end`."""

    def __init__(self, folder: Path, output: Path, *arguments: object, fault: Fault) -> None:
        self._output = output
        self._errors, errors = _CONTEXT.Pipe(duplex=False)
        self._process: BaseProcess = _CONTEXT.Process(
            target=_run, args=(folder, output, errors, [*map(str, arguments)], fault)
        )
        self._process.start()
        errors.close()

    def end(self) -> Ended:
        self._process.join(SECONDS)
        if self._process.is_alive():
            self._process.kill()
            raise AssertionError(f"not done after {SECONDS:g} s")
        code, moments = self._process.exitcode, self._output / "moments"
        assert code is not None
        with open(self._errors.fileno(), encoding="utf-8", closefd=False) as errors:
            err = errors.read()
        self._errors.close()
        out = (self._output / "out").read_text("utf-8")
        return Ended(code, out, err, int(moments.read_text()) if moments.exists() else 0)


_CONTEXT: Any = get_context("forkserver")
_CONTEXT.set_forkserver_preload(["pytest", "tests.faults.warm"])


def _run(
    folder: Path, output: Path, errors: Connection, arguments: list[str], fault: Fault
) -> None:
    os.chdir(folder)
    os.dup2(os.open(output / "out", os.O_WRONLY | os.O_CREAT), 1)
    os.dup2(errors.fileno(), 2)
    errors.close()
    _redirect(fault)
    os.environ["OPENAI_API_KEY"] = KEY
    os.environ["NO_PROXY"] = os.environ["no_proxy"] = "*"
    sys.argv = ["klopt", *arguments]
    from klopt.cli import main

    MOMENTS.watch(fault.moment)
    if fault.most_bytes is not None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (fault.most_bytes, fault.most_bytes))
    try:
        main()
    finally:
        if fault == NONE:
            (output / "moments").write_text(str(MOMENTS.count))


def _redirect(fault: Fault) -> None:
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
    if fault.output == "closed":
        os.close(1)
        sys.stdout = None  # type: ignore[assignment]
    elif fault.output == "unread":
        reader, writer = os.pipe()
        os.dup2(writer, 1)
        os.close(writer)
        os.close(reader)
    elif fault.output:
        os.dup2(os.open(fault.output, os.O_WRONLY), 1)
