"""``klopt fit``."""

from __future__ import annotations

import dataclasses
import hashlib
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Final

import click

from klopt._internal.files import whole_file
from klopt._internal.imports import needs
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
from klopt.cli.terminal import next_steps, tell, tracked, warn
from klopt.errors import InputError
from klopt.evaluation.fitting import fitting
from klopt.evaluation.fitting.evidence_weights import Sample
from klopt.evaluation.fitting.evidence_weights import samples as samples_of
from klopt.evaluation.fitting.fitting import (
    FitSettings,
    FittedThresholds,
    extension,
    threshold_by_risk,
    to_toml,
)
from klopt.evaluation.fitting.held_out import (
    FEW_RATINGS,
    SentBeforeAndNow,
    compared,
    differences,
    figures,
    threshold_advice,
    weights_advice,
)
from klopt.evaluation.rated import MIN_SAMPLES, is_rated
from klopt.scoring.profile import Profile, source_of
from klopt.scoring.scorer import Scorer
from klopt.types import Turn
from klopt.version import VERSION

with needs("evaluate", "klopt fit needs scipy and tomlkit"):
    from klopt.company.folder import FILE as COMPANY_FILE

_TERMS: Final = "company_specific_terms"
_BECOMES: Final[Mapping[fitting.Weights, str]] = {
    "near": "Weights fitted near those of",
    "anew": "Weights fitted from scratch, with the heuristics of",
    "kept": "Weights of",
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
    output: Path = output_to("The profile file to write; it appears when it is complete."),
    profile: str = option(
        "The profile to start from: its tree, heuristics and languages.",
        default="default",
        metavar="NAME",
    ),
    terms: options.Terms,
    language: options.Language,
    names: options.Names,
    weights: fitting.Weights = option(
        "near: stay close to the profile's weights, the closer the fewer answers there are; anew: "
        "fit them from scratch; kept: keep them, to fit only a threshold.",
        default="near",
    ),
    folds: int = option(
        "Number of parts into which the answers are divided; each is held out once.",
        type=click.IntRange(2, 100),
        default=10,
    ),
    untrue_share: float | None = option(
        "Fit the threshold for sending: the lowest score at which at most this share of the sent "
        "held-out answers is untrue.",
        "--untrue-sent",
        type=options.Number(0.01, 0.5),
    ),
) -> None:
    """Fit a profile to RATED answers.

    RATED is a chat log whose rows also have a rating (1 to 5) or a label (0 or 1). klopt fits
    each language that has at least 20 of them.

    Weights are never negative: more support never lowers a score. The printed figures are those of
    held-out answers; all answers on one page are held out together.
    """
    if weights == "kept" and untrue_share is None:
        raise click.UsageError("--weights kept fits only a threshold: add --untrue-sent.")
    scoring = ScoringOptions(pages=pages, terms=terms, language=language, names=names)
    settings = FitSettings(folds=folds, weights=weights)
    start, source = Profile.load(profile), source_of(profile)
    fitting.check_profile(start)
    started_from = [part.name for part in source.chain if part.folder is not None]
    refuse_overwriting("-o", output, "the profile that fitting starts from", started_from)
    with whole_file(output) as file:
        scorer = Scorer(fitting.measuring(start), all_types=True, terms=terms)
        check_language(language, scorer)
        log = read_log(scoring.rows(rated), rated, names)
        turns = [turn for turn in log.turns if is_rated(turn)]
        samples, unscored = _measured(turns, scorer)
        fitted = fitting.fit(samples, start, settings)
        scores = fitting.held_out_scores(samples, start, settings)
        if untrue_share is not None:
            new = _thresholds(samples, scores, untrue_share, start)
            fitted = dataclasses.replace(fitted, thresholds=new)
        held_out = figures(samples, scores, start.send_from)
        beside = differences(samples, scores, start)
        if weights != "kept":
            for code, lines in held_out.items():
                lines.append(compared(beside[code], start.name))
        send_from = start.send_from if fitted.thresholds is None else fitted.thresholds.send_from
        counts = SentBeforeAndNow.of(samples, scores, start, send_from)
        if counts.now.total and not counts.now.count:
            raise InputError(
                f"no profile written: of {counts.now.total} held-out answers it would send none "
                f"from {send_from:g} ({start.name} sends {counts.before.count}); rate more "
                "answers, or fit only a threshold: --weights kept --untrue-sent 0.2"
            )
        sends = counts.lines(start, send_from)
        head = _head(rated, turns, settings, start)
        for code, lines in held_out.items():
            head += [f"Held out, {code}:", *(f"  {line}" for line in lines)]
        base = source.text
        if source.folder is not None:
            base = extension(source, output.parent)
        text = to_toml(base, fitted, languages=tuple(held_out), name=output.stem, head=head + sends)
        Profile.read(text, where=str(output), folder=output.parent)
        file.write(text)
    _report(fitted, held_out)
    for sent in sends:
        click.echo(sent)
    if weights == "kept":
        found = None if fitted.thresholds is None else fitted.thresholds.send_from
        advice = threshold_advice(counts, start, found)
    else:
        advice = weights_advice(beside, start.name)
    click.echo(f"Use {output.name}? {'Yes' if advice.use else 'No'}: {advice.reason}.")
    if len(samples) < FEW_RATINGS:
        click.echo(
            f"These figures are rough, because {len(samples)} ratings are few: rate at least "
            f"{FEW_RATINGS} answers."
        )
    if terms and _TERMS not in fitting.weighed(start):
        warn(
            f'profile "{start.name}" does not weigh {_TERMS}, so --terms changes no score; add it '
            "to [heuristics] and to the last node of the tree"
        )
    if unscored:
        reason = unscored.most_common(1)[0][0]
        warn(f"{unscored.total()} rated answers were left out, most often because {reason}")
    tell(f"Written to {output}.")
    options = ["--pages", pages] if pages is not None else []
    if advice.use:
        step = ["klopt", "score", "LOG", *options, "--profile", output], "score with it"
    elif weights != "kept":
        kept = ["--profile", profile, "--weights", "kept", "--untrue-sent", "0.1", "-o", output]
        step = ["klopt", "fit", rated, *options, *kept], "fit only a threshold"
    elif ((folder := Path(rated).parent) / COMPANY_FILE).is_file():
        step = ["klopt", "company", "review", folder], "rate more answers, and fit again"
    else:
        again = ["klopt", "score", "LOG", *options, "--profile", profile]
        step = again, "continue with the profile as it was"
    tell(next_steps(step))


