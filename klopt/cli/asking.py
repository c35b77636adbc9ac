"""Asking a model, for `klopt judge` and for second opinions: what is sent where, what it costs."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final, get_args

import click

from klopt.cli.scoring import NONE, ModelOptions
from klopt.cli.terminal import counted, tell, warn
from klopt.errors import LlmError, LlmReason
from klopt.models.calls import Meter, Model
from klopt.models.chat_completions import ChatCompletions
from klopt.models.credentials import key_from
from klopt.models.door import Timeouts
from klopt.models.retrying import Patience
from klopt.models.servers import server
from klopt.models.transcripts import Recorder, Transcripts

if TYPE_CHECKING:
    from klopt.batch.checking import CheckedRow
    from klopt.opinions import Opinion
    from klopt.scoring.profile import OpinionSettings

MOST_FAILED: Final = 3
"""So many failed rows end a run in which nobody has replied yet."""

_CODES: Final[tuple[LlmReason, ...]] = get_args(LlmReason)


class AskedModel:
    """The model of a run, how many rows it works on at one time, and what it cost.

    ``shown`` says what of the rows a server is sent, ``patience`` how long a row may wait for it;
    `announce` says so, and at the end what it cost, on standard error.
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
        self._announcement: str | None = None
        self._stack = stack
        self.at_once = 1 if replay else options.at_once
        if replay:
            if options.transcripts is None:
                raise click.UsageError(
                    "a replay needs --transcripts FILE: what a model said before."
                )
            options.refuse_for_asking("--transcripts asks none")
            transcripts = Transcripts.read(options.transcripts)
            self._name = f"{', '.join(transcripts.models) or 'no model'}, replayed"
            self.model = self._asked = Meter(transcripts)
            return
        self._name = str(options.model)
        model, where, self._key = _server_of(options, stack, patience)
        self.model = self._asked = Meter(model)
        self._announcement = f"{shown} are sent to {where} ({options.model})."
        if options.record is not None:
            recorder = stack.enter_context(Recorder(self._asked, options.record))
            _warn_of_others(Transcripts.read(options.record).models, options)
            self.model = Meter(recorder)

    def announce(self) -> None:
        """Says what is sent where, if anything is; what it cost is said when the run ends."""
        if self._announcement is not None:
            tell(self._announcement)
        self._stack.callback(lambda: tell(self._costs))

    def while_hopeful(self, rows: Iterable[CheckedRow]) -> Iterator[CheckedRow]:
        """The same rows, until so many failed before anybody replied: the rest would fail too."""
        failed: list[tuple[LlmReason, str]] = []
        for row in rows:
            failed += [
                (code, told) for code in _CODES for other, told in row.failures if other == code
            ][:1]
            is_hopeless = len(failed) == MOST_FAILED and not self._asked.usage.calls
            if self._announcement is not None and is_hopeless:
                code, told = failed[0]
                key = "" if self._key == NONE else f"the key in {self._key}, "
                raise LlmError(
                    code,
                    f"nobody replied to the first {MOST_FAILED} answers, so the run stops here. "
                    f"Look at {key}--model and --base-url. The first: {told}",
                )
            yield row

    @property
    def _costs(self) -> str:
        """What was spent until now, failed calls included, in one line."""
        usage = self._asked.usage
        tokens = usage.prompt_tokens + usage.completion_tokens
        parts = [f"{counted(usage.calls, 'reply')} of {self._name}"]
        parts += [f"{tokens:,} tokens"] * bool(tokens)
        if usage.cost_usd is not None:
            parts.append(f"{usage.cost_usd:.4f} USD")
        elif usage.calls and self._announcement is not None:
            parts.append("cost not known without --prices")
        if usage.retries:
            parts.append(f"{counted(usage.retries, 'request')} sent again")
        if known := self.model.usage.calls - usage.calls:
            parts.append(f"{known:,} more on file")
        return f"{', '.join(parts)}."


def _server_of(
    options: ModelOptions, stack: ExitStack, patience: Patience | None
) -> tuple[Model, str, str]:
    """A model behind a server, where that is, and the variable with its key."""
    if options.transcripts is not None:
        raise click.UsageError("--transcripts is for --solver recorded; --solver llm asks a model.")
    if not options.model:
        raise click.UsageError(
            "asking a model needs --model NAME, such as gpt-4o-mini; or --transcripts FILE "
            "to replay what one said before."
        )
    provider = server(options.provider)
    variable = options.key_variable or provider.key_variable or NONE
    where = options.base_url or provider.base_url
    model = ChatCompletions(
        options.model,
        where,
        None if variable == NONE else key_from(os.environ, variable, "the LLM server"),
        timeouts=Timeouts(read=options.timeout, total=options.timeout),
        patience=patience,
        at_once=options.at_once,
        prices=options.prices,
    )
    return stack.enter_context(model), where, variable


def _warn_of_others(recorded: Iterable[str], options: ModelOptions) -> None:
    """Says when a file that is gone on with has replies of a model by quite another name."""
    asked = str(options.model).rpartition("/")[2]
    if others := [name for name in recorded if asked not in name and name not in asked]:
        warn(
            f"{options.record} has replies of {', '.join(others)}, which are used beside those of "
            f"{options.model}; record to another file if it is another model"
        )


def opinion(
    settings: OpinionSettings, model: ModelOptions, stack: ExitStack
) -> tuple[Opinion, int]:
    """Who is asked for second opinions, and about how many answers at one time."""
    kind, _, named = settings.who.partition(":")
    if kind == "encoder":
        from klopt.opinions.encoder import Encoder

        ms = settings.budget.ms
        return Encoder(Path(named), settings.labels, settings.threads, most_ms=ms), 1
    if kind == "recorded":
        from klopt.opinions.recorded import Recorded

        return Recorded.read(Path(named)), 1
    from klopt.opinions.llm import LlmOpinion

    is_replay = model.transcripts is not None
    if settings.budget.usd is not None and model.prices is None and not is_replay:
        raise click.UsageError("a budget in dollars needs --prices IN,OUT to be kept.")
    seconds = settings.budget.ms / 1000
    asked = AskedModel(
        replace(model, timeout=min(model.timeout, seconds)),
        stack,
        replay=is_replay,
        shown="Questions, answers and pages",
        patience=Patience(longest_seconds=seconds),
    )
    asked.announce()
    return LlmOpinion(asked.model, "statements" if named else "answer"), asked.at_once
