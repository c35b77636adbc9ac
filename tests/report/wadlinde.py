"""A made-up evaluation of the made-up Wadlinde, in the shape that the report reads."""

from __future__ import annotations

import copy
import dataclasses
import json
from collections.abc import Callable
from typing import Any

from pydantic import TypeAdapter

from klopt.evaluation import Evaluation
from klopt.measurement import Evidence
from klopt.scoring.assessment import CheckedStatement

Json = dict[str, Any]
QUESTION = "Hoe geef ik een nieuw adres door aan Wadlinde?"
ANSWER = (
    "Dat doet u zelf:\n\n1. Ga naar **Mijn gegevens**.\n2. Klik op **Adres wijzigen**.\n"
    "3. Stuur een kopie van uw paspoort mee.\n\nWadlinde verwerkt het adres dezelfde dag."
)


def estimate(value: float | None, spread: float = 0.12, n: int = 48, **named: Any) -> Json:
    least = named.pop("least", -1.0)
    if value is None:
        return {"value": None, "low": None, "high": None, "n": n, "p": None, **named}
    ends = {"low": max(value - spread, least), "high": min(value + spread, 1.0)}
    return {"value": value, **ends, "n": n, "p": None, "reason": None, **named}


NOTHING = estimate(None, n=2, reason="fewer than 3 rows")


def evidence(kind: str, words: str, page: str | None = None) -> Json:
    start = ANSWER.index(words)
    place = {"start": start, "end": start + len(words)}
    return {"kind": kind, "text": words, **place, "page": page, "entry": "strong"}


PASSAGE = "Verhuisd? Wadlinde verwerkt een nieuw adres binnen drie dagen. Bel ons bij haast."


def words(text: str, source: str) -> Json:
    start = source.index(text)
    return {"text": text, "start": start, "end": start + len(text)}


def statement(text: str, relation: str = "supported", page: str | None = None, *pairs: str) -> Json:
    """A statement of the answer; ``pairs`` are words of it with what the page says instead."""
    passage = page and {"page": page, "text": PASSAGE, "start": 10, "end": 90, "line": 7}
    slots = [
        {
            "kind": "value",
            "side": "against",
            "claim": words(claim, ANSWER),
            "page": words(own, PASSAGE),
        }
        for claim, own in zip(pairs[::2], pairs[1::2], strict=True)
    ]
    is_fault = relation != "supported"
    told = {"relation": relation, "fault": is_fault, "truth": 0.2 if is_fault else 0.9}
    spans = [(one["page"]["start"], one["page"]["end"]) for one in slots]
    differing = [list(span) for span in spans]
    return {
        **words(text, ANSWER),
        **told,
        "passage": passage,
        "slots": slots,
        "differing": differing,
        "wrong": [[text.index(own), text.index(own) + len(own)] for own in pairs[::2]],
    }


STATEMENTS = [
    statement("Dat doet u zelf:", "supported", "https://wadlinde.example/hulp/zelf"),
    statement("Ga naar **Mijn gegevens**.", "supported", "adres-wijzigen.md"),
    statement("Stuur een kopie van uw paspoort mee.", "not_stated"),
    statement(
        "Wadlinde verwerkt het adres dezelfde dag.",
        "contradicted",
        "https://wadlinde.example/hulp/adres",
        "dezelfde dag",
        "drie dagen",
    ),
]


def disagreement(name: str, rating: int | None, score: float) -> Json:
    return {
        "id": name,
        "question": QUESTION,
        "answer": ANSWER,
        "rating": rating,
        "label": None,
        "score": score,
        "gap": 0.0 if rating is None else abs(score - rating),
        "verdict": "review" if score >= 3 else "block",
        "rule": "sum_of_features",
        "message_type": "instruction",
        "language": "nl",
        "explanation": "Score 4,2 van 5: laat er eerst iemand naar kijken. Niet bevestigd: “…”.",
        "statements": STATEMENTS,
        "measurements": [
            {
                "name": "components_defined",
                "value": 0.5,
                "reason": None,
                "weight": 1.0,
                "evidence": [
                    evidence("supported", "Mijn gegevens", "adres-wijzigen.md"),
                    evidence("unsupported", "Adres wijzigen"),
                ],
            }
        ],
    }


def agreement(slice_: str, rho: float | None, n: int) -> Json:
    some = NOTHING if rho is None else estimate(rho, 0.2, n, p=0.004)
    auc = NOTHING if rho is None else estimate(0.5 + rho / 2, 0.1, n)
    return {
        "slice": slice_,
        **dict.fromkeys(("spearman", "kendall", "pearson", "kappa_quadratic"), some),
        "auc": auc,
        "accuracy_margin_1": NOTHING if rho is None else estimate(0.58, 0.1, n),
    }


def stars(rating: int) -> Json:
    low = rating < 3
    return {
        "rating": rating,
        "n": 9 + rating,
        "margin_1": estimate(0.55 - rating / 50),
        "score_1": estimate(0.45 if low else 0.0, 0.1),
        "below_send": estimate(0.66 if low else 0.18),
        "above_send": estimate(0.34 if low else 0.82),
        "score_5": NOTHING if rating == 3 else estimate(0.05 * rating, 0.04),
    }


NAMES = {
    "company_specific_terms": ("⌘", 0.04, False),
    "components_defined": ("ρ", 0.41, True),
    "hal": ("𝔄", 0.33, True),
    "subject_combination": ("□", -0.06, False),
}


