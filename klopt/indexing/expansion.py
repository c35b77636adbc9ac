"""Queries that an LLM makes of a question, where its own words find too little.

Nobody is asked unless `search_expanded` is called.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Final, Literal, TypeAlias

from klopt import shipped
from klopt.errors import ReplyError
from klopt.indexing.index_file import Index
from klopt.indexing.search import Found
from klopt.models.calls import Call, Model, ask, parse_json
from klopt.models.judges import forms
from klopt.records import Page

__all__ = ["Expansion", "fused", "queries", "search_expanded"]

Expansion: TypeAlias = Literal["topics", "excerpts", "variations"]
"""Three intended topics; three excerpts of a page that could answer (HyDE); three other ways to put
the question, each searched for by itself beside the question and the other two (multi-query)."""

QUERY_COUNT: Final = 3
"""The paper's."""
QUERY_CHARS: Final = 1_000
RANK_CONSTANT: Final = 60
"""Of reciprocal rank fusion: how little the first few ranks differ (Cormack et al., 2009)."""
DEPTH: Final = 50
"""How many pages of each query are fused."""


def search_expanded(
    index: Index,
    question: str,
    model: Model,
    k: int = 5,
    *,
    how: Expansion = "variations",
    language: str = "auto",
    row_id: str = "",
) -> tuple[Found, ...]:
    """The pages that fit a question best, by the queries that a model makes of it.

    Args:
        index: Where.
        question: What the user asked; it is sent to the model.
        model: Who makes the queries: one call, or three where ``how`` is ``variations``.
        k: At most so many pages.
        how: See `Expansion`.
        language: As `Index.search` takes it.
        row_id: The row, for transcripts.

    Returns:
        As `Index.search`; with ``variations`` the score is that of `fused`.

    Raises:
        CallError: The model gave no queries that can be used; nothing is searched then.
        InputError: The index was altered.

    Source:
        HR chatbot paper, section 3.1.2.

    Differs:
        The paper searches by vectors; this is by words.
    """
    language = index.language_of(question) if language == "auto" else language
    if how != "variations":
        together = " ".join(queries(question, model, how, row_id=row_id))
        return index.search(together, k, language=language)
    asked = [question, *queries(question, model, how, row_id=row_id)]
    others: tuple[Expansion, ...] = ("topics", "excerpts")
    asked += [" ".join(queries(question, model, one, row_id=row_id)) for one in others]
    depth = max(k, DEPTH)
    return fused([index.search(one, depth, language=language) for one in asked], k)


def fused(rankings: Sequence[Sequence[Found]], k: int) -> tuple[Found, ...]:
    """Several rankings as one, by reciprocal rank fusion.

    A page gets 1 / (60 + its rank) from each ranking that has it, ranks from 1.

    >>> a, b = Found(Page("a", "a"), 9.0), Found(Page("b", "b"), 8.0)
    >>> [(one.page.id, round(one.score, 4)) for one in fused([[a, b], [b], [b, a]], 2)]
    [('b', 0.0489), ('a', 0.0325)]
    """
    scores: dict[Page, float] = {}
    for ranking in rankings:
        for rank, found in enumerate(ranking, 1):
            scores[found.page] = scores.get(found.page, 0.0) + 1 / (RANK_CONSTANT + rank)
    best = sorted(scores.items(), key=lambda one: -one[1])
    return tuple(Found(page, score) for page, score in best[:k])


def queries(
    question: str, model: Model, how: Expansion, *, row_id: str = "", tries: int = 3
) -> tuple[str, ...]:
    """Three queries that a model makes of a question.

    Raises:
        CallError: No reply could be used, or the model gave none.
    """
    words = _prompts()
    mark, blocks = forms.set_apart([(words["block"], question)])
    rule = forms.prompts()["data"]["rule"].format(mark=mark)
    filled = {"wanted": words["wanted"][how].strip(), "rule": rule, "blocks": blocks}
    system, user = (words[part].strip().format_map(filled) for part in ("system", "user"))
    call = Call(row_id, f"retrieval.{how}", blocks, system, user)
    return ask(model, call, lambda reply: _read(reply.text), tries).value


def _read(text: str) -> tuple[str, ...]:
    """The queries of a reply.

    Raises:
        ReplyError: It is not of the form that was asked for.
    """
    reply = parse_json(text)
    found = reply.get("queries") if isinstance(reply, dict) and len(reply) == 1 else None
    if (
        not isinstance(found, list)
        or len(found) != QUERY_COUNT
        or not all(isinstance(one, str) and 0 < len(one.strip()) <= QUERY_CHARS for one in found)
    ):
        raise ReplyError(
            "bad_shape",
            f'the reply must be an object with just "queries", a list of {QUERY_COUNT} texts of at '
            f"most {QUERY_CHARS:,} characters",
        )
    return tuple(one.strip() for one in found)


@cache
def _prompts() -> Mapping[str, Any]:
    found: Mapping[str, Any] = shipped.table("klopt.indexing", "prompts.toml")["queries"]
    return found
