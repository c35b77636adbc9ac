"""``klopt classify``."""

from __future__ import annotations

from contextlib import ExitStack

import click

from klopt.batch.classified import NO_TYPE, classified
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
    found = []
    failed = False
    with ExitStack() as stack:
        scorer = scoring.scorer(translating, stack)
        if message is not None:
            found.append(classified(Turn(message, "", id="message", language=language), scorer))
        else:
            for row in scoring.rows(file or "", with_contexts=False):
                if row.turn is None:
                    warn(row.problem or "")
                    failed = True
                    found.append({"id": row.id, **NO_TYPE, "reason": row.problem or ""})
                else:
                    found.append(classified(row.turn, scorer))
    console = Screen()
    if console.is_looked_at():
        cells = (
            (
                one["id"],
                one["message_type"] or "–",
                one["pattern"] or "",
                one["text"] or one.get("reason") or "",
            )
            for one in found
        )
        console.print(table([ids(), "message_type", "pattern", "decided by"], cells))
    else:
        write_rows(found, None)
    return EXIT_BAD_INPUT if failed else 0
