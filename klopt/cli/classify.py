"""``klopt classify``."""

from __future__ import annotations

from contextlib import ExitStack

import click

from klopt.batch.classified import NO_TYPE, classified
from klopt.batch.output import write_rows
from klopt.cli import EXIT_BAD_INPUT
from klopt.cli.options import LANGUAGE, MAP, PROFILE, gathered, warn
from klopt.cli.terminal import Screen, id_column, plain_table, shown
from klopt.cli.translations import ScoringOptions, TranslationOptions, translation_options
from klopt.records import Turn


@click.command("classify", epilog='Example: klopt classify -m "Hoe voeg ik een printer toe?"')
@click.argument("file", metavar="[FILE]", required=False)
@click.option("-m", "--message", help="One message instead of a file.")
@gathered(ScoringOptions, (PROFILE, LANGUAGE, MAP))
@translation_options
def command(
    translating: TranslationOptions,
    scoring: ScoringOptions,
    file: str | None,
    message: str | None,
) -> int:
    """Say what type of message each question is, and which pattern decided.

    Types: error, binary, instruction, reasoning, action, unspecified, general. With --translate,
    a question in a language without tables is classified in translation.
    """
    if (file is None) == (message is None):
        raise click.UsageError("Give either a FILE or one message with -m.")
    found = []
    failed = False
    with ExitStack() as stack:
        scorer = scoring.scorer(translating, stack)
        if message is not None:
            found.append(
                classified(Turn(message, "", id="message", language=scoring.language), scorer)
            )
        else:
            for row in scoring.rows(file or "", with_contexts=False):
                if row.turn is None:
                    warn(row.problem or "")
                    failed = True
                    found.append({"id": row.id, **NO_TYPE, "reason": row.problem or ""})
                else:
                    found.append(classified(row.turn, scorer))
    console = Screen()
    if console.is_terminal:
        table = plain_table(id_column(), "message_type", "pattern", "decided by")
        for one in found:
            decided = one["text"] or one.get("reason") or ""
            cells = (one["id"], one["message_type"] or "–", one["pattern"] or "", decided)
            table.add_row(*map(shown, cells))
        console.print(table)
    else:
        write_rows(found, None)
    return EXIT_BAD_INPUT if failed else 0
