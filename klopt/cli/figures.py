"""``--metrics`` and the options that belong to it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import click

from klopt.batch.figures import GOLD_FIELD, Asked, read_names
from klopt.checking import BertScorer, needs_model
from klopt.cli.options import Option, declared, gathered, option


def _asked(_: click.Context, __: click.Parameter, value: str) -> Asked:
    return read_names(value)


@dataclass(frozen=True, slots=True)
class FigureOptions:
    """Which figures were asked for, and what they need; see the options' help."""

    asked: Asked
    gold_field: str = option(
        default=GOLD_FIELD,
        metavar="FIELD",
        help="The page that the bot should have been given: its name or its text. For retrieval.",
    )
    bert_model: Path | None = option(
        type=click.Path(path_type=Path, file_okay=False),
        metavar="DIR",
        help="The folder of a model for bert_score; nothing is downloaded.",
    )
    bert_layer: int | None = option(
        type=click.IntRange(min=1), metavar="N", help="The layer of that model."
    )

    def bert(self) -> BertScorer | None:
        """The model for BERTScore; None when no figure needs it.

        Raises:
            click.UsageError: It was not given, or no figure needs what was given.
            ConfigurationError: There is no such model or layer.
            ExtraMissingError: bert-score is not installed.
        """
        if needs_model(self.asked.metrics):
            if self.bert_model is None:
                raise click.UsageError(
                    "bert_score needs --bert-model DIR: the folder of a model on this machine."
                )
            return BertScorer(self.bert_model, self.bert_layer)
        given = {"--bert-model": self.bert_model, "--bert-layer": self.bert_layer}
        for flag, value in given.items():
            if value is not None:
                raise click.UsageError(f"{flag} has no use without --metrics bert_score.")
        return None


def figure_options(help: str) -> Option:
    """The options of figures, as one `FigureOptions`; ``help`` is that of ``--metrics``."""
    metrics = click.option(
        *("--metrics", "asked"),
        default="",
        show_default=False,
        metavar="NAMES",
        callback=_asked,
        help=help,
    )
    return gathered(FigureOptions, [metrics, *declared(FigureOptions)])
