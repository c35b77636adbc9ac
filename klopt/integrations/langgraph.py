"""LangGraph: a node that checks the answer and chooses the next node."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from klopt import Scorer
from klopt._internal.imports import needs
from klopt.integrations import assess, next_by

with needs("langgraph", "klopt's adapter needs langgraph"):
    from langchain_core.messages import convert_to_messages
    from langgraph.types import Command

_NO_MESSAGES = (LookupError, NotImplementedError, TypeError, ValueError)


def check_node(
    scorer: Scorer, *, otherwise: str, budget_ms: float | None = None, **verdicts: str
) -> Callable[[Mapping[str, Any]], Command[str]]:
    """Return a node that goes to the node of the verdict: ``send="speak", otherwise="hand_over"``.

    The state has ``question``, ``answer`` and ``context`` (documents), or ``messages``: the last
    answer is then checked against the tool results since the last question. The assessment is
    added as ``klopt``, as `Assessment.to_dict` returns it, so that a checkpoint can store it. The
    budget is as for `Scorer.score`.
    """
    following = next_by(verdicts, otherwise)

    def check(state: Mapping[str, Any]) -> Command[str]:
        fields = tuple(state.get(name) for name in ("question", "answer", "context"))
        try:
            turn = fields if "answer" in state else _last_turn(state.get("messages"))
        except _NO_MESSAGES as error:
            assessment = scorer.refuse("", f"messages cannot be read: {error}")
        else:
            assessment = assess(scorer, *turn, budget_ms=budget_ms)
        return Command(update={"klopt": assessment.to_dict()}, goto=following(assessment.verdict))

    return check


def _last_turn(messages: Any) -> tuple[str, str, list[Any]]:
    """Return the last question and answer, and the tools' documents or texts between them."""
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
