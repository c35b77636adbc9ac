"""LangGraph: a node that checks the answer and says which node is next."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from klopt import Scorer
from klopt.adapters import assess, next_by
from klopt.extras import needs

with needs("langgraph", "klopt's adapter needs langgraph"):
    from langchain_core.messages import convert_to_messages
    from langgraph.types import Command

_NO_MESSAGES = (LookupError, NotImplementedError, TypeError, ValueError)


def check_node(
    scorer: Scorer, *, otherwise: str, **verdicts: str
) -> Callable[[Mapping[str, Any]], Command[str]]:
    """A node that goes to the node of its verdict: ``send="speak", otherwise="hand_over"``.

    The state has ``question``, ``answer`` and ``context`` (documents), or it has ``messages``: then
    the last answer is held against what tools brought up since the last question. It gets the
    assessment under ``klopt``, as `Assessment.to_dict` makes it, so that a checkpoint can hold it.
    """
    following = next_by(verdicts, otherwise)

    def check(state: Mapping[str, Any]) -> Command[str]:
        fields = tuple(state.get(name) for name in ("question", "answer", "context"))
        try:
            turn = fields if "answer" in state else _said(state.get("messages"))
        except _NO_MESSAGES as error:
            assessment = scorer.refuse("", f"messages cannot be read: {error}")
        else:
            assessment = assess(scorer, *turn)
        return Command(update={"klopt": assessment.to_dict()}, goto=following(assessment.verdict))

    return check


def _said(messages: Any) -> tuple[str, str, list[Any]]:
    """The last question and answer, and the documents or texts of the tools between them."""
    question, answer = "", ""
    documents: list[Any] = []
    for message in convert_to_messages(messages or ()):
        if message.type == "human":
            question, answer, documents = message.text, "", []
        elif message.type == "tool" and message.status != "error":
            documents += message.artifact if isinstance(message.artifact, list) else [message.text]
        elif message.type == "ai":
            answer = message.text
    return question, answer, documents
