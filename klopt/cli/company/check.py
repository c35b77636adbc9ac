"""``klopt company check``: what is wrong with the folder, and what it changed in the scores."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import click

from klopt.batch.cores import ALONE, core_count, score_log
from klopt.batch.output import whole_binary
from klopt.batch.rows import Row, read_rows
from klopt.cli import options
from klopt.cli.fields import Readable
from klopt.cli.options import as_command, option
from klopt.cli.terminal import counted, tell, tracked, warn
from klopt.company import lints, moved
from klopt.company.folder import Company, asking_nobody, held
from klopt.company.lints import Lint
from klopt.company.moved import Moved, read_run
from klopt.records import Pages, clean
from klopt.report.scored import ScoredRow
from klopt.report.wording import brief, why
from klopt.scoring.explanation import decimal
from klopt.scoring.profile import Profile
from klopt.scoring.scorer import Scorer

EXIT_FOUND: Final = 1
_MOST_SHOWN: Final = 10
_WHY_CHARS: Final = 160


@as_command("check", "klopt company check acme/ --log chats.jsonl")
def command(
    *,
    folder: options.CompanyFolder,
    log: Path | None = option(
        "A chat log, rated or not, instead of that of company.toml or rated.jsonl."
    ),
    against: Path | None = option(
        "Hold the scores against this run, as `klopt score -o OUT` writes it, instead of the last "
        "accepted one.",
        type=options.OWN_FILE,
        metavar="OUT",
    ),
    accept: bool = option("Keep this run as the accepted one."),
    every: bool = option("Show every answer.", "--all"),
) -> int:
    """Say what is wrong with a company's FOLDER, and what it changed in the scores.

    Looks for keys that klopt does not know, files that nothing reads, and names that are allowed
    and denied; tries every pattern on its examples.

    With a log, and a run that was accepted, it says which answers are scored otherwise. The log
    is that of --log, or of company.toml, or the answers in rated.jsonl.

    Exit code 1 when there are problems; remarks alone are no problem.
    """
    problems = lints.broken(folder)
    if problems:
        return _end(problems)
    company = Company.open(folder)
    kept = (log, company.log, company.rated)
    log = next(
        (path for path in kept if path is not None and (path is log or path.is_file())), None
    )
    accepted = against or company.accepted
    before = read_run(accepted) if against is not None or accepted.is_file() else None
    pages = company.pages()
    rows = [] if log is None else _answers_in(log, pages)
    profile = company.load()
    findings = lints.lints(company, profile)
    if log is None:
        tell("No log: --log chats.jsonl shows what the folder does to answers.")
        return _end(findings)
    lines, run = _score(rows, profile, log)
    scores = [answer.score for answer in run.values()]
    for path in lints.profiles(company.path):
        findings += lints.unsent(path, Profile.load(path), scores)
    status = _end(findings)
    if before is not None:
        click.echo(f"\nBeside {accepted}: ", nl=False)
        _compare(before, run, most=len(run) if every else _MOST_SHOWN)
    elif not accept:
        click.echo(f"No run was accepted yet: --accept keeps this one in {company.accepted}.")
    if accept:
        with held(company.path), whole_binary(company.accepted) as file:
            file.writelines(lines)
        click.echo(f"Accepted: {counted(len(lines), 'answer')}, in {company.accepted}.")
    return status


def _answers_in(log: Path, pages: Pages) -> list[Row]:
    """Each answer once, also where several people rated it; says what is left out."""
    rows = list(Readable(read_rows(str(log), pages=pages), str(log)))
    first: dict[str, Row] = {}
    for row in rows:
        first.setdefault(row.id, row)
    if others := [row for row in rows if _answer(row) != _answer(first[row.id])]:
        warn(f"{log}: {counted(len(others), 'row')} left out, whose id an earlier row has")
    return list(first.values())


def _answer(row: Row) -> str:
    return "" if row.turn is None else row.turn.answer


def _end(findings: Sequence[Lint]) -> int:
    """Tells what was found, problems first."""
    for finding in sorted(findings, key=lambda finding: not finding.is_problem):
        click.echo(clean(finding.text if finding.is_problem else f"{finding.text} (remark)"))
    problem_count = sum(finding.is_problem for finding in findings)
    remarks = counted(len(findings) - problem_count, "remark")
    click.echo(f"{counted(problem_count, 'problem')}, {remarks}.")
    return EXIT_FOUND if problem_count else 0


def _score(
    rows: Sequence[Row], profile: Profile, log: Path
) -> tuple[list[bytes], dict[str, ScoredRow]]:
    """The run of the folder as it is: its lines, and what they say by id; nobody else is asked."""
    scorer = Scorer(asking_nobody(profile))
    results = score_log(iter(rows), scorer, processes=core_count(), alone=ALONE)
    lines = [scored.line(row.id) for row, scored, _ in tracked(results, "Scoring", str(log))]
    written = map(json.loads, lines)
    return lines, {str(row["id"]): ScoredRow.from_mapping(row) for row in written}


def _compare(before: dict[str, ScoredRow], run: dict[str, ScoredRow], *, most: int) -> None:
    every = moved.moved(before, run)
    new, gone = len(run.keys() - before), len(before.keys() - run)
    others = [f"{new} are new"] * bool(new) + [f"{gone} are gone"] * bool(gone)
    are = "is" if len(every) == 1 else "are"
    click.echo(
        f"{len(every)} of {counted(len(run) - new, 'answer')} {are} scored otherwise"
        f"{'; ' * bool(others)}{' and '.join(others)}."
    )
    for change in every[:most]:
        _show(change)
    if len(every) > most:
        click.echo(f"\n… and {len(every) - most} more, which moved less; --all shows them.")


def _show(change: Moved) -> None:
    was, now = change.before, change.now
    same = _score_of(was.score) == _score_of(now.score)
    parts = [f"still {_score_of(now.score)}"] if same else []
    parts += [] if same else [f"{_score_of(was.score)} became {_score_of(now.score)}"]
    parts += [f"{was.verdict} became {now.verdict}"] * (was.verdict != now.verdict)
    if was.message_type != now.message_type:
        parts.append(f"message type {was.message_type} became {now.message_type}")
    click.echo(f"\n{clean(change.id)}: {', '.join(parts)}")
    click.echo(f"  before: {brief(clean(why(was.explanation)), _WHY_CHARS)}")
    click.echo(f"  now:    {brief(clean(why(now.explanation)), _WHY_CHARS)}")


def _score_of(score: float | None) -> str:
    return "no score" if score is None else decimal(score, None, 2)
