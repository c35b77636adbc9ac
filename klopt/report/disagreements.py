"""The answers on which klopt and the person are furthest apart, with what klopt saw."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from klopt.report import figures
from klopt.report.bars import rating_scale
from klopt.report.elements import Child, Markup, element, join
from klopt.report.figures import brief, cut, decimal, missing, rating_text, whole
from klopt.report.marks import legend, marked_answer, spans
from klopt.report.measurements import measured
from klopt.report.shape import Part
from klopt.report.tables import section
from klopt.report.wording import named, plain, say, texts

OPEN_COUNT: Final = 3
_QUESTION_CHARS: Final = 2000
ANSWER_CHARS: Final = 6000
_LINE_CHARS: Final = 90
_PAGE_COUNT: Final = 8
_UNTRUE: Final = 1.0
_TRUE: Final = 5.0


def disagreements(profiles: Sequence[Part], language: str) -> Markup:
    """The section; the first profile's answers stand open, the second's are folded.

    Args:
        profiles: One or two.
        language: The language of the answers, empty when it is not one and the same.
    """
    first, *others = profiles
    scores = {one.text("name"): _scores(one) for one in profiles}
    own = first.parts("disagreements")
    if not own:
        return section("disagreements", texts()["disagreements"]["heading"], _says("none"))
    return section(
        "disagreements",
        texts()["disagreements"]["heading"],
        _says("intro"),
        element("p", _counted(own)),
        legend(span.kind for one in own for span in spans(one.parts("measurements"))),
        *_cards(first, scores, language, OPEN_COUNT),
        *(_folded(one, scores, language) for one in others),
    )


def _folded(profile: Part, scores: Mapping[str, Mapping[str, float]], language: str) -> Markup:
    found = profile.parts("disagreements")
    name = brief(profile.text("name"), _LINE_CHARS)
    title = say("disagreements", "second", name=name, count=whole(len(found)))
    return element(
        "details",
        element("summary", element("h3", title)),
        element("p", _counted(found)),
        *_cards(profile, scores, language, 0),
        class_="second",
    )


def _says(key: str) -> Markup:
    return element("p", texts()["disagreements"][key], class_="intro")


def _counted(found: Sequence[Part]) -> str:
    gaps = [gap for one in found if (gap := _gap(one)) is not None]
    return say(
        "disagreements",
        "counted",
        shown=whole(len(found)),
        over=whole(sum(gap > 0 for gap in gaps)),
        under=whole(sum(gap < 0 for gap in gaps)),
    )


def _scores(profile: Part) -> dict[str, float]:
    found = ((one.text("id"), one.number("score")) for one in profile.parts("disagreements"))
    return {name: score for name, score in found if score is not None}


def _gap(one: Part) -> float | None:
    """How far klopt is above what the person said; a label counts as 1 or 5, as it is judged."""
    said, score = _said(one), one.number("score")
    return None if said is None or score is None else score - said


def _said(one: Part) -> float | None:
    rating = one.number("rating")
    if rating is not None or one.content.get("label") is None:
        return rating
    return _TRUE if one.flag("label") else _UNTRUE


def _cards(
    profile: Part, scores: Mapping[str, Mapping[str, float]], language: str, open_count: int
) -> list[Markup]:
    own = profile.text("name")
    found = []
    for index, one in enumerate(profile.parts("disagreements")):
        others = {
            name: known[one.text("id")]
            for name, known in scores.items()
            if name != own and one.text("id") in known
        }
        found.append(_card(one, others, language, is_open=index < open_count))
    return found


def _card(one: Part, others: Mapping[str, float], language: str, *, is_open: bool) -> Markup:
    person, score = _said(one), one.number("score")
    measurements = one.parts("measurements")
    summary = element(
        "summary",
        element("h3", brief(one.text("id"), 40)),
        " ",
        element("span", *_pair(one), class_="pair"),
        " ",
        element("span", _direction(one), class_="direction"),
        " ",
        element("span", brief(one.text("question"), _LINE_CHARS), lang=language, class_="line"),
    )
    drawn = None if person is None or score is None else rating_scale(person, score)
    return element(
        "details",
        summary,
        element(
            "div",
            element("div", _texts(one, measurements, language), class_="main"),
            element("div", drawn, _facts(one, others), class_="side"),
            class_="card-body",
        ),
        measured(measurements, person),
        class_="card",
        open=is_open,
    )


def _pair(one: Part) -> tuple[Child, ...]:
    said, rating, score = texts()["disagreements"], one.number("rating"), one.number("score")
    person: Child = missing(None)
    if rating is not None:
        person = rating_text(rating)
    elif one.content.get("label") is not None:
        person = said["true" if one.flag("label") else "untrue"]
    shown = missing(None) if score is None else figures.score(score)
    return (
        f"{said['person']} ",
        element("b", person),
        f" · {said['klopt']} ",
        element("b", shown),
    )


def _direction(one: Part) -> str | None:
    gap = _gap(one)
    if gap is None:
        return None
    sign = texts()["disagreements"]["over" if gap > 0 else "under" if gap < 0 else "level"]
    return say("disagreements", "gap", sign=sign, gap=decimal(abs(gap), 1))


def _facts(one: Part, others: Mapping[str, float]) -> Markup:
    said = texts()["disagreements"]
    evidence = [span for each in one.parts("measurements") for span in each.parts("evidence")]
    pages = list(dict.fromkeys(page for span in evidence if (page := span.words("page"))))
    shown = [element("li", brief(page, _LINE_CHARS)) for page in pages[:_PAGE_COUNT]]
    if len(pages) > _PAGE_COUNT:
        shown.append(
            element("li", say("disagreements", "more", count=whole(len(pages) - _PAGE_COUNT)))
        )
    rule, kind = one.words("rule"), one.words("message_type")
    facts: list[tuple[str, Child]] = [
        (said["verdict"], plain("verdicts", one.words("verdict"))),
        (said["rule"], missing(None) if rule is None else named("rules", rule)),
        (said["message_type"], missing(None) if kind is None else brief(kind, _LINE_CHARS)),
        (said["pages"], element("ul", *shown) if shown else said["no_pages"]),
    ]
    return join(
        element("dl", *(join(element("dt", name), element("dd", value)) for name, value in facts)),
        *(
            element(
                "p", say("disagreements", "other", name=brief(name, 40), score=figures.score(v))
            )
            for name, v in others.items()
        ),
    )


def _texts(one: Part, measurements: Sequence[Part], language: str) -> Markup:
    said = texts()["disagreements"]
    answer = one.text("answer")
    marked = marked_answer(answer[:ANSWER_CHARS], spans(measurements))
    tail = cut(answer, ANSWER_CHARS)[ANSWER_CHARS:] if len(answer) > ANSWER_CHARS else None
    quoted: tuple[tuple[str, Child], ...] = (
        (said["question"], cut(one.text("question"), _QUESTION_CHARS)),
        (said["answer"], join(marked, tail)),
        (said["why"], cut(one.words("explanation") or "–", _QUESTION_CHARS)),
    )
    return join(
        *(
            join(
                element("h4", name),
                element("blockquote", words, lang=language, dir="auto"),
            )
            for name, words in quoted
        )
    )
