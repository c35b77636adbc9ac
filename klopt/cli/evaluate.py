"""``klopt evaluate``."""

from __future__ import annotations

import dataclasses
from contextlib import ExitStack
from pathlib import Path

import click

from klopt.batch.output import whole_binary, whole_file
from klopt.cli import EXIT_BAD_INPUT, options
from klopt.cli.fields import groups, number_columns, read_log
from klopt.cli.options import as_command, check_language, option, output_to
from klopt.cli.scoring import OpinionOptions, ScoringOptions, TranslationOptions
from klopt.cli.terminal import Screen, bar, tell, warn, write_figures
from klopt.evaluation import evaluate
from klopt.extras import needs
from klopt.indexing.index_file import SearchOnly
from klopt.report.worded import Worded
from klopt.report.wording import LANGUAGES, Wording, spoken
from klopt.scoring.profile import Profile
from klopt.scoring.scorer import Scorer

with needs("evaluate", "klopt evaluate needs jinja2 and scipy"):
    import scipy  # noqa: F401 - said before anything is scored

    from klopt.report.terminal import show


@as_command(
    "evaluate",
    "klopt evaluate rated.jsonl --pages help/ --against afas --html report.html",
)
def command(
    *,
    file: options.File,
    scoring: ScoringOptions,
    against: str | None = option(
        "Another profile to compare --profile with. With --translate it reads the original, and is "
        "the same profile when left out; with --opinion it asks nobody.",
        metavar="NAME",
    ),
    by: str | None = option("Agreement for each value of this field too.", metavar="FIELD"),
    fields: tuple[str, ...] = option(
        "A number in each row to stand beside klopt's score, such as bleu or meta.bleu; "
        f"{options.MULTIPLE}",
        "--column",
        metavar="FIELD",
    ),
    others: tuple[str, ...] = option(
        f"Scores from `klopt judge` or another tool, joined to the rows by id; {options.MULTIPLE}",
        "--with",
        metavar="FILE",
    ),
    resamples: int = option(
        "How often the rows are drawn anew for the intervals.",
        type=click.IntRange(100, 100_000),
        default=2000,
    ),
    seed: int = option(
        "Of the draws; the same seed gives the same figures.", type=click.IntRange(min=0), default=0
    ),
    worst: int = option(
        "Keep so many of the answers on which klopt and people differ most.",
        type=click.IntRange(min=0),
        default=20,
    ),
    output: Path | None = output_to("Write the figures as JSON to this file."),
    html: Path | None = option("Write a report for a browser to this file.", type=options.NEW_FILE),
    lang: str = option(
        "Of the report and the tables: nl, en, or auto: the report in that of the most answers, "
        "tables in English.",
        type=click.Choice(["auto", *LANGUAGES]),
        default="auto",
    ),
    form: options.Format,
    translating: TranslationOptions,
    advising: OpinionOptions,
) -> int:
    """Hold the scores of FILE against people's judgements of the same answers.

    Each row has what `klopt score` reads, and a rating (1 to 5) or a label (accurate or not:
    1 or 0). A message_type, where stated, shows how well klopt finds the type itself. Numbers
    that others have for the same answers stand beside the score with --column and --with.

    With --translate the profile that reads the translation stands beside the one that reads the
    original, in total and feature by feature. Answers that could not be translated are scored on
    the original and counted; with --translate-required they are left out.

    Tables when you look on, one JSON object otherwise. Exit code 3 when a row could not be
    read, or was not translated though that is required; the others are evaluated all the same.
    """
    names = scoring.names
    with ExitStack() as stack:
        scorer = scoring.scorer(translating, stack, advising)
        other = _other(scorer, scoring, against)
        if other is not None:
            check_language(scoring.language, other)
        log = read_log(scoring.rows(file), file, names)
        by_field = groups(log, by) if by else None
        columns, unread_count = number_columns(log, fields, others, names)
        console = Screen()
        sink = stack.enter_context(whole_binary(output))
        report = stack.enter_context(whole_file(html)) if html is not None else None
        with bar("Scoring", len(log.turns) * (1 if other is None else 2)) as progress:
            figures = evaluate(
                log.turns,
                scorer,
                against=other,
                groups=by_field,
                columns=columns,
                seed=seed,
                resamples=resamples,
                worst=worst,
                file=file,
                unread_count=log.unread_count,
                advance=progress,
            )
        if report is not None:
            from klopt.report.html import render

            report.write(
                render(figures, spoken(figures.rows.languages) if lang == "auto" else lang)
            )
        told_in = "en" if lang == "auto" else lang
        if console.has_tables(form, output):
            show(figures, console, told_in)
        else:
            write_figures(figures.to_dict(), form, sink)
            worded = Worded(figures, Wording(told_in))
            notes = (
                *map(worded.learnt_from, figures.profiles),
                worded.untranslated(figures.profiles[0]),
            )
            for note in filter(None, notes):
                warn(note)
    if written := " and ".join(str(path) for path in (output, html) if path is not None):
        tell(f"Written to {written}.")
    translated = figures.profiles[0].translation
    is_refused = translated is not None and translated.not_scored
    return EXIT_BAD_INPUT if log.unread_count or unread_count or is_refused else 0


def _other(scorer: Scorer, scoring: ScoringOptions, against: str | None) -> Scorer | None:
    """What the scorer is compared with: the profile that was named, or itself untranslated."""
    setup = scorer.setup
    if against is None:
        if setup.translate is None or scoring.language not in ("auto", *setup.profile.languages):
            return None
        loaded = setup.profile
    else:
        if against == scoring.profile and setup.translate is None and setup.adviser is None:
            raise click.UsageError(f'--against is the same profile as --profile, "{against}".')
        loaded = Profile.load(against)
        if loaded.translate is not None:
            warn(f'profile "{loaded.name}" asks for a translation; --against reads the original')
    own = dataclasses.replace(loaded, translate=None, opinion=None)
    opened = scoring.opened_index
    index = None if opened is None else SearchOnly(opened)
    other = Scorer(
        dataclasses.replace(setup, profile=own, translate=None, adviser=None, index=index)
    )
    if other.name == scorer.name:
        raise click.UsageError(
            f'both profiles are named "{scorer.name}"; give one another name, so that '
            "the figures can be told apart."
        )
    return other
