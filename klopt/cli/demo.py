"""``klopt demo``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from klopt.cli import options
from klopt.cli.explain import Explained, sentences_of
from klopt.cli.options import as_command
from klopt.cli.score import show_table
from klopt.cli.scoring import demo_rows, demo_terms
from klopt.cli.terminal import Screen, warn, write
from klopt.evaluation.rated import TRUE_FROM, UNTRUE_TO
from klopt.logs.rows import with_warnings
from klopt.logs.scoring import Tally, score_rows
from klopt.scoring.assessment import Assessment
from klopt.scoring.scorer import Scorer
from klopt.types import Turn

Scored = tuple[Turn, Assessment]
_FITTING: Final = {"block": 1, "review": 3, "send": 5}  # The rating that matches a verdict
_NEXT: Final = """\
Next:
  klopt explain --demo --id demo-027              another answer in full
  klopt score log.jsonl --pages help/             your own log and help pages
  klopt evaluate rated.jsonl -o report.html       compare with ratings"""


@as_command("demo", "klopt demo --profile afas")
def command(*, profile: options.ProfileName, form: options.Format) -> int:
    """Score the chat log of a fictional company, and compare the scores with a person's ratings.

    The log and the company's help pages, in Dutch and English, come with klopt.
    """
    scorer = Scorer.load(profile, terms=demo_terms())
    tally = Tally()
    results = tally.count(score_rows(with_warnings(demo_rows(), warn), scorer))
    console = Screen()
    if not console.has_tables(form):
        write((assessment.to_dict() for _, assessment in results), form)
        return 0
    scored = list(results)
    show_table(scored, console)
    console.print(f"\n{tally.summary()} A person gave the ratings.")
    rated = [(row.turn, found) for row, found in scored if row.turn is not None and found.score]
    console.print(_beside_person(rated))
    for turn, assessment in _examples(rated):
        console.print()
        console.rule(f"[dim]{assessment.id}: {assessment.verdict}", style="dim", align="left")
        Explained(turn, assessment, console).show()
    console.print()
    console.rule(style="dim")
    console.print(_NEXT, markup=False)
    return 0


def _examples(rated: Sequence[Scored]) -> Iterator[Scored]:
    """Yield an answer per verdict that agrees with the person, the clearest example first."""

    def key(pair: Scored) -> tuple[float, bool, bool, int]:
        turn, assessment = pair
        off = abs((turn.rating or 0) - _FITTING[assessment.verdict])
        is_plain = any(each.fault and each.rivals for each in assessment.claims)
        return off, not is_plain, not _has_evidence(turn, assessment), len(turn.answer)

    for verdict in _FITTING:
        yield from sorted((pair for pair in rated if pair[1].verdict == verdict), key=key)[:1]


def _has_evidence(turn: Turn, one: Assessment) -> bool:
    return any(each.note for each in sentences_of(turn, one))


def _beside_person(rated: Sequence[Scored]) -> str:
    untrue = [pair for pair in rated if (pair[0].rating or 0) <= UNTRUE_TO]
    true = [pair for pair in rated if (pair[0].rating or 0) >= TRUE_FROM]
    sent_count, true_count = (
        sum(found.verdict == "send" for _, found in some) for some in (untrue, true)
    )
    named_count = sum(_has_evidence(*pair) for pair in untrue)
    return (
        f"klopt sends {sent_count} of the {len(untrue)} answers that a person rated 1 or 2, and "
        f"{true_count} of the {len(true)} rated 4 or 5; the others it blocks or has reviewed. It "
        f"names a fault in {named_count} of the {len(untrue)} untrue answers."
    )
