"""``klopt judge``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

import click

from klopt import checking, lexicons
from klopt.batch.checking import check_rows
from klopt.batch.figures import GOLD_FIELD, Figures, WantedFigures, read_names
from klopt.batch.rows import Row
from klopt.cli import EXIT_BAD_INPUT, options
from klopt.cli.asking import AskedModel
from klopt.cli.demo_log import demo_rows
from klopt.cli.fields import ABSENT, no_field, value_at
from klopt.cli.judged import CheckTally, show_checked
from klopt.cli.options import as_command, option, refuse, refuse_both_or_neither
from klopt.cli.scoring import ModelOptions, ScoringOptions
from klopt.cli.terminal import Screen, bar, line_count, tell, warn, write
from klopt.models.calls import Model
from klopt.records import field_of
from klopt.report.wording import brief


@dataclass(frozen=True, slots=True)
class CheckOptions:
    """What the options say of a check and of figures; see their help."""

    reference_field: str | None = option(
        "The field with the reference answer, such as meta.solution; reference and ground_truth "
        "need not be named.",
        metavar="FIELD",
    )
    solver: Literal["text", "llm", "recorded", "none"] = option(
        "Who looks for the reference in the answer. text: its words alone decide; llm: a model is "
        "asked (--model); recorded: what a model said before (--transcripts); none: nobody, for "
        "--metrics alone.",
        default="text",
    )
    grading: checking.Grading = option(
        "When a key term counts as right. published repeats the paper's released code, which lets "
        "a key term that is left out pass.",
        type=click.Choice(checking.GRADINGS),
        default="strict",
    )
    strategy: checking.Strategy | None = option(
        "From errors to a score. strict: any error makes it 0; gate: a wrong step makes it 0, else "
        "it is the share of key terms that are right; graded: by how much of each is there "
        "(--solver text). Left out: graded for text, strict for the others.",
        metavar="NAME",
        type=str,
    )
    key_terms: checking.KeyTermMode = option(
        "What of a reference is a key term. bold: what is bold; rules: commands, paths, versions "
        "and the like; auto: bold, or by rules where nothing is bold.",
        type=click.Choice(checking.KEY_TERM_MODES),
        default="auto",
    )
    seed: int = option(
        "Of the order in which a model is shown the steps.", type=click.IntRange(min=0), default=0
    )
    asked: WantedFigures = option(
        "Figures beside the score: bleu, rouge, bert_score, retrieval; and, by a model, g_eval and "
        "prometheus. Single ones: rouge_l,g_eval.truthfulness.",
        "--metrics",
        default="",
        show_default=False,
        metavar="NAMES",
        callback=lambda _, __, value: read_names(value),
    )
    gold_field: str = option(
        "The page that the bot should have been given: its name or its text. For retrieval.",
        default=GOLD_FIELD,
        metavar="FIELD",
    )
    bert_model: Path | None = option(
        "The folder of a model for bert_score; nothing is downloaded.",
        type=click.Path(path_type=Path, file_okay=False),
        metavar="DIR",
    )
    bert_layer: int | None = option("The layer of that model.", type=click.IntRange(min=1))

    def checker(self, model: Model | None) -> checking.Checker | None:
        """The checker; None when nobody is to look for the reference."""
        by_words = self.solver == "text"
        strategy = self.strategy or ("graded" if by_words else "strict")
        if strategy == "graded" and not by_words:
            raise click.UsageError(
                "--strategy graded goes by how much of each term and step is there, which only "
                "--solver text tells."
            )
        if self.solver == "none":
            return None
        solver: checking.Solver = checking.TextSolver()
        if model is not None and not by_words:
            solver = checking.LlmSolver(model, self.seed, reading=self.grading)
        return checking.Checker(solver, self.grading, strategy, self.key_terms)

    def bert(self) -> checking.BertScorer | None:
        """The model for BERTScore; None when no figure that is asked for needs it."""
        if checking.needs_model(self.asked.metrics):
            if self.bert_model is None:
                raise click.UsageError(
                    "bert_score needs --bert-model DIR: the folder of a model on this machine."
                )
            return checking.BertScorer(self.bert_model, self.bert_layer)
        bert = ("bert_model", "bert_layer")
        refuse(self, bert, "has no use without --metrics bert_score")
        return None

    def client(self, model: ModelOptions, stack: ExitStack) -> AskedModel | None:
        """The model, when the solver or a judge needs one."""
        if self.solver in ("llm", "recorded") or self.asked.judges:
            judged = "Questions, answers, references and pages"
            shown = judged if self.asked.judges else "Answers and references"
            is_replay = self.solver != "llm" and model.transcripts is not None
            return AskedModel(
                model, stack, replay=is_replay or self.solver == "recorded", shown=shown
            )
        model.refuse_for_asking(f"--solver {self.solver} asks none; --solver llm does")
        why = f"is for --solver recorded, or for judges; --solver {self.solver} reads none"
        refuse(model, ["transcripts"], why)
        return None


@as_command("judge", "klopt judge log.jsonl --reference-field ground_truth --metrics bleu,rouge_l")
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
    """Check the answers of FILE against reference answers.

    A reference is what an answer should have said: steps in order, best with the key terms in
    bold, or plain text. What is found: key terms that differ (ClozeFact), steps that are missing
    or in the wrong order (StepRestore). The score goes from 0 to 1. Where rows have a rating or a
    label, the agreement with it is told as well.

    A table when you look on, JSON lines (one a row, in order) otherwise. Exit code 3 when a row
    could not be read or a model gave no usable reply; the others are checked all the same.
    """
    refuse_both_or_neither(file, demo)
    asked = check.asked
    if check.solver == "none" and asked == WantedFigures():
        raise click.UsageError("--solver none leaves nothing to do without --metrics.")
    if language != "auto":
        lexicons.load(language)  # says for which languages there are tables
    reading = ScoringOptions(pages=pages, language=language, names=names)
    with ExitStack() as stack:
        client = check.client(model, stack)
        asking = client.model if client is not None else None
        figures = Figures(asked, model=asking, bert=check.bert(), pages=reading.known_pages)
        checker = check.checker(asking)
        tally = CheckTally(figures.names)
        read: Iterable[Row]
        if file is None:
            read = (row for row in demo_rows() if row.turn is not None and row.turn.reference)
        else:
            reads_pages = bool(asked.judges or asked.tops)
            read = reading.rows(file, with_contexts=reads_pages)
        where = file or "the demo log"
        named = {
            "--reference-field": check.reference_field,
            "--gold-field": check.gold_field if asked.tops else None,
        }
        rows = _checkable(_expected(read, where, named), names, check.reference_field)
        console = Screen()
        is_table = console.has_tables(form, output)
        if client is not None:
            client.announce()
        with bar("Judging", line_count(where)) as progress:
            checked = check_rows(
                rows,
                checker,
                figures,
                warn,
                gold_field=check.gold_field,
                at_once=1 if client is None else client.at_once,
                one_each=model.is_on_file,
                progress=progress,
            )
            tallied = tally.count(checked if client is None else client.while_hopeful(checked))
            if is_table:
                kept = list(tallied)
            else:
                write((row.to_dict() for row in tallied), form, output)
        if is_table:
            show_checked(kept, console)
            tell("")
        written = [f"Written to {output}."] if output is not None else []
        for line in (*tally.summary(), *written):
            tell(line)
    return EXIT_BAD_INPUT if tally.failed_count else 0


def _checkable(
    rows: Iterable[Row], names: Mapping[str, str], reference: str | None
) -> Iterator[Row]:
    """The rows, each with the reference answer of a field; None leaves them as they are.

    A row without that field has no reference. An empty answer is an answer, and scores 0; a row
    with no field for the answer cannot be read.
    """
    for row in rows:
        turn, problem = row.turn, row.problem
        if turn is not None and row.fields:
            read_as = {str(name): field_of(str(name), names) for name in row.fields}
            value = turn.reference if reference is None else value_at(row.fields, reference)
            if "answer" not in read_as.values():
                others = [brief(name) for name, field in read_as.items() if field is None]
                hint = f": --map answer={others[0]}?" if others else ""
                turn, problem = None, f"row {row.number}: no field is read as answer{hint}"
            elif isinstance(value, str) or value in (ABSENT, None):
                turn = replace(turn, reference=value if isinstance(value, str) and value else None)
            else:
                told = f"{brief(str(reference))} is not text but {brief(str(value))}"
                turn, problem = None, f"row {row.number}: {told}"
        yield replace(row, turn=turn, problem=problem)


def _expected(rows: Iterable[Row], file: str, named: Mapping[str, str | None]) -> Iterator[Row]:
    """The same rows; at their end, stops when none has a field that an option names."""
    missing = {flag: field for flag, field in named.items() if field is not None}
    fields: dict[str, None] = {}
    for row in rows:
        fields.update(dict.fromkeys(map(str, row.fields)))
        missing = {
            flag: field for flag, field in missing.items() if value_at(row.fields, field) is ABSENT
        }
        yield row
    if fields and missing:
        flag, field = next(iter(missing.items()))
        raise no_field(flag, field, file, list(fields))
