"""``klopt company check``: problems in a folder, and answers that score differently."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import islice
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
    no_log,
    warn_without_contexts,
)
from klopt.cli.fields import Readable
from klopt.cli.options import as_command, option
from klopt.cli.terminal import counted, next_steps, tell, tracked, warn
from klopt.company import lints
from klopt.company.folder import Company, held
from klopt.company.lints import Lint
from klopt.company.review.store import key_of
from klopt.errors import InputError, RecordError
from klopt.logs.json_rows import read_lines
from klopt.logs.rows import Row
from klopt.logs.scoring import ALONE, core_count, score_log
from klopt.report.scored import ScoredRow
from klopt.report.wording import brief, why
from klopt.scoring.explanation import decimal
from klopt.scoring.profile import Profile
from klopt.scoring.scorer import Scorer
from klopt.scoring.tree import DENIED
from klopt.types import clean


class ScoreChange(NamedTuple):
    """An answer with another score, verdict or message type than before."""

    id: str
    before: ScoredRow
    now: ScoredRow

    @property
    def has_other_verdict(self) -> bool:
        """Whether the verdict changed."""
        return self.before.verdict != self.now.verdict


def read_run(path: Path) -> tuple[dict[str, ScoredRow], dict[str, str]]:
    """Read a run that `klopt score -o` or `klopt company check --accept` wrote, by row id.

    Also returns the digest of question and answer of each row that has one: `--accept` writes it.
    """
    run, turns = {}, {}
    try:
        with path.open("rb") as file:
            for number, row, _ in read_lines(file, str(path)):
                fields = row if isinstance(row, dict) else {}
                try:
                    scored = ScoredRow.from_mapping(fields)
                except RecordError as error:
                    raise InputError(f"{path}, line {number}: {error}") from None
                run[scored.id] = scored
                if isinstance(turn := fields.get(_TURN), str):
                    turns[scored.id] = turn
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None
    return run, turns


def score_changes(
    before: Mapping[str, ScoredRow], now: Mapping[str, ScoredRow]
) -> list[ScoreChange]:
    """Return the answers of both runs that differ: changed verdicts first, then by difference."""

    def size(change: ScoreChange) -> tuple[bool, float]:
        was, now = change.before.score, change.now.score
        step = 5.0 if was is None or now is None else abs(was - now)
        return change.has_other_verdict, step

    both = (ScoreChange(name, before[name], row) for name, row in now.items() if name in before)
    changed = (one for one in both if _outcome(one.before) != _outcome(one.now))
    return sorted(changed, key=size, reverse=True)


def _outcome(row: ScoredRow) -> tuple[float | None, str, str | None]:
    return row.score, row.verdict, row.message_type


EXIT_FOUND: Final = 1
_TURN: Final = "turn"  # The field of an accepted row with the digest of its question and answer
_MAX_SHOWN: Final = 10
_MAX_IDS: Final = 4
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
    fail their examples. Then it scores the log, names the answers with a denied name, and compares
    with the accepted run.

    Exit code 1 if there are problems; remarks do not count. Exit code 3 if a row of the log could
    not be read; klopt uses the others.
    """
    if problems := lints.broken(folder, reads_log=log is None):
        status = _report(problems)
        tell(next_steps((["klopt", "company", "check", folder], "once you have corrected them")))
        return status
    company = Company.open(folder)
    log = log or company.log or (company.rated if company.rated.is_file() else None)
    pages, profile = company.pages(), company.load()
    found = lints.lints(company, profile)
    again = ["klopt", "company", "check", folder, *options.given(*READING)]
    if log is None:
        status = _report(found)
        if accept or against is not None:
            raise no_log(company)
        tell(next_steps(([*again, "--log", "LOG"], "see which scores change")))
        return status
    accepted = against or company.accepted
    has_before = against is not None or accepted.is_file()
    before, turns_before = read_run(accepted) if has_before else ({}, {})
    rows, unread_count = _answers(log, company_rows(company, log, pages, names, encoding))
    turns = {row.id: _digest(row) for row in rows}
    scored = replace(profile, opinion=None, translate=None)
    lines, run = _score(rows, turns, company_scorer(company, scored, pages), log)
    warn_without_contexts(company, (answer.reason_code for answer in run.values()))
    scores = [answer.score for answer in run.values()]
    scored_count = len(scores) - scores.count(None)
    if run and not scored_count:
        answers = counted(len(run), "answer")
        found.append(Lint(f"{log}: none of {answers} has a score, so klopt cannot compare runs"))
    loaded = {path: Profile.load(path) for path in lints.profiles(company.path)}
    found += lints.unreachable_thresholds(loaded, scores)
    status = _report(found) or (EXIT_BAD_INPUT if unread_count else 0)
    _show_denied(run)
    others = {name for name, turn in turns_before.items() if turns.get(name, turn) != turn}
    before, compared = ({k: v for k, v in own.items() if k not in others} for own in (before, run))
    changes = score_changes(before, compared)
    if has_before:
        click.echo(f"\nCompared with {accepted}: ", nl=False)
        _show_changes(before, compared, changes, len(others), every=every)
    if accept and (scored_count or not run):
        with held(company.path), whole_binary(company.accepted) as file:
            file.writelines(lines)
        click.echo(f"Accepted: {counted(len(lines), 'answer')}, in {company.accepted}.")
    if any(lint.is_problem for lint in found):
        tell(next_steps((again, "once you have corrected the lines above")))
    elif accept or (compared.keys() & before and not changes):
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


