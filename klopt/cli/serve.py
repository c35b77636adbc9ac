"""``klopt serve``."""

from __future__ import annotations

import dataclasses
import os
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from klopt.cli import options
from klopt.cli.options import as_command, option, pages_in
from klopt.errors import InputError
from klopt.extras import needs
from klopt.server.limits import QUEUE_EACH, Limits

if TYPE_CHECKING:
    from klopt.server.running import Address
    from klopt.watching.store import Bounds

TOKEN: Final = "KLOPT_TOKEN"
_COUNT: Final = click.IntRange(1)
_SECONDS: Final = options.Number(0.001, 3600)
_LIMITS: Final = Limits()
_LIMITED: Final = ("body_bytes", "body_s", "batch_rows", "answer_s")


@dataclasses.dataclass(frozen=True, slots=True)
class AddressOptions:
    """Where a service or a page listens, and who may ask it; see the options' help."""

    host: str = option(
        "The address to listen on; any but this machine's own needs a token.",
        default="127.0.0.1",
        metavar="ADDRESS",
    )
    port: int = option(
        "The port; 0 takes one that is free.", type=click.IntRange(0, 65535), default=8765
    )
    token_file: Path | None = option(
        f"File with the token that whoever asks has to show; else {TOKEN}."
    )
    allow_host: tuple[str, ...] = option(
        f"Another name by which the service may be called; {options.MULTIPLE}", metavar="NAME"
    )

    def address(self) -> Address:
        """That of these options, with the token that whoever asks has to show."""
        from klopt.server.running import Address

        return Address(self.host, self.port, self._token(), self.allow_host)

    def _token(self) -> str | None:
        """What whoever asks has to show."""
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
                f"{where} is to hold one token of ASCII characters, without spaces."
            )
        return found.strip()


@dataclasses.dataclass(frozen=True, slots=True)
class KeepOptions:
    """How much of what was scored is kept; see the options' help."""

    keep_days: int = option("Keep answers so many days.", type=click.IntRange(1, 3650), default=30)
    keep_rows: int = option(
        "Keep so many answers, the newest.", type=click.IntRange(1, 1_000_000), default=100_000
    )
    keep_text: bool = option(
        "Keep and show questions and answers too. Without it the file has no word of them."
    )

    def bounds(self) -> Bounds:
        """That of these options."""
        from klopt.watching.store import Bounds

        return Bounds(self.keep_days, self.keep_rows, self.keep_text)


@dataclasses.dataclass(frozen=True, slots=True)
class ServeOptions:
    """How the service runs; see the options' help."""

    workers: int = option(
        "Processes that score; one for each core when left out.",
        type=click.IntRange(1, 256),
        default=os.cpu_count() or 1,
    )
    queue: int | None = option(
        "Requests that may wait or be worked on, before others are sent away; "
        f"{QUEUE_EACH} for each process when left out.",
        type=_COUNT,
    )
    body_bytes: int = option(
        "The most that one request may send.", type=_COUNT, default=_LIMITS.body_bytes
    )
    body_s: float = option(
        "The most seconds until a request is sent.", type=_SECONDS, default=_LIMITS.body_s
    )
    batch_rows: int = option("The most rows in one batch.", type=_COUNT, default=_LIMITS.batch_rows)
    answer_s: float = option(
        "The most seconds until an answer; in a batch, until each four rows are scored.",
        type=_SECONDS,
        default=_LIMITS.answer_s,
    )
    drain_s: float = option(
        "Seconds to go on after SIGTERM, while /readyz says that it stops.",
        type=options.Number(0, 3600),
        default=0.0,
    )
    log_texts: bool = option("Also log questions, answers and pages. Others may read the log.")


@as_command("serve", "klopt serve --index help.klopt")
def command(
    *,
    scoring: options.SetupOptions,
    listening: AddressOptions,
    running: ServeOptions,
    keep: Path | None = option(
        "Keep what was scored in this file, which klopt watch --keep FILE shows."
    ),
    bounds: KeepOptions,
) -> int:
    """Score answers over HTTP, for bots: a page to try it, and what it can do, is at its address.

    An --index is read again when its file changes. Logs go to standard error, one object of JSON a
    line. Stops at SIGTERM or Ctrl-C, when what it took is finished.
    """
    if scoring.index is not None and scoring.pages is not None:
        raise click.UsageError("Give either --index or --pages.")
    setup = scoring.loaded()
    with needs("server", "the service needs starlette, uvicorn and prometheus-client"):
        from klopt.indexing.index_file import Index
        from klopt.server.log import logged
        from klopt.server.running import ServiceSettings, serve
    if scoring.index is not None:
        setup = dataclasses.replace(
            setup, index=Index.open(scoring.index), retrieve=scoring.retrieve
        )
    pages = None if scoring.pages is None else pages_in(scoring.pages)
    keeper = None
    if keep is not None:
        from klopt.watching.keeping import Keeper
        from klopt.watching.store import Store

        known = setup.index if isinstance(setup.index, Index) else pages
        store = Store(keep, bounds.bounds(), known)
        keeper = Keeper(store)
    settings = ServiceSettings(
        setup,
        pages,
        address=listening.address(),
        workers_count=running.workers,
        queue_count=running.queue or QUEUE_EACH * running.workers,
        drain_s=running.drain_s,
        log_texts=running.log_texts,
        limits=Limits(**{name: getattr(running, name) for name in _LIMITED}),
        keep=None if keeper is None else keeper.keep,
    )
    with logged():
        serve(settings, lambda address: click.echo(f"klopt serves at {address}"))
    if keeper is not None:
        keeper.close()
    return 0
