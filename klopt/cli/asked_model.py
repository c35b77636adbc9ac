"""The model that options describe, and what asking it costs."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, get_args

import click

from klopt.cli.options import NEW_FILE, option, refuse, warn
from klopt.cli.terminal import counted
from klopt.errors import LlmError, LlmReason
from klopt.models.servers import server, servers

if TYPE_CHECKING:
    from klopt.batch.checking import CheckedRow
    from klopt.models.calls import Meter, Model
    from klopt.models.retrying import Patience
    from klopt.models.transcripts import Transcripts

NOBODY: Final = "none"

MOST_FAILED: Final = 3
"""So many failed rows end a run in which nobody has replied yet."""

_CODES: Final[tuple[LlmReason, ...]] = get_args(LlmReason)
_MOST_NAMED: Final = 3
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
        return server(context.params["provider"]).key_variable or NOBODY
    if not _VARIABLE.fullmatch(value):
        raise click.BadParameter(
            "give the name of a variable, such as OPENAI_API_KEY, and never the key itself"
        )
    return value


@dataclass(frozen=True, slots=True)
class ModelOptions:
    """What the options say of a model; see their help."""

    model: str | None = option("The model to ask, such as gpt-4o-mini.", metavar="NAME")
    provider: str = option(
        f"Whose server is asked: {', '.join(servers())}.",
        metavar="NAME",
        default="openai",
        callback=_provider,
        is_eager=True,
    )
    base_url: str | None = option(
        "Any other server that speaks OpenAI's protocol, up to and including /v1.", metavar="URL"
    )
    key_variable: str = option(
        "The variable of the environment that holds the key, such as OPENAI_API_KEY; the "
        f"provider's usual one when left out. {NOBODY} for a server that asks for none.",
        metavar="NAME",
        callback=_variable,
        required=False,
    )
    transcripts: Path | None = option(
        "Replay what a model said before, from this file.", metavar="FILE"
    )
    record: Path | None = option(
        "Write every reply to this file, to be replayed. A file that a broken-off run left is gone "
        "on with.",
        type=NEW_FILE,
        metavar="FILE",
    )
    at_once: int = option(
        "How many answers are worked on at one time when a model is asked.",
        type=click.IntRange(1, 256),
        default=8,
    )
    timeout: float = option(
        "For one request to a model.", callback=_seconds, default=180.0, metavar="SECONDS"
    )
    prices: tuple[float, float] | None = option(
        "US dollars for a million tokens in and out, to count the cost.",
        callback=_prices,
        metavar="IN,OUT",
    )

    @property
    def is_on_file(self) -> bool:
        """Whether replies are read from a file or written to one, which has one answer an id."""
        return self.record is not None or self.transcripts is not None

    def refuse_for_asking(self, why: str) -> None:
        """Stops at the first option that only asking a model takes, and says why it is no use."""
        of_asking = ("model", "base_url", "record", "prices")
        refuse(self, of_asking, f"is for asking a model, and {why}")


class AskedModel:
    """The model of a run, how many rows it works on at one time, and what it cost.

    ``shown`` says what of the rows a server is sent, ``patience`` how long a row may wait for it;
    ``announcement``, what is sent where, is None for a replay.
    """

    def __init__(
        self,
        options: ModelOptions,
        stack: ExitStack,
        *,
        replay: bool,
        shown: str,
        patience: Patience | None = None,
    ) -> None:
        from klopt.models.calls import Meter
        from klopt.models.transcripts import Recorder

        self.announcement: str | None = None
        self._options = options
        self._live: Meter | None = None
        if replay:
            self.model, self.at_once = Meter(self._replayed()), 1
            return
        model, where = self._asked(stack, patience)
        model = self._live = Meter(model)
        if options.record is not None:
            model = stack.enter_context(Recorder(model, options.record))
            _warn_of_others(options.record, model.name)
        self.model, self.at_once = Meter(model), options.at_once
        self.announcement = f"{shown} are sent to {where} ({options.model})."

    def while_hopeful(self, rows: Iterable[CheckedRow]) -> Iterator[CheckedRow]:
        """The same rows, while there is hope: a wrong key or address is wrong for every row.

        Ends the run where `MOST_FAILED` rows failed before anybody replied, or everything that was
        asked was refused. What was on file before is no reply.
        """
        failed_count, only_refused = 0, True
        first: tuple[LlmReason, str] | None = None
        for row in rows:
            failed = [
                (code, told) for code in _CODES for other, told in row.failures if other == code
            ]
            failed_count += bool(failed)
            first = first or next(iter(failed), None)
            only_refused = only_refused and not row.usage.calls
            only_refused = only_refused and all(code == "refused" for code, _ in failed)
            if first and failed_count >= MOST_FAILED and self._is_unheard:
                raise self._stopped(*first, f"the first {MOST_FAILED} answers")
            yield row
        if first and only_refused and self._is_unheard:
            raise self._stopped(*first, "all answers")

    @property
    def _is_unheard(self) -> bool:
        return self._live is not None and not self._live.usage.calls

    def _stopped(self, code: LlmReason, told: str, which: str) -> LlmError:
        variable = self._options.key_variable
        key = "" if variable == NOBODY else f"the key in {variable}, "
        how = "were refused" if code == "refused" else "got no reply"
        return LlmError(
            code,
            f"{which} {how}, so the run stops here. Look at {key}--model and --base-url. "
            f"The first: {told}",
        )

    @property
    def costs(self) -> str:
        """What was spent until now, failed calls included, in one line."""
        everything = self.model.usage
        if self._live is None:
            replies = f"{counted(everything.calls, 'reply')} of {self._models}, replayed"
            if everything.cost_usd is None:
                return f"{replies}."
            return f"{replies}; they cost {everything.cost_usd:.4f} USD when they were recorded."
        usage = self._live.usage
        tokens = usage.prompt_tokens + usage.completion_tokens
        parts = [f"{counted(usage.calls, 'reply')} of {self.model.name}"]
        if tokens:
            parts.append(f"{tokens:,} tokens")
        if usage.cost_usd is not None:
            parts.append(f"{usage.cost_usd:.4f} USD")
        elif usage.calls:
            parts.append("cost not known without --prices")
        if usage.retries:
            parts.append(f"{counted(usage.retries, 'request')} sent again")
        if (known := everything.calls - usage.calls) > 0:
            parts.append(f"{known:,} more from {self._options.record}")
        return f"{', '.join(parts)}."

    def _replayed(self) -> Transcripts:
        if self._options.transcripts is None:
            raise click.UsageError("a replay needs --transcripts FILE: what a model said before.")
        self._options.refuse_for_asking("--transcripts asks none")
        from klopt.models.transcripts import Transcripts

        transcripts = Transcripts.read(self._options.transcripts)
        more = " …" if len(transcripts.models) > _MOST_NAMED else ""
        self._models = f"{', '.join(transcripts.models[:_MOST_NAMED]) or 'no model'}{more}"
        return transcripts

    def _asked(self, stack: ExitStack, patience: Patience | None) -> tuple[Model, str]:
        """A model behind a server, and where that is."""
        options = self._options
        if options.transcripts is not None:
            raise click.UsageError(
                "--transcripts is for --solver recorded; --solver llm asks a model."
            )
        if not options.model:
            raise click.UsageError(
                "asking a model needs --model NAME, such as gpt-4o-mini; or --transcripts FILE "
                "to replay what one said before."
            )
        from klopt.models.chat_completions import ChatCompletions
        from klopt.models.credentials import key_from
        from klopt.models.door import Timeouts

        key = None
        if options.key_variable != NOBODY:
            key = key_from(os.environ, options.key_variable, "the LLM server")
        where = options.base_url or server(options.provider).base_url
        model = ChatCompletions(
            options.model,
            where,
            key,
            timeouts=Timeouts(read=options.timeout, total=options.timeout),
            patience=patience,
            at_once=options.at_once,
            prices=options.prices,
        )
        return stack.enter_context(model), where


def _warn_of_others(record: Path, asked: str) -> None:
    """Says when a file that is gone on with has replies of a model by quite another name."""
    from klopt.models.transcripts import Transcripts

    asked_name = asked.rpartition("/")[2]
    others = [
        name
        for name in Transcripts.read(record).models
        if asked_name not in name and name not in asked_name
    ]
    if others:
        warn(
            f"{record} has replies of {', '.join(others[:_MOST_NAMED])}, which are used beside "
            f"those of {asked}; record to another file if it is another model"
        )
