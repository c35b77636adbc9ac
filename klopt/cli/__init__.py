"""The command ``klopt``."""

from __future__ import annotations

import difflib
import os
import sys
from collections.abc import Mapping
from contextlib import suppress
from importlib import import_module
from io import StringIO
from typing import Any, Final, NoReturn

import click

from klopt import shipped
from klopt.cli.terminal import listening
from klopt.errors import InputError, KloptError
from klopt.records import clean
from klopt.version import VERSION

EXIT_WRONG_USE: Final = 2
EXIT_BAD_INPUT: Final = 3

COMMANDS: Final = {
    "claims": "Say whether passages support claims or contradict them.",
    "classify": "Say what type of message each question is.",
    "company": "Tune klopt to a company: its words, names, patterns and ratings.",
    "demo": "Score the chat log of the demo company that comes with klopt.",
    "doctor": "Say what is installed, and how to get what is not.",
    "evaluate": "Hold the scores against people's ratings or labels of the same answers.",
    "explain": "Show one answer with what the pages support, and the path to its score.",
    "fit": "Learn a profile from people's ratings of answers.",
    "index": "Read help pages ahead into one file, and find the pages for a question.",
    "judge": "Check the answers of a log against reference answers.",
    "memory": "Keep translations: import, export and show a translation memory.",
    "report": "Show on one page what the chatbot answers, and where to look first.",
    "score": "Score the answers of a chat log.",
    "serve": "Score answers over HTTP, for bots.",
    "watch": "Score chat logs as they grow, on a page that keeps up.",
}


def instead(context: click.Context | None, asked: str) -> str:
    """What to do instead of what the version before had and this has not; else empty."""
    names = [asked]
    while context is not None and context.parent is not None:
        names.insert(0, str(context.info_name))
        context = context.parent
    return str(shipped.table("klopt", "removed.toml").get(" ".join(names), ""))


class Group(click.Group):
    """Knows what a typo meant, and what became of a command that went."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that was meant; says which are near where there is none."""
        name, known = args[0] if args else "", self.list_commands(ctx)
        if name and not name.startswith("-") and name not in known:
            close = difflib.get_close_matches(name, known, n=1)
            hint = f' Did you mean "{close[0]}"?' if close else ""
            note = f"\nNote: {gone}." if (gone := instead(ctx, name)) else ""
            ctx.fail(f'There is no command "{name}".{hint} There are: {", ".join(known)}.{note}')
        return super().resolve_command(ctx, args)


class LazyGroup(Group):
    """Imports a command when it is asked for.

    ``told`` says what each does, in the order in which help lists them: the attribute ``command``
    of the module of its name in ``package``, or that of its own name in the module that
    ``together`` has for it.
    """

    def __init__(
        self,
        *,
        told: Mapping[str, str],
        package: str,
        together: Mapping[str, str] | None = None,
        **settings: Any,  # noqa: ANN401 (click's)
    ) -> None:
        super().__init__(**settings)
        self._told, self._package, self._together = told, package, together or {}

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of the commands."""
        return list(self._told)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of a name, imported now."""
        if cmd_name not in self._told:
            return None
        name = self._together.get(cmd_name)
        module = import_module(f"{self._package}.{name or cmd_name}")
        command: click.Command = getattr(module, cmd_name if name else "command")
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Writes what each command does, without importing it."""
        with formatter.section("Commands"):
            formatter.write_dl(list(self._told.items()))


@click.group(
    cls=LazyGroup,
    told=COMMANDS,
    package=__name__,
    context_settings={"help_option_names": ["--help", "-h"], "show_default": True},
    epilog="Start with: klopt demo",
)
@click.version_option(VERSION, prog_name="klopt")
def command() -> None:
    """How far can a support chatbot's answer be trusted, from 1 (untrue) to 5 (true)?

    klopt checks answers against the help pages that the bot was given: no reference answer, no
    LLM, no network.
    """


def main() -> None:
    """Runs the command; exit 0 fine, 2 wrong use, 3 input unreadable or partly failed."""
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
        error.show(shown)  # with the usage; it may repeat what was typed
        click.echo(clean(shown.getvalue()) + _instead(error), err=True, nl=False)
        sys.exit(error.exit_code)
    except KloptError as error:
        click.echo(f"Error: {clean(str(error))}", err=True)
        sys.exit(EXIT_BAD_INPUT if isinstance(error, InputError) else EXIT_WRONG_USE)


def _instead(error: click.ClickException) -> str:
    """A line on what to do instead of an option or an argument that went; else empty."""
    gone = ""
    if isinstance(error, click.NoSuchOption):
        gone = instead(error.ctx, error.option_name)
    elif isinstance(error, click.MissingParameter) and isinstance(error.param, click.Argument):
        gone = instead(error.ctx, error.param.human_readable_name)
    return f"Note: {gone}.\n" if gone else ""


def _fill_closed_streams() -> None:
    """Puts something in the place of a closed stream, so that no file that is opened gets it.

    Reading or writing it fails, as it does with a closed one; only messages are lost quietly.
    """
    for name, mode, flag in (
        ("stdin", "r", os.O_WRONLY),
        ("stdout", "w", os.O_RDONLY),
        ("stderr", "w", os.O_WRONLY),
    ):
        if getattr(sys, name) is None:
            stream = os.fdopen(os.open(os.devnull, flag), mode, encoding="utf-8")
            setattr(sys, name, stream)


def _drop_output() -> None:
    """Lets what is still to be written to a stream that failed go nowhere."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            os.dup2(nowhere, stream.fileno())
