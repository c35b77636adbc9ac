"""Whom options ask: a model, for `klopt judge`, and somebody for second opinions."""

from __future__ import annotations

import dataclasses
import math
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, get_args

import click

from klopt.cli.options import NEW_FILE, Number, option, refuse, warn
from klopt.cli.terminal import counted
from klopt.errors import LlmError, LlmReason

if TYPE_CHECKING:
    from klopt.batch.checking import CheckedRow
    from klopt.models.calls import Model
    from klopt.models.retrying import Patience
    from klopt.opinions import Adviser, Opinion
    from klopt.scoring.profile import OpinionSettings, Profile

NOBODY: Final = "none"
MOST_FAILED: Final = 3
"""So many failed rows end a run in which nobody has replied yet."""

_CODES: Final[tuple[LlmReason, ...]] = get_args(LlmReason)
_VARIABLE: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,39}")
_LIMITS: Final = ("questions", "usd", "ms")


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


def _variable(_: click.Context, __: click.Parameter, value: str | None) -> str | None:
    """A name that can be one; anything else may be the key itself, and is not repeated."""
    if value is not None and not _VARIABLE.fullmatch(value):
        raise click.BadParameter(
            "give the name of a variable, such as OPENAI_API_KEY, and never the key itself"
        )
    return value


def _who(_: click.Context, __: click.Parameter, value: str | None) -> str | None:
    if value is None or value == NOBODY:
        return value
    from klopt.scoring.profile import OPINIONS, WHO

    if re.search(WHO, value):
        return value
    raise click.BadParameter(f'"{value}" is not one of {", ".join(OPINIONS)}, {NOBODY}')


