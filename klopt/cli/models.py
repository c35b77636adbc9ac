"""Options for LLM calls and second opinions, and the model that they name."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final, get_args

import click

from klopt.cli import options
from klopt.cli.options import option, refuse
from klopt.cli.terminal import counted, tell, warn
from klopt.errors import CredentialsError, LlmError, LlmReason

if TYPE_CHECKING:
    from klopt.llm.calls import Model
    from klopt.llm.opinions import Adviser, Opinion
    from klopt.logs.checks import CheckedRow
    from klopt.scoring.profile import OpinionSettings, Profile

NONE: Final = "none"
AT_ONCE: Final = 8  # Answers that are processed at a time
TIMEOUT_S: Final = 180.0  # Time limit of one request to a model
KEY_VARIABLES: Final = ("KLOPT_API_KEY", "OPENAI_API_KEY")  # the first that is set counts
MAX_FAILED_ROWS: Final = 3  # Failed rows that stop a run in which the model has not replied yet

_CODES: Final[tuple[LlmReason, ...]] = get_args(LlmReason)


@dataclass(frozen=True, slots=True)
class ModelOptions:
    """The options that choose an LLM, or its recorded replies."""

    model: str | None = option(
        "Call this LLM, such as gpt-4o-mini. The API key is read from the environment variable "
        f"{' or '.join(KEY_VARIABLES)}.",
        metavar="NAME",
    )
    base_url: str | None = option(
        "Address of any server with OpenAI's API, up to and including /v1. OpenAI by default.",
        metavar="URL",
    )
    transcripts: Path | None = option(
        "Replay the replies recorded in this file. With --model, klopt calls the model for "
        "replies that the file lacks and adds them.",
        type=options.OWN_FILE,
    )

    def refuse_all(self, why: str) -> None:
        """Raise a usage error for the first option that was given."""
        refuse(self, ("model", "base_url", "transcripts"), f"is for calling a model, and {why}")


class RunModel:
    """The model of a run: a server, or without ``--model`` a replay of recorded replies.

    ``sends`` is what the server receives, for `announce`; ``at_once`` the answers to process at a
    time, 1 for a replay; ``timeout_s`` is per request and ``max_retries`` per call; ``prices`` are
    US dollars per million prompt and completion tokens. The stack closes client and recording.
    """

    def __init__(
        self,
        options: ModelOptions,
        stack: ExitStack,
        *,
        sends: str,
        at_once: int = AT_ONCE,
        timeout_s: float = TIMEOUT_S,
        max_retries: int = 4,
        seed: int | None = None,
        prices: tuple[float, float] | None = None,
    ) -> None:
        from klopt.llm.calls import Meter
        from klopt.llm.client import OPENAI, ChatClient
        from klopt.llm.transcripts import Recorder, Transcripts

        self._stack, self._options, self._sends = stack, options, sends
        self._replay = options.model is None
        self.at_once = 1 if self._replay else at_once
        self._server = options.base_url or OPENAI
        source: Model
        if options.model is None:
            if options.transcripts is None:
                raise click.UsageError(
                    "calling a model needs --model NAME, such as gpt-4o-mini; or replay recorded "
                    "replies with --transcripts FILE."
                )
            refuse(options, ["base_url"], "is for calling a model; add --model NAME")
            source = Transcripts.read(options.transcripts)
            self._name = f"{', '.join(source.models) or 'no model'}, replayed"
        else:
            self._name = options.model
            source = stack.enter_context(
                ChatClient(
                    options.model,
                    self._server,
                    api_key(is_needed=options.base_url is None),
                    timeout_s=timeout_s,
                    max_retries=max_retries,
                    seed=seed,
                    prices=prices,
                )
            )
        self.model = self._calls = Meter(source)
        if not self._replay and options.transcripts is not None:
            recorder = stack.enter_context(Recorder(self._calls, options.transcripts))
            self._warn_of_other_models(Transcripts.read(options.transcripts).models)
            self.model = Meter(recorder)

    def _warn_of_other_models(self, recorded: Iterable[str]) -> None:
        name = self._name.rpartition("/")[2]
        if others := [other for other in recorded if name not in other and other not in name]:
            warn(
                f"{self._options.transcripts} also holds replies of {', '.join(others)}, which "
                f"klopt uses beside those of {self._name}; record each model to its own file"
            )

    def announce(self) -> None:
        """Print what is sent to which server, and at the end of the run what it cost."""
        if not self._replay:
            tell(f"{self._sends} are sent to {self._server} ({self._name}).")
        self._stack.callback(lambda: tell(self._costs))

    def until_hopeless(self, rows: Iterable[CheckedRow]) -> Iterator[CheckedRow]:
        """Yield the rows; stop with an error if the first calls fail and none gets a reply."""
        failures: list[tuple[LlmReason, str]] = []
        for row in rows:
            own = dict(reversed(row.failures))
            failures += [(code, own[code]) for code in _CODES if code in own][:1]
            is_hopeless = len(failures) == MAX_FAILED_ROWS and not self._calls.usage.calls
            if is_hopeless and not self._replay:
                code, why = failures[0]
                variable = _key_variable()
                key = f"the key in {variable}, " if variable else ""
                raise LlmError(
                    code,
                    f"no reply for the first {MAX_FAILED_ROWS} answers, so the run stops. "
                    f"Check {key}--model and --base-url. The first error: {why}",
                )
            yield row

    @property
    def _costs(self) -> str:
        usage = self._calls.usage
        tokens = usage.prompt_tokens + usage.completion_tokens
        parts = [f"{counted(usage.calls, 'reply')} of {self._name}"]
        parts += [f"{tokens:,} tokens"] * bool(tokens)
        if usage.cost_usd is not None:
            parts.append(f"{usage.cost_usd:.4f} USD")
        if usage.retries:
            parts.append(counted(usage.retries, "retry"))
        if known := self.model.usage.calls - usage.calls:
            parts.append(f"{known:,} more from the recording")
        return f"{', '.join(parts)}."


def _key_variable() -> str | None:
    return next((name for name in KEY_VARIABLES if name in os.environ), None)


def api_key(*, is_needed: bool) -> str | None:
    """Return the key from the first of `KEY_VARIABLES` that is set, or raise CredentialsError."""
    from klopt.llm.client import checked_key

    variable = _key_variable()
    value = os.environ[variable].strip() if variable else ""
    if variable and value:
        return checked_key(value, variable)
    if is_needed:
        raise CredentialsError(
            f"{variable or KEY_VARIABLES[0]} is {'empty' if variable else 'not set'}; set "
            f"{' or '.join(KEY_VARIABLES)} to the key of the LLM server"
        )
    return None


MAX_RETRIES: Final = 2  # Repeated requests for one opinion


def _source(_: click.Context, __: click.Parameter, value: str | None) -> str | None:
    if value is None or value == NONE:
        return value
    from klopt.scoring.profile import OPINIONS, WHO

    if re.search(WHO, value):
        return value
    raise click.BadParameter(f'"{value}" is not one of {", ".join(OPINIONS)}, {NONE}')


@dataclass(frozen=True, slots=True, kw_only=True)
class OpinionOptions:
    """The options for second opinions; the profile's [opinion] has further settings."""

    opinion: str | None = option(
        "Source of second opinions on answers with the verdict review. llm: the model of --model, "
        "on the whole answer; llm:statements: on each claim; encoder:FOLDER: a local ONNX model; "
        f"recorded:FILE: recorded opinions; {NONE}: no second opinions. The profile's [opinion] "
        "sets budgets.",
        metavar="WHO",
        callback=_source,
    )
    model: ModelOptions

    def adviser(self, profile: Profile, stack: ExitStack) -> Adviser | None:
        """Return the adviser or None; print what is sent where, and at last how many opinions."""
        from klopt.scoring.profile import OpinionSettings

        own = profile.opinion
        who = self.opinion or (None if own is None else own.who)
        if who is None or who == NONE:
            self.model.refuse_all("there are no second opinions without --opinion")
            return None
        if not who.startswith("llm"):
            kind = who.partition(":")[0]
            self.model.refuse_all(f"--opinion {kind} calls none; --opinion llm does")
        from klopt.llm.opinions import Adviser

        settings = OpinionSettings(who) if own is None else replace(own, who=who)
        opinion, at_once = self._opinion(settings, stack)
        has_file = who.startswith("recorded") or self.model.transcripts is not None
        adviser = Adviser(
            opinion, settings.when, settings.budget, at_once=at_once, one_each=has_file
        )

        def report() -> None:
            requested = counted(adviser.requested_count, "second opinion")
            tell(f"{requested} requested from {adviser.name}.")

        stack.callback(report)
        return adviser

    def _opinion(self, settings: OpinionSettings, stack: ExitStack) -> tuple[Opinion, int]:
        """Return the source of opinions, and the number of answers to process at a time."""
        kind, _, detail = settings.who.partition(":")
        if kind == "encoder":
            from klopt.llm.opinions.nli import NliModel

            most_ms = settings.budget.ms
            return NliModel(Path(detail), settings.labels, settings.threads, most_ms=most_ms), 1
        if kind == "recorded":
            from klopt.llm.opinions.llm import Recorded

            return Recorded.read(Path(detail)), 1
        from klopt.llm.opinions.llm import LlmOpinion

        if settings.budget.usd is not None and settings.prices is None and self.model.model:
            raise click.UsageError(
                "[opinion] usd needs prices = [IN, OUT]: US dollars per million prompt and "
                "completion tokens."
            )
        run = RunModel(
            self.model,
            stack,
            sends="Questions, answers and pages",
            timeout_s=settings.budget.ms / 1000,
            max_retries=MAX_RETRIES,
            prices=settings.prices,
        )
        run.announce()
        return LlmOpinion(run.model, "statements" if detail else "answer"), run.at_once
