"""spaCy pipelines by language: two bundled (nl, en), any installed one by its package name.

>>> nlp = load("nl")
>>> [(word.text, word.lemma_, word.dep_) for word in nlp("Klik op Opslaan.")][0]
('Klik', 'klikken', 'ROOT')
>>> load("nl") is load("nl", "klopt")
True

Importing this package does not import spaCy; loading a pipeline does.
"""

from __future__ import annotations

from klopt.pipelines.fingerprint import hash_of, signature
from klopt.pipelines.inventory import BUNDLED, PipelineInfo, available
from klopt.pipelines.labels import SUBJECT_LABELS
from klopt.pipelines.loading import load

__all__ = [
    "BUNDLED",
    "SUBJECT_LABELS",
    "PipelineInfo",
    "available",
    "hash_of",
    "load",
    "signature",
]