@dataclasses.dataclass(frozen=True, slots=True)
class ModelOptions:
    """What the options say of a model; see their help."""

    model: str | None = option("The model to ask, such as gpt-4o-mini.", metavar="NAME")
    provider: str = option(
        "Whose server is asked, such as openai, anthropic, mistral or ollama.",
        metavar="NAME",
        default="openai",
    )
    base_url: str | None = option(
        "Any other server that speaks OpenAI's protocol, up to and including /v1.", metavar="URL"
    )
    key_variable: str | None = option(
        "The variable of the environment that holds the key, such as OPENAI_API_KEY; the "
        f"provider's usual one when left out. {NOBODY} for a server that asks for none.",
        metavar="NAME",
        callback=_variable,
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
        "For one request to a model.",
        type=Number(0, 86_400, min_open=True),
        default=180.0,
        metavar="SECONDS",
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
        from klopt.models.calls import Meter
        from klopt.models.transcripts import Recorder, Transcripts

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
            click.echo(self._announcement, err=True)
        self._stack.callback(lambda: click.echo(self._costs, err=True))

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
                key = "" if self._key == NOBODY else f"the key in {self._key}, "
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
    from klopt.models.chat_completions import ChatCompletions
    from klopt.models.credentials import key_from
    from klopt.models.door import Timeouts
    from klopt.models.servers import server

    provider = server(options.provider)
    variable = options.key_variable or provider.key_variable or NOBODY
    where = options.base_url or provider.base_url
    model = ChatCompletions(
        options.model,
        where,
        None if variable == NOBODY else key_from(os.environ, variable, "the LLM server"),
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


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class OpinionOptions:
    """Whom to ask for second opinions: what options and, where they are silent, the profile say."""

    opinion: str | None = option(
        "Ask somebody else where the verdict is review: llm (--model), of the whole answer, or "
        "llm:statements, of each statement; encoder:FOLDER, a model in ONNX on this machine; "
        f"recorded:FILE, what was said before. {NOBODY}: nobody, whatever the profile says.",
        metavar="WHO",
        callback=_who,
    )
    opinion_when: Literal["review", "always"] | None = option(
        "Ask about answers to review, or about all."
    )
    opinion_questions: int | None = option(
        "Ask about so many answers at most.", type=click.IntRange(min=0), metavar="N"
    )
    opinion_usd: float | None = option(
        "Ask no more once the opinions have cost so much.",
        type=Number(min=0),
        metavar="USD",
    )
    opinion_ms: float | None = option(
        "An opinion that takes longer comes too late; 60000 when left out.",
        type=Number(min=0, min_open=True, max=3_600_000),
        metavar="MS",
    )
    model: ModelOptions

    @property
    def read(self) -> Mapping[str, list[Path | None]]:
        """What is read, for `refuse_overwriting`."""
        kind, _, named = (self.opinion or "").partition(":")
        return {
            "read by --transcripts": [self.model.transcripts],
            "read by --opinion": [Path(named)] if kind == "recorded" else [],
        }

    @property
    def _limits(self) -> dict[str, Any]:
        return {name: getattr(self, f"opinion_{name}") for name in _LIMITS}

    @property
    def told(self) -> tuple[object, ...]:
        """What makes opinions differ, whichever model gives them."""
        return self.opinion, self.opinion_when, *self._limits.values()

    def adviser(self, profile: Profile, stack: ExitStack) -> Adviser | None:
        """The adviser; None when nobody is asked.

        Says on standard error what is sent where, and at the end what was asked and what it cost.
        """
        from klopt.scoring.profile import OpinionSettings

        own = profile.opinion
        who = self.opinion or (None if own is None else own.who)
        if who is None or who == NOBODY:
            how = [f"opinion_{name}" for name in (*_LIMITS, "when")]
            refuse(self, how, "is for second opinions; add --opinion")
            self._refuse_model("without --opinion nobody is asked")
            return None
        from klopt.opinions import Adviser

        own = own or OpinionSettings(who)
        limits = {name: limit for name, limit in self._limits.items() if limit is not None}
        budget = dataclasses.replace(own.budget, **limits)
        settings = dataclasses.replace(own, who=who, budget=budget)
        opinion, at_once = self._opinion(settings, stack)
        adviser = Adviser(
            opinion,
            self.opinion_when or own.when,
            budget,
            at_once=at_once,
            one_each=who.startswith("recorded") or self.model.is_on_file,
        )

        def tell() -> None:
            asked = counted(adviser.asked_count, "second opinion")
            click.echo(f"{asked} asked of {adviser.name}.", err=True)

        stack.callback(tell)
        return adviser

    def _opinion(self, settings: OpinionSettings, stack: ExitStack) -> tuple[Opinion, int]:
        """Who is asked, and about how many answers at one time."""
        kind, _, named = settings.who.partition(":")
        if kind == "llm":
            return self._llm(settings, stack, of_statements=bool(named))
        self._refuse_model(f"--opinion {kind} asks none; --opinion llm does")
        if kind == "encoder":
            from klopt.opinions.encoder import Encoder

            ms = settings.budget.ms
            return Encoder(Path(named), settings.labels, settings.threads, most_ms=ms), 1
        from klopt.opinions.recorded import Recorded

        return Recorded.read(Path(named)), 1

    def _llm(
        self, settings: OpinionSettings, stack: ExitStack, *, of_statements: bool
    ) -> tuple[Opinion, int]:
        from klopt.models.retrying import Patience
        from klopt.opinions.llm import LlmOpinion

        model = self.model
        is_replay = model.transcripts is not None
        if settings.budget.usd is not None and model.prices is None and not is_replay:
            raise click.UsageError("a budget in dollars needs --prices IN,OUT to be kept.")
        seconds = settings.budget.ms / 1000
        asked = AskedModel(
            dataclasses.replace(model, timeout=min(model.timeout, seconds)),
            stack,
            replay=is_replay,
            shown="Questions, answers and pages",
            patience=Patience(longest_seconds=seconds),
        )
        asked.announce()
        return LlmOpinion(asked.model, "statements" if of_statements else "answer"), asked.at_once

    def _refuse_model(self, why: str) -> None:
        self.model.refuse_for_asking(why)
        refuse(self.model, ["transcripts"], f"is for what a model said before, and {why}")
