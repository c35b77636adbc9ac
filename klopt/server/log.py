"""The log of the service: one object of JSON a line."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Final

from klopt.batch.output import to_json

_HEARD: Final = ("klopt", "uvicorn")


class JsonLines(logging.Formatter):
    """One object of JSON a line."""

    def format(self, record: logging.LogRecord) -> str:
        """The line of a record; what stands in its ``fields`` comes after the event."""
        time = datetime.fromtimestamp(record.created, UTC)
        line = {
            "time": time.isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "event": record.getMessage(),
            **getattr(record, "fields", {}),
        }
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return to_json(line)


@contextmanager
def logged() -> Iterator[None]:
    """Writes what klopt and the HTTP server say to standard error, until the block ends."""
    handler = logging.StreamHandler()
    handler.setFormatter(JsonLines())
    own = logging.getLogger("klopt")
    level = own.level
    own.setLevel(logging.INFO)
    for name in _HEARD:
        logging.getLogger(name).addHandler(handler)
    try:
        yield
    finally:
        own.setLevel(level)
        for name in _HEARD:
            logging.getLogger(name).removeHandler(handler)
