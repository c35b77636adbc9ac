"""The optional LLM adapter: an HTTP client, judges, and second opinions of LLMs and local models.

Nothing here is imported by ``import klopt``; the client needs the extra ``llm``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from klopt._internal.imports import lazily

if TYPE_CHECKING:
    from klopt.llm.client import ChatClient
    from klopt.llm.opinions.adviser import Adviser, OpinionResult
    from klopt.llm.opinions.llm import LlmOpinion, Recorded
    from klopt.llm.opinions.nli import NliModel
    from klopt.scoring.profile import Budget

__all__ = [
    "Adviser",
    "Budget",
    "ChatClient",
    "LlmOpinion",
    "NliModel",
    "OpinionResult",
    "Recorded",
]

__getattr__ = lazily(
    __name__,
    {
        "Adviser": "klopt.llm.opinions.adviser",
        "Budget": "klopt.scoring.profile",
        "ChatClient": "klopt.llm.client",
        "LlmOpinion": "klopt.llm.opinions.llm",
        "NliModel": "klopt.llm.opinions.nli",
        "OpinionResult": "klopt.llm.opinions.adviser",
        "Recorded": "klopt.llm.opinions.llm",
    },
)
