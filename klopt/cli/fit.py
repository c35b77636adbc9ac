"""``klopt fit``."""

from __future__ import annotations

import dataclasses
import hashlib
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Final

import click

from klopt.batch.output import whole_file
from klopt.cli import options
from klopt.cli.fields import read_log
from klopt.cli.options import (
    argument,
    as_command,
    check_language,
    option,
    output_to,
    refuse_overwriting,
)
from klopt.cli.scoring import ScoringOptions
from klopt.cli.terminal import tell, tracked, warn
from klopt.errors import InputError
from klopt.evaluation.agreement import Difference
from klopt.evaluation.rated import is_rated
from klopt.extras import needs
from klopt.records import Turn
from klopt.scoring.profile import Profile, source_of
from klopt.scoring.scorer import Scorer
from klopt.tuning import fitting
from klopt.tuning.fitting import FitSettings
from klopt.tuning.held_out import compared, differences, figures, sent_lines
from klopt.tuning.lines import DrawnLines, line_by_risk
from klopt.tuning.samples import Sample
from klopt.tuning.samples import samples as samples_of
from klopt.version import VERSION

with needs("evaluate", "klopt fit needs scipy and tomlkit"):
    import scipy  # noqa: F401 - said before anything is measured

    from klopt.tuning.profile_file import extension, to_toml

_TERMS: Final = "company_specific_terms"
_BECOMES: Final[Mapping[fitting.Weights, str]] = {
    "near": "Weights near those of",
    "anew": "Weights learnt anew, the heuristics those of",
    "kept": "Weights those of",
}


@as_command(
    "fit",
    "klopt fit rated.jsonl --pages help/ -o ours.toml. Then: "
    "klopt evaluate others.jsonl --pages help/ --profile ours.toml --against default",
)
def command(
    *,
    rated: Annotated[str, argument("RATED")],
    pages: options.Pages,
    output: Path = output_to("The profile file to write; it appears when it is whole."),
    profile: str = option(
        "The profile to start from: its tree, heuristics and languages.",
        default="default",
        metavar="NAME",
    ),
    terms: options.Terms,
    language: options.Language,
    names: options.Names,
    weights: fitting.Weights = option(
        "What becomes of the profile's own: near leaves them as far as the answers show, so that a "
        "few change little; anew forgets them; kept keeps them, to draw a line alone.",
        default="near",
    ),
    folds: int = option(
        "How many parts of the answers are held out, one after the other.",
        type=click.IntRange(2, 100),
        default=10,
    ),
    untrue_share: float | None = option(
        "Send from the lowest score at which at most this share of the held-out answers that are "
        "sent is untrue.",
        "--untrue-sent",
        type=options.Number(0.01, 0.5),
    ),
) -> None:
    """Learn a profile from RATED answers.

    RATED is a chat log whose rows also have a rating (1 to 5) or a label (0 or 1). Each language
    is learnt by itself: those that have at least 20 judged answers.

    Weights are never negative: more support never lowers a score. The figures are of answers
    that were held out, with all answers on one page held out together.
    """
    if weights == "kept" and untrue_share is None:
        raise click.UsageError("--weights kept learns a line alone: give --untrue-sent too.")
    scoring = ScoringOptions(pages=pages, terms=terms, language=language, names=names)
    settings = FitSettings(folds=folds, weights=weights)
    start, source = Profile.load(profile), source_of(profile)
    fitting.check_profile(start)
    started_from = [part.name for part in source.chain if part.folder is not None]
    refuse_overwriting("-o", output, "what the profile starts from", started_from)
    with whole_file(output) as file:
        scorer = Scorer(fitting.measuring(start), all_types=True, terms=terms)
        check_language(language, scorer)
        log = read_log(scoring.rows(rated), rated, names)
        turns = [turn for turn in log.turns if is_rated(turn)]
        samples, unscored = _measured(turns, scorer)
        learnt = fitting.fit(samples, start, settings)
        scores = fitting.held_out_scores(samples, start, settings)
        if untrue_share is not None:
            learnt = dataclasses.replace(learnt, lines=_lines(samples, scores, untrue_share, start))
        held_out = figures(samples, scores, start.send_from)
        beside = differences(samples, scores, start)
        if weights != "kept":
            for code, lines in held_out.items():
                lines.append(compared(beside[code], start.name))
        line = start.send_from if learnt.lines is None else learnt.lines.send_from
        sends = sent_lines(samples, scores, start, line)
        head = _head(rated, turns, settings, start)
        for code, lines in held_out.items():
            head += [f"Held out, {code}:", *(f"  {line}" for line in lines)]
        base = source.text
        if source.folder is not None:
            base = extension(source, output.parent)
        text = to_toml(base, learnt, languages=tuple(held_out), name=output.stem, head=head + sends)
        Profile.read(text, where=str(output), folder=output.parent)
        file.write(text)
    _report(learnt, held_out)
    for sent in sends:
        click.echo(sent)
    _warn_of_worse(beside, start)
    if terms and _TERMS not in fitting.weighed(start):
        warn(
            f'profile "{start.name}" does not weigh {_TERMS}, so --terms moves no score; name it '
            "in [heuristics] and in the last node of the tree"
        )
    if unscored:
        reason = unscored.most_common(1)[0][0]
        warn(f"{unscored.total()} judged answers were left out, most often because {reason}")
    tell(f"Written to {output}")


