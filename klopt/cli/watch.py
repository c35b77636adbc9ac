"""``klopt watch``."""

from __future__ import annotations

from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Annotated, Final

import click

from klopt.cli import options
from klopt.cli.options import as_command, option
from klopt.cli.scoring import NONE, ScoringOptions, TranslationOptions
from klopt.cli.serve import AddressOptions, KeepOptions
from klopt.cli.terminal import announce
from klopt.extras import needs

STORE: Final = "klopt-watch.sqlite"


@as_command("watch", "klopt watch logs/ --index help.klopt")
def command(
    *,
    logs: Annotated[
        tuple[Path, ...],
        options.Declared((), {"metavar": "[LOGS...]", "required": False}, click.Argument),
    ],
    scoring: ScoringOptions,
    listening: AddressOptions,
    keep: Path = option("The file that what was scored is kept in.", default=Path(STORE)),
    bounds: KeepOptions,
    time: str | None = option(
        "The field of the logs that says when, such as meta.sent; common names are found, and "
        "else it is when the row was read.",
        metavar="FIELD",
    ),
    page_language: str = option(
        "Of the page: nl, en, or auto, that of the most answers.",
        type=click.Choice(["auto", "nl", "en"]),
        default="auto",
    ),
    no_browser: options.NoBrowser,
) -> None:
    """Score chat logs as they grow, and show what comes of them on a page that keeps up.

    LOGS are files and folders of JSON lines and CSV; without any the page shows what klopt serve
    keeps in the file of its --keep. The page is the report of klopt report: of
    today, of seven days, or of all that is kept. Stop with Ctrl-C; the same command goes on where
    it was.
    """
    with (
        needs("server", "the page needs starlette, uvicorn and prometheus-client"),
        needs("report", "the page needs jinja2"),
    ):
        from klopt.watching.app import run
        from klopt.watching.growing import logs_in
        from klopt.watching.store import Store
        from klopt.watching.watch import Watch, Watched
    logs_in(logs)
    if not logs and not keep.exists():
        raise click.UsageError(
            f"Give LOGS, or with --keep the file of klopt serve --keep; there is no {keep}."
        )
    address = listening.address()
    with ExitStack() as stack:
        scorer = scoring.scorer(TranslationOptions(translate=NONE), stack)
        pages = scoring.known_pages
        store = Store(keep, bounds.bounds(), pages)
        stack.callback(store.close)
        watched = Watched(logs, scorer, pages, scoring.names, scoring.language, time)
        name = ", ".join(log.name or str(log) for log in logs) or keep.name
        told = partial(announce, "klopt watch", opens=not no_browser)
        run(Watch(store, watched), address, page_language, name, told)
