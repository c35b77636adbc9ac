"""A real service in a process of its own, on loopback."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.cli.conftest import PRINTER, Klopt

SAVING = """# Een document opslaan

1. Klik op **Bestand**.
2. Klik op **Opslaan**.
3. Kies de map van de medewerker.
"""
ROW = {
    "id": "een",
    "question": "Hoe sla ik een document op?",
    "answer": "Klik op **Bestand** en daarna op **Bewaren als**.",
    "contexts": ["opslaan"],
}
SECONDS = 60


def cpu_s(pid: str | int) -> float:
    """Seconds of the processor that a process took so far, without those it started."""
    after_the_name = Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(") ")[2].split()
    return sum(map(int, after_the_name[11:13])) / os.sysconf("SC_CLK_TCK")


@dataclass
class Service:
    """A service that runs.

    Attributes:
        process: Its process.
        url: Where it answers.
        log: Where its lines go.
    """

    process: subprocess.Popen[bytes]
    url: str
    log: Path

    def client(self, **settings: Any) -> httpx.Client:
        return httpx.Client(base_url=self.url, timeout=SECONDS, trust_env=False, **settings)

    def cpu_s(self) -> float:
        """Seconds of the processor that the service and the processes that score took so far."""
        own = str(self.process.pid)
        children = Path(f"/proc/{own}/task/{own}/children").read_text("ascii").split()
        return sum(map(cpu_s, [own, *children]))

    def stop(self, how: int = signal.SIGTERM) -> int:
        self.process.send_signal(how)
        return self.process.wait(SECONDS)


@contextlib.contextmanager
def started(
    log: Path, *arguments: object, **variables: str
) -> Iterator[tuple[subprocess.Popen[bytes], str]]:
    """A command that serves on a free port until the block ends: its process, and where."""
    environment = {**os.environ, **variables}
    command = [sys.executable, "-m", "klopt", *map(str, arguments), "--port", "0"]
    with (
        log.open("ab") as err,
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=err, env=environment) as process,
    ):
        try:
            assert process.stdout is not None
            said = process.stdout.readline().decode()
            assert " at http://" in said, log.read_text("utf-8")
            yield process, said.split()[3]
        finally:
            process.kill()


@contextlib.contextmanager
def running(folder: Path, *arguments: object, **variables: str) -> Iterator[Service]:
    """A service with these arguments, until the block ends."""
    log = folder / "service.log"
    with started(log, "serve", *arguments, **variables) as (process, url):
        yield Service(process, url, log)


def put(index: Path, data: bytes) -> None:
    """Gives a file other content at one blow."""
    new = index.with_suffix(".new")
    new.write_bytes(data)
    new.replace(index)


@pytest.fixture(scope="session")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("help")
    (folder / "opslaan.md").write_text(SAVING, encoding="utf-8")
    (folder / "printer.md").write_text(PRINTER, encoding="utf-8")
    return folder


@pytest.fixture(scope="session")
def built(
    pages: Path,
    tmp_path_factory: pytest.TempPathFactory,
    build_index: Callable[..., None],
) -> Path:
    """An index of the pages."""
    found = tmp_path_factory.mktemp("built") / "help.klopt"
    build_index(pages, found)
    return found


@pytest.fixture(scope="session")
def service(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service that the tests share; none of them changes it."""
    folder = tmp_path_factory.mktemp("service")
    options = ("--index", built, "--workers", 2, "--body-bytes", 100_000)
    with running(folder, *options, "--batch-rows", 10) as found:
        yield found


@pytest.fixture(scope="module")
def client(service: Service) -> Iterator[httpx.Client]:
    with service.client() as found:
        yield found


@pytest.fixture(scope="session")
def build_index(klopt: Klopt) -> Callable[..., None]:
    def build(pages: Path, index: Path, *options: str) -> None:
        run = klopt("index", "build", "--pages", pages, "-o", index, *options)
        assert run.code == 0, run.err

    return build


@pytest.fixture(scope="session")
def klopt() -> Klopt:
    return Klopt()
