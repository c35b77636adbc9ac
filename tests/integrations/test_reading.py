"""Documents, questions and answers of packages become turns; invalid ones are unscored."""

import asyncio
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

from klopt import Page
from klopt.errors import ConfigurationError, RecordError
from klopt.integrations import assess, assess_async, next_by, page_of
from tests.integrations.adapted import PAGE, QUESTION, TRUE, UNTRUE


@dataclass
class AsLangChain:
    page_content: str
    metadata: dict[str, Any] = field(default_factory=dict)
    id: str | None = None


@dataclass
class AsHaystack:
    content: str | None
    meta: dict[str, Any] = field(default_factory=dict)
    id: str = "8f1c"


@pytest.mark.parametrize(
    ("document", "name"),
    [
        (PAGE, "context-3"),
        ("wifi.md", "context-3"),
        (Page(PAGE, id="a"), "a"),
        (AsLangChain(PAGE, id="9"), "9"),
        (AsLangChain(PAGE, {"id": "chunk", "source": "wifi.md"}, "9"), "wifi.md"),
        (AsLangChain(PAGE, {"title": "Wifi", "url": "https://x.example/w"}), "https://x.example/w"),
        (AsLangChain(PAGE, {"source": 7, "title": "Wifi"}), "Wifi"),
        (AsHaystack(PAGE), "8f1c"),
        (AsHaystack(PAGE, {"file_path": "wifi.md"}), "wifi.md"),
        ({"page_content": PAGE, "metadata": {"doc_uri": "wifi.md"}}, "wifi.md"),
        ({"content": PAGE, "meta": {"id": "12"}, "id": "x"}, "12"),
    ],
)
def test_a_page_has_its_best_known_name(document, name):
    page = page_of(document, 3)
    assert isinstance(page, Page)
    assert page.id == name


@pytest.mark.parametrize("document", [7, None, AsHaystack(None), {"meta": {"source": "x"}}])
def test_a_document_without_text_is_refused(document):
    with pytest.raises(RecordError, match=r"^document 2 has no text; give it as page_content"):
        page_of(document, 2)


@pytest.mark.parametrize(
    ("documents", "verdict", "code"),
    [
        ([PAGE], "block", None),
        (PAGE, "block", None),
        ({"body": PAGE, "title": "Wifi"}, "block", None),
        ({}, "unscored", "no_contexts"),
        (iter([AsLangChain(PAGE)]), "block", None),
        (AsLangChain(PAGE), "block", None),
        (None, "unscored", "no_contexts"),
        ([""], "unscored", "no_contexts"),
        (np.array([PAGE, ""]), "block", None),
        (7, "unscored", "row"),
        ([PAGE, 7], "unscored", "row"),
        ([{"id": "a"}], "unscored", "row"),
    ],
)
def test_documents_of_any_type(scorer, documents, verdict, code):
    found = assess(scorer, QUESTION, UNTRUE, documents)
    assert (found.verdict, found.reason_code) == (verdict, code)


@dataclass
class Message:
    content: object


@pytest.mark.parametrize(
    "answer",
    [
        Message(UNTRUE),
        Message([{"type": "text", "text": UNTRUE[:5]}, {"type": "image"}, UNTRUE[5:]]),
        [{"type": "text", "text": UNTRUE}],
    ],
)
def test_a_message_is_read_as_its_text(scorer, answer):
    found = assess(scorer, Message(QUESTION), answer, [PAGE])
    assert found == assess(scorer, QUESTION, UNTRUE, [PAGE])


def test_an_answer_of_another_type_is_refused_with_its_type(scorer):
    found = assess(scorer, QUESTION, Message([]), [PAGE])
    assert found.reason == "the answer is Message, not a text or a message"


def test_a_turn_has_a_time_budget(scorer):
    found = assess(scorer, QUESTION, UNTRUE, [PAGE], budget_ms=0)
    later = asyncio.run(assess_async(scorer, QUESTION, UNTRUE, [PAGE], budget_ms=0))
    assert (found.status, later.status) == ("cut_off", "cut_off")


@pytest.mark.parametrize(
    ("question", "answer", "code"),
    [
        (None, TRUE, "empty_question"),
        (QUESTION, None, "empty_answer"),
        (QUESTION, 7, "row"),
        (["a"], TRUE, "row"),
    ],
)
def test_a_question_or_answer_without_text_is_unscored(scorer, question, answer, code):
    assert assess(scorer, question, answer, [PAGE]).reason_code == code
    assert asyncio.run(assess_async(scorer, question, answer, [PAGE])).reason_code == code


def test_an_unknown_verdict_is_refused():
    with pytest.raises(ConfigurationError) as refused:
        next_by({"sent": 1}, 2)
    assert str(refused.value) == '"sent" is not a verdict; they are send, review, block, unscored'
