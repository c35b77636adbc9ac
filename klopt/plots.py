"""The pictures of an evaluation as matplotlib figures, for a paper or a notebook.

They are those of `klopt evaluate --html`. matplotlib comes with the extra ``plots``; a figure is
nobody's but the caller's: `figure.savefig("risk.pdf")` writes it, and a notebook shows it.

>>> from klopt import Page, Scorer, Turn
>>> from klopt.evaluation import evaluate
>>> page = Page("Klik op **Opslaan**.", id="opslaan.md")
>>> turns = [
...     Turn("Hoe sla ik het op?", f"Klik op **{name}**.", [page], rating=rating)
...     for name, rating in (("Opslaan", 5), ("Bewaren", 1), ("Sluiten", 1))
... ]
>>> figure = risk(evaluate(turns, Scorer.load(), resamples=100))
>>> figure.axes[0].get_xlabel()
'of the answers sent'
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

from klopt.evaluation import Evaluation
from klopt.evaluation.pictures import Pictures
from klopt.extras import needs
from klopt.report.wording import Wording
from klopt.scoring.tree import HIGHEST, LOWEST

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["agreement", "reliability", "risk"]

_INCHES: Final = (5.2, 4.2)
_STARS: Final = (1, 2, 3, 4, 5)


def agreement(evaluation: Evaluation, *, profile: int = 0, language: str = "en") -> Figure:
    """The scores that answers got, by the rating that people gave.

    A box holds the middle half, its bar the median, its whiskers run from the lowest tenth to the
    highest.

    Args:
        evaluation: What `klopt.evaluation.evaluate` gave.
        profile: Which of its profiles, from 0.
        language: Of the words: ``en`` or ``nl``.

    Raises:
        IndexError: There is no such profile.
        ExtraMissingError: matplotlib is not installed.
    """
    found, words, axes = _begun(evaluation, profile, language)
    boxes = [
        {"med": at.median, "q1": at.quarter, "q3": at.three_quarters, "whislo": at.low}
        | {"whishi": at.high}
        for at in found.scores
    ]
    axes.bxp(boxes, positions=[at.rating for at in found.scores], showfliers=False)
    for at in found.scores:
        axes.annotate(f"n = {at.n}", (at.rating, HIGHEST + 0.1), ha="center")
    if found.chosen is not None:
        told = words["line"].format(line=Wording(language).threshold(found.chosen.line))
        axes.axhline(found.chosen.line, color="C3", linestyle="--", label=told)
        axes.legend(loc="lower right")
    axes.plot(_STARS, _STARS, color="grey", linestyle=":")
    axes.set(ylim=(LOWEST - 0.1, HIGHEST + 0.4), xticks=_STARS, xticklabels=_STARS)
    return _told(axes, words["scores"], words["rating"], words["score"])


def risk(evaluation: Evaluation, *, profile: int = 0, language: str = "en") -> Figure:
    """The share untrue of what each line sends, by the share that it sends; see `agreement`.

    The square is what is sent by the verdicts, at the profile's own line.
    """
    found, words, axes = _begun(evaluation, profile, language)
    axes.plot([at.sent for at in found.risk], [at.untrue for at in found.risk], marker=".")
    if (at := found.chosen) is not None:
        axes.plot(at.sent, at.untrue, "s", color="C3", markerfacecolor="none", markersize=12)
        line = Wording(language).threshold(at.line)
        axes.annotate(line, (at.sent, at.untrue), (9, 9), textcoords="offset points")
    axes.set(xlim=(0, 1.02), ylim=(-0.02, None))
    axes.xaxis.set_major_formatter(_percent(language))
    axes.yaxis.set_major_formatter(_percent(language))
    return _told(axes, words["risk"], words["sent"], words["untrue"])


def reliability(evaluation: Evaluation, *, profile: int = 0, language: str = "en") -> Figure:
    """The share of answers with about a score that people called true; see `agreement`.

    With 95% intervals, and how many answers there are above them.
    """
    found, words, axes = _begun(evaluation, profile, language)
    for band in found.bands:
        at, true = (band.low + band.high) / 2, band.true
        value, low, high = true.value or 0.0, true.low or 0.0, true.high or 0.0
        axes.errorbar(at, value, [[value - low], [high - value]], fmt="o", color="C0")
        axes.annotate(f"{true.n}", (at, 1.03), ha="center")
    axes.plot((LOWEST, HIGHEST), (0, 1), color="grey", linestyle=":")
    axes.set(xlim=(LOWEST, HIGHEST), ylim=(-0.03, 1.1), xticks=_STARS)
    axes.yaxis.set_major_formatter(_percent(language))
    return _told(axes, words["reliability"], words["score"], words["true"])


def _begun(
    evaluation: Evaluation, profile: int, language: str
) -> tuple[Pictures, dict[str, str], Axes]:
    """The figures, the words, and empty axes."""
    with needs("plots", "figures need matplotlib"):
        from matplotlib.figure import Figure

    axes = Figure(_INCHES, layout="constrained").add_subplot()
    return evaluation.profiles[profile].pictures, dict(Wording(language).texts["pictures"]), axes


def _percent(language: str) -> Any:  # noqa: ANN401 (a function of matplotlib's two arguments)
    return lambda value, _: Wording(language).percent(max(value, 0.0))


def _told(axes: Axes, title: str, across: str, up: str) -> Figure:
    axes.set(title=title, xlabel=across, ylabel=up)
    axes.grid(alpha=0.3)
    return cast("Figure", axes.figure)
