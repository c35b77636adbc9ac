"""``klopt fit``."""

from __future__ import annotations

import dataclasses
from collections import Counter
from pathlib import Path
from typing import Annotated

import click

from klopt.batch.output import whole_file
from klopt.cli.fields import read_log
from klopt.cli.fit.told import head, report, warn_of_terms, warn_of_worse
from klopt.cli.options import (
    MULTIPLE,
    Language,
    Names,
    Pages,
    Terms,
    argument,
    as_command,
    check_language,
    option,
    output_to,
    refuse_overwriting,
    warn,
)
from klopt.cli.terminal import tracked
from klopt.cli.translations import ScoringOptions
from klopt.errors import InputError
from klopt.evaluation.rated import is_rated
from klopt.extras import needs
from klopt.records import Turn
from klopt.scoring.inheritance import source_of
from klopt.scoring.profile import Profile
from klopt.scoring.scorer import Scorer
from klopt.tuning.fitting import (
    FEWEST_SAMPLES,
    Settings,
    Weights,
    changed_cuts,
    check_profile,
    fit,
    held_out_scores,
    measuring,
    weighed,
)
from klopt.tuning.held_out import compared, differences, figures, sent_lines
from klopt.tuning.lines import Lines, line_by_risk
from klopt.tuning.samples import Sample
from klopt.tuning.samples import samples as samples_of

with needs("evaluate", "klopt fit needs scipy and tomlkit"):
    import scipy  # noqa: F401 - said before anything is measured

    from klopt.tuning.profile_file import extension, to_toml


@as_command(
    "fit",
    "klopt fit rated.jsonl --pages help/ -o ours.toml. Then: "
    "klopt evaluate others.jsonl --pages help/ --profile ours.toml --against default",
)
def command(
    *,
    rated: Annotated[str, argument("RATED")],
    pages: Pages,
    output: Path = output_to("The profile file to write; it appears when it is whole."),
    profile: str = option(
        "The profile to start from: its tree, heuristics and languages.",
        default="default",
        metavar="NAME",
    ),
    name: str | None = option("The new profile's name; the file's without it."),
    terms: Terms,
    language: Language,
    names: Names,
    weights: Weights = option(
        "What becomes of the profile's own: near leaves them as far as the answers show, so that a "
        "few change little; anew forgets them; kept keeps them, to draw a line alone.",
        default="near",
    ),
    held_back_share: float | None = option(
        "Move the scores so that of the answers rated 5 (or labelled true) this share lies below "
        "what the profile sends from, rather than leave them on the scale of the ratings.",
        "--held-back",
        type=click.FloatRange(0.0, 0.5),
    ),
    only: tuple[str, ...] = option(
        f"Learn the weight of this heuristic alone, beside those that the profile has; {MULTIPLE}",
        metavar="HEURISTIC",
    ),
    cuts: bool = option(
        "Learn where the tree's cuts lie too, or leave them, as it does by itself.",
        "--cuts/--keep-cuts",
    ),
    folds: int = option(
        "How many parts of the answers are held out, one after the other.",
        type=click.IntRange(2, 100),
        default=10,
    ),
    seed: int = option("Another seed makes other parts.", type=click.IntRange(0), default=0),
    untrue_share: float | None = option(
        "Send from the lowest score at which at most this share of the held-out answers that are "
        "sent is untrue.",
        "--untrue-sent",
        type=click.FloatRange(0.01, 0.5),
    ),
) -> None:
    """Learn a profile from RATED answers.

    RATED is a chat log whose rows also have a rating (1 to 5) or a label (0 or 1). Each language
    is learnt by itself: those that have at least 20 judged answers.

    Weights are never negative: more support never lowers a score. The figures are of answers
    that were held out, with all answers on one page held out together.
    """
    scoring = ScoringOptions(pages=pages, terms=terms, language=language, names=names)
    settings = Settings(held_back_share, folds, seed, cuts, only=only, weights=weights)
    start, source = Profile.load(profile), source_of(profile)
    check_profile(start)
    for one in settings.only:
        if one not in weighed(start):
            raise click.BadParameter(
                f'"{one}" is not weighed by profile "{start.name}"; it weighs '
                f"{', '.join(weighed(start))}",
                param_hint="--only",
            )
    if settings.only and settings.weights != "near":
        raise click.UsageError(
            f"--only learns beside the profile's weights: leave out --weights {settings.weights}."
        )
    moves = settings.cuts or settings.held_back_share is not None
    if settings.weights == "kept" and (moves or untrue_share is None):
        raise click.UsageError(
            "--weights kept learns a line alone: give --untrue-sent, and no --cuts or --held-back."
        )
    started_from = [one.name for one in source.chain if one.folder is not None]
    refuse_overwriting(
        {"-o": output}, {"the input": [rated], "what the profile starts from": started_from}
    )
    with whole_file(output) as file:
        scorer = Scorer(measuring(start), all_types=True, terms=terms)
        check_language(language, scorer)
        log = read_log(scoring.rows(rated), rated, names)
        turns = [turn for turn in log.turns if is_rated(turn)]
        samples, unscored = _measured(turns, scorer)
        samples = _enough(samples)
        learnt = fit(samples, start, settings)
        scores = held_out_scores(samples, start, settings)
        if untrue_share is not None:
            learnt = dataclasses.replace(learnt, lines=_lines(samples, scores, untrue_share, start))
        held_out = figures(samples, scores, start.send_from)
        beside = differences(samples, scores, start)
        for language, lines in held_out.items():
            if settings.weights != "kept":
                lines.append(compared(beside[language], start.name))
        line = start.send_from if learnt.lines is None else learnt.lines.send_from
        sends = sent_lines(samples, scores, start, line)
        said = head(rated, turns, settings, start)
        for language, lines in held_out.items():
            said += [f"Held out, {language}:", *(f"  {line}" for line in lines)]
        said += sends
        base = source.text
        if source.folder is not None:
            changed = changed_cuts(start.tree, learnt.tree)
            base = extension(source, output.parent, with_tree=bool(changed))
        text = to_toml(
            base,
            learnt,
            languages=tuple(held_out),
            name=name or output.stem,
            head=said,
        )
        Profile.read(text, where=str(output), folder=output.parent)
        file.write(text)
    report(learnt, start, held_out)
    for told in sends:
        click.echo(told)
    warn_of_worse(beside, start)
    warn_of_terms(terms, learnt, start)
    if unscored:
        reason = unscored.most_common(1)[0][0]
        click.echo(
            f"{unscored.total()} judged answers could not be scored and were left out, most often "
            f"because {reason}.",
            err=True,
        )
    click.echo(f"Written to {output}", err=True)


