"""Commands with commands of their own, each imported when it is asked for."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from importlib import import_module
from typing import Any

import click


class LazyGroup(click.Group):
    """Imports a command when it is asked for, and knows what a typo meant.

    Args:
        told: Name → what it does, in the order in which help lists them. Each is the attribute
            ``command`` of the module of its name in ``package``.
        package: Where the modules are.
        together: Name → the module whose attribute of that name the command is instead.
        settings: Those of `click.Group`.
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

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that was meant; says which are near where there is none."""
        name = args[0] if args else ""
        if name and not name.startswith("-") and name not in self._told:
            close = difflib.get_close_matches(name, self._told, n=1)
            hint = f' Did you mean "{close[0]}"?' if close else ""
            ctx.fail(f'There is no command "{name}".{hint} There are: {", ".join(self._told)}.')
        return super().resolve_command(ctx, args)
