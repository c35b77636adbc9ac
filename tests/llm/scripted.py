"""A model with scripted replies."""

import threading
from collections.abc import Callable

from klopt.llm.calls import Call, Reply, Usage

ONE = Usage(10, 2, 0.5, 1.0, 0, 1)


class Scripted:
    """Gives one step per call, the last repeatedly: a text, a function of the call, or an error."""

    name = "scripted"

    def __init__(self, *script: str | Callable[[Call], str] | Exception) -> None:
        self.script, self.calls = script, list[Call]()
        self.lock = threading.Lock()

    def complete(self, call: Call) -> Reply:
        with self.lock:
            self.calls.append(call)
            step = self.script[: len(self.calls)][-1]
        if isinstance(step, Exception):
            raise step
        return Reply(step if isinstance(step, str) else step(call), call.task, self.name, ONE)
