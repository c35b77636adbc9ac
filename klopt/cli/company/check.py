"""``klopt company check``: problems in a folder, and answers that score differently."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final, NamedTuple

import click

from klopt._internal.files import whole_binary
from klopt.cli import EXIT_BAD_INPUT, options
from klopt.cli.company.review import rating_steps
from klopt.cli.company.scorer import (
    READING,
    company_rows,
    company_scorer,
    warn_without_contexts,
)
from klopt.cli.fields import Readable
from klopt.cli.options import as_command, option
from klopt.cli.terminal import counted, next_steps, tell, tracked, warn
from klopt.company import lints
from klopt.company.folder import Company, held
from klopt.company.lints import Lint
from klopt.errors import InputError, RecordError
from klopt.logs.json_rows import read_lines
from klopt.logs.rows import Row
from klopt.logs.scoring import ALONE, core_count, score_log
from klopt.report.scored import ScoredRow
from klopt.report.wording import brief, why
from klopt.scoring.explanation import decimal
from klopt.scoring.profile import Profile
from klopt.scoring.scorer import Scorer
from klopt.types import clean


class ScoreChange(NamedTuple):
    """An answer with another score, verdict or message type than before."""

    id: str
    before: ScoredRow
    now: ScoredRow


def read_run(path: Path) -> dict[str, ScoredRow]:
    """Read a run that `klopt score -o` or `klopt company check --accept` wrote, by row id."""
    run = {}
    try:
        with path.open("rb") as file:
            for number, row, _ in read_lines(file, str(path)):
                try:
                    scored = ScoredRow.from_mapping(row if isinstance(row, dict) else {})
                except RecordError as error:
                    raise InputError(f"{path}, line {number}: {error}") from None
                run[scored.id] = scored
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None
    return run


def score_changes(
    before: Mapping[str, ScoredRow], now: Mapping[str, ScoredRow]
) -> list[ScoreChange]:
    """Return the answers of both runs that differ: changed verdicts first, then by difference."""

    def size(change: ScoreChange) -> tuple[bool, float]:
        was, now = change.before.score, change.now.score
        step = 5.0 if was is None or now is None else abs(was - now)
        return change.before.verdict != change.now.verdict, step

    both = (ScoreChange(name, before[name], row) for name, row in now.items() if name in before)
    changed = (one for one in both if _outcome(one.before) != _outcome(one.now))
    return sorted(changed, key=size, reverse=True)


def _outcome(row: ScoredRow) -> tuple[float | None, str, str | None]:
    return row.score, row.verdict, row.message_type


EXIT_FOUND: Final = 1
_MAX_SHOWN: Final = 10
_WHY_CHARS: Final = 160


@as_command("check", "klopt company check acme/ --log chats.jsonl")
def command(
    *,
    folder: options.CompanyFolder,
    log: Path | None = option(
        "A chat log, rated or not; by default that of company.toml, or rated.jsonl."
    ),
    against: Path | None = option(
        "Compare with this run of `klopt score -o OUT` instead of the accepted one.",
        type=options.OWN_FILE,
        metavar="OUT",
    ),
    accept: bool = option("Store this run as the accepted one."),
    every: bool = option("Show every changed answer.", "--all"),
    names: options.Names,
    encoding: options.Encoding,
) -> int:
    """Find problems in a company's FOLDER, and answers whose score has changed.

    Reports invalid keys, unread files, names that are both allowed and denied, and patterns that
    fail their examples. Then it scores the log, and compares with the accepted run.

    Exit code 1 if there are problems; remarks do not count. Exit code 3 if a row of the log could
    not be read; klopt uses the others.
    """
    if problems := lints.broken(folder):
        status = _report(problems)
        tell(next_steps((["klopt", "company", "check", folder], "once you have corrected them")))
        return status
    company = Company.open(folder)
    stored = [path for path in (company.log, company.rated) if path is not None and path.is_file()]
    log = log or next(iter(stored), None)
    accepted = against or company.accepted
    before = read_run(accepted) if against is not None or accepted.is_file() else None
    pages, profile = company.pages(), company.load()
    found = lints.lints(company, profile)
    again = ["klopt", "company", "check", folder, *options.given(*READING)]
    if log is None:
        status = _report(found)
        tell(next_steps(([*again, "--log", "LOG"], "see which scores change")))
        return status
    rows, unread_count = _answers(log, company_rows(company, log, pages, names, encoding))
    scored = replace(profile, opinion=None, translate=None)
    lines, run = _score(rows, company_scorer(company, scored, pages), log)
    warn_without_contexts(company, (answer.reason_code for answer in run.values()))
    scores = [answer.score for answer in run.values()]
    scored_count = len(scores) - scores.count(None)
    if run and not scored_count:
        answers = counted(len(run), "answer")
        found.append(Lint(f"{log}: none of {answers} has a score, so klopt cannot compare runs"))
    for path in lints.profiles(company.path):
        found += lints.unreachable_threshold(path, Profile.load(path), scores)
    status = _report(found) or (EXIT_BAD_INPUT if unread_count else 0)
    changes = [] if before is None else score_changes(before, run)
    if before is not None:
        click.echo(f"\nCompared with {accepted}: ", nl=False)
        _show_changes(before, run, changes, most=len(run) if every else _MAX_SHOWN)
    if accept and (scored_count or not run):
        with held(company.path), whole_binary(company.accepted) as file:
            file.writelines(lines)
        click.echo(f"Accepted: {counted(len(lines), 'answer')}, in {company.accepted}.")
    if any(lint.is_problem for lint in found):
        tell(next_steps((again, "once you have corrected the lines above")))
    elif accept or (before is not None and run.keys() & before and not changes):
        tell(rating_steps(company, scored_count))
    else:
        tell(next_steps(([*again, "--accept"], "store this run, to compare later runs with it")))
    return status


def _answers(log: Path, rows: Iterable[Row]) -> tuple[list[Row], int]:
    """Read each answer once, warn about others with the same id, and count unreadable rows."""
    found = Readable(rows, str(log))
    first: dict[str, Row] = {}
    other_count = 0
    for row in found:
        known = first.setdefault(row.id, row).turn
        other_count += (
            row.turn is not None and known is not None and row.turn.answer != known.answer
        )
    if other_count:
        warn(f"{log}: left out {counted(other_count, 'row')} with the id of an earlier row")
    return list(first.values()), len(found.problems)


def _report(found: Sequence[Lint]) -> int:
    for lint in sorted(found, key=lambda lint: not lint.is_problem):
        click.echo(clean(lint.text if lint.is_problem else f"{lint.text} (remark)"))
    problem_count = sum(lint.is_problem for lint in found)
    remarks = counted(len(found) - problem_count, "remark")
    click.echo(f"{counted(problem_count, 'problem')}, {remarks}.")
    return EXIT_FOUND if problem_count else 0


def _score(
    rows: Sequence[Row], scorer: Scorer, log: Path
) -> tuple[list[bytes], dict[str, ScoredRow]]:
    """Return the lines of a scored log, and its rows by id."""
    results = score_log(iter(rows), scorer, processes=core_count(), alone=ALONE)
    lines = [
        scored.line({"id": row.id}) for row, scored, _ in tracked(results, "Scoring", str(log))
    ]
    written = map(json.loads, lines)
    return lines, {str(row["id"]): ScoredRow.from_mapping(row) for row in written}


def _show_changes(
    before: dict[str, ScoredRow],
    run: dict[str, ScoredRow],
    changes: Sequence[ScoreChange],
    *,
    most: int,
) -> None:
    if not run.keys() & before:
        click.echo("it has none of these answers.")
        return
    new, gone = len(run.keys() - before), len(before.keys() - run)
    others = "".join(f"; {count} {word}" for count, word in ((new, "new"), (gone, "gone")) if count)
    score = "scores" if len(changes) == 1 else "score"
    answers = counted(len(run) - new, "answer")
    click.echo(f"{len(changes)} of {answers} {score} differently{others}.")
    alike: dict[tuple[object, ...], list[ScoreChange]] = {}
    for change in changes:
        key = tuple((*_outcome(row), row.explanation) for row in (change.before, change.now))
        alike.setdefault(key, []).append(change)
    groups = [*alike.values()]
    for group in groups[:most]:
        _show(group)
    if left := sum(map(len, groups[most:])):
        click.echo(f"\n… and {left} smaller changes; --all shows them.")


def _show(alike: Sequence[ScoreChange]) -> None:
    """Print one of the changes that are the same, and in how many other answers they occur."""
    change, *others = alike
    was, now = change.before, change.now
    score, types = _shown(now.score), (was.message_type, now.message_type)
    pairs = (("", was.verdict, now.verdict), ("message type ", *types))
    changed = [f"{label}{old} → {new}" for label, old, new in pairs if old != new]
    is_same = _shown(was.score) == score
    changed.insert(0, f"score {score}" if is_same else f"{_shown(was.score)} → {score}")
    more = f" and {counted(len(others), 'other answer')}" if others else ""
    click.echo(f"\n{clean(change.id)}{more}: {', '.join(changed)}")
    for label, row in (("before: ", was), ("now:    ", now)):
        click.echo(f"  {label}{brief(clean(why(row.explanation)), _WHY_CHARS)}")


def _shown(score: float | None) -> str:
    return "no score" if score is None else decimal(score, None, 2)
