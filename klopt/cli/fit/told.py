"""What ``klopt fit`` tells of what it learnt: in the head of the file, and on the terminal."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import click

from klopt.cli.options import warn
from klopt.evaluation.agreement import Difference
from klopt.lexicons import read_lexicon
from klopt.records import Turn
from klopt.scoring.profile import Profile
from klopt.scoring.tree import condition
from klopt.tuning.fitting import Learnt, Settings, Weights, changed_cuts, weighed
from klopt.version import VERSION

_TERMS: Final = "company_specific_terms"
_BECOMES: Final[Mapping[Weights, str]] = {
    "near": "Weights near those of",
    "anew": "Weights learnt anew, the heuristics those of",
    "kept": "Weights those of",
}


def head(rated: str, turns: list[Turn], settings: Settings, start: Profile) -> list[str]:
    """What the profile was learnt from."""
    lines = [
        f"Learnt by klopt {VERSION} fit, seed {settings.seed}, {settings.folds} folds, from:",
        f"  {len(turns)} judged answers ({Path(rated).name}, {_digest(turns)})",
    ]
    if not settings.only:
        lines.append(f"{_BECOMES[settings.weights]} {start.name}.")
    if settings.held_back_share is not None:
        share = f"{settings.held_back_share:.0%}"
        lines.append(f"At most {share} of the highest rated may fall below {start.send_from:g}.")
    if settings.only:
        lines.append(f"Only the weights of {', '.join(settings.only)} were learnt.")
    return lines


def _digest(turns: list[Turn]) -> str:
    digest = hashlib.sha256()
    for turn in turns:
        said = turn.rating if turn.rating is not None else turn.label
        for part in (turn.question, turn.answer, *(page.text for page in turn.pages), str(said)):
            digest.update(part.encode("utf-8", "surrogatepass") + b"\0")
    return f"SHA-256 {digest.hexdigest()[:16]}"


def report(learnt: Learnt, start: Profile, held_out: dict[str, list[str]]) -> None:
    """Prints what counts, how right it is, and which nodes moved."""
    for language, lines in held_out.items():
        click.echo(f"On answers that were held out, {language}:")
        for line in lines:
            click.echo(f"  {line}")
        click.echo("What counts, by weight:")
        terms = learnt.evidence[language].terms.items()
        for heuristic, term in sorted(terms, key=lambda one: -one[1].weight):
            click.echo(f"  {heuristic:<24} {term.weight:6.2f}")
        if idle := learnt.idle[language]:
            click.echo(f"Measured, and worth no weight beside these: {', '.join(idle)}.")
    for before, after in changed_cuts(start.tree, learnt.tree):
        moved = "comes no closer to the ratings than the weights do, so it is gone"
        if after is not None:
            moved = f"decides at {condition(after)}, with score {after.score:g}"
        click.echo(f"Node {before.node}: {moved}.")


def warn_of_terms(files: Sequence[Path], learnt: Learnt, start: Profile) -> None:
    """Says where company terms were given and move no score."""
    given = {read_lexicon(file).language for file in files}
    if files and _TERMS not in weighed(start):
        warn(
            f'profile "{start.name}" does not weigh {_TERMS}, so --terms moves no score; name it '
            "in [heuristics] and in the last node of the tree"
        )
        return
    for language in sorted(given - learnt.idle.keys()):
        warn(f"--terms in {language} were of no use: no answers in {language} were learnt from")
    for language, idle in learnt.idle.items():
        if _TERMS in idle:
            warn(
                f"the company terms in {language} have no weight: answers with them were no truer "
                "than others, as far as the other measurements do not say so already. They move no "
                "score. Leave them out, or learn again with more judged answers"
            )


def warn_of_worse(beside: Mapping[str, Difference], start: Profile) -> None:
    """Says where what was learnt orders answers less well than the profile did before."""
    for language, one in beside.items():
        if one.estimate.value is not None and one.estimate.value < 0:
            warn(
                f"held out, what was learnt in {language} orders {one.estimate.n} answers less "
                f'well than "{start.name}" does (Spearman {one.first:.2f} against '
                f"{one.second:.2f}): keep its weights (--weights kept) and learn a line alone "
                "(--untrue-sent 0.1), or rate more answers"
            )
