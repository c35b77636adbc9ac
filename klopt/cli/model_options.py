"""Options for asking an LLM."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import click

from klopt.cli.gathered import gathered
from klopt.models.servers import server, servers

NO_KEY: Final = "none"

_FILE: Final = click.Path(path_type=Path, dir_okay=False)
_VARIABLE: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,39}")


def _prices(_: click.Context, __: click.Parameter, value: str | None) -> tuple[float, float] | None:
    if value is None:
        return None
    try:
        prompt, completion = map(float, value.split(","))
    except ValueError:
        prompt = completion = math.nan
    if not (0 <= prompt < math.inf and 0 <= completion < math.inf):
        raise click.BadParameter(f'"{value}" is not of the form 0.15,0.60')
    return prompt, completion


def _seconds(_: click.Context, __: click.Parameter, value: float) -> float:
    if not 0 < value < math.inf:
        raise click.BadParameter(f"{value:g} is not a number of seconds above 0")
    return value


def _provider(_: click.Context, __: click.Parameter, value: str) -> str:
    server(value)
    return value


def _variable(context: click.Context, _: click.Parameter, value: str | None) -> str:
    """A name that can be one; anything else may be the key itself, and is not repeated."""
    if value is None:
        return server(context.params["provider"]).key_variable or NO_KEY
    if not _VARIABLE.fullmatch(value):
        raise click.BadParameter(
            "give the name of a variable, such as OPENAI_API_KEY, and never the key itself"
        )
    return value


_OPTIONS: Final = (
    click.option(
        "--model",
        "model_name",
        metavar="NAME",
        help="The model to ask, such as gpt-4o-mini.",
    ),
    click.option(
        "--provider",
        metavar="NAME",
        default="openai",
        callback=_provider,
        is_eager=True,
        show_default=True,
        help=f"Whose server is asked: {', '.join(servers())}.",
    ),
    click.option(
        "--base-url",
        metavar="URL",
        help="Any other server that speaks OpenAI's protocol, up to and including /v1.",
    ),
    click.option(
        "--key-variable",
        metavar="NAME",
        callback=_variable,
        help="The variable of the environment that holds the key, such as OPENAI_API_KEY; the "
        f"provider's usual one when left out. {NO_KEY} for a server that asks for none.",
    ),
    click.option(
        "--transcripts",
        type=click.Path(path_type=Path),
        metavar="FILE",
        help="Replay what a model said before, from this file.",
    ),
    click.option(
        "--record",
        type=_FILE,
        metavar="FILE",
        help="Write every reply to this file, to be replayed. A file that a broken-off run left "
        "is gone on with.",
    ),
    click.option(
        "--at-once",
        type=click.IntRange(1, 256),
        default=8,
        show_default=True,
        help="How many answers are worked on at one time when a model is asked.",
    ),
    click.option(
        "--timeout",
        type=float,
        callback=_seconds,
        default=180.0,
        show_default=True,
        metavar="SECONDS",
        help="For one request to a model.",
    ),
    click.option(
        "--prices",
        callback=_prices,
        metavar="IN,OUT",
        help="US dollars for a million tokens in and out, to count the cost.",
    ),
)


@dataclass(frozen=True, slots=True)
class ModelOptions:
    """What the options say of a model; see their help."""

    model_name: str | None
    provider: str
    base_url: str | None
    key_variable: str
    transcripts: Path | None
    record: Path | None
    at_once: int
    timeout: float
    prices: tuple[float, float] | None

    def refuse_for_asking(self, why: str) -> None:
        """Stops at options that only asking a model takes.

        Raises:
            click.UsageError: With the first of them, and why there is no use for it.
        """
        for option, given in (
            ("--model", self.model_name),
            ("--base-url", self.base_url),
            ("--record", self.record),
            ("--prices", self.prices),
        ):
            if given is not None:
                raise click.UsageError(f"{option} is for asking a model, and {why}.")


model_options = gathered(ModelOptions, _OPTIONS)
"""The options that describe a model, as one `ModelOptions`."""
