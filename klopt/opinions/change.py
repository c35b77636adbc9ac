"""What a second opinion changes of an assessment, and how that is told."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from typing import Any, Final

from klopt import shipped
from klopt.opinions.opinion import Asked, Said
from klopt.scoring.assessment import Assessment
from klopt.scoring.explanation import decimal, headline, said_in
from klopt.scoring.profile import Profile, Verdict
from klopt.scoring.second_opinion import RELATIONS, OpinionNote, SaidOfStatement
from klopt.scoring.statements import WEAKEST, CheckedStatement
from klopt.scoring.tree import HIGHEST, LOWEST, stars

_ITEMS: Final = 3
_LONGEST_CHARS: Final = 60


def problem(said: Said, asked: Asked, profile: Profile) -> str | None:
    """What is wrong with an opinion that was given: a code, or None.

    ``no_shape``: figures that are no chances, statements that were not asked about, nothing at
    all; ``contradiction``: a whole that could be sent, with a statement in it that is contradicted.
    """
    given = [one for one in said.statements if one is not None]
    chances = [one.probability for one in given] + ([] if said.truth is None else [said.truth])
    is_shaped = (
        chances
        and all(0 <= chance <= 1 for chance in chances)
        and all(one.relation in RELATIONS for one in given)
        and len(said.statements) in (0, len(asked.statements))
    )
    if not is_shaped:
        return "no_shape"
    would_send = said.truth is not None and profile.verdict(_score(said.truth)) == "send"
    contradicted = any(one.relation == "contradicted" for one in given)
    return "contradiction" if would_send and contradicted else None


def revised(before: Assessment, said: Said, asked: Asked, profile: Profile, who: str) -> Assessment:
    """The assessment with an opinion that was given.

    The score is 1 + 4 times the chance that the answer is true. Where that is said of statements
    it is the chance of the least likely one: an answer misleads by its worst statement, and a
    product would call a long answer untrue however sure each of its statements is. The verdict
    goes by the profile's lines. An opinion on the whole stands in for the person who would look;
    one on statements leaves standing what they do not settle - steps in another order, names that
    no page has, a part of the question left open - so that such an answer is not sent, nor is one
    beside a statement at fault.
    """
    statements = before.statements
    if said.statements:
        pairs = zip(statements, said.statements, strict=True)
        statements = tuple(_settled(one, other) for one, other in pairs)
    truth = min(one.truth for one in statements) if said.truth is None else said.truth
    verdict = profile.verdict(_score(truth))
    if verdict == "send" and not said.statements:
        statements = tuple(replace(one, fault=False) for one in statements)
    is_open = said.truth is None and _unsettled(before, said, profile)
    if verdict == "send" and (is_open or any(one.fault for one in statements)):
        verdict = "review"
    score = profile.on_its_side(_score(truth), verdict)
    after = replace(before, score=score, stars=stars(score), verdict=verdict, statements=statements)
    told = _told(said, asked, who, before, is_sent=verdict == "send")
    # What klopt found against the answer is told as long as the opinion has not settled it.
    is_told = is_open or said.truth is not None
    rest = before.sentences[1:] if is_told and "send" not in (verdict, before.verdict) else ()
    return replace(after, sentences=(_headline(after, verdict), *told, *rest))


def unchanged(before: Assessment, note: OpinionNote, words: str) -> Assessment:
    """The assessment without an opinion, and why there is none, in words.

    What was to be sent and got no opinion, though somebody was asked, is not sent.
    """
    first, *rest = before.sentences
    verdict = before.verdict
    if verdict == "send" and note.status == "failed":
        verdict = "review"
        first = _headline(before, verdict)
    silent: str = _texts(before.language)["silent"]
    told = silent.format(who=note.who, reason=words)
    return replace(before, verdict=verdict, sentences=(first, *rest, told))


def reason(code: str, language: str | None, *, limit: str = "", found: str = "") -> str:
    """Why there is no opinion, in words.

    >>> reason("late", "nl", limit="500")
    'die kwam niet binnen 500 ms'
    """
    sentence: str = _texts(language)["reasons"][code]
    return sentence.format(limit=limit, found=found)


def _score(truth: float) -> float:
    return LOWEST + (HIGHEST - LOWEST) * truth


def _settled(statement: CheckedStatement, said: SaidOfStatement | None) -> CheckedStatement:
    if said is None:
        return statement
    fault = said.relation != "supported"
    return replace(statement, relation=said.relation, fault=fault, truth=said.truth)


def _unsettled(before: Assessment, said: Said, profile: Profile) -> bool:
    """Whether something is against an answer of which its statements were not asked."""
    others = [name for name in profile.faulty(before.measurements) if name != WEAKEST]
    pairs = zip(before.statements, said.statements, strict=True)
    is_left = any(one.fault and other is None for one, other in pairs)
    return bool(others) or is_left or (before.abstained and before.verdict != "send")


def _headline(after: Assessment, verdict: Verdict) -> str:
    return headline(verdict, after.score or 0.0, after.language)


def _told(
    said: Said, asked: Asked, who: str, before: Assessment, *, is_sent: bool
) -> Iterator[str]:
    """What was said, in the language of the question."""
    words = _texts(before.language)
    own = decimal(before.score or 0.0, before.language)
    given = [
        (textwrap.shorten(statement.text.rstrip(" ."), _LONGEST_CHARS, placeholder=" …"), one)
        for statement, one in zip(asked.statements, said.statements, strict=False)
        if one is not None
    ]
    if said.truth is not None:
        yield words["whole"].format(who=who, share=f"{said.truth:.0%}", score=own)
    for relation in RELATIONS[1:]:
        found = [f"“{text}”" for text, one in given if one.relation == relation]
        if found:
            items = ", ".join([*found[:_ITEMS], *(["…"] if len(found) > _ITEMS else [])])
            yield words[relation].format(who=who, items=items)
    if said.truth is None and all(one.relation == "supported" for _, one in given):
        yield words["supported"].format(who=who, score=own)
        if not is_sent:
            item, least = min(given, key=lambda pair: pair[1].truth)
            yield words["least"].format(item=item, share=f"{least.truth:.0%}")


@cache
def _texts(language: str | None) -> Mapping[str, Any]:
    found: dict[str, Any] = shipped.table("klopt.opinions", "texts.toml")[said_in(language)]
    return found