def _enough(found: list[Sample]) -> list[Sample]:
    """The samples of the languages that have enough, when another has too few."""
    counts = Counter(one.language for one in found)
    few = {name for name, count in counts.items() if count < FEWEST_SAMPLES}
    if not few or len(few) == len(counts):
        return found
    for name in sorted(few):
        warn(
            f"{counts[name]} judged answers in language {name} are too few to learn from "
            f"({FEWEST_SAMPLES} are the least); [evidence.{name}] stays as it is"
        )
    return [one for one in found if one.language not in few]


def _measured(turns: list[Turn], scorer: Scorer) -> tuple[list[Sample], Counter[str]]:
    """The turns that could be scored, and why the others could not."""
    told = tracked(turns, "Measuring what people judged")
    scored = [(turn, scorer.score(turn, measure_all=True)) for turn in told]
    found = samples_of(scored)
    reasons = Counter(str(one.reason) for _, one in scored if one.score is None)
    if not found:
        raise InputError(
            f"none of the {len(turns)} answers could be scored, most often because "
            f"{reasons.most_common(1)[0][0]}"
        )
    return found, reasons


def _lines(
    samples: list[Sample], scores: list[float | None], untrue_share: float, start: Profile
) -> Lines | None:
    """The lines of that risk; a word, and None, where there are none."""
    scored = [(one, at) for one, at in zip(samples, scores, strict=True) if at is not None]
    line = line_by_risk(scored, untrue_share)
    if line is None:
        warn(
            f"no line sends ten of these answers with at most {untrue_share:.0%} of them untrue, "
            f"so send_from stays {start.send_from:g}: rate more answers, or allow more"
        )
        return None
    return Lines(min(start.block_below, line), line)
