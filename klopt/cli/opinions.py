"""Options for second opinions, shared by the commands that score."""

from __future__ import annotations

import re
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from klopt.cli.models import AT_ONCE, NONE, ModelOptions, RunModel
from klopt.cli.options import option
from klopt.cli.terminal import counted, tell

if TYPE_CHECKING:
    from klopt.llm.opinions import Adviser, Opinion
    from klopt.scoring.profile import OpinionSettings, Profile

MAX_RETRIES: Final = 2
"""Repeated requests for one opinion."""


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
        """Return the adviser, or None without second opinions.

        Prints on standard error what is sent where, and at the end the number of opinions.
        """
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
            from klopt.llm.opinions.recorded import Recorded

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
            at_once=AT_ONCE,
            timeout_s=settings.budget.ms / 1000,
            max_retries=MAX_RETRIES,
            prices=settings.prices,
        )
        run.announce()
        return LlmOpinion(run.model, "statements" if detail else "answer"), run.at_once
