"""``klopt fit``."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import click

from klopt import lexicons
from klopt.batch.output import whole_file
from klopt.cli.options import (
    LANGUAGE,
    MAP,
    PAGES,
    TERMS,
    check_language,
    gathered,
    output_to,
    read_folder,
    refuse_overwriting,
    warn,
)
from klopt.cli.terminal import counted, tracked
from klopt.cli.translations import ScoringOptions
from klopt.errors import InputError
from klopt.evaluation.rated import is_rated
from klopt.lexicons import read_lexicon
from klopt.reading.reader import Reader
from klopt.records import Page, Turn
from klopt.scoring.profile import Profile, profile_text
from klopt.scoring.scorer import Scorer
from klopt.scoring.tree import condition
from klopt.tuning.corruption import synthesise
from klopt.tuning.fitting import (
    FEWEST_SAMPLES,
    Learnt,
    Settings,
    changed_cuts,
    check_profile,
    figures,
    fit,
    held_out_scores,
    measuring,
    weighed,
)
from klopt.tuning.profile_file import to_toml
from klopt.tuning.samples import Sample
from klopt.tuning.samples import samples as samples_of
from klopt.version import VERSION

_MADE_COUNT: Final = 1_000
_TERMS: Final = "company_specific_terms"
_SETTINGS: Final = (
    click.option(
        "--from-scratch",
        is_flag=True,
        help="Forget the profile's own weights. Without it few answers leave them nearly as they "
        "are, and many move them.",
    ),
    click.option(
        *("--held-back", "held_back_share"),
        type=click.FloatRange(0.0, 0.5),
        help="Move the scores so that of the answers rated 5 (or labelled true) this share lies "
        "below what the profile sends from, rather than leave them on the scale of the ratings.",
    ),
    click.option(
        "--only",
        multiple=True,
        metavar="HEURISTIC",
        help="Learn the weight of this heuristic alone, beside those that the profile has; may be "
        "given several times.",
    ),
    click.option(
        *("--cuts/--keep-cuts", "cuts"),
        help="Learn where the tree's cuts lie too, or leave them, as it does by itself.",
    ),
    click.option(
        "--folds",
        default=10,
        type=click.IntRange(2, 100),
        help="How many parts of the answers are held out, one after the other.",
    ),
    click.option(
        "--seed",
        default=0,
        type=click.IntRange(0),
        help="Another seed makes other answers and other parts.",
    ),
)

_SCORING: Final = (
    PAGES,
    output_to("The profile file to write; it appears when it is whole.", required=True),
    click.option(
        "--profile",
        default="default",
        metavar="NAME",
        help="The profile to start from: its tree, heuristics and languages.",
    ),
    click.option("--name", help="The new profile's name; the file's without it."),
    TERMS,
    LANGUAGE,
    MAP,
)


@click.command(
    "fit",
    epilog="Example: klopt fit rated.jsonl --pages help/ -o ours.toml; without any ratings: "
    "klopt fit --pages help/ -o ours.toml. Then: klopt evaluate others.jsonl --pages help/ "
    "--profile ours.toml --against default",
)
@click.argument("rated", required=False)
@gathered(ScoringOptions, _SCORING)
@gathered(Settings, _SETTINGS)
@click.option(
    "--made",
    "made_count",
    type=click.IntRange(0, 20_000),
    help="How many answers to make from the pages of --pages, in each language, to learn from "
    "beside the ratings. 1000, or 0 when there is no --pages.",
)
def command(
    settings: Settings,
    scoring: ScoringOptions,
    rated: str | None,
    output: Path,
    name: str | None,
    made_count: int | None,
) -> None:
    """Learn a profile from RATED answers, or from the help pages alone.

    RATED is a chat log whose rows also have a rating (1 to 5) or a label (0 or 1). From the pages
    of --pages klopt makes true and untrue answers, by swapping components, dropping and reversing
    steps, turning sentences around, changing numbers, and learns to tell them apart: beside the
    ratings, or without any. Each language is learnt by itself: those that have at least 20 judged
    answers, or without RATED those of the pages.

    Weights are never negative: more support never lowers a score. The figures are of answers
    that were held out, with all answers on one page held out together.
    """
    start, pages = Profile.load(scoring.profile), scoring.pages
    check_profile(start)
    for one in settings.only:
        if one not in weighed(start):
            raise click.BadParameter(
                f'"{one}" is not weighed by profile "{start.name}"; it weighs '
                f"{', '.join(weighed(start))}",
                param_hint="--only",
            )
    if rated is None and pages is None:
        raise click.UsageError("Give a file of rated answers, or --pages to do without ratings.")
    if made_count and pages is None:
        raise click.UsageError("--made makes answers from help pages: give --pages too.")
    if made_count == 0 and rated is None:
        raise click.UsageError("--made 0 without rated answers leaves nothing to learn from.")
    refuse_overwriting({"-o": output}, {"the input": [rated]})
    if made_count is None:
        made_count = 0 if settings.only else _MADE_COUNT
    with whole_file(output) as file:
        scorer = Scorer(measuring(start), all_types=True, terms=scoring.terms)
        check_language(scoring.language, scorer)
        rated_turns = [] if rated is None else _rated(rated, scoring)
        rated_samples, reasons = _measured(rated_turns, scorer, "Measuring what people judged")
        rated_samples = _enough(rated_samples)
        made: list[Turn] = []
        if pages is not None and made_count:
            judged = {one.language for one in rated_samples}
            chosen = _chosen(
                read_folder(pages, scoring.language), pages, scoring.language, judged, start
            )
            for language, own in chosen.items():
                reader = Reader(lexicons.load(language))
                found = synthesise(own, reader, seed=settings.seed, count=made_count)
                made += [one.turn for one in found]
            if not made and not rated_turns:
                raise InputError(
                    f"{pages}: no page has a guide, a statement or a list to learn from"
                )
        made_samples, made_reasons = _measured(made, scorer, "Measuring what was made", made=True)
        samples = rated_samples + (made_samples if rated_samples else _enough(made_samples))
        learnt = fit(samples, start, settings)
        held_out = figures(samples, held_out_scores(samples, start, settings), start.send_from)
        head = _head(rated, rated_turns, made, settings, start)
        for language, lines in held_out.items():
            head += [f"Held out, {language}:", *(f"  {line}" for line in lines)]
        text = to_toml(
            profile_text(scoring.profile),
            learnt,
            languages=tuple(held_out),
            name=name or output.stem,
            head=head,
        )
        Profile.read(text, where=str(output), folder=output.parent)
        file.write(text)
    _report(learnt, start, held_out)
    _warn_of_terms(scoring.terms, learnt, start)
    if unscored := reasons + made_reasons:
        reason = unscored.most_common(1)[0][0]
        click.echo(
            f"{unscored.total()} judged answers could not be scored and were left out, most often "
            f"because {reason}.",
            err=True,
        )
    click.echo(f"Written to {output}", err=True)


def _rated(file: str, scoring: ScoringOptions) -> list[Turn]:
    turns: list[Turn] = []
    for row in scoring.rows(file):
        if row.turn is None:
            warn(str(row.problem))
        elif is_rated(row.turn):
            turns.append(row.turn)
    if not turns:
        raise InputError(
            f"{file}: no row has a rating (1 to 5) or a label (0 or 1); name the field with "
            "--map rating=... or --map label=..."
        )
    return turns


def _chosen(
    pages: dict[str, list[Page]], folder: Path, stated: str, judged: set[str], start: Profile
) -> dict[str, list[Page]]:
    """The pages to make answers from, by language, and a word on those of other languages.

    Beside judged answers only those of their languages: what was learnt from people's ratings is
    not replaced by what is learnt from made answers alone.
    """
    chosen = {}
    for language, own in pages.items():
        if stated not in ("auto", language):
            why = f"--language {language} learns from those"
        elif language not in start.languages:
            why = f'profile "{start.name}" does not have that language'
        elif judged and language not in judged:
            why = (
                "too few judged answers are in it, so what the profile has of it stays; without "
                f"RATED, --language {language} learns from its pages alone"
            )
        else:
            chosen[language] = own
            continue
        warn(f"{folder}: {counted(len(own), 'page')} in {language} left out: {why}")
    return chosen


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


def _measured(
    turns: list[Turn], scorer: Scorer, what: str, *, made: bool = False
) -> tuple[list[Sample], Counter[str]]:
    """The turns that could be scored, and why the others could not."""
    scored = [(turn, scorer.score(turn, measure_all=True)) for turn in tracked(turns, what)]
    found = samples_of(scored, made=made)
    reasons = Counter(str(one.reason) for _, one in scored if one.score is None)
    if turns and not found:
        raise InputError(
            f"none of the {len(turns)} answers could be scored, most often because "
            f"{reasons.most_common(1)[0][0]}"
        )
    return found, reasons


def _head(
    rated: str | None,
    rated_turns: list[Turn],
    made: list[Turn],
    settings: Settings,
    start: Profile,
) -> list[str]:
    """What the profile was learnt from."""
    lines = [f"Learnt by klopt {VERSION} fit, seed {settings.seed}, {settings.folds} folds, from:"]
    if rated is not None:
        where = f"{Path(rated).name}, {_digest(rated_turns)}"
        lines.append(f"  {len(rated_turns)} judged answers ({where})")
    if made:
        lines.append(f"  {len(made)} answers made from help pages ({_digest(made)})")
    if not settings.from_scratch and not settings.only:
        lines.append(f"The weights of {start.name} were the start.")
    if settings.held_back_share is not None:
        share = f"{settings.held_back_share:.0%}"
        lines.append(f"At most {share} of the highest rated may fall below {start.send_from:g}.")
    if settings.only:
        lines.append(f"Only the weights of {', '.join(settings.only)} were learnt.")
    if rated is None:
        line_of = "made answers" if settings.from_scratch else start.name
        lines.append(
            f"No person rated these answers: the line at {start.send_from:g} is that of {line_of}."
        )
    return lines


def _digest(turns: list[Turn]) -> str:
    digest = hashlib.sha256()
    for turn in turns:
        said = turn.rating if turn.rating is not None else turn.label
        for part in (turn.question, turn.answer, *(page.text for page in turn.pages), str(said)):
            digest.update(part.encode("utf-8", "surrogatepass") + b"\0")
    return f"SHA-256 {digest.hexdigest()[:16]}"


def _report(learnt: Learnt, start: Profile, held_out: dict[str, list[str]]) -> None:
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


def _warn_of_terms(files: Sequence[Path], learnt: Learnt, start: Profile) -> None:
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
