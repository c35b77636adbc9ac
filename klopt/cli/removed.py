"""What to do instead of an option or a command that is gone."""

from __future__ import annotations

import click

from klopt import shipped


def instead(error: click.ClickException) -> str:
    """A line on it where somebody asks for what was there in the version before; else empty."""
    match error:
        case click.NoSuchOption(option_name=asked):
            pass
        case click.MissingParameter(param=click.Argument() as argument):
            asked = argument.human_readable_name
        case _:
            return ""
    names, context = [asked], error.ctx
    while context is not None and context.parent is not None:
        names.insert(0, str(context.info_name))
        context = context.parent
    found = shipped.table("klopt", "removed.toml").get(" ".join(names))
    return f"Note: {found}.\n" if found else ""
