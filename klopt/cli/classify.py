"""``klopt classify``."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import click

from klopt.cli import EXIT_BAD_INPUT, options
from klopt.cli.options import as_command, option
from klopt.cli.scoring import ScoringOptions, TranslationOptions
from klopt.cli.terminal import give, ids, warn
from klopt.logs.scoring import NO_TYPE, classified
from klopt.types import Turn


@as_command("classify", 'klopt classify -m "Hoe voeg ik een printer toe?"')
def command(
    *,
    file: options.FileOrNone,
    message: str | None = option("A question instead of FILE.", "-m", "--message"),
    profile: options.ProfileName,
    language: options.Language,
    names: options.Names,
    translating: TranslationOptions,
    form: options.Format,
) -> int:
    """Classify questions by message type, and show which pattern decided.

    Types: error, binary, instruction, reasoning, action, unspecified, general. With --translate,
    klopt classifies the translation of a question in a language without lexicons.
    """
    if (file is None) == (message is None):
        raise click.UsageError("Give either a FILE or a question with -m.")
    scoring = ScoringOptions(profile=profile, language=language, names=names)
    failed: list[str] = []
    with ExitStack() as stack:
        scorer = scoring.scorer(translating, stack)

        def typed() -> Iterator[dict[str, Any]]:
            if file is None:
                yield classified(Turn(message or "", "", id="message", language=language), scorer)
                return
            for row in scoring.rows(file, with_contexts=False, needed=("question",)):
                if row.turn is not None:
                    yield classified(row.turn, scorer)
                    continue
                failed.append(row.problem or "")
                warn(failed[-1])
                yield {"id": row.id, **NO_TYPE, "reason": failed[-1]}

        def cells(row: dict[str, Any]) -> tuple[str, ...]:
            why = row["text"] or row.get("reason") or ""
            return row["id"], row["message_type"] or "–", row["pattern"] or "", why

        columns = (ids(), "message_type", "pattern", "decided by")
        give(typed(), columns, cells, dict, form=form)
    return EXIT_BAD_INPUT if failed else 0