def _show_denied(run: Mapping[str, ScoredRow]) -> None:
    """Print which denied names the answers contain, those in most answers first."""
    found: dict[str, dict[str, str]] = {}
    for row in run.values():
        for evidence in row.measurements[DENIED].evidence if DENIED in row.measurements else ():
            found.setdefault(evidence.text.casefold(), {})[row.id] = evidence.text
    for ids in sorted(found.values(), key=len, reverse=True)[:_MAX_SHOWN]:
        listed = ", ".join(islice(ids, _MAX_IDS)) + (" …" if len(ids) > _MAX_IDS else "")
        name = next(iter(ids.values()))
        click.echo(clean(f"Denied: “{name}” is in {counted(len(ids), 'answer')}: {listed}."))


def _digest(row: Row) -> str:
    return "" if row.turn is None else key_of(row.id, row.turn.question, row.turn.answer)


def _score(
    rows: Sequence[Row], turns: Mapping[str, str], scorer: Scorer, log: Path
) -> tuple[list[bytes], dict[str, ScoredRow]]:
    """Return the lines of a scored log, and its rows by id."""
    results = score_log(iter(rows), scorer, processes=core_count(), alone=ALONE)
    lines = [
        scored.line({"id": row.id, _TURN: turns[row.id]})
        for row, scored, _ in tracked(results, "Scoring", str(log))
    ]
    written = map(json.loads, lines)
    return lines, {str(row["id"]): ScoredRow.from_mapping(row) for row in written}


def _show_changes(
    before: dict[str, ScoredRow],
    run: dict[str, ScoredRow],
    changes: Sequence[ScoreChange],
    other_count: int,
    *,
    every: bool,
) -> None:
    """Print how many answers changed; of those the changed verdicts, or else the largest."""
    ids = "id has" if other_count == 1 else "ids have"
    new, gone = len(run.keys() - before), len(before.keys() - run)
    parts = {"new": new, "gone": gone, f"{ids} another question or answer there": other_count}
    others = "".join(f"; {count} {what}" for what, count in parts.items() if count)
    if not run.keys() & before:
        click.echo(f"it has none of these answers{others}.")
        return
    score = "scores" if len(changes) == 1 else "score"
    answers = counted(len(run) - new, "answer")
    click.echo(f"{len(changes)} of {answers} {score} differently{others}.")
    alike: dict[tuple[object, ...], list[ScoreChange]] = {}
    for change in changes:
        key = tuple((*_outcome(row), row.explanation) for row in (change.before, change.now))
        alike.setdefault(key, []).append(change)
    groups = [*alike.values()]
    other_verdicts = sum(group[0].has_other_verdict for group in groups)
    most = len(groups) if every else min(_MAX_SHOWN, other_verdicts or len(groups))
    for group in groups[:most]:
        _show(group)
    if left := sum(map(len, groups[most:])):
        click.echo(f"\n… and {counted(left, 'smaller change')}; --all shows them.")


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
    reasons = [brief(clean(why(row.explanation)), _WHY_CHARS) for row in (was, now)]
    if reasons[0] != reasons[1]:
        click.echo("  before: {}\n  now:    {}".format(*reasons))


def _shown(score: float | None) -> str:
    return "no score" if score is None else decimal(score, None, 2)
