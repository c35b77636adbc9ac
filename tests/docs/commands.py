"""Run the commands of a page of the documentation and compare their output with the page.

In a block ``console`` a line that begins with ``$ `` is a command (a backslash continues it), and
the lines below are its output on a terminal, with ``…`` for omitted text. A block with a ``title``
is a file with that name. Services run at a port of their own.
"""

import contextlib
import os
import pty
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from klopt.company.folder import Company
from tests.company.reviewed import serving
from tests.conftest import ROOT
from tests.server.conftest import running

ADDRESS = "http://127.0.0.1:8765"
SECONDS = 300
_BLOCK = re.compile(r'^```(\w+)(?: title="([^"]+)")?\n(.*?)^```$', re.M | re.S)
_COMMAND = re.compile(r"^\$ ((?:.*\\\n)*.*)\n?((?:(?!\$ ).*\n)*)", re.M)


@dataclass(frozen=True)
class Step:
    """A command with its output on the page, or a file to write."""

    text: str
    shown: str = ""
    file: str | None = None


def steps(page: Path) -> list[Step]:
    """Return the steps of a page in order."""
    found = []
    for language, title, text in _BLOCK.findall(page.read_text("utf-8")):
        if title:
            found.append(Step(text, file=title))
        elif language == "console":
            found += [Step(*one) for one in _COMMAND.findall(text)]
    return found


class Reader:
    """Executes the steps of a page in a folder with the demo company."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._services = contextlib.ExitStack()
        self.url = ADDRESS
        (folder / "data").symlink_to(ROOT / "data")

    def run(self, step: Step) -> str:
        """Execute a step and return its output."""
        if step.file:
            file = self.folder / step.file
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(step.text, encoding="utf-8")
            return step.shown
        command = step.text.replace("\\\n", "").replace(ADDRESS, self.url)
        if command.startswith("klopt company review"):
            served = serving(Company.open(self.folder / command.split()[3]))
            self.url = self._services.enter_context(served).url
            return f"klopt review at {ADDRESS} (stop with Ctrl-C)\n"
        if command.startswith("klopt serve"):
            arguments = (_at(self.folder, one) for one in command.split()[2:])
            service = self._services.enter_context(running(self.folder, *arguments))
            self.url = service.url
            return f"klopt serves at {ADDRESS}\n"
        return self._run(command).replace(self.url, ADDRESS)

    def close(self) -> None:
        """Stop the services."""
        self._services.close()

    def _run(self, command: str) -> str:
        bin_folder = Path(sys.executable).parent
        environment = {
            **os.environ,
            "PATH": f"{bin_folder}{os.pathsep}{os.environ['PATH']}",
            "COLUMNS": "80",
            "TERM": "dumb",
            "PYTHONPATH": str(ROOT),
        }
        reading, writing = pty.openpty()
        with (
            os.fdopen(reading, "rb", buffering=0) as terminal,
            (self.folder / "stderr").open("w+b") as err,
            subprocess.Popen(
                ["bash", "-ec", command],
                cwd=self.folder,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=writing,
                stderr=err,
            ) as process,
        ):
            os.close(writing)
            shown = b"".join(_until_closed(terminal.fileno()))
            process.wait(SECONDS)
            err.seek(0)
            shown += err.read()
        return shown.decode().replace("\r\n", "\n")


def _at(folder: Path, argument: str) -> object:
    return folder / argument if (folder / argument).exists() else argument


def _until_closed(terminal: int) -> Iterator[bytes]:
    with contextlib.suppress(OSError):  # Linux raises it when the last writer is closed
        while part := os.read(terminal, 65_536):
            yield part


def is_shown(shown: str, found: str) -> bool:
    """Return whether a page shows this output; blanks at line ends are ignored."""
    expected, actual = (re.sub(r"[ \t]+$", "", one, flags=re.M).strip() for one in (shown, found))
    return re.fullmatch(re.escape(expected).replace("…", ".*?"), actual, re.DOTALL) is not None
