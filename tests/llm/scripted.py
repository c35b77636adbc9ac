"""A model that says what a test wants."""

import threading

from klopt.llm.calls import Call, Reply, Usage

ONE = Usage(10, 2, 0.5, 1.0, 0, 1)


class Scripted:
    """Gives one text after the other, the last one for ever; an error is raised."""

    name = "scripted"

    def __init__(self, *script: str | Exception) -> None:
        self.script, self.calls = script, list[Call]()
        self.lock = threading.Lock()

    def complete(self, call: Call) -> Reply:
        with self.lock:
            self.calls.append(call)
            given = self.script[: len(self.calls)][-1]
        if isinstance(given, Exception):
            raise given
        return Reply(given, call.task, self.name, ONE)