def feature_difference(name: str, value: float | None, differ: int, n: int = 46) -> Json:
    return {
        "name": name,
        "n": n,
        "differ_count": differ,
        "first": None if value is None else 0.2 + value,
        "second": None if value is None else 0.2,
        "spearman_difference": NOTHING if value is None else estimate(value, 0.1, n),
    }


TRANSLATED: Json = {
    "translated": 40,
    "on_original": {"not_in_memory": 5, "timeout": 1},
    "not_scored": {"quota": 2},
    "unmasked": 3,
}


def profile(name: str, rho: float) -> Json:
    steps = [index / 10 for index in range(10, 51)]
    return {
        "name": name,
        "fingerprints": [f"klopt:0.2.0|profile:{name}|lexicon:3f2a90c1|pipeline:nl-8e21"],
        "send_from": 3.0,
        "translation": None,
        "agreement": [
            agreement("all", rho, 48),
            agreement("language: nl", rho + 0.05, 33),
            agreement("language: en", rho - 0.1, 15),
            agreement("message type: binary", rho - 0.2, 20),
            agreement("message type: error", None, 2),
        ],
        "stars": [stars(rating) for rating in range(1, 6)],
        "features": [
            {
                "name": feature,
                "symbol": symbol,
                "n": 46,
                "missing_count": 2,
                "spearman": estimate(value, 0.2, 46, p=0.0004 if selected else 0.41),
                "selected": selected,
            }
            for feature, (symbol, value, selected) in NAMES.items()
        ],
        "ablation": [
            {
                "name": feature,
                "spearman_without": estimate(rho - value / 4),
                "brings": estimate(value / 4, 0.03),
            }
            for feature, (_, value, _) in NAMES.items()
        ],
        "costs": {
            "untrue_count": 20,
            "true_count": 25,
            "points": [
                {
                    "threshold": step,
                    "caught_share": round(min(1.0, ((step - 1) / 4) ** 0.6), 2),
                    "held_back_share": round(((step - 1) / 4) ** 2.2, 2),
                }
                for step in steps
            ],
            "at": [
                {
                    "threshold": 3.0,
                    "caught": estimate(0.66, 0.2, 20),
                    "held_back": estimate(0.22, 0.14, 25),
                },
                {
                    "threshold": 2.3,
                    "caught": estimate(0.5, 0.2, 20),
                    "held_back": estimate(0.08, 0.08, 25),
                },
            ],
        },
        "disagreements": [
            disagreement("wad-017", 1, 4.2),
            disagreement("wad-003", 5, 2.1),
            disagreement("wad-030", 2, 4.0),
            disagreement("wad-041", 4, 2.6),
        ],
    }


def types_row(name: str | None = None) -> Json:
    figures = {"f1": 0.77, "accuracy": 0.81, "precision": 0.82, "recall": 0.72}
    found: Json = {key: estimate(value, 0.08) for key, value in figures.items()}
    return found if name is None else {"type": name, **found}


def column(name: str, rho: float | None, less: float | None, n: int = 47) -> Json:
    none = estimate(None, n=n, reason="all scores are the same")
    return {
        "name": name,
        "n": n,
        "missing_count": 52 - n,
        **dict.fromkeys(("spearman", "kendall", "pearson"), estimate(rho, n=n) if rho else none),
        "auc": estimate(0.5 + (rho or 0.0) / 2, 0.1, n),
        "spearman_difference": none if less is None else estimate(less, 0.1, n - 2),
        "auc_difference": none if less is None else estimate(less / 2, 0.1, n - 2),
    }


def example(*, second: bool = True) -> Json:
    profiles = [profile("default", 0.42)] + [profile("afas", 0.28)] * second
    profiles[0]["translation"] = TRANSLATED if second else None
    return {
        "klopt": "0.2.0",
        "file": "rated.jsonl",
        "seed": 0,
        "resamples": 2000,
        "rows": {
            "total": 52,
            "rated": 48,
            "labelled": 4,
            "not_scored": {"out_of_scope": 3, "no_contexts": 1},
            "languages": {"nl": 35, "en": 17},
            "message_types": {"binary": 20, "instruction": 30, "error": 2},
        },
        "profiles": copy.deepcopy(profiles),
        "comparison": {
            "first": "default",
            "second": "afas",
            "n": 48,
            "differ_count": 45,
            "spearman_first": 0.42,
            "spearman_second": 0.28,
            "spearman_difference": estimate(0.14, 0.11),
            "auc_first": 0.71,
            "auc_second": 0.65,
            "auc_difference": estimate(0.06, 0.09),
            "p_first_better": 0.991,
            "features": [
                feature_difference("components_defined", 0.0, 0),
                feature_difference("prompt_overlap", 0.0, 0),
                feature_difference("hal", 0.14, 44),
                feature_difference("subject_combination", -0.2, 30),
                feature_difference("verbatim_guide_defined", 0.02, 8),
                feature_difference("step_order", None, 1, 2),
                feature_difference("company_specific_terms", None, 0, 0),
            ],
        }
        if second
        else None,
        "message_types": {
            "n": 52,
            "overall": types_row(),
            "types": [types_row("binary"), types_row("instruction")],
            "binary_or_instruction": types_row(),
        },
        "columns": [
            column("bleu", 0.11, 0.31),
            column("g_eval.truthfulness", 0.61, -0.19),
            column("rouge_l", 0.35, 0.07),
            column("always the same", None, None),
        ],
    }


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
