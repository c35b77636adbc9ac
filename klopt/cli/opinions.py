"""Second opinions: their options, and the adviser that they describe."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

import click

from klopt.cli.asked_model import AskedModel, ModelOptions
from klopt.cli.options import option
from klopt.cli.terminal import counted

if TYPE_CHECKING:
    from klopt.opinions import Advisor, Opinion
    from klopt.opinions.llm import Form
    from klopt.scoring.profile import OpinionSettings, Profile

NONE: Final = "none"
_LIMITS: Final = ("questions", "usd", "ms")


def _who(_: click.Context, __: click.Parameter, value: str | None) -> str | None:
    if value is None or value == NONE:
        return value
    from klopt.scoring.profile import OPINIONS, WHO

    if re.search(WHO, value):
        return value
    raise click.BadParameter(f'"{value}" is not one of {", ".join(OPINIONS)}, {NONE}')


@dataclasses.dataclass(frozen=True, slots=True)
class OpinionOptions:
    """What the options say of second opinions; see their help."""

    opinion: str | None = option(
        "Ask somebody else where the verdict is review: llm (--model), of the whole answer, or "
        "llm:statements, of each statement; encoder:FOLDER, a model in ONNX on this machine; "
        f"recorded:FILE, what was said before. {NONE}: nobody, whatever the profile says.",
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
        type=click.FloatRange(min=0),
        metavar="USD",
    )
    opinion_ms: float | None = option(
        "An opinion that takes longer comes too late; 60000 when left out.",
        type=click.FloatRange(min=0, min_open=True, max=3_600_000),
        metavar="MS",
    )

    def settings(self, profile: Profile) -> OpinionSettings | None:
        """The profile's, with what options say in their place; None when nobody is asked.

        Raises:
            click.UsageError: An option has no use.
        """
        from klopt.scoring.profile import OpinionSettings

        own = profile.opinion
        who = self.opinion or (None if own is None else own.who)
        given = {name: getattr(self, f"opinion_{name}") for name in _LIMITS}
        limits = {name: limit for name, limit in given.items() if limit is not None}
        if who is None or who == NONE:
            for name in [*limits, *(["when"] if self.opinion_when else [])]:
                raise click.UsageError(f"--opinion-{name} is for second opinions; add --opinion.")
            return None
        own = own or OpinionSettings(who)
        budget = dataclasses.replace(own.budget, **limits)
        when = self.opinion_when or own.when
        return dataclasses.replace(own, who=who, when=when, budget=budget)


@dataclasses.dataclass(frozen=True, slots=True)
class Advising:
    """Whom a scorer asks for second opinions, as options and profile say."""

    options: OpinionOptions
    model: ModelOptions

    @property
    def read(self) -> Mapping[str, list[Path | None]]:
        """What is read, for `refuse_overwriting`."""
        kind, _, named = (self.options.opinion or "").partition(":")
        return {
            "read by --transcripts": [self.model.transcripts],
            "read by --opinion": [Path(named)] if kind == "recorded" else [],
        }

    def adviser(self, profile: Profile, stack: ExitStack) -> Advisor | None:
        """The adviser; None when nobody is asked.

        Says on standard error what is sent where, and at the end what was asked and what it cost.

        Raises:
            click.UsageError: Options that do not go together.
            ConfigurationError: The address of a server is wrong.
            CredentialsError: There is no key.
            ExtraMissingError: What asking needs is not installed.
            InputError: A file cannot be read or written.
        """
        settings = self.options.settings(profile)
        if settings is None:
            self._refuse_model("without --opinion nobody is asked")
            return None
        from klopt.opinions import Advisor

        opinion, at_once = self._opinion(settings, stack)
        on_file = settings.who.startswith("recorded") or self.model.is_on_file
        adviser = Advisor(
            opinion, settings.when, settings.budget, at_once=at_once, one_each=on_file
        )
        stack.callback(lambda: click.echo(told(adviser), err=True))
        return adviser

    def _opinion(self, settings: OpinionSettings, stack: ExitStack) -> tuple[Opinion, int]:
        """Who is asked, and about how many answers at one time."""
        kind, _, named = settings.who.partition(":")
        if kind == "llm":
            return self._llm(settings, "statements" if named else "answer", stack)
        self._refuse_model(f"--opinion {kind} asks none; --opinion llm does")
        if kind == "encoder":
            from klopt.opinions.encoder import Encoder

            ms = settings.budget.ms
            return Encoder(Path(named), settings.labels, settings.threads, most_ms=ms), 1
        from klopt.opinions.recorded import Recorded

        return Recorded.read(Path(named)), 1

    def _llm(self, settings: OpinionSettings, form: Form, stack: ExitStack) -> tuple[Opinion, int]:
        from klopt.models.retrying import Patience
        from klopt.opinions.llm import LlmOpinion

        model = self.model
        is_replay = model.transcripts is not None
        if settings.budget.usd is not None and model.prices is None and not is_replay:
            raise click.UsageError("a budget in dollars needs --prices IN,OUT to be kept.")
        seconds = min(model.timeout, settings.budget.ms / 1000)
        client = AskedModel(
            dataclasses.replace(model, timeout=seconds),
            stack,
            replay=is_replay,
            shown="Questions, answers and pages",
            patience=Patience(longest_seconds=settings.budget.ms / 1000),
        )
        if client.announcement is not None:
            click.echo(client.announcement, err=True)
        stack.callback(lambda: click.echo(client.costs, err=True))
        return LlmOpinion(client.model, form), client.at_once

    def _refuse_model(self, why: str) -> None:
        self.model.refuse_for_asking(why)
        if self.model.transcripts is not None:
            raise click.UsageError(f"--transcripts is for what a model said before, and {why}.")


def told(adviser: Advisor) -> str:
    """How many opinions were asked for, in one line."""
    return f"{counted(adviser.asked_count, 'second opinion')} asked of {adviser.name}."
