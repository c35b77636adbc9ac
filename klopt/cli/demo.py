"""``klopt demo``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import click

from klopt.batch.cores import score_rows
from klopt.batch.rows import told
from klopt.batch.tally import Tally
from klopt.cli import options
from klopt.cli.demo_log import demo_rows, demo_terms, other_rows
from klopt.cli.explain import in_sentences, show
from klopt.cli.options import as_command, option
from klopt.cli.score import show_table
from klopt.cli.terminal import Screen, warn, write
from klopt.evaluation.rated import TRUE_FROM, UNTRUE_TO
from klopt.records import Turn
from klopt.scoring.assessment import Assessment
from klopt.scoring.scorer import Scorer

Scored = tuple[Turn, Assessment]
OTHERS: Final = ("de", "fr")
"""Languages of answers over the demo company's Dutch pages."""
_FITTING: Final = {"block": 1, "review": 3, "send": 5}
"""The rating that goes with a verdict."""
_NEXT: Final = """\
Go on with:
  klopt explain --demo --id demo-027              another answer in full
  klopt score log.jsonl --pages help/             your own log and help pages
  klopt evaluate rated.jsonl --html report.html   beside ratings, as one page"""


@as_command("demo", "klopt demo --profile afas")
def command(
    *,
    profile: str = option("default, afas or a file.", default="default"),
    language: str | None = option(
        "Ten answers in German or French over the Dutch pages, read word for word.",
        type=click.Choice(sorted(OTHERS)),
    ),
    form: options.Format,
) -> int:
    """Score the chat log of the demo company, and show it beside a person's ratings.

    The company, its help centre in Dutch and English, and the chat log are made up and come
    with klopt; nothing is downloaded.
    """
    if language is None:
        rows, translate = demo_rows(), None
    else:
        from klopt.translation.word_for_word import word_for_word

        rows, translate = other_rows(language), word_for_word()
    scorer = Scorer.load(profile, terms=demo_terms(), translate=translate)
    tally = Tally()
    results = tally.count(score_rows(told(rows, warn), scorer))
    console = Screen()
    if not console.has_tables(form):
        write((assessment.to_dict() for _, assessment in results), form)
        return 0
    scored = list(results)
    show_table(scored, console)
    console.print(f"\n{tally.summary()} A person's rating stands under 'rated'.")
    rated = [
        (row.turn, assessment)
        for row, assessment in scored
        if row.turn is not None and assessment.score
    ]
    console.print(_beside_person(rated))
    for turn, assessment in _telling(rated):
        console.print()
        console.rule(f"[dim]{assessment.id}: {assessment.verdict}", style="dim", align="left")
        show(turn, assessment, console)
    console.print()
    console.rule(style="dim")
    console.print(_NEXT, markup=False)
    return 0


def _telling(rated: Sequence[Scored]) -> Iterator[Scored]:
    """An answer of each verdict that a person agrees with, the plainest fault and text first."""

    def key(pair: Scored) -> tuple[float, bool, bool, int]:
        turn, assessment = pair
        off = abs((turn.rating or 0) - _FITTING[assessment.verdict])
        is_plain = any(each.fault and each.rivals for each in assessment.statements)
        return off, not is_plain, not _names_a_fault(turn, assessment), len(turn.answer)

    for verdict in _FITTING:
        yield from sorted((pair for pair in rated if pair[1].verdict == verdict), key=key)[:1]


def _names_a_fault(turn: Turn, one: Assessment) -> bool:
    return any(each.said for each in in_sentences(turn, one))


def _beside_person(rated: Sequence[Scored]) -> str:
    """How often klopt and the person agree, the good and the bad."""
    untrue = [pair for pair in rated if (pair[0].rating or 0) <= UNTRUE_TO]
    true = [assessment for turn, assessment in rated if (turn.rating or 0) >= TRUE_FROM]
    sent_count, true_count = (
        sum(assessment.verdict == "send" for assessment in every)
        for every in ([x for _, x in untrue], true)
    )
    named_count = sum(_names_a_fault(*pair) for pair in untrue)
    return (
        f"Of {len(untrue)} answers that a person rated 1 or 2, {sent_count} would be sent; of "
        f"{len(true)} rated 4 or 5, {true_count}. The rest is held back or reviewed. klopt names "
        f"a fault in {named_count} of those {len(untrue)} untrue answers, and misses the others."
    )
