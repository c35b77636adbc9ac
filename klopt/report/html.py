"""An evaluation as one HTML page: no script, no network, nothing from outside."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from importlib import resources
from typing import Any, Final

from klopt.errors import InputError
from klopt.report.agreement import agreement, costs
from klopt.report.columns import columns
from klopt.report.comparison import comparison
from klopt.report.counts import answers, glossary, labellers, message_types, repeat, stars
from klopt.report.disagreements import disagreements
from klopt.report.elements import Markup, document, element, stylesheet
from klopt.report.features import ablation, features, heat
from klopt.report.figures import brief
from klopt.report.headline import headline
from klopt.report.shape import Part
from klopt.report.wording import say, texts

_LANGUAGE: Final = re.compile(r"[a-z]{2,3}")
_PROFILES: Final = (1, 2)
_FILE_CHARS: Final = 80


def render(evaluation: Mapping[str, Any]) -> str:
    """The page for a support lead: the outcome in words, the worst answers, the tables.

    Every text of the evaluation is other people's: it is escaped wherever it stands, control and
    direction characters become U+FFFD, long texts are cut with their length said. A Content
    Security Policy in the page lets in its own style sheet and nothing else.

    Args:
        evaluation: ``Evaluation.to_dict()``, or the same read back from JSON.

    Returns:
        HTML in UTF-8 text; the same bytes for the same evaluation. Sections without data are
        left out.

    Raises:
        InputError: Where the evaluation does not have the shape that ``klopt evaluate`` writes.
    """
    whole = Part(evaluation)
    profiles = whole.parts("profiles")
    if len(profiles) not in _PROFILES:
        raise InputError(
            f"evaluation, profiles: met {len(profiles)}, allowed: one or two; write the "
            "evaluation anew with klopt evaluate"
        )
    sections = {
        "disagreements": disagreements(profiles, _language(whole)),
        "comparison": comparison(whole),
        "agreement": agreement(profiles),
        "columns": columns(whole),
        "costs": costs(profiles),
        "stars": stars(profiles),
        "features": features(profiles),
        "ablation": ablation(profiles),
        "heat": heat(whole),
        "message-types": message_types(whole),
        "labellers": labellers(whole),
        "answers": answers(whole),
        "glossary": glossary(),
        "repeat": repeat(whole),
    }
    present = {name: one for name, one in sections.items() if one is not None}
    body = element(
        "body",
        element("a", texts()["page"]["skip"], href="#disagreements", class_="skip"),
        element("header", element("h1", texts()["page"]["title"]), _source(whole)),
        element(
            "main",
            element("section", headline(whole), id="outcome", aria_label=texts()["page"]["title"]),
            _contents(present),
            *present.values(),
        ),
    )
    return document(_head(), body, "en")


def _head() -> Markup:
    css = resources.files("klopt.report").joinpath("style.css").read_text("utf-8")
    style, source = stylesheet(css)
    policy = f"default-src 'none'; style-src {source}; base-uri 'none'; form-action 'none'"
    return element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=policy),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="referrer", content="no-referrer"),
        element("meta", name="color-scheme", content="light dark"),
        element("title", texts()["page"]["title"]),
        style,
    )


def _source(evaluation: Part) -> Markup:
    file = brief(evaluation.text("file"), _FILE_CHARS)
    said = say("page", "source", file=file, version=brief(evaluation.text("klopt"), 20))
    return element("p", said, class_="source")


def _contents(present: Mapping[str, Markup]) -> Markup:
    names = texts()["contents"]
    items: Sequence[Markup] = [
        element("li", element("a", names[name], href=f"#{name}")) for name in present
    ]
    return element("nav", element("ul", *items), aria_label=texts()["page"]["contents"])


def _language(evaluation: Part) -> str:
    """The language of the answers when it is one and the same, else empty: not known."""
    names = list(evaluation.part("rows").counts("languages"))
    return names[0] if len(names) == 1 and _LANGUAGE.fullmatch(names[0]) else ""
