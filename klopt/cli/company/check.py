"""``klopt company check``: what is wrong with the folder, and what it changed in the scores."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import click

from klopt.batch.cores import ALONE, score_log
from klopt.batch.output import whole_binary
from klopt.batch.rows import Row
from klopt.cli.company.folder import Folder, Log, answers_in, log_of
from klopt.cli.options import NEW_FILE, as_command, option
from klopt.cli.terminal import bar, counted, line_count, stoppable
from klopt.company import lints, moved
from klopt.company.folder import Company, held
from klopt.company.lints import Finding
from klopt.company.mending import mend
from klopt.company.moved import Answer, Moved, read_run
from klopt.evaluation.agreement import spearman, spearman_difference
from klopt.evaluation.rated import truth
from klopt.processes import core_count
from klopt.records import Turn
from klopt.report.view import clean
from klopt.scoring.explanation import decimal
from klopt.scoring.profile import Profile
from klopt.scoring.scorer import Scorer

EXIT_FOUND: Final = 1
_MOST_SHOWN: Final = 10
_MOST_ALIKE: Final = 8
_WHY_CHARS: Final = 160


@as_command("check", "klopt company check acme/ --log chats.jsonl")
def command(
    *,
    folder: Folder,
    log: Log,
    fix: bool = option("First sort lists, and drop what stands twice or is there no more."),
    against: Path | None = option(
        "Hold the scores against this run, as `klopt score -o OUT` writes it, instead of the last "
        "accepted one.",
        type=NEW_FILE,
        metavar="OUT",
    ),
    accept: bool = option("Keep this run as the accepted one."),
    every: bool = option("Show every finding, and every answer.", "--all"),
) -> int:
    """Say what is wrong with a company's FOLDER, and what it changed in the scores.

    Looks for keys that klopt does not know, files that nothing reads, entries that stand twice,
    and that klopt has already; tries every pattern on its examples.

    With a log, and a run that was accepted, it says which answers are scored otherwise. The log
    is that of --log, or of company.toml, or the answers in rated.jsonl.

    Exit code 1 when there are problems; remarks alone are no problem.
    """
    problems = lints.broken(folder)
    if fix:
        with held(folder):
            mended = [(path, done) for path in lints.lexicon_files(folder) for done in mend(path)]
        for path, done in mended:
            click.echo(clean(f"{path}: {done}"))
        problems = lints.broken(folder)
    if problems:
        return _end(problems, every=every)
    company = Company.open(folder)
    log = log_of(company, log)
    accepted = against or company.accepted
    before = read_run(accepted) if against is not None or accepted.is_file() else None
    pages = company.pages()
    rows = [] if log is None else answers_in(log, pages)
    turns = [row.turn for row in rows if row.turn is not None]
    profile = company.load()
    found = lints.lints(company, profile)
    if log is None:
        click.echo("No log: --log chats.jsonl shows what the folder does to answers.", err=True)
        return _end(found, every=every)
    lines, run = _score(rows, profile, log)
    scores = [one.score for one in run.values()]
    for path in lints.profiles(company.path):
        found += lints.unsent(path, Profile.load(path), scores)
    status = _end(found, every=every)
    if before is not None:
        click.echo(f"\nBeside {accepted}: ", nl=False)
        _compare(before, run, turns, most=len(run) if every else _MOST_SHOWN)
    elif not accept:
        click.echo(f"No run was accepted yet: --accept keeps this one in {company.accepted}.")
    if accept:
        with held(company.path), whole_binary(company.accepted) as file:
            file.writelines(lines)
        click.echo(f"Accepted: {counted(len(lines), 'answer')}, in {company.accepted}.")
    return status


def _end(found: Sequence[Finding], *, every: bool) -> int:
    for line in lints.folded(found, len(found) if every else _MOST_ALIKE):
        click.echo(clean(line))
    problem_count = sum(one.is_problem for one in found)
    remarks = counted(len(found) - problem_count, "remark")
    click.echo(f"{counted(problem_count, 'problem')}, {remarks}.")
    return EXIT_FOUND if problem_count else 0


def _score(
    rows: Sequence[Row], profile: Profile, log: Path
) -> tuple[list[bytes], dict[str, Answer]]:
    """The run of the folder as it is: its lines, and what they say by id; nobody else is asked."""
    scorer = Scorer(replace(profile, opinion=None, translate=None))
    lines: list[bytes] = []
    with bar("Scoring", line_count(str(log))) as advance:
        results = score_log(iter(rows), scorer, processes=core_count(), alone=ALONE)
        for row, scored, _ in stoppable(results):
            lines.append(scored.line(row.id))
            advance()
    found = map(json.loads, lines)
    return lines, {str(row["id"]): Answer.of(row) for row in found}


def _compare(
    before: dict[str, Answer], run: dict[str, Answer], turns: Sequence[Turn], *, most: int
) -> None:
    every = moved.moved(before, run)
    shared = [name for name in run if name in before]
    click.echo(
        f"{len(every)} of {counted(len(shared), 'answer')} "
        f"{'is' if len(every) == 1 else 'are'} scored otherwise"
        + _others(len(run) - len(shared), len(before) - len(shared))
    )
    for one in every[:most]:
        _show(one)
    if len(every) > most:
        click.echo(f"\n… and {len(every) - most} more, which moved less; --all shows them.")
    if every:
        _agreement([turn for turn in turns if turn.id in before], before, run)


def _others(new: int, gone: int) -> str:
    parts = [f"{new} are new"] * bool(new) + [f"{gone} are gone"] * bool(gone)
    return f"; {' and '.join(parts)}." if parts else "."


def _show(one: Moved) -> None:
    was, now = one.before, one.now
    same = _score_of(was.score) == _score_of(now.score)
    parts = [f"still {_score_of(now.score)}"] if same else []
    parts += [] if same else [f"{_score_of(was.score)} became {_score_of(now.score)}"]
    parts += [f"{was.verdict} became {now.verdict}"] * (was.verdict != now.verdict)
    if was.message_type != now.message_type:
        parts.append(f"message type {was.message_type} became {now.message_type}")
    click.echo(f"\n{clean(one.id)}: {', '.join(parts)}")
    click.echo(f"  before: {_short(was.why)}")
    click.echo(f"  now:    {_short(now.why)}")


def _score_of(score: float | None) -> str:
    return "no score" if score is None else decimal(score, None, 2)


def _short(text: str) -> str:
    text = clean(text)
    return text if len(text) <= _WHY_CHARS else f"{text[:_WHY_CHARS].rstrip()}…"


def _agreement(turns: Sequence[Turn], before: dict[str, Answer], now: dict[str, Answer]) -> None:
    """How well the scores agree with the ratings, before and after."""
    rows = [
        (was, is_now, turn.rating)
        for turn in turns
        if turn.rating is not None
        and (was := before[turn.id].score) is not None
        and (is_now := now[turn.id].score) is not None
    ]
    if not rows:
        return
    first, second, ratings = (list(column) for column in zip(*rows, strict=True))
    was_rho, rho = spearman(first, ratings), spearman(second, ratings)
    if rho.value is None or was_rho.value is None:
        return
    step = spearman_difference(second, first, ratings).estimate
    between = (
        f", 95% sure between {step.low:+.2f} and {step.high:+.2f}" if step.low is not None else ""
    )
    click.echo(
        f"\nOn {counted(len(rows), 'rated answer')}: the scores follow the ratings "
        f"(rank correlation, 1 is fully) by {was_rho.value:.2f} before and "
        f"{rho.value:.2f} now ({step.value:+.2f}{between})."
    )
    for said, run in (("before", before), ("now", now)):
        sent = [truth(turn) for turn in turns if run[turn.id].verdict == "send"]
        click.echo(
            f"  {said}: {sent.count(True)} true and {sent.count(False)} untrue answers are sent"
        )
    click.echo(
        "If you chose entries by looking at these answers, other answers will show less of it."
    )
