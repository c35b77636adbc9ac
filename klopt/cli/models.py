"""The model that options describe, and what asking it costs."""

from __future__ import annotations

import os
from contextlib import ExitStack
from pathlib import Path
from typing import Final

import click

from klopt.cli.model_options import NO_KEY, ModelOptions
from klopt.cli.options import warn
from klopt.models.calls import Meter, Model, Usage
from klopt.models.transcripts import Recorder, Transcripts

_MOST_NAMED: Final = 3


class AskedModel:
    """The model of a run, and what it cost.

    Args:
        options: What was asked for.
        stack: Closes connections and files.
        replay: Whether replies are replayed and no server is asked.
        shown: What of the rows a server is sent.

    Attributes:
        model: The model.
        announcement: What will be sent where; None for a replay.
        at_once: How many rows are worked on at one time.

    Raises:
        click.UsageError: An option is missing, or has no use.
        ConfigurationError: The address or a price is wrong.
        CredentialsError: There is no key.
        ExtraMissingError: What asking needs is not installed.
        InputError: A file of transcripts cannot be read or written.
    """

    def __init__(
        self, options: ModelOptions, stack: ExitStack, *, replay: bool, shown: str
    ) -> None:
        self.announcement: str | None = None
        self._options = options
        self._live: Meter | None = None
        if replay:
            self.model, self.at_once = Meter(self._replayed()), 1
            return
        model, where = self._asked(stack)
        model = self._live = Meter(model)
        if options.record is not None:
            model = stack.enter_context(Recorder(model, options.record, go_on=True))
            _warn_of_others(options.record, model.name)
        self.model, self.at_once = Meter(model), options.at_once
        self.announcement = f"{shown} are sent to {where} ({options.model_name})."

    @property
    def has_replied(self) -> bool:
        """Whether anybody replied until now; what was on file before does not count."""
        return self._live is None or self._live.usage.calls > 0

    @property
    def costs(self) -> str:
        """What was spent until now, failed calls included, in one line."""
        everything = self.model.usage
        if self._live is None:
            replies = f"{_count(everything.calls, 'reply', 'replies')} of {self._models}, replayed"
            if everything.cost_usd is None:
                return f"{replies}."
            return f"{replies}; they cost {_dollars(everything)} when they were recorded."
        usage = self._live.usage
        tokens = usage.prompt_tokens + usage.completion_tokens
        parts = [f"{_count(usage.calls, 'reply', 'replies')} of {self.model.name}"]
        if tokens:
            parts.append(f"{tokens:,} tokens")
        if usage.cost_usd is not None:
            parts.append(_dollars(usage))
        elif usage.calls:
            parts.append("cost not known without --prices")
        if usage.retries:
            parts.append(f"{_count(usage.retries, 'request', 'requests')} sent again")
        if (known := everything.calls - usage.calls) > 0:
            parts.append(f"{known:,} more from {self._options.record}")
        return f"{', '.join(parts)}."

    def _replayed(self) -> Transcripts:
        if self._options.transcripts is None:
            raise click.UsageError("a replay needs --transcripts FILE: what a model said before.")
        self._options.refuse_for_asking("--transcripts asks none")
        found = Transcripts.read(self._options.transcripts)
        more = " …" if len(found.models) > _MOST_NAMED else ""
        self._models = f"{', '.join(found.models[:_MOST_NAMED]) or 'no model'}{more}"
        return found

    def _asked(self, stack: ExitStack) -> tuple[Model, str]:
        """A model behind a server, and where that is."""
        options = self._options
        if options.transcripts is not None:
            raise click.UsageError(
                "--transcripts is for --solver recorded; --solver llm asks a model."
            )
        if not options.model_name:
            raise click.UsageError(
                "asking a model needs --model NAME, such as gpt-4o-mini; or --transcripts FILE "
                "to replay what one said before."
            )
        from klopt.models.chat_completions import ChatCompletions, Prices
        from klopt.models.credentials import key_from
        from klopt.models.door import Timeouts
        from klopt.models.servers import server

        key = None
        if options.key_variable != NO_KEY:
            key = key_from(os.environ, options.key_variable, "the LLM server")
        where = options.base_url or server(options.provider).base_url
        model = ChatCompletions(
            options.model_name,
            where,
            key,
            timeouts=Timeouts(read=options.timeout, total=options.timeout),
            at_once=options.at_once,
            prices=None if options.prices is None else Prices(*options.prices),
        )
        return stack.enter_context(model), where


def _warn_of_others(record: Path, asked: str) -> None:
    """Says when a file that is gone on with has replies of a model by quite another name."""
    name = asked.rpartition("/")[2]
    others = [one for one in Transcripts.read(record).models if name not in one and one not in name]
    if others:
        warn(
            f"{record} has replies of {', '.join(others[:_MOST_NAMED])}, which are used beside "
            f"those of {asked}; record to another file if it is another model"
        )


def _count(count: int, one: str, many: str) -> str:
    return f"{count:,} {one if count == 1 else many}"


def _dollars(usage: Usage) -> str:
    return f"{usage.cost_usd:.4f} USD"
