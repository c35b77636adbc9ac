"""A watch of logs in a process of its own, on loopback."""

from __future__ import annotations

import contextlib
import json
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import httpx

from tests.server.conftest import ROW, build_index, built, klopt, pages, started

__all__ = ["build_index", "built", "klopt", "pages"]

SECONDS = 60


def line(number: int, **changed: object) -> str:
    return json.dumps({**ROW, "id": f"r{number}", **changed}) + "\n"


@dataclass
class Watching:
    """A watch that runs: its process and where it answers."""

    process: subprocess.Popen[bytes]
    url: str

    def get(self, path: str = "/?period=all", **headers: str) -> httpx.Response:
        return httpx.get(self.url + path, headers=headers, trust_env=False, timeout=SECONDS)

    def wait(self, is_there: Callable[[str], bool]) -> str:
        """The page, as soon as it is so."""
        until = time.monotonic() + SECONDS
        while not is_there(text := self.get().text):
            assert time.monotonic() < until, text
            time.sleep(0.2)
        return text


@contextlib.contextmanager
def watching(
    folder: Path, *arguments: object, logs: Sequence[str] = ("logs",), **variables: str
) -> Iterator[Watching]:
    """A watch of logs in a folder, until the block ends."""
    options = [*(folder / log for log in logs), "--keep", folder / "kept.sqlite", *arguments]
    with started(folder / "said", "watch", "--no-browser", *options, **variables) as found:
        yield Watching(*found)
