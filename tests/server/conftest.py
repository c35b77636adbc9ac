"""A real service in a process of its own, on loopback."""

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
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
SECONDS = 180


@dataclass
class Service:
    """A running service: its process, its address and the file of its log."""

    process: subprocess.Popen[bytes]
    url: str
    log: Path

    def client(self, **settings: Any) -> httpx.Client:
        return httpx.Client(base_url=self.url, timeout=SECONDS, trust_env=False, **settings)

    def workers(self) -> set[int]:
        """Return the process ids of the workers."""
        own = self.process.pid
        children = Path(f"/proc/{own}/task/{own}/children").read_text("ascii").split()
        found = set()
        for pid in map(int, children):
            with contextlib.suppress(OSError):  # it has ended since
                if b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes():
                    found.add(pid)
        return found

    def stop(self, how: int = signal.SIGTERM) -> int:
        self.process.send_signal(how)
        return self.process.wait(SECONDS)


@contextlib.contextmanager
def started(
    log: Path, *arguments: object, **variables: str
) -> Iterator[tuple[subprocess.Popen[bytes], str]]:
    """Run a Python module that serves until the block ends; return its process and URL."""
    environment = {**os.environ, **variables}
    command = [sys.executable, "-m", *map(str, arguments)]
    with (
        log.open("ab") as err,
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=err, env=environment) as process,
    ):
        try:
            assert process.stdout is not None
            line = process.stdout.readline().decode()
            assert " at http://" in line, log.read_text("utf-8")
            yield process, line.split()[3]
        finally:
            process.terminate()
            try:
                process.wait(SECONDS)
            finally:
                process.kill()


@contextlib.contextmanager
def running(folder: Path, *arguments: object, **variables: str) -> Iterator[Service]:
    """Run a service with these arguments until the block ends."""
    log = folder / "service.log"
    command = ("klopt", "serve", *arguments, "--port", 0)
    with started(log, *command, **variables) as (process, url):
        yield Service(process, url, log)


def put(index: Path, data: bytes) -> None:
    """Replace a file by renaming."""
    new = index.with_suffix(".new")
    new.write_bytes(data)
    new.replace(index)


@pytest.fixture(scope="session")
def pages(tmp_path_factory):
    folder = tmp_path_factory.mktemp("help")
    (folder / "opslaan.md").write_text(SAVING, encoding="utf-8")
    (folder / "printer.md").write_text(PRINTER, encoding="utf-8")
    return folder


@pytest.fixture(scope="session")
def built(pages, tmp_path_factory, build_index):
    """An index of the pages."""
    found = tmp_path_factory.mktemp("built") / "help.klopt"
    build_index(pages, found)
    return found


@pytest.fixture(scope="session")
def service(built, tmp_path_factory):
    """A service for tests that do not change it."""
    folder = tmp_path_factory.mktemp("service")
    options = ("--index", built, "--workers", 2, "--body-bytes", 100_000)
    with running(folder, *options, "--batch-rows", 10) as found:
        yield found


@pytest.fixture(scope="module")
def client(service):
    with service.client() as found:
        yield found


@pytest.fixture(scope="session")
def build_index(klopt):
    def build(pages: Path, index: Path, *options: str) -> None:
        run = klopt("index", "build", "--pages", pages, "-o", index, *options)
        assert run.code == 0, run.err

    return build


@pytest.fixture(scope="session")
def klopt():
    return Klopt()
