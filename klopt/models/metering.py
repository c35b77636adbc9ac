"""Counts what a whole run costs, failed calls included."""

from __future__ import annotations

import threading

from klopt.models.calls import Call, CallError, Model, Reply, Usage


class Meter:
    """A model that passes calls on to another and adds up what they cost.

    Unlike the usages of the rows, the sum also holds what was spent on calls that failed.

    Attributes:
        name: The name of the model that is asked.
    """

    def __init__(self, model: Model) -> None:
        self.name = model.name
        self._model = model
        self._lock = threading.Lock()
        self._usage = Usage()

    @property
    def usage(self) -> Usage:
        """What was spent until now; `Usage` when nothing was asked."""
        with self._lock:
            return self._usage

    def complete(self, call: Call) -> Reply:
        """Asks the model.

        Raises:
            LlmError: Whatever the model raises.
        """
        try:
            reply = self._model.complete(call)
        except CallError as error:
            self._add(error.usage)
            raise
        self._add(reply.usage)
        return reply

    def _add(self, usage: Usage) -> None:
        with self._lock:
            self._usage += usage