def _measured(turns: list[Turn], scorer: Scorer) -> tuple[list[Sample], Counter[str]]:
    """Return the samples of languages with enough of them, and why other turns got no score."""
    every = tracked(turns, "Measuring rated answers")
    measured = [(turn, scorer.score(turn, measure_all=True)) for turn in every]
    samples = samples_of(measured)
    reasons = Counter(str(scored.reason) for _, scored in measured if scored.score is None)
    if not samples:
        raise InputError(
            f"none of the {len(turns)} answers could be scored, most often because "
            f"{reasons.most_common(1)[0][0]}"
        )
    counts = Counter(sample.language for sample in samples)
    few = {code for code, count in counts.items() if count < MIN_SAMPLES}
    if len(few) == len(counts):
        return samples, reasons
    for code in sorted(few):
        warn(
            f"{counts[code]} rated answers in language {code} are too few (at least "
            f"{MIN_SAMPLES}); [evidence.{code}] stays as it is"
        )
    return [sample for sample in samples if sample.language not in few], reasons


def _thresholds(
    samples: list[Sample], scores: list[float | None], untrue_share: float, start: Profile
) -> FittedThresholds | None:
    """Return the thresholds with at most this risk; None with a warning if there are none."""
    scored = [(sample, at) for sample, at in zip(samples, scores, strict=True) if at is not None]
    threshold = threshold_by_risk(scored, untrue_share)
    if threshold is None:
        warn(
            f"no threshold sends ten of these answers with at most {untrue_share:.0%} of them "
            f"untrue, so send_from stays {start.send_from:g}: rate more answers, or allow more risk"
        )
        return None
    return FittedThresholds(min(start.block_below, threshold), threshold)


def _head(rated: str, turns: list[Turn], settings: FitSettings, start: Profile) -> list[str]:
    digest = hashlib.sha256()
    for turn in turns:
        judged = turn.rating if turn.rating is not None else turn.label
        for part in (turn.question, turn.answer, *(page.text for page in turn.pages), str(judged)):
            digest.update(part.encode("utf-8", "surrogatepass") + b"\0")
    return [
        f"Fitted by klopt {VERSION} fit, {settings.folds} folds, to:",
        f"  {len(turns)} rated answers ({Path(rated).name}, SHA-256 {digest.hexdigest()[:16]})",
        f"{_BECOMES[settings.weights]} {start.name}.",
    ]


def _report(fitted: fitting.FittedWeights, held_out: Mapping[str, list[str]]) -> None:
    for language, lines in held_out.items():
        click.echo(f"On held-out answers, {language}:")
        for line in lines:
            click.echo(f"  {line}")
        click.echo("Weights:")
        terms = fitted.evidence[language].terms
        for heuristic in sorted(terms, key=lambda name: -terms[name].weight):
            click.echo(f"  {heuristic:<24} {terms[heuristic].weight:6.2f}")
        if idle := fitted.idle[language]:
            click.echo(f"Measured, but without weight: {', '.join(idle)}.")
