"""Starts the review on this machine, until it is told to stop."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from itertools import islice
from typing import Final

import uvicorn

from klopt.batch.rows import Row
from klopt.reading.language import vote
from klopt.review.app import application
from klopt.review.desk import Desk
from klopt.server.heads import BoundedHttp
from klopt.server.running import listen

_HOST: Final = "127.0.0.1"
_READ_FOR_LANGUAGE: Final = 20


def language_of(rows: Iterable[Row]) -> str | None:
    """The language that most of the first rows of a log are in; None when none can be told.

    >>> from klopt import Turn
    >>> language_of([Row(1, "a", Turn("Kan dat?", "Ja, dat kan met de knop Opslaan."))])
    'nl'
    """
    turns = (row.turn for row in rows if row.turn is not None)
    told = (
        vote([turn.question, turn.answer]).language if turn.language == "auto" else turn.language
        for turn in islice(turns, _READ_FOR_LANGUAGE)
    )
    counts = Counter(one for one in told if one in ("nl", "en"))
    return counts.most_common(1)[0][0] if counts else None


def run(desk: Desk, port: int, language: str | None, announce: Callable[[str], object]) -> None:
    """Shows the pages on this machine alone, until Ctrl-C or SIGTERM.

    Args:
        desk: The work at hand.
        port: The port; 0 takes one that is free.
        language: Of the pages; None takes that of the browser.
        announce: Takes the address as soon as it can be opened.

    Raises:
        ConfigurationError: The port is taken.
    """
    listening = listen(_HOST, port)
    config = uvicorn.Config(
        application(desk, language),
        http=BoundedHttp,
        ws="none",
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=5,
    )
    announce(f"http://{_HOST}:{listening.getsockname()[1]}")
    uvicorn.Server(config).run([listening])
