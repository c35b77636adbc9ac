"""``klopt classify``."""

from __future__ import annotations

from contextlib import ExitStack
from typing import Any, Final

import click

from klopt.batch.output import write_rows
from klopt.cli import EXIT_BAD_INPUT
from klopt.cli.options import LANGUAGE, MAP, PROFILE, gathered, warn
from klopt.cli.terminal import Screen, id_column, plain_table, shown
from klopt.cli.translations import ScoringOptions, TranslationOptions, translation_options
from klopt.errors import PatternTimeoutError, RecordError, TranslationError, UnknownLanguageError
from klopt.records import Turn
from klopt.scoring.scorer import Scorer

_NOTHING: Final = {"message_type": None, "pattern": None, "span": None, "text": None}


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
                _classify(Turn(message, "", id="message", language=scoring.language), scorer)
            )
        else:
            for row in scoring.rows(file or "", with_contexts=False):
                if row.turn is None:
                    warn(row.problem or "")
                    failed = True
                    found.append({"id": row.id, **_NOTHING, "reason": row.problem or ""})
                else:
                    found.append(_classify(row.turn, scorer))
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


def _classify(turn: Turn, scorer: Scorer) -> dict[str, Any]:
    """The row of output; the type in the log, if any, is not looked at."""
    try:
        found, span = scorer.classify(Turn(turn.question, "", language=turn.language))
    except (PatternTimeoutError, RecordError, TranslationError, UnknownLanguageError) as error:
        return {"id": turn.id, **_NOTHING, "reason": str(error)}
    return {
        "id": turn.id,
        "message_type": found.message_type,
        "pattern": found.pattern,
        "span": None if span is None else list(span),
        "text": None if span is None else turn.question[span[0] : span[1]],
    }
