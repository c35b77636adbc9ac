"""What a service scored, kept beside its answers, for ``klopt watch --keep``."""

from __future__ import annotations

import json
import logging
import queue
import threading
from datetime import date
from secrets import token_bytes
from typing import Final

from klopt.batch.rows import read_lines, rows_of
from klopt.errors import KloptError
from klopt.report.scored import AskedRow, ScoredRow
from klopt.watching.store import Store

_MOST_WAITING: Final = 1_000
_PRUNE_EVERY: Final = 1_000
_LOG: Final = logging.getLogger("klopt.server")


class Keeper:
    """Keeps requests with their answers in a thread, so that no answer waits for the disk.

    What comes faster than it is kept is left out, which
    the log says.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._waiting: queue.Queue[tuple[list[bytes], bytes] | None] = queue.Queue(_MOST_WAITING)
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def keep(self, rows: list[bytes], assessments: bytes) -> None:
        """Takes rows, each as JSON, and their assessments, a line each."""
        try:
            self._waiting.put_nowait((rows, assessments))
        except queue.Full:
            _LOG.error("%s rows were not kept: more come than can be kept", len(rows))

    def close(self) -> None:
        """Waits until what was taken is kept."""
        self._waiting.put(None)
        self._thread.join()

    def _run(self) -> None:
        count = 0
        while (taken := self._waiting.get()) is not None:
            try:
                self._store.add(_answers(*taken))
                if (count := count + 1) % _PRUNE_EVERY == 1:
                    self._store.prune(date.today())
            except KloptError as error:
                _LOG.error("%s rows were not kept: %s", len(taken[0]), error)
            except Exception:  # what comes next is to be kept nevertheless
                _LOG.exception("%s rows were not kept", len(taken[0]))
        self._store.close()


def _answers(sent: list[bytes], assessments: bytes) -> list[tuple[bytes, ScoredRow, AskedRow]]:
    rows = rows_of(read_lines(sent, "the request"), with_contexts=False)
    answers = []
    for row, line in zip(rows, assessments.splitlines(), strict=False):
        scored = ScoredRow.from_mapping(json.loads(line))
        if row.turn is not None and scored.status != "error":
            asked = AskedRow(row.turn.question, row.turn.answer, date.today())
            answers.append((token_bytes(16), scored, asked))
    return answers
