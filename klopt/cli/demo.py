"""``klopt demo``."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from typing import Final

import click
from rich.console import Console

from klopt.batch.output import write_rows
from klopt.batch.pages import read_pages
from klopt.batch.rows import Row, read_rows, score_rows
from klopt.cli.options import warn
from klopt.cli.score import Tally, show_table
from klopt.scoring.assessment import Assessment
from klopt.scoring.scorer import Scorer

_FOLDER: Final = Path(str(resources.files("klopt.data").joinpath("demo")))


@click.command("demo", epilog="Example: klopt demo --profile afas")
@click.option("--profile", default="default", help="default, afas or a file.")
@click.option("--json", "as_json", is_flag=True, help="JSON lines instead of a table.")
def command(profile: str, as_json: bool) -> int:
    """Score the chat log of the demo company, and show it beside a person's ratings.

    The company, its help centre in Dutch and English, and the chat log are made up and come
    with klopt; nothing is downloaded.
    """
    scorer = Scorer.load(profile, terms=demo_terms())
    tally = Tally()
    results = tally.count(score_rows(demo_rows(), scorer, warn))
    if as_json:
        write_rows((one.to_dict() for _, one in results), None)
        return 0
    console = Console(highlight=False)
    scored = list(results)
    show_table(scored, console)
    console.print(f"\n{tally.summary()} A person's rating stands under 'rated'.")
    console.print(_beside_person(scored))
    console.print("One answer in full: klopt explain --demo --id demo-027")
    return 0


def _beside_person(results: list[tuple[Row, Assessment]]) -> str:
    """How often klopt and the person agree, the good and the bad."""
    rated = [(row.turn.rating, one) for row, one in results if row.turn is not None]
    untrue, true = (
        [one.verdict == "send" for given, one in rated if given == rating and one.score is not None]
        for rating in (1, 5)
    )
    return (
        f"Of {len(untrue)} answers that a person rated 1, {sum(untrue)} would be sent; of "
        f"{len(true)} rated 5, {sum(true)}. The rest is held back or reviewed."
    )


def demo_terms() -> tuple[Path, ...]:
    """The company terms learnt from the demo company's pages."""
    return tuple(sorted(_FOLDER.glob("terms-*.toml")))


def demo_rows() -> Iterator[Row]:
    """The demo company's chat log; each turn's contexts are pages in its own language."""
    pages = {language: read_pages(_FOLDER / "pages" / language) for language in ("nl", "en")}
    log = str(_FOLDER / "turns.jsonl")
    readers = (read_rows(log, pages=own) for own in pages.values())
    for dutch, english in zip(*readers, strict=True):
        is_english = english.turn is not None and english.turn.language == "en"
        yield english if is_english else dutch
