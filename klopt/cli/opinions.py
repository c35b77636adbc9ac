"""Second opinions: their options, and the adviser that they describe."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

import click

from klopt.cli.asked_model import NOBODY, AskedModel, ModelOptions
from klopt.cli.options import option, refuse
from klopt.cli.terminal import counted

if TYPE_CHECKING:
    from klopt.opinions import Advisor, Opinion
    from klopt.opinions.llm import Form
    from klopt.scoring.profile import OpinionSettings, Profile

_LIMITS: Final = ("questions", "usd", "ms")


def _who(_: click.Context, __: click.Parameter, value: str | None) -> str | None:
    if value is None or value == NOBODY:
        return value
    from klopt.scoring.profile import OPINIONS, WHO

    if re.search(WHO, value):
        return value
    raise click.BadParameter(f'"{value}" is not one of {", ".join(OPINIONS)}, {NOBODY}')


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
        type=click.FloatRange(min=0),
        metavar="USD",
    )
    opinion_ms: float | None = option(
        "An opinion that takes longer comes too late; 60000 when left out.",
        type=click.FloatRange(min=0, min_open=True, max=3_600_000),
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
    def told(self) -> tuple[object, ...]:
        """What makes opinions differ, whichever model gives them."""
        limits = (getattr(self, f"opinion_{name}") for name in _LIMITS)
        return self.opinion, self.opinion_when, *limits

    def adviser(self, profile: Profile, stack: ExitStack) -> Advisor | None:
        """The adviser; None when nobody is asked.

        Says on standard error what is sent where, and at the end what was asked and what it cost.
        """
        settings = self._settings(profile)
        if settings is None:
            self._refuse_model("without --opinion nobody is asked")
            return None
        from klopt.opinions import Advisor

        opinion, at_once = self._opinion(settings, stack)
        on_file = settings.who.startswith("recorded") or self.model.is_on_file
        adviser = Advisor(
            opinion, settings.when, settings.budget, at_once=at_once, one_each=on_file
        )
        stack.callback(
            lambda: click.echo(
                f"{counted(adviser.asked_count, 'second opinion')} asked of {adviser.name}.",
                err=True,
            )
        )
        return adviser

    def _settings(self, profile: Profile) -> OpinionSettings | None:
        """The profile's, with what options say in their place; None when nobody is asked."""
        from klopt.scoring.profile import OpinionSettings

        own = profile.opinion
        who = self.opinion or (None if own is None else own.who)
        given = {name: getattr(self, f"opinion_{name}") for name in _LIMITS}
        limits = {name: limit for name, limit in given.items() if limit is not None}
        if who is None or who == NOBODY:
            how = [f"opinion_{name}" for name in (*_LIMITS, "when")]
            refuse(self, how, "is for second opinions; add --opinion")
            return None
        own = own or OpinionSettings(who)
        budget = dataclasses.replace(own.budget, **limits)
        when = self.opinion_when or own.when
        return dataclasses.replace(own, who=who, when=when, budget=budget)

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
        seconds = settings.budget.ms / 1000
        client = AskedModel(
            dataclasses.replace(model, timeout=min(model.timeout, seconds)),
            stack,
            replay=is_replay,
            shown="Questions, answers and pages",
            patience=Patience(longest_seconds=seconds),
        )
        if client.announcement is not None:
            click.echo(client.announcement, err=True)
        stack.callback(lambda: click.echo(client.costs, err=True))
        return LlmOpinion(client.model, form), client.at_once

    def _refuse_model(self, why: str) -> None:
        self.model.refuse_for_asking(why)
        refuse(self.model, ["transcripts"], f"is for what a model said before, and {why}")
