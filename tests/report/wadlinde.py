"""A made-up evaluation of the made-up Wadlinde, in the shape that the report reads."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable
from typing import Any

from pydantic import TypeAdapter

from klopt.evaluation import Estimate, Evaluation
from klopt.evaluation.agreement import Agreement
from klopt.evaluation.columns import ColumnAgreement
from klopt.evaluation.comparison import FeatureDifference, ProfileComparison
from klopt.evaluation.disagreements import Disagreement, Weighed
from klopt.evaluation.evaluation import ProfileEvaluation, Rows
from klopt.evaluation.features import Ablation, Feature
from klopt.evaluation.message_types import MessageTypes, OneType, Recognition
from klopt.evaluation.rated import TranslatedRows
from klopt.evaluation.thresholds import CostAt, CostPoint, Costs, StarRow
from klopt.measurement import Evidence
from klopt.scoring.assessment import CheckedStatement, PagePlace, Quote, Slot

Json = dict[str, Any]
QUESTION = "Hoe geef ik een nieuw adres door aan Wadlinde?"
ANSWER = (
    "Dat doet u zelf:\n\n1. Ga naar **Mijn gegevens**.\n2. Klik op **Adres wijzigen**.\n"
    "3. Stuur een kopie van uw paspoort mee.\n\nWadlinde verwerkt het adres dezelfde dag."
)
PASSAGE = "Verhuisd? Wadlinde verwerkt een nieuw adres binnen drie dagen. Bel ons bij haast."
SITE = "https://wadlinde.example/hulp/"
EXPLANATION = "Score 4,2 van 5: laat er eerst iemand naar kijken. Niet bevestigd: “…”."


def known(
    value: float, spread: float = 0.12, n: int = 48, p: float | None = None, least: float = -1.0
) -> Estimate:
    return Estimate(value, max(value - spread, least), min(value + spread, 1.0), n, p)


NO_FIGURE = Estimate.missing(2, "fewer than 3 rows")


def estimate(value: float | None, spread: float = 0.12, n: int = 48, **named: Any) -> Json:
    """The same as JSON."""
    if value is None:
        return dataclasses.asdict(Estimate.missing(n, named["reason"]))
    return dataclasses.asdict(known(value, spread, n, least=named.get("least", -1.0)))


NOTHING = dataclasses.asdict(NO_FIGURE)


def quote(text: str, source: str) -> Quote:
    return Quote(text, source.index(text), source.index(text) + len(text))


def statement(
    text: str, relation: Any = "supported", page: str | None = None, own: str = "", says: str = ""
) -> CheckedStatement:
    """A statement of the answer; ``own`` are words of it, and ``says`` what the page says."""
    said, is_fault = quote(text, ANSWER), relation != "supported"
    place = page and PagePlace(page, PASSAGE, 10, 90, 7)
    slots, differing, wrong = (), (), ()
    if says:
        slots = (Slot("value", "against", quote(own, ANSWER), there := quote(says, PASSAGE)),)
        differing = ((there.start, there.end),)
        wrong = ((text.index(own), text.index(own) + len(own)),)
    told = relation, is_fault, 0.2 if is_fault else 0.9
    return CheckedStatement(text, said.start, said.end, *told, place, slots, differing, wrong)


STATEMENTS = (
    statement("Dat doet u zelf:", "supported", f"{SITE}zelf"),
    statement("Ga naar **Mijn gegevens**.", "supported", "adres-wijzigen.md"),
    statement("Stuur een kopie van uw paspoort mee.", "not_stated"),
    statement(
        "Wadlinde verwerkt het adres dezelfde dag.", "contradicted", f"{SITE}adres",
        "dezelfde dag", "drie dagen",
    ),
)  # fmt: skip


def evidence(kind: Any, words: str, page: str | None = None) -> Evidence:
    at = quote(words, ANSWER)
    return Evidence(kind, words, at.start, at.end, page, entry="strong")


def disagreement(name: str, rating: int, score: float) -> Disagreement:
    found = (
        evidence("supported", "Mijn gegevens", "adres-wijzigen.md"),
        evidence("unsupported", "Adres wijzigen"),
    )
    judged = float(rating), None, score, abs(score - rating)
    told = "review" if score >= 3 else "block", "sum_of_features", "instruction", "nl", EXPLANATION
    weighed = (Weighed("components_defined", 0.5, None, 1.0, found),)
    return Disagreement(name, QUESTION, ANSWER, *judged, *told, STATEMENTS, weighed)


def agreement(slice_: str, rho: float | None, n: int) -> Agreement:
    if rho is None:
        return Agreement(slice_, *[NO_FIGURE] * 6)
    some = known(rho, 0.2, n, p=0.004)
    return Agreement(slice_, *[some] * 4, known(0.5 + rho / 2, 0.1, n), known(0.58, 0.1, n))


def stars(rating: int) -> StarRow:
    low = rating < 3
    shares = known(0.45 if low else 0.0, 0.1), known(0.66 if low else 0.18)
    shares += (known(0.34 if low else 0.82),)
    best = NO_FIGURE if rating == 3 else known(0.05 * rating, 0.04)
    return StarRow(rating, 9 + rating, known(0.55 - rating / 50), *shares, best)


FEATURES = {
    "company_specific_terms": ("⌘", 0.04, False),
    "components_defined": ("ρ", 0.41, True),
    "hal": ("𝔄", 0.33, True),
    "subject_combination": ("□", -0.06, False),
}


def feature_difference(
    name: str, value: float | None, differ: int, n: int = 46
) -> FeatureDifference:
    if value is None:
        return FeatureDifference(name, n, differ, None, None, NO_FIGURE)
    return FeatureDifference(name, n, differ, 0.2 + value, 0.2, known(value, 0.1, n))


def profile(name: str, rho: float, translation: TranslatedRows | None) -> ProfileEvaluation:
    steps = ((index / 10, (index / 10 - 1) / 4) for index in range(10, 51))
    points = (CostPoint(at, round(min(1.0, far**0.6), 2), round(far**2.2, 2)) for at, far in steps)
    at = (
        CostAt(3.0, known(0.66, 0.2, 20), known(0.22, 0.14, 25)),
        CostAt(2.3, known(0.5, 0.2, 20), known(0.08, 0.08, 25)),
    )
    return ProfileEvaluation(
        name,
        (f"klopt:0.2.0|profile:{name}|lexicon:3f2a90c1|pipeline:nl-8e21",),
        3.0,
        translation,
        (
            agreement("all", rho, 48),
            agreement("language: nl", rho + 0.05, 33),
            agreement("language: en", rho - 0.1, 15),
            agreement("message type: binary", rho - 0.2, 20),
            agreement("message type: error", None, 2),
        ),
        tuple(map(stars, range(1, 6))),
        tuple(
            Feature(one, symbol, 46, 2, known(value, 0.2, 46, 0.0004 if kept else 0.41), kept)
            for one, (symbol, value, kept) in FEATURES.items()
        ),
        tuple(
            Ablation(one, known(rho - value / 4), known(value / 4, 0.03))
            for one, (_, value, _) in FEATURES.items()
        ),
        Costs(20, 25, tuple(points), at),
        (
            disagreement("wad-017", 1, 4.2),
            disagreement("wad-003", 5, 2.1),
            disagreement("wad-030", 2, 4.0),
            disagreement("wad-041", 4, 2.6),
        ),
    )


def column(name: str, rho: float | None, less: float | None, n: int = 47) -> ColumnAgreement:
    none = Estimate.missing(n, "all scores are the same")
    some = none if rho is None else known(rho, n=n)
    auc = known(0.5 + (rho or 0.0) / 2, 0.1, n)
    differences = (none, none)
    if less is not None:
        differences = known(less, 0.1, n - 2), known(less / 2, 0.1, n - 2)
    return ColumnAgreement(name, n, 52 - n, some, some, some, auc, *differences)


COMPARISON = ProfileComparison(
    *("default", "afas", 48, 45, 0.42, 0.28, known(0.14, 0.11), 0.71, 0.65, known(0.06, 0.09)),
    p_first_better=0.991,
    features=(
        feature_difference("components_defined", 0.0, 0),
        feature_difference("prompt_overlap", 0.0, 0),
        feature_difference("hal", 0.14, 44),
        feature_difference("subject_combination", -0.2, 30),
        feature_difference("verbatim_guide_defined", 0.02, 8),
        feature_difference("step_order", None, 1, 2),
        feature_difference("company_specific_terms", None, 0, 0),
    ),
)
TRANSLATED = TranslatedRows(40, {"not_in_memory": 5, "timeout": 1}, {"quota": 2}, 3)
RECOGNISED = [known(value, 0.08) for value in (0.77, 0.81, 0.82, 0.72)]


def example(*, second: bool = True) -> Json:
    types = {"binary": 20, "instruction": 30, "error": 2}
    unscored = {"out_of_scope": 3, "no_contexts": 1}
    profiles = [profile("default", 0.42, TRANSLATED if second else None)]
    evaluation = Evaluation(
        *("0.2.0", "rated.jsonl", 0, 2000),
        Rows(52, 48, 4, unscored, {"nl": 35, "en": 17}, types),
        (*profiles, *[profile("afas", 0.28, None)] * second),
        COMPARISON if second else None,
        MessageTypes(
            52,
            Recognition(*RECOGNISED),
            (OneType("binary", *RECOGNISED), OneType("instruction", *RECOGNISED)),
            Recognition(*RECOGNISED),
        ),
        (
            column("bleu", 0.11, 0.31),
            column("g_eval.truthfulness", 0.61, -0.19),
            column("rouge_l", 0.35, 0.07),
            column("always the same", None, None),
        ),
    )
    figures: Json = json.loads(json.dumps(dataclasses.asdict(evaluation)))
    return figures


def evaluated(figures: Json) -> Evaluation:
    """The figures as `klopt.evaluation.evaluate` gives them."""
    return TypeAdapter(Evaluation).validate_json(json.dumps(figures), strict=True)


def with_texts(value: Any, change: Callable[[str], str]) -> Any:
    """The same figures with every text changed, and the names that come from the data too."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, tuple):
        return tuple(with_texts(one, change) for one in value)
    if isinstance(value, dict):
        return {change(key) + str(place): one for place, (key, one) in enumerate(value.items())}
    if isinstance(value, CheckedStatement):
        passage = with_texts(value.passage, change)
        slots = with_texts(value.slots, change)
        return dataclasses.replace(value, text=change(value.text), passage=passage, slots=slots)
    if isinstance(value, Evidence):
        return dataclasses.replace(
            value, text=change(value.text), page=change(value.page or ""), entry=change("")
        )
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = {one.name: getattr(value, one.name) for one in dataclasses.fields(value)}
        return dataclasses.replace(
            value, **{name: with_texts(one, change) for name, one in fields.items()}
        )
    return value
