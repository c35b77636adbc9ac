"""``klopt serve``."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

import click

from klopt.cli.options import ALL_TYPES, PROFILE, TERMS
from klopt.errors import ExtraMissingError, InputError

TOKEN: Final = "KLOPT_TOKEN"


@click.command("serve", epilog="Example: klopt serve --index help.klopt")
@click.option(
    "--index",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Pages read ahead by `klopt index build`; read again when the file changes.",
)
@click.option(
    "--pages",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Folder with the help pages that contexts name, instead of --index.",
)
@click.option(
    "--follow-links",
    is_flag=True,
    help="Also read pages that are links to files outside their folder.",
)
@PROFILE
@TERMS
@ALL_TYPES
@click.option(
    "--host",
    default="127.0.0.1",
    metavar="ADDRESS",
    help="The address to listen on; any but this machine's own needs a token.",
)
@click.option(
    "--port",
    default=8765,
    type=click.IntRange(0, 65535),
    help="The port; 0 takes one that is free.",
)
@click.option(
    "--workers",
    type=click.IntRange(1, 256),
    default=os.cpu_count() or 1,
    help="Processes that score; one for each core when left out.",
)
@click.option(
    "--queue",
    type=click.IntRange(1, 100_000),
    help="Requests that may wait or be worked on, before others are sent away; 6 for "
    "each process when left out.",
)
@click.option(
    "--body-bytes",
    type=click.IntRange(1),
    default=4_000_000,
    help="The most that one request may send.",
)
@click.option(
    "--batch-rows", type=click.IntRange(1), default=1_000, help="The most rows in one batch."
)
@click.option(
    "--body-s",
    type=click.FloatRange(0.001, 3600),
    default=15.0,
    help="The most seconds until a request is sent.",
)
@click.option(
    "--answer-s",
    type=click.FloatRange(0.001, 3600),
    default=10.0,
    help="The most seconds until an answer; a budget_ms is cut to it.",
)
@click.option(
    "--token-file",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help=f"File with the token that whoever asks has to show; else {TOKEN}.",
)
@click.option(
    "--allow-host",
    multiple=True,
    metavar="NAME",
    help="Another name by which the service may be called; may be given several times.",
)
@click.option(
    "--drain-s",
    type=click.FloatRange(0, 3600),
    default=0.0,
    help="Seconds to go on after SIGTERM, while /readyz says that it stops.",
)
@click.option(
    "--log-texts",
    is_flag=True,
    help="Also log questions, answers and pages. Others may read the log.",
)
def command(
    index: Path | None,
    pages: Path | None,
    follow_links: bool,
    profile: str,
    terms: tuple[Path, ...],
    all_types: bool,
    host: str,
    port: int,
    workers: int,
    queue: int | None,
    body_bytes: int,
    batch_rows: int,
    body_s: float,
    answer_s: float,
    token_file: Path | None,
    allow_host: tuple[str, ...],
    drain_s: float,
    log_texts: bool,
) -> int:
    """Score answers over HTTP, for bots: a page to try it, and what it can do, is at its address.

    Logs go to standard error, one object of JSON a line. Stops at SIGTERM or Ctrl-C, when what
    it took is finished.
    """
    if index is not None and pages is not None:
        raise click.UsageError("Give either --index or --pages.")
    try:
        from klopt.server.bodies import Limits
        from klopt.server.desk import Sources
        from klopt.server.log import logged
        from klopt.server.running import Settings, serve
    except ModuleNotFoundError as error:
        raise ExtraMissingError(
            f"the service needs {error.name}; install it with: pip install 'klopt[server]'"
        ) from None
    settings = Settings(
        Sources(profile, terms, all_types, index, pages, follow_links),
        host=host,
        port=port,
        workers_count=workers,
        queue_count=6 * workers if queue is None else queue,
        token=_token(token_file),
        allowed_hosts=allow_host,
        drain_s=drain_s,
        log_texts=log_texts,
        limits=Limits(
            body_bytes=body_bytes, body_s=body_s, batch_rows=batch_rows, answer_s=answer_s
        ),
    )
    with logged():
        serve(settings, lambda address: click.echo(f"klopt serves at {address}"))
    return 0


def _token(file: Path | None) -> str | None:
    """The token, from a file or the environment.

    Raises:
        InputError: The file cannot be read.
        UsageError: There is none in it.
    """
    if file is None:
        found = os.environ.get(TOKEN)
        where = f"the environment variable {TOKEN}"
    else:
        where = str(file)
        try:
            found = file.read_text("utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(f"{file}: cannot be read: {error}") from None
    if found is None:
        return None
    if not found.strip().isascii() or len(found.split()) != 1:
        raise click.UsageError(f"{where} is to hold one token of ASCII characters, without spaces.")
    return found.strip()
