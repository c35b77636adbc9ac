"""A fictional evaluation of the fictional company Wadlinde, for the tests of its report."""

import dataclasses
import json
from collections.abc import Callable, Iterator
from itertools import count
from types import NoneType
from typing import Any, Literal, get_args, get_origin, get_type_hints

from pydantic import TypeAdapter

from klopt.evaluation.estimate import Estimate
from klopt.evaluation.evaluation import Evaluation
from klopt.evaluation.features import Disagreement, Weighed
from klopt.scoring.assessment import CheckedClaim, PagePlace
from klopt.types import Evidence

Json = dict[str, Any]
QUESTION = "Hoe geef ik een nieuw adres door aan Wadlinde?"
ANSWER = (
    "Dat doet u zelf:\n\n1. Ga naar **Mijn gegevens**.\n2. Klik op **Adres wijzigen**.\n"
    "3. Stuur een kopie van uw paspoort mee.\n\nWadlinde verwerkt het adres dezelfde dag."
)
PASSAGE = "Verhuisd? Wadlinde verwerkt een nieuw adres binnen drie dagen. Bel ons bij haast."
SITE = "https://wadlinde.example/hulp/"


def known(value: float, spread: float = 0.12, n: int = 48, least: float = -1.0) -> Estimate:
    return Estimate(value, max(value - spread, least), min(value + spread, 1.0), n, 0.004)


def estimate(*figure: Any, **named: Any) -> Json:
    """Return the same estimate as JSON."""
    return dataclasses.asdict(known(*figure, **named))


NOTHING = dataclasses.asdict(Estimate.missing(2, "fewer than 3 rows"))
PLAIN = {str: "a name", bool: True, int: 20, float: 0.42}


def made(kind: Any, at: Iterator[int], **given: Any) -> Any:
    """Return a value of a type with the given fields; all texts equal, all estimates different."""
    if kind is Estimate:
        return known(0.2 + next(at) / 100, 0.1)
    if dataclasses.is_dataclass(kind):
        fields = {one: hint for one, hint in get_type_hints(kind).items() if one not in given}
        return kind(**given, **{name: made(hint, at) for name, hint in fields.items()})
    parts = [one for one in get_args(kind) if one not in (NoneType, Ellipsis)]
    if get_origin(kind) is Literal:
        return parts[0]
    if get_origin(kind) is tuple:
        return tuple(made(one, at) for one in parts)
    if get_origin(kind) is dict:
        return {"out_of_scope": 3}
    return made(parts[0], at) if parts else PLAIN[kind]


def claim(
    text: str, relation: Any = "supported", page: str | None = None, own: str = "", its: str = ""
) -> CheckedClaim:
    """Return a claim of the answer; its words ``own`` and the page's words ``its`` differ."""
    start, is_fault = ANSWER.index(text), relation != "supported"
    spans = [
        ((source.index(words), source.index(words) + len(words)),) if words else ()
        for source, words in ((PASSAGE, its), (text, own))
    ]
    place = page and PagePlace(page, PASSAGE, 10, 90, 7)
    found = start, start + len(text), relation, is_fault, 0.5
    return CheckedClaim(text, *found, place, (), *spans)


CLAIMS = (
    claim("Dat doet u zelf:", "supported", f"{SITE}zelf"),
    claim("Ga naar **Mijn gegevens**.", "supported", "adres-wijzigen.md"),
    claim("Stuur een kopie van uw paspoort mee.", "not_stated"),
    claim(
        "Wadlinde verwerkt het adres dezelfde dag.", "contradicted", f"{SITE}adres",
        "dezelfde dag", "drie dagen",
    ),
)  # fmt: skip


def disagreement(name: str, rating: float, score: float) -> Disagreement:
    start = ANSWER.index("Adres wijzigen")
    found = (Evidence("unsupported", "Adres wijzigen", start, start + 14, None),)
    verdict = "review" if score >= 3 else "block"
    return Disagreement(
        *(name, QUESTION, ANSWER, rating, None, score, abs(score - rating)),
        *(verdict, "sum_of_features", "instruction", "nl"),
        "Score 4,2 van 5: laat er eerst iemand naar kijken. Niet bevestigd: “…”.",
        CLAIMS,
        (Weighed("components_defined", 0.5, None, 1.0, found),),
    )


def example(*, second: bool = True) -> Json:
    more = {} if second else {"comparison": None}
    figures: Json = json.loads(json.dumps(dataclasses.asdict(made(Evaluation, count(), **more))))
    (first,) = figures["profiles"]
    worst = disagreement("wad-017", 1.0, 4.2), disagreement("wad-003", 5.0, 2.1)
    first |= {
        "name": "default",
        "send_from": 3.0,
        "disagreements": [*map(dataclasses.asdict, worst)],
        "agreement": [first["agreement"][0] | {"slice": one} for one in ("all", "language: nl")],
        "ablation": [first["ablation"][0] | {"brings": NOTHING}],
        "stars": [first["stars"][0] | {"rating": one} for one in range(1, 6)],
    }
    first["costs"]["at"][0] |= {"threshold": 3.0}
    other = first | {"name": "afas", "translation": None, "learnt_rows": None}
    figures["profiles"] = [first, *[other] * second]
    if second:
        figures["comparison"] |= {"first": "default", "second": "afas"}
    loaded: Json = json.loads(json.dumps(figures))
    return loaded


def evaluated(figures: Json) -> Evaluation:
    """Return the figures as `klopt.evaluation.evaluate` does."""
    return TypeAdapter(Evaluation).validate_json(json.dumps(figures), strict=True)


def with_texts(value: Any, change: Callable[[str], str]) -> Any:
    """Return the figures with every text and every name from the data changed."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, tuple):
        return tuple(with_texts(one, change) for one in value)
    if isinstance(value, dict):
        return {change(key) + str(place): one for place, (key, one) in enumerate(value.items())}
    if isinstance(value, CheckedClaim):
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
