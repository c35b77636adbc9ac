"""``klopt judge``."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

import click

from klopt import lexicons
from klopt import reference as checking
from klopt.cli import EXIT_BAD_INPUT, options
from klopt.cli.judge_report import Summary, show_checked
from klopt.cli.models import AT_ONCE, ModelOptions, RunModel
from klopt.cli.options import as_command, option, refuse, refuse_both_or_neither
from klopt.cli.scoring import ScoringOptions, demo_rows
from klopt.cli.terminal import Screen, bar, line_count, tell, warn, write
from klopt.llm.calls import Model
from klopt.logs.checks import Figures, WantedFigures, check_rows, read_names
from klopt.logs.rows import Row
from klopt.report.wording import brief
from klopt.types import field_of


def _prices(_: click.Context, __: click.Parameter, value: str | None) -> tuple[float, float] | None:
    if value is None:
        return None
    try:
        prompt, completion = map(float, value.split(","))
    except ValueError:
        prompt = completion = math.nan
    if not (0 <= prompt < math.inf and 0 <= completion < math.inf):
        raise click.BadParameter(f'"{value}" does not have the form 0.15,0.60')
    return prompt, completion


@dataclass(frozen=True, slots=True)
class CheckOptions:
    """The options of the check and of metrics."""

    solver: Literal["text", "llm", "recorded", "none"] = option(
        "How to find the reference in the answer. text: compare words; llm: call a model "
        "(--model); recorded: replay recorded replies (--transcripts); none: only "
        "compute --metrics.",
        default="text",
    )
    grading: checking.Grading = option(
        "When a key term counts as correct. published: the rules of the paper's released code, "
        "which accept a missing key term.",
        type=click.Choice(checking.GRADINGS),
        default="strict",
    )
    strategy: checking.Strategy | None = option(
        "How errors become a score. strict: any error gives 0; gate: a wrong step or value gives "
        "0, else the share of correct key terms; graded: the share of each step and term found "
        "(--solver text). By default graded for text, strict otherwise.",
        metavar="NAME",
        type=str,
    )
    key_terms: checking.KeyTermMode = option(
        "The key terms of a reference. bold: bold text; rules: commands, paths, versions and the "
        "like; auto: bold text, or by rules where nothing is bold.",
        type=click.Choice(checking.KEY_TERM_MODES),
        default="auto",
    )
    seed: int | None = option(
        "Seed for the order of steps in requests, and for the model's sampling.",
        type=click.IntRange(min=0),
    )
    wanted: WantedFigures = option(
        "Other metrics to compute: bleu, rouge, bert_score, retrieval; with a model also g_eval "
        "and prometheus. Or single ones, such as rouge_l,g_eval.truthfulness.",
        "--metrics",
        default="",
        show_default=False,
        metavar="NAMES",
        callback=lambda _, __, value: read_names(value),
    )
    bert_model: Path | None = option(
        "Folder of a local model for bert_score; nothing is downloaded.",
        type=click.Path(path_type=Path, file_okay=False),
        metavar="DIR",
    )
    bert_layer: int | None = option("Layer of that model.", type=click.IntRange(min=1))
    at_once: int = option(
        "Number of answers that the model processes at a time.",
        type=click.IntRange(1, 256),
        default=AT_ONCE,
    )
    prices: tuple[float, float] | None = option(
        "US dollars per million prompt and completion tokens, to compute the cost.",
        callback=_prices,
        metavar="IN,OUT",
    )

    def checker(self, model: Model | None) -> checking.Checker | None:
        """Return the checker; None with ``--solver none``."""
        by_words = self.solver == "text"
        strategy = self.strategy or ("graded" if by_words else "strict")
        if strategy == "graded" and not by_words:
            raise click.UsageError(
                "--strategy graded needs the share of each step and term, which only --solver "
                "text computes."
            )
        if self.solver == "none":
            return None
        solver: checking.Solver = checking.TextSolver()
        if model is not None and not by_words:
            solver = checking.LlmSolver(model, self.seed or 0, reading=self.grading)
        return checking.Checker(solver, self.grading, strategy, self.key_terms)

    def bert(self) -> checking.BertScorer | None:
        """Return the model for BERTScore; None when no metric needs it."""
        if checking.needs_model(self.wanted.metrics):
            if self.bert_model is None:
                raise click.UsageError("bert_score needs --bert-model DIR, a local model.")
            return checking.BertScorer(self.bert_model, self.bert_layer)
        refuse(self, ("bert_model", "bert_layer"), "needs --metrics bert_score")
        return None

    def run_model(self, model: ModelOptions, stack: ExitStack) -> RunModel | None:
        """Return the model; None when neither the solver nor a judge needs one."""
        judges = self.wanted.judges
        is_replay = self.solver == "recorded"
        if not (self.solver == "llm" or is_replay or judges):
            model.refuse_all(f"--solver {self.solver} calls none; --solver llm does")
            refuse(self, ("prices",), "is for calling a model; add --solver llm")
            return None
        if is_replay:
            refuse(model, ("model", "base_url"), "is for --solver llm; recorded calls no model")
            if model.transcripts is None:
                raise click.UsageError("--solver recorded needs --transcripts FILE.")
        sends = "Questions, answers, references and pages" if judges else "Answers and references"
        at_once, seed, prices = self.at_once, self.seed, self.prices
        return RunModel(model, stack, sends=sends, at_once=at_once, seed=seed, prices=prices)


@as_command("judge", "klopt judge log.jsonl --map reference=solution --metrics bleu,rouge_l")
def command(
    *,
    file: options.FileOrNone,
    demo: options.Demo,
    check: CheckOptions,
    model: ModelOptions,
    pages: options.Pages,
    language: options.Language,
    names: options.Names,
    output: options.Output,
    form: options.Format,
) -> int:
    """Compare the answers of FILE with reference answers.

    A reference is a correct answer: steps in order, ideally with the key terms in bold, or plain
    text. klopt finds key terms (ClozeFact) and values that differ ("30 dagen" instead of "twee
    weken"), and steps that are missing or out of order (StepRestore), and gives a score from 0 to
    1. Where rows have a rating or a label, it also reports how well the score agrees with them.

    Prints a table on a terminal, otherwise JSON lines, one per row in order. Exit code 3 when a row
    could not be read, a model gave no valid reply, or no row has a score or a metric; klopt still
    checks the other rows.
    """
    refuse_both_or_neither(file, demo)
    wanted = check.wanted
    if check.solver == "none" and wanted == WantedFigures():
        raise click.UsageError("--solver none needs --metrics.")
    if language != "auto":
        lexicons.load(language)  # raises for a language without tables
    reading = ScoringOptions(pages=pages, language=language, names=names)
    with ExitStack() as stack:
        run = check.run_model(model, stack)
        llm = None if run is None else run.model
        figures = Figures(wanted, model=llm, bert=check.bert(), pages=reading.known_pages)
        checker = check.checker(llm)
        summary = Summary(figures.names)
        rows: Iterable[Row]
        if file is None:
            rows = (row for row in demo_rows() if row.turn is not None and row.turn.reference)
        else:
            rows = reading.rows(file, with_contexts=bool(wanted.judges or wanted.tops), needed=())
        console = Screen()
        is_table = console.has_tables(form, output)
        if run is not None:
            run.announce()
        with bar("Judging", line_count(file or "the demo log")) as progress:
            checked = check_rows(
                _with_answers(rows, names),
                checker,
                figures,
                warn,
                at_once=1 if run is None else run.at_once,
                one_each=model.transcripts is not None,
                progress=progress,
            )
            counted = summary.count(checked if run is None else run.until_hopeless(checked))
            if is_table:
                kept = list(counted)
            else:
                write((row.to_dict() for row in counted), form, output)
        if is_table:
            show_checked(kept, console)
            tell("")
        written = [f"Written to {output}."] if output is not None else []
        for line in (*summary.lines(), *written):
            tell(line)
    return EXIT_BAD_INPUT if summary.failed_count or summary.has_nothing else 0


def _with_answers(rows: Iterable[Row], names: dict[str, str]) -> Iterator[Row]:
    """Yield the rows; one without a field for the answer is unreadable, an empty answer is not."""
    for row in rows:
        if row.turn is not None and row.fields:
            read_as = {str(name): field_of(str(name), names) for name in row.fields}
            if "answer" not in read_as.values() and "answer" not in names:
                others = [brief(name) for name, field in read_as.items() if field is None]
                hint = f"; map one with --map answer={others[0]}" if others else ""
                problem = f"row {row.number}: no field holds the answer{hint}"
                row = replace(row, turn=None, problem=problem)
        yield row