def _measured(turns: list[Turn], scorer: Scorer) -> tuple[list[Sample], Counter[str]]:
    """The turns to learn from, and why others could not be scored.

    Where a language has enough of them, those that have too few are left out.
    """
    every = tracked(turns, "Measuring what people judged")
    measured = [(turn, scorer.score(turn, measure_all=True)) for turn in every]
    samples = samples_of(measured)
    reasons = Counter(str(scored.reason) for _, scored in measured if scored.score is None)
    if not samples:
        raise InputError(
            f"none of the {len(turns)} answers could be scored, most often because "
            f"{reasons.most_common(1)[0][0]}"
        )
    counts = Counter(sample.language for sample in samples)
    few = {code for code, count in counts.items() if count < fitting.FEWEST_SAMPLES}
    if len(few) == len(counts):
        return samples, reasons
    for code in sorted(few):
        warn(
            f"{counts[code]} judged answers in language {code} are too few to learn from "
            f"({fitting.FEWEST_SAMPLES} are the least); [evidence.{code}] stays as it is"
        )
    return [sample for sample in samples if sample.language not in few], reasons


def _lines(
    samples: list[Sample], scores: list[float | None], untrue_share: float, start: Profile
) -> DrawnLines | None:
    """The lines of that risk; a word, and None, where there are none."""
    scored = [(sample, at) for sample, at in zip(samples, scores, strict=True) if at is not None]
    line = line_by_risk(scored, untrue_share)
    if line is None:
        warn(
            f"no line sends ten of these answers with at most {untrue_share:.0%} of them untrue, "
            f"so send_from stays {start.send_from:g}: rate more answers, or allow more"
        )
        return None
    return DrawnLines(min(start.block_below, line), line)


def _head(rated: str, turns: list[Turn], settings: FitSettings, start: Profile) -> list[str]:
    """What the profile was learnt from."""
    digest = hashlib.sha256()
    for turn in turns:
        judged = turn.rating if turn.rating is not None else turn.label
        for part in (turn.question, turn.answer, *(page.text for page in turn.pages), str(judged)):
            digest.update(part.encode("utf-8", "surrogatepass") + b"\0")
    return [
        f"Learnt by klopt {VERSION} fit, {settings.folds} folds, from:",
        f"  {len(turns)} judged answers ({Path(rated).name}, SHA-256 {digest.hexdigest()[:16]})",
        f"{_BECOMES[settings.weights]} {start.name}.",
    ]


def _report(learnt: fitting.LearntWeights, held_out: Mapping[str, list[str]]) -> None:
    """Prints what counts, and how right it is."""
    for language, lines in held_out.items():
        click.echo(f"On answers that were held out, {language}:")
        for line in lines:
            click.echo(f"  {line}")
        click.echo("What counts, by weight:")
        terms = learnt.evidence[language].terms
        for heuristic in sorted(terms, key=lambda name: -terms[name].weight):
            click.echo(f"  {heuristic:<24} {terms[heuristic].weight:6.2f}")
        if idle := learnt.idle[language]:
            click.echo(f"Measured, and worth no weight beside these: {', '.join(idle)}.")


def _warn_of_worse(beside: Mapping[str, Difference], start: Profile) -> None:
    """Says where what was learnt orders answers less well than the profile did before."""
    for language, difference in beside.items():
        estimate = difference.estimate
        if estimate.value is not None and estimate.value < 0:
            warn(
                f"held out, what was learnt in {language} orders {estimate.n} answers less "
                f'well than "{start.name}" does (Spearman {difference.first:.2f} against '
                f"{difference.second:.2f}): keep its weights (--weights kept) and learn a line "
                "alone (--untrue-sent 0.1), or rate more answers"
            )
