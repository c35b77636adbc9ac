"""The dependency labels that mean "subject", in the label sets that spaCy pipelines use."""

from __future__ import annotations

from typing import Final

__all__ = ["SUBJECT_LABELS"]

SUBJECT_LABELS: Final = frozenset({"nsubj", "nsubj:outer", "nsubj:pass", "nsubjpass"})
"""Nominal subjects, active and passive.

``nsubj``, ``nsubj:pass`` and ``nsubj:outer`` are Universal Dependencies (the bundled pipelines,
``nl_core_news_*``); ``nsubjpass`` is ClearNLP's name for the passive (``en_core_web_*``).

Clauses as subjects (``csubj``) are left out: their head is a verb, so there is no thing of which
an answer says something. So are expletives (``expl``: "er", "het regent").

>>> "nsubjpass" in SUBJECT_LABELS, "csubj" in SUBJECT_LABELS
(True, False)
"""
