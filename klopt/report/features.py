"""What each measurement says and brings, and on which type of message."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from klopt.report.agreement import with_bar
from klopt.report.bars import CORRELATION, around_zero
from klopt.report.elements import Child, Markup, element, join
from klopt.report.figures import brief, chance, decimal, figure, missing, whole
from klopt.report.shape import Estimate, Part
from klopt.report.tables import head, intro, row, section, table, words
from klopt.report.wording import named, plain, say, texts

_NAME_CHARS: Final = 40
_SHADES: Final = 5
_COLUMNS: Final = 12
_FEW: Final = 10


def features(profiles: Sequence[Part]) -> Markup | None:
    """Each measurement alone: correlation, p, how often missing, selected or not."""
    if not any(one.has("features") for one in profiles):
        return None
    columns = words("features_table", "feature", "rho", "p", "n", "missing", "selected")
    tables = [
        _each(
            profile, "features_table", columns, [_feature(one) for one in profile.parts("features")]
        )
        for profile in profiles
    ]
    return section(
        "features",
        texts()["features_table"]["heading"],
        intro("features_table"),
        *_titled(profiles, tables),
    )


def _each(profile: Part, name: str, columns: Sequence[str], rows: Sequence[Markup]) -> Markup:
    return table(_caption(profile, name), head(*columns), rows)


def _caption(profile: Part, name: str) -> str:
    return f"{texts()[name]['caption']} ({brief(profile.text('name'), _NAME_CHARS)})"


def _titled(profiles: Sequence[Part], tables: Sequence[Markup]) -> list[Markup]:
    """The tables, under the names of their profiles when there are two."""
    if len(profiles) == 1:
        return list(tables)
    return [
        join(
            element("h3", say("page", "profile", name=brief(profile.text("name"), _NAME_CHARS))),
            inner,
        )
        for profile, inner in zip(profiles, tables, strict=True)
    ]


def _feature(one: Part) -> Markup:
    said, estimate = texts()["features_table"], one.estimate("spearman")
    symbol = one.words("symbol")
    name = named("features", one.text("name"))
    return row(
        name if not symbol else join(name, " ", element("small", brief(symbol, _NAME_CHARS))),
        with_bar(estimate, CORRELATION, plain("features", one.text("name"))),
        missing(estimate.reason) if estimate.p is None else chance(estimate.p),
        whole(one.count("n")),
        whole(one.count("missing_count")),
        said["yes"] if one.flag("selected") else said["no"],
    )


def ablation(profiles: Sequence[Part]) -> Markup | None:
    """What is lost when one measurement is left out."""
    if not any(one.has("ablation") for one in profiles):
        return None
    columns = words("ablation", "feature", "brings", "says", "without")
    tables = []
    for profile in profiles:
        entries = profile.parts("ablation")
        scale = around_zero([one.estimate("brings") for one in entries])
        rows = []
        for one in entries:
            brings, name = one.estimate("brings"), one.text("name")
            rows.append(
                row(
                    named("features", name),
                    with_bar(brings, scale, plain("features", name)),
                    _verdict(brings),
                    figure(one.estimate("spearman_without")),
                )
            )
        tables.append(_each(profile, "ablation", columns, rows))
    return section(
        "ablation",
        texts()["ablation"]["heading"],
        intro("ablation"),
        *_titled(profiles, tables),
    )


def _verdict(brings: Estimate) -> Child:
    if brings.value is None or brings.low is None or brings.high is None:
        return missing(brings.reason)
    key = "helps" if brings.low > 0 else "harms" if brings.high < 0 else "level"
    return str(texts()["ablation"][key])


def heat(evaluation: Part) -> Markup | None:
    """Measurement by message type, the figure printed in each cell."""
    entries = evaluation.parts("heuristics_by_type")
    types = list(dict.fromkeys(name for one in entries for name in one.part("types").content))
    if not types:
        return None
    shown = types[:_COLUMNS]
    rows = [
        row(
            named("features", one.text("name")),
            *(_cell(one.part("types"), name) for name in shown),
        )
        for one in entries
    ]
    said = texts()["heat"]
    left_out = len(types) - len(shown)
    more = say("page", "more", count=whole(left_out)) if left_out else None
    columns = [said["feature"], *(brief(name, _NAME_CHARS) for name in shown)]
    return section(
        "heat",
        said["heading"],
        intro("heat", few=whole(_FEW)),
        table(said["caption"], head(*columns), rows, "heat"),
        None if more is None else element("p", more),
    )


def _cell(types: Part, name: str) -> Child:
    said = texts()["heat"]
    if not isinstance(types.content.get(name), Mapping):
        return missing(said["absent"])
    cell = types.part(name)
    rho, n = cell.number("spearman"), cell.count("n")
    count = element("span", say("heat", "rows", n=whole(n)), class_="interval")
    if rho is None:
        return element("div", missing(said["constant"]), " ", count)
    shade = min(int(abs(rho) * _SHADES) + 1, _SHADES)
    side = "plus" if rho >= 0 else "minus"
    number = element("span", f"{'+' if rho > 0 else ''}{decimal(rho)}", class_="figure")
    return element(
        "div", number, " ", count, class_=f"cell {'few' if n < _FEW else f'{side}-{shade}'}"
    )
