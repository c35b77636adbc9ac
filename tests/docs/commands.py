"""Pages whose commands are run and whose output is compared: what people type and see.

In a block ``console`` a line that begins with ``$ `` is a command (a backslash goes on with it),
and what stands below it is what a terminal shows, with ``…`` for what is left out. A block with a
``title`` is a file of that name. A service is started where one is, and asked at its own port.
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
    """Something that a reader does: a command, or a file that is written."""

    text: str
    shown: str = ""
    file: str | None = None


def steps(page: Path) -> list[Step]:
    """What a page says to do, in order."""
    found = []
    for language, title, text in _BLOCK.findall(page.read_text("utf-8")):
        if title:
            found.append(Step(text, file=title))
        elif language == "console":
            found += [Step(*one) for one in _COMMAND.findall(text)]
    return found


class Reader:
    """Somebody who does what a page says, in a folder with the demo company."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._services = contextlib.ExitStack()
        self.url = ADDRESS
        (folder / "data").symlink_to(ROOT / "data")

    def does(self, step: Step) -> str:
        """What a step shows."""
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
        """Ends the services that it started."""
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
            (self.folder / "said").open("w+b") as err,
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
    with contextlib.suppress(OSError):  # Linux says so when the last writer is gone
        while part := os.read(terminal, 65_536):
            yield part


def is_shown(shown: str, found: str) -> bool:
    """Whether a page shows what was found; blanks at the ends of lines do not count."""
    wanted, met = (re.sub(r"[ \t]+$", "", one, flags=re.M).strip() for one in (shown, found))
    return re.fullmatch(re.escape(wanted).replace("…", ".*?"), met, re.DOTALL) is not None
