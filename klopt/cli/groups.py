"""Commands with commands of their own."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from importlib import import_module
from typing import Any

import click

from klopt import shipped


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
