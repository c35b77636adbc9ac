"""The command ``klopt``."""

from __future__ import annotations

import difflib
import os
import sys
from collections.abc import Mapping
from contextlib import suppress
from importlib import import_module
from io import StringIO
from typing import Any, Final, NoReturn, cast

import click

from klopt._internal import shipped
from klopt.cli.interrupts import listening
from klopt.errors import InputError, KloptError
from klopt.types import clean
from klopt.version import VERSION

EXIT_WRONG_USE: Final = 2
EXIT_BAD_INPUT: Final = 3

COMMANDS: Final = {
    "claims": "Compare claims with passages: supported, contradicted or not stated.",
    "classify": "Classify questions by message type.",
    "company": "Tune klopt to a company: its terms, names, thresholds and ratings.",
    "demo": "Score the chat log of the demo company that comes with klopt.",
    "doctor": "Show what is installed, what each extra is for and how to install it.",
    "evaluate": "Compare scores with people's ratings of the same answers.",
    "explain": "Show one answer with the evidence for its score.",
    "fit": "Fit a profile to rated answers.",
    "index": "Build an index of help pages, and find the pages for a question.",
    "judge": "Compare answers with reference answers.",
    "report": "Write a report of a log: answers probably untrue, pages to check.",
    "score": "Score the answers of a chat log.",
    "serve": "Score answers over HTTP, for bots.",
    "translations": "Import and export the translation cache, and list what it lacks.",
}


def instead(context: click.Context | None, name: str) -> str:
    """Return what to use instead of a removed command or option; empty for any other."""
    whole = name
    while context is not None and context.parent is not None:
        whole, context = f"{context.info_name} {whole}", context.parent
    removed = shipped.table("klopt.cli", "removed.toml")
    return str(removed.get(whole) or removed.get(name if name.startswith("--") else "", ""))


class Group(click.Group):
    """A group that suggests the nearest command, or what replaced a removed one."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command; the error for an unknown one names the nearest."""
        name, known = args[0] if args else "", self.list_commands(ctx)
        if name and not name.startswith("-") and name not in known:
            close = difflib.get_close_matches(name, known, n=1)
            note = f"\nNote: {gone}." if (gone := instead(ctx, name)) else ""
            hint = f' Did you mean "{close[0]}"?' if close and not note else ""
            ctx.fail(f'There is no command "{name}".{hint} There are: {", ".join(known)}.{note}')
        return super().resolve_command(ctx, args)


class LazyGroup(Group):
    """A group that imports a command when it is used, by its name or from ``together``."""

    def __init__(
        self,
        *,
        summaries: Mapping[str, str],
        package: str,
        together: Mapping[str, str] | None = None,
        **settings: Any,  # noqa: ANN401 (click's)
    ) -> None:
        super().__init__(**settings)
        self._summaries, self._package, self._together = summaries, package, together or {}

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands."""
        return list(self._summaries)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command."""
        if cmd_name not in self._summaries:
            return None
        name = self._together.get(cmd_name)
        module = import_module(f"{self._package}.{name or cmd_name}")
        return cast(click.Command, getattr(module, cmd_name if name else "command"))

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the summaries, without importing the commands."""
        with formatter.section("Commands"):
            formatter.write_dl(list(self._summaries.items()))


@click.group(
    cls=LazyGroup,
    summaries=COMMANDS,
    package=__name__,
    context_settings={"help_option_names": ["--help", "-h"], "show_default": True},
    epilog="Start with: klopt demo",
)
@click.version_option(VERSION, prog_name="klopt")
def command() -> None:
    """How far can a support chatbot's answer be trusted, from 1 (untrue) to 5 (true)?

    klopt checks answers against the help pages that the bot used, without reference answers,
    an LLM or a network.
    """


def main() -> None:
    """Run the command; exit code 0: success, 2: wrong use, 3: unreadable or partly failed input."""
    _fill_closed_streams()
    try:
        _run()
    except BrokenPipeError:
        _drop_output()
        sys.exit(0)
    except OSError as error:
        where = error.filename or "standard output"
        with suppress(OSError):
            click.echo(f"Error: {clean(str(where))}: {error.strerror or error}", err=True)
        _drop_output()
        sys.exit(EXIT_BAD_INPUT)


def _run() -> NoReturn:
    try:
        with listening(), command.make_context("klopt", sys.argv[1:]) as context:
            status = command.invoke(context)
        sys.exit(status if isinstance(status, int) else 0)
    except (KeyboardInterrupt, click.exceptions.Abort):
        click.echo("Stopped.", err=True)
        sys.exit(130)
    except click.exceptions.Exit as error:
        sys.exit(error.exit_code)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.ctx.get_help() if error.ctx else "")
        sys.exit(0)
    except click.ClickException as error:
        shown = StringIO()
        error.show(shown)  # with the usage; it may repeat the arguments
        click.echo(clean(shown.getvalue()) + _instead(error), err=True, nl=False)
        sys.exit(error.exit_code)
    except KloptError as error:
        click.echo(f"Error: {clean(str(error))}", err=True)
        sys.exit(EXIT_BAD_INPUT if isinstance(error, InputError) else EXIT_WRONG_USE)


def _instead(error: click.ClickException) -> str:
    """Return a line on what replaced a removed option; else empty."""
    if not isinstance(error, click.NoSuchOption):
        return ""
    gone = instead(error.ctx, error.option_name)
    return f"Note: {gone}.\n" if gone else ""


def _fill_closed_streams() -> None:
    """Replace closed standard streams, so that no file that is opened gets their number."""
    for name, flag in (("stdin", os.O_WRONLY), ("stdout", os.O_RDONLY), ("stderr", os.O_WRONLY)):
        if getattr(sys, name) is None:
            mode, number = "r" if name == "stdin" else "w", os.open(os.devnull, flag)
            setattr(sys, name, os.fdopen(number, mode, encoding="utf-8"))


def _drop_output() -> None:
    """Discard the rest of the output of a stream that failed."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            os.dup2(nowhere, stream.fileno())
