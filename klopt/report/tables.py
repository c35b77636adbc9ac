"""Tables of measurements, message types and counts, and what repeats and explains them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from klopt.evaluation import Evaluation
from klopt.evaluation.evaluation import ProfileEvaluation
from klopt.evaluation.features import HeuristicTypes
from klopt.evaluation.message_types import OneType, Recognition
from klopt.evaluation.thresholds import StarRow
from klopt.report.cells import (
    CORRELATION,
    SHARE,
    around_zero,
    by_chance,
    feature,
    figure,
    missing,
    people,
    table,
    verdict,
)
from klopt.report.view import Cell, Column, Group, Section
from klopt.report.wording import (
    band,
    brief,
    decimal,
    feature_name,
    percent,
    plain,
    say,
    side,
    signed,
    texts,
    threshold,
    unknown,
    whole,
    with_interval,
)

_TYPE_FIGURES: Final = ("f1", "accuracy", "precision", "recall")
_SHADES: Final = 5
_FEW: Final = 10


def stars(one: ProfileEvaluation, _: Evaluation) -> Group | None:
    """How the answers of each rating were scored."""
    if not any(row.n for row in one.stars):
        return None
    heads = [Column(say("stars", "rating", rating=whole(row.rating))) for row in one.stars]
    from_, wanted = threshold(one.send_from), texts()["stars"]["wanted"]
    rows: list[tuple[Cell | str | int, ...]] = [(texts()["stars"]["n"], *(r.n for r in one.stars))]
    rows += [
        (
            say("stars", key, threshold=from_),
            *(_share(row, key, is_wanted=row.rating in wanted[key]) for row in one.stars),
        )
        for key in wanted
    ]
    return Group(tables=(table("stars", ("condition", *heads), rows, _caption("stars", one)),))


def _share(row: StarRow, key: str, *, is_wanted: bool) -> Cell:
    made = figure(getattr(row, key), percent)
    tone = "good" if is_wanted and made.text else ""
    return Cell(made.text, made.interval, made.reason, tone=tone)


def _caption(section: str, one: ProfileEvaluation, **filled: str) -> str:
    return say(section, "caption", name=brief(one.name), **filled)


def asked(one: ProfileEvaluation, _: Evaluation) -> Group | None:
    """What second opinions bring, by the share of the answers that is asked about."""
    if not one.asked:
        return None
    heads = texts()["asked"]
    rows = [
        (
            percent(point.share),
            point.asked,
            figure(point.spearman, scale=CORRELATION, name=heads["spearman"]),
            figure(point.sent, percent),
            figure(point.untrue_of_sent, percent, SHARE, heads["untrue_of_sent"]),
        )
        for point in one.asked
    ]
    figures = ("spearman", "sent", "untrue_of_sent")
    keys = ("share", "n", *figures)
    return Group(
        tables=(table("asked", keys, rows, _caption("asked", one), intervals=figures[::2]),)
    )


def features(one: ProfileEvaluation, found: Evaluation) -> Group | None:
    """Each measurement alone: correlation, p, how often missing, selected or not."""
    said = texts()["features"]
    selected = {True: Cell(said["yes"], tone="selected"), False: Cell(said["no"])}
    rows = [
        (
            feature(each.name),
            figure(each.spearman, scale=CORRELATION, name=feature_name(each.name)),
            by_chance(each.spearman),
            each.n,
            each.missing_count,
            selected[each.selected],
        )
        for each in one.features
    ]
    keys = ("feature", "rho", "p", "n", "missing", "selected")
    caption = _caption("features", one, people=people(found))
    cures = texts()["cures"]
    unmeasured = (
        say("features", "unmeasured", name=each.name, cure=cures.get(each.name, ""))
        for each in one.features
        if not each.n and each.missing_count
    )
    drawn = table("features", keys, rows, caption, intervals=("rho",))
    return Group(tables=(drawn,), notes=tuple(unmeasured)) if rows else None


def ablation(one: ProfileEvaluation, _: Evaluation) -> Group | None:
    """What is lost when one measurement is left out."""
    scale = around_zero([each.brings for each in one.ablation])
    rows = [
        (
            feature(each.name),
            figure(each.brings, signed, scale, feature_name(each.name)),
            verdict("ablation", each.brings),
            figure(each.spearman_without),
            each.spearman_without.n,
        )
        for each in one.ablation
    ]
    keys, intervals = ("feature", "brings", "says", "without", "n"), ("brings", "without")
    caption = _caption("ablation", one)
    drawn = table("ablation", keys, rows, caption, intervals=intervals, page_only=("says",))
    return Group(tables=(drawn,)) if rows else None


def heat(found: Evaluation) -> Section | None:
    """Measurement by message type, the figure printed in each cell."""
    every = found.heuristics_by_type
    types = list(dict.fromkeys(name for one in every for name in one.types))
    if not types:
        return None
    said = texts()["heat"]
    rows = [(feature(one.name), *(_heat_cell(one, name) for name in types)) for one in every]
    heads = [Column(brief(name, 40)) for name in types]
    drawn = table("heat", ("feature", *heads), rows, said["caption"], kind="heat")
    intro = say("heat", "intro", few=whole(_FEW))
    return Section("heat", said["heading"], intro, groups=(Group(tables=(drawn,)),))


def _heat_cell(one: HeuristicTypes, name: str) -> Cell:
    cell = one.types.get(name)
    if cell is None:
        return missing(texts()["heat"]["absent"])
    n = say("heat", "rows", n=whole(cell.n))
    if cell.spearman is None:
        return Cell(reason=texts()["heat"]["constant"], interval=n)
    shade = min(int(abs(cell.spearman) * _SHADES) + 1, _SHADES)
    tone = ("", f"plus-{shade}", f"minus-{shade}")[side(cell.spearman)]
    return Cell(signed(cell.spearman), n, tone="few" if cell.n < _FEW else tone)


def message_types(evaluation: Evaluation) -> Section | None:
    """How often the classifier finds the type that a person gave."""
    found, said = evaluation.message_types, texts()["message_types"]
    if found is None:
        return None
    every: list[tuple[str, Recognition | OneType]] = [
        *((said[key], getattr(found, key)) for key in ("overall", "binary_or_instruction")),
        *((brief(one.type), one) for one in found.types),
    ]
    rows = [
        (Cell(name), *(figure(getattr(one, key)) for key in _TYPE_FIGURES)) for name, one in every
    ]
    drawn = table("message_types", ("type", *_TYPE_FIGURES), rows, said["caption"])
    intro = say("message_types", "intro", n=whole(found.n))
    return Section("message-types", said["heading"], intro, groups=(Group(tables=(drawn,)),))


def labellers(evaluation: Evaluation) -> Section | None:
    """How far two people agree on the message types."""
    found = evaluation.labellers
    if found is None:
        return None
    filled = {"n": whole(found.n), "field": brief(found.field)}
    if found.kappa.value is None:
        said = say("labellers", "unknown", reason=unknown(found.kappa), **filled)
    else:
        words, kappa = band("kappa", found.kappa.value), with_interval(found.kappa, decimal)
        said = say("labellers", "says", words=words, kappa=kappa, **filled)
    return Section("labellers", texts()["labellers"]["heading"], sentences=(said,))


def answers(found: Evaluation) -> Section:
    """Which rows the figures rest on, and which were not scored."""
    rows, said = found.rows, texts()["rows"]
    lines = [(said[key], getattr(rows, key)) for key in ("total", "rated", "labelled")]
    lines += [line for one in found.profiles for line in _translated(one)]
    for names, key, words in (
        (rows.not_scored, "not_scored", "reasons"),
        (rows.languages, "language", "languages"),
        (rows.message_types, "type", "types"),
    ):
        for name, number in sorted(names.items(), key=lambda item: (-item[1], item[0])):
            lines.append((say("rows", key, name=plain(words, name)), number))
    drawn = table("rows", ("what", "count"), lines, said["caption"])
    return Section("answers", said["heading"], groups=(Group(tables=(drawn,)),), on_terminal=False)


def _translated(one: ProfileEvaluation) -> Iterator[tuple[str, int]]:
    """How many answers a profile read in translation, and why not the others."""
    found, name = one.translation, brief(one.name)
    if found is None:
        return
    yield say("rows", "translated", name=name), found.translated
    for key, codes in (("on_original", found.on_original), ("refused", found.not_scored)):
        for code, number in codes.items():
            yield say("rows", key, name=name, reason=plain("untranslated", code)), number
    if found.unmasked:
        yield say("rows", "unmasked", name=name), found.unmasked
