"""Kill workers of Spark and Ray while they score."""

import os
import signal
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Final

BUSY_S: Final = 1.5
"""CPU seconds after which a worker is certainly scoring."""
KILLED: Final = 2


def kill_busy(done: threading.Event, busy_s: float = BUSY_S) -> int:
    """Kill busy workers one after the other; return how many."""
    killed: set[int] = set()
    first: dict[int, float] = {}
    while len(killed) < KILLED and not done.wait(0.05):
        for pid, used_s in _workers():
            if pid not in killed and used_s - first.setdefault(pid, used_s) > busy_s:
                os.kill(pid, signal.SIGKILL)
                killed.add(pid)
                break
    return len(killed)


def _workers() -> Iterator[tuple[int, float]]:
    """Yield the processes that score for this one: ids and CPU seconds."""
    parents, used_s = {}, {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
            command = (folder / "cmdline").read_bytes()
        except OSError:  # it has ended
            continue
        pid = int(folder.name)
        parents[pid] = int(fields[1])
        if b"pyspark.daemon" in command or command.startswith(b"ray::"):
            used_s[pid] = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    for pid, used in used_s.items():
        above = pid
        while above in parents and above != os.getpid():
            above = parents[above]
        if above == os.getpid():
            yield pid, used
