"""``klopt classify``."""

from __future__ import annotations

from contextlib import ExitStack

import click

from klopt.batch.cores import NO_TYPE, classified
from klopt.batch.output import write_rows
from klopt.cli import EXIT_BAD_INPUT
from klopt.cli.options import FileOrNone, Language, Names, ProfileName, as_command, option, warn
from klopt.cli.terminal import Screen, ids, table
from klopt.cli.translations import ScoringOptions, TranslationOptions
from klopt.records import Turn


@as_command("classify", 'klopt classify -m "Hoe voeg ik een printer toe?"')
def command(
    *,
    file: FileOrNone,
    message: str | None = option("One message instead of a file.", "-m", "--message"),
    profile: ProfileName,
    language: Language,
    names: Names,
    translating: TranslationOptions,
) -> int:
    """Say what type of message each question is, and which pattern decided.

    Types: error, binary, instruction, reasoning, action, unspecified, general. With --translate,
    a question in a language without tables is classified in translation.
    """
    if (file is None) == (message is None):
        raise click.UsageError("Give either a FILE or one message with -m.")
    scoring = ScoringOptions(profile=profile, language=language, names=names)
    rows = []
    failed = False
    with ExitStack() as stack:
        scorer = scoring.scorer(translating, stack)
        if message is not None:
            rows.append(classified(Turn(message, "", id="message", language=language), scorer))
        for row in [] if file is None else scoring.rows(file, with_contexts=False):
            if row.turn is not None:
                rows.append(classified(row.turn, scorer))
                continue
            failed = True
            warn(row.problem or "")
            rows.append({"id": row.id, **NO_TYPE, "reason": row.problem or ""})
    console = Screen()
    if console.is_looked_at():
        told = ((row, row["text"] or row.get("reason") or "") for row in rows)
        cells = (
            (row["id"], row["message_type"] or "–", row["pattern"] or "", decided_by)
            for row, decided_by in told
        )
        console.print(table([ids(), "message_type", "pattern", "decided by"], cells))
    else:
        write_rows(rows, None)
    return EXIT_BAD_INPUT if failed else 0
