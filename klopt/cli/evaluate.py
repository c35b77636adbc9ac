"""``klopt evaluate``."""

from __future__ import annotations

import dataclasses
import sys
from contextlib import ExitStack
from pathlib import Path

import click

from klopt._internal.files import whole_binary
from klopt._internal.imports import needs
from klopt.cli import EXIT_BAD_INPUT, options
from klopt.cli.fields import groups, number_columns, read_log
from klopt.cli.models import OpinionOptions
from klopt.cli.options import as_command, check_language, option, output_to
from klopt.cli.scoring import ScoringOptions, TranslationOptions, how_to_translate
from klopt.cli.terminal import Screen, bar, tell, warn, write_figures
from klopt.evaluation.evaluation import evaluate
from klopt.report.worded import Worded
from klopt.report.wording import LANGUAGES, Wording, spoken
from klopt.retrieval.index_file import SearchOnly
from klopt.scoring.profile import Profile
from klopt.scoring.scorer import Scorer

with needs("evaluate", "klopt evaluate needs jinja2 and scipy"):
    import scipy  # noqa: F401 - fails before anything is scored

    from klopt.report.html import show

_FORMS = {".json": "jsonl", ".csv": "csv", ".html": "html"}


def _by_ending(_: click.Context, __: click.Parameter, paths: tuple[Path, ...]) -> tuple[Path, ...]:
    for path in paths:
        if path.suffix.lower() not in _FORMS:
            raise click.BadParameter(f"{path}: unknown ending; use {', '.join(_FORMS)}")
    return paths


@as_command("evaluate", "klopt evaluate rated.jsonl --pages help/ --against afas -o report.html")
def command(
    *,
    file: options.File,
    scoring: ScoringOptions,
    against: str | None = option(
        "Compare with this profile, without translation and second opinions. With --translate, "
        "--profile without translation by default.",
        metavar="NAME",
    ),
    by: str | None = option("Also show agreement per value of this field.", metavar="FIELD"),
    fields: tuple[str, ...] = option(
        "Also compare this number in each row with the ratings, such as bleu or meta.bleu; "
        f"{options.MULTIPLE}",
        "--column",
        metavar="FIELD",
    ),
    others: tuple[str, ...] = option(
        "Also compare scores of `klopt judge` or another tool, joined by row id; "
        f"{options.MULTIPLE}",
        "--with",
        metavar="FILE",
    ),
    outputs: tuple[Path, ...] = output_to(
        f"Write the figures (.json or .csv) or a report for a browser (.html); {options.MULTIPLE}",
        callback=_by_ending,
    ),
    translating: TranslationOptions,
    advising: OpinionOptions,
) -> int:
    """Compare the scores of FILE with people's judgements of the same answers.

    Each row has the fields that `klopt score` reads, and a rating (1 to 5) or a label (1 true, 0
    untrue). If rows have a message_type, klopt also reports how well it classifies questions.

    With --translate, klopt compares the profile with and without translation. It scores the
    original of an answer that cannot be translated, unless the profile requires a translation.

    Prints tables on a terminal, otherwise one JSON object. The report is in the language of most
    answers and the tables are in English, unless --language names a language. Exit code 3 when a
    row could not be read, or not be translated as required; klopt evaluates the other rows.
    """
    names = scoring.names
    stated = scoring.language if scoring.language in LANGUAGES else None
    with ExitStack() as stack:
        scorer = scoring.scorer(translating, stack, advising)
        other = _other(scorer, scoring, against)
        if other is not None:
            check_language(scoring.language, other)
        log = read_log(scoring.rows(file), file, names)
        by_field = groups(log, by) if by else None
        columns, unread_count = number_columns(log, fields, others, names)
        sinks = [(_FORMS[one.suffix.lower()], stack.enter_context(whole_binary(one)))
                 for one in outputs]  # fmt: skip
        with bar("Scoring", len(log.turns) * (1 if other is None else 2)) as progress:
            figures = evaluate(
                log.turns,
                scorer,
                against=other,
                groups=by_field,
                columns=columns,
                file=file,
                unread_count=log.unread_count,
                advance=progress,
            )
        for form, sink in sinks:
            if form == "html":
                from klopt.report.html import render

                page = render(figures, stated or spoken(figures.rows.languages))
                sink.write(page.encode())
            else:
                write_figures(figures.to_dict(), form, sink)
        console = Screen()
        if console.has_tables(None):
            show(figures, console, stated or "en")
        else:
            if all(form == "html" for form, _ in sinks):
                write_figures(figures.to_dict(), None, sys.stdout.buffer)
            for note in Worded(figures, Wording(stated or "en")).notes():
                warn(note)
    if outputs:
        tell(f"Written to {' and '.join(map(str, outputs))}.")
    translated = figures.profiles[0].translation
    is_refused = translated is not None and translated.not_scored
    failed = {} if translated is None else translated.on_original | translated.not_scored
    if scorer.setup.translate is not None and "not_in_cache" in failed:
        tell(how_to_translate(translating, scorer.setup.translate.target))
    return EXIT_BAD_INPUT if log.unread_count or unread_count or is_refused else 0


def _other(scorer: Scorer, scoring: ScoringOptions, against: str | None) -> Scorer | None:
    """Return the scorer to compare with: another profile, or the same without translation."""
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
            warn(f'profile "{loaded.name}" has [translate]; --against reads the original')
    own = dataclasses.replace(loaded, translate=None, opinion=None)
    opened = scoring.opened_index
    index = None if opened is None else SearchOnly(opened)
    other = Scorer(
        dataclasses.replace(setup, profile=own, translate=None, adviser=None, index=index)
    )
    if other.name == scorer.name:
        raise click.UsageError(
            f'both profiles are named "{scorer.name}"; rename one, so that the figures differ in '
            "name."
        )
    return other
