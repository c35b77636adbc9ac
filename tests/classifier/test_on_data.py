"""Accuracy of the scored method on real messages, with floors just below the measured figures.

``klopt evaluate`` prints the figures for rows with a message type.
"""

import json

import pytest

from klopt import lexicons
from klopt.classifier import classify

SCORED_TYPES = ("binary", "instruction")


@pytest.mark.parametrize(
    ("file", "field", "language", "accuracy", "f1"),
    [
        ("messages/helpdesk-nl.dev.jsonl", "question", "nl", 0.97, 0.98),
        ("messages/support-nl.dev.jsonl", "question", "nl", 0.97, 0.98),
        ("turns-nl/dev.jsonl", "question", "nl", 0.97, 0.98),
        ("turns-nl/dev.jsonl", "question_en", "en", 0.97, 0.98),
    ],
)
def test_accuracy_is_above_a_floor(data, file, field, language, accuracy, f1):
    path = data / file
    if not path.is_file():
        pytest.skip(f"there is no {path}")
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]
    tables = lexicons.load(language)
    pairs = [(row["message_type"], classify(row[field], tables).message_type) for row in rows]
    right = sum(meant == found for meant, found in pairs)
    both = sum(meant in SCORED_TYPES and found in SCORED_TYPES for meant, found in pairs)
    either = sum((meant in SCORED_TYPES) + (found in SCORED_TYPES) for meant, found in pairs)
    assert right / len(pairs) >= accuracy
    assert 2 * both / either >= f1
