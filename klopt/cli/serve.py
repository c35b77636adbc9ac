"""``klopt serve``."""

from __future__ import annotations

import dataclasses
import os
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from klopt._internal.imports import needs
from klopt.cli import options
from klopt.cli.options import as_command, option
from klopt.cli.scoring import temporary_index
from klopt.errors import InputError

if TYPE_CHECKING:
    from klopt.scoring.setup import Setup
    from klopt.types import Pages

TOKEN: Final = "KLOPT_TOKEN"
_COUNT: Final = click.IntRange(1)


@dataclasses.dataclass(frozen=True, slots=True)
class ServeOptions:
    """Where the service listens and how it runs; see the options' help."""

    host: str = option(
        "Address to listen on; one that other machines can reach needs a token.",
        default="127.0.0.1",
        metavar="ADDRESS",
    )
    port: int = option(
        "Port to listen on; 0 takes a free one.", type=click.IntRange(0, 65535), default=8765
    )
    token_file: Path | None = option(
        f"File with the token that clients have to send; by default klopt reads {TOKEN}."
    )
    allow_host: tuple[str, ...] = option(
        f"Another host name that requests may use; {options.MULTIPLE}", metavar="NAME"
    )
    workers: int = option(
        "Worker processes; by default one per core.",
        type=click.IntRange(1, 256),
        default=os.cpu_count() or 1,
    )
    limit_concurrency: int = option(
        "Requests in progress per worker; further ones get status 503.", type=_COUNT, default=64
    )
    body_bytes: int = option("Maximum size of a request.", type=_COUNT, default=4_000_000)
    batch_rows: int = option("Maximum number of rows in a batch.", type=_COUNT, default=1_000)
    log_texts: bool = option("Also log questions, answers and pages; others may read the log.")

    def token(self) -> str | None:
        """Return the token that clients have to send."""
        if self.token_file is None:
            found, where = os.environ.get(TOKEN), f"the environment variable {TOKEN}"
        else:
            where = str(self.token_file)
            try:
                found = self.token_file.read_text("utf-8")
            except (OSError, UnicodeDecodeError) as error:
                raise InputError(f"{where}: cannot be read: {error}") from None
        if found is None:
            return None
        if not found.strip().isascii() or len(found.split()) != 1:
            raise click.UsageError(
                f"{where} has to contain one token: ASCII characters, no spaces."
            )
        return found.strip()


@as_command("serve", "klopt serve --index help.klopt")
def command(
    *,
    scoring: options.SetupOptions,
    running: ServeOptions,
    language: str = option(
        "Language of turns that state none, where words and pages do not tell it: nl, en or auto.",
        default="auto",
        metavar="CODE",
    ),
) -> int:
    """Score answers over HTTP. Open the address in a browser to try the service by hand.

    SIGHUP reloads profile, index and pages without interruption; SIGTERM or Ctrl-C stops the
    service when the requests in progress are finished. The log on standard error has one JSON
    object per line.
    """
    if scoring.index is not None and scoring.pages is not None:
        raise click.UsageError("Give either --index or --pages, not both.")
    with needs("server", "the service needs starlette, uvicorn and prometheus-client"):
        from klopt.server.run import serve
        from klopt.server.settings import Address, Limits, Settings
    load = partial(_load, scoring, language)
    load()  # the errors of workers are in the log, those of this process on the terminal
    settings = Settings(
        load,
        Address(running.host, running.port, running.token(), running.allow_host),
        running.workers,
        running.log_texts,
        Limits(
            body_bytes=running.body_bytes,
            batch_rows=running.batch_rows,
            concurrency=running.limit_concurrency,
        ),
    )
    serve(settings, lambda address: click.echo(f"klopt serves at {address}"))
    return 0


def _load(scoring: options.SetupOptions, language: str) -> tuple[Setup, Pages | None]:
    from klopt.logs.pages import read_pages

    setup = dataclasses.replace(scoring.loaded(), language=language)
    pages = None if scoring.pages is None else read_pages(scoring.pages)
    index = None if scoring.index is None else options.open_index(scoring.index)
    if pages is not None and scoring.retrieve:
        index = temporary_index(pages, setup)
    if index is not None:
        setup = dataclasses.replace(setup, index=index, retrieve=scoring.retrieve)
    return setup, pages
