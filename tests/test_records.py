"""Turns and pages from rows: aliases, pages by name, and the message for what cannot be read."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

import pytest

from klopt.errors import KloptError, RecordError
from klopt.records import MESSAGE_TYPES, Page, Turn, row_id

PAGES = {"wifi.md": Page("# Wifi", id="wifi.md"), "net/wifi.md": Page("# Net", id="net/wifi.md")}
FIELDS = "answer, contexts, id, label, language, message_type, meta, question, rating, reference"


@pytest.mark.parametrize(
    "row",
    [
        pytest.param(
            {
                "user_input": "Kan dat?",
                "response": "Ja.",
                "retrieved_contexts": ["De pagina."],
                "reference": "Jawel.",
            },
            id="ragas",
        ),
        pytest.param(
            {
                "input": "Kan dat?",
                "actual_output": "Ja.",
                "retrieval_context": ["De pagina."],
                "expected_output": "Jawel.",
            },
            id="deepeval",
        ),
        pytest.param(
            {
                "input": "Kan dat?",
                "actualOutput": "Ja.",
                "retrievalContext": ["De pagina."],
                "expectedOutput": "Jawel.",
            },
            id="deepeval camelCase",
        ),
        pytest.param(
            {
                "message": "Kan dat?",
                "output": "Ja.",
                "documents": [{"content": "De pagina."}],
                "ground_truth": "Jawel.",
            },
            id="message and documents",
        ),
        pytest.param(
            {
                "prompt": "Kan dat?",
                "output": "Ja.",
                "context": "De pagina.",
                "Ground-Truth": "Jawel.",
            },
            id="prompt and output",
        ),
        pytest.param(
            {
                "QUERY": "Kan dat?",
                "Prediction": "Ja.",
                "CONTEXTS": ["De pagina."],
                "ground truth": "Jawel.",
            },
            id="case and blanks",
        ),
    ],
)
def test_aliases(row: dict[str, Any]):
    turn = Turn.from_mapping(row)
    assert turn == Turn("Kan dat?", "Ja.", [Page("De pagina.", id="context-1")], reference="Jawel.")


@pytest.mark.parametrize("reverse", [False, True])
def test_own_name_wins_over_an_alias(reverse: bool):
    row = {"question": "Kan dat?", "prompt": "You are a bot.", "answer": "Ja.", "output": "{}"}
    if reverse:
        row = dict(reversed(row.items()))
    turn = Turn.from_mapping(row)
    assert (turn.question, turn.answer) == ("Kan dat?", "Ja.")


def test_unknown_fields_are_left():
    assert Turn.from_mapping({"question": "Kan dat?", "latency_ms": 3}).meta == {}
    assert Turn.from_mapping({"question": "Kan dat?", "metadata": {"bot": 2}}).meta == {"bot": 2}


def test_map_names():
    row = {"bot_text": "Ja.", "answer": "Nee.", "vraag": "Kan dat?"}
    turn = Turn.from_mapping(row, names={"answer": "bot_text", "question": "vraag"})
    assert (turn.question, turn.answer) == ("Kan dat?", "Ja.")


@pytest.mark.parametrize(
    ("names", "message"),
    [
        ({"antwoord": "bot"}, f'there is no field "antwoord" to map; the fields are {FIELDS}'),
        ({"answer": "bot_text"}, 'there is no field "bot_text" to read as answer'),
    ],
)
def test_map_of_what_is_not_there(names: dict[str, str], message: str):
    with pytest.raises(RecordError) as caught:
        Turn.from_mapping({"question": "Kan dat?", "answer": "Ja."}, names=names)
    assert str(caught.value) == message


def test_page_objects():
    turn = Turn.from_mapping(
        {
            "contexts": [
                {
                    "id": "wifi",
                    "title": "Wifi",
                    "text": "<p>Aan</p>",
                    "url": "https://example.org/wifi",
                    "format": "html",
                },
                {"page_content": "Uit", "source": "uit.md"},
                "Los.",
            ]
        }
    )
    assert turn.pages == (
        Page("<p>Aan</p>", "wifi", "Wifi", "https://example.org/wifi", "html"),
        Page("Uit", "context-2", None, "uit.md"),
        Page("Los.", "context-3"),
    )


def test_names_of_pages():
    row = {"contexts": ["net/wifi.md", "Dit is een tekst.", {"id": "wifi.md"}]}
    turn = Turn.from_mapping(row, pages=PAGES)
    assert turn.pages == (
        PAGES["net/wifi.md"],
        Page("Dit is een tekst.", id="context-2"),
        PAGES["wifi.md"],
    )


@pytest.mark.parametrize(
    ("contexts", "pages", "message"),
    [
        (
            ["vpn.md"],
            PAGES,
            'context "vpn.md" is not a page (the folder of pages has 2; '
            "--pages DIR names the folder)",
        ),
        (
            [{"id": "vpn.md"}],
            PAGES,
            'context "vpn.md" is not a page (the folder of pages has 2; '
            "--pages DIR names the folder)",
        ),
        *(
            (
                [name],
                None,
                f'context "{name}" is not a page (no folder of pages was given; '
                "--pages DIR names the folder)",
            )
            for name in ("wifi.md", "net/wifi.html", "WIFI.TXT")
        ),
        (
            [{"id": "vpn.md"}],
            None,
            'context "vpn.md" is not a page (no folder of pages was given; '
            "--pages DIR names the folder)",
        ),
    ],
)
def test_page_that_is_not_there(contexts: list[Any], pages: dict[str, Page] | None, message: str):
    with pytest.raises(RecordError) as caught:
        Turn.from_mapping({"contexts": contexts}, pages=pages)
    assert str(caught.value) == message


def test_page_under_two_names_counts_once():
    page = Page("# Wifi", id="wifi.md")
    with pytest.raises(RecordError, match=r"the folder of pages has 1;"):
        Turn.from_mapping({"contexts": ["vpn.md"]}, pages={"wifi.md": page, "wifi": page})


def test_without_a_folder_only_a_file_name_is_a_name():
    assert Turn.from_mapping({"contexts": ["wifi"]}).pages == (Page("wifi", "context-1"),)
    text = "Zie wifi.md"
    assert Turn.from_mapping({"contexts": [text]}).pages == (Page(text, "context-1"),)


@pytest.mark.parametrize("contexts", [None, "", []])
def test_no_contexts(contexts: object):
    assert Turn.from_mapping({"contexts": contexts}).pages == ()


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"question": ["Kan dat?"]}, "question is a list, not text"),
        ({"answer": 5}, "answer is a number, not text"),
        ({"answer": True}, "answer is true or false, not text"),
        ({"answer": {"text": "Ja."}}, "answer is an object, not text"),
        ({"answer": 1.5}, "answer is a number, not text"),
        ({"language": b"nl"}, "language is something else, not text"),
        ({"reference": ["Ja."]}, "reference is a list, not text"),
        ({"contexts": 7}, "contexts is a number, not a list of texts, pages or page names"),
        ({"contexts": [7]}, "context 1 is a number, not a text, a page or a page name"),
        (
            {"contexts": ["a b", None]},
            "context 2 is nothing, not a text, a page or a page name",
        ),
        ({"contexts": [["a"]]}, "context 1 is a list, not a text, a page or a page name"),
        (
            {"contexts": [{"text": "a", "format": "pdf"}]},
            'context 1: format "pdf" is not one of auto, markdown, html, plain',
        ),
        ({"contexts": [{"text": 3}]}, "context 1: text is a number, not text"),
        (
            {"contexts": b"Aan."},
            "contexts is something else, not a list of texts, pages or page names",
        ),
        (
            {"contexts": ["Aan.", {"text": "a", "url": ["b"]}]},
            "context 2: url is a list, not text",
        ),
        (
            {"message_type": "vraag"},
            f'message_type "vraag" is not one of {", ".join(MESSAGE_TYPES)}',
        ),
    ],
)
def test_wrong_type(row: dict[str, Any], message: str):
    with pytest.raises(RecordError) as caught:
        Turn.from_mapping(row)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("value", "rating"),
    [(None, None), ("", None), (1, 1.0), (5, 5.0), (3.5, 3.5), ("4", 4.0), (" 2.5 ", 2.5)],
)
def test_rating(value: object, rating: float | None):
    assert Turn.from_mapping({"rating": value}).rating == rating


@pytest.mark.parametrize("value", [0, 6, 5.5, "vijf", "nan", "inf", True, [3], {"stars": 3}])
def test_rating_outside_its_bounds(value: object):
    with pytest.raises(RecordError) as caught:
        Turn.from_mapping({"rating": value})
    assert str(caught.value) == f"rating is {value!r}, not a number from 1 to 5"


def test_ids():
    assert Turn.from_mapping({"id": 12}).id == "12"
    assert Turn.from_mapping({"turn_id": "a"}).id == "a"
    assert Turn.from_mapping({}).id == ""


def test_empty_row():
    assert Turn.from_mapping({}) == Turn("", "")


@dataclasses.dataclass
class Document:
    """As LangChain's, which has further fields too."""

    page_content: Any
    metadata: Any
    type: str = "Document"

    def __iter__(self) -> Iterator[tuple[str, Any]]:
        return iter(vars(self).items())


WIFI = Page("Aan.", id="wifi")


@pytest.mark.parametrize(
    ("contexts", "pages"),
    [
        pytest.param(None, (), id="nothing"),
        pytest.param("", (), id="an empty text"),
        pytest.param([], (), id="an empty list"),
        pytest.param({}, (Page("", "context-1"),), id="an empty object"),
        pytest.param("Aan.", (Page("Aan.", "context-1"),), id="a text"),
        pytest.param("wifi", (Page("wifi", "context-1"),), id="a word"),
        pytest.param(WIFI, (WIFI,), id="a page"),
        pytest.param(["Aan.", WIFI], (Page("Aan.", "context-1"), WIFI), id="a text and a page"),
        pytest.param((one for one in (WIFI, "Uit.")), (WIFI, Page("Uit.", "context-2")), id="any"),
        pytest.param({"page_content": "Aan.", "name": "wifi"}, (WIFI,), id="an object"),
        pytest.param(
            [{"text": "Aan.", "id": 7, "title": None, "source": "aan.md", "format": "plain"}],
            (Page("Aan.", "7", None, "aan.md", "plain"),),
            id="an object in a list",
        ),
        pytest.param(Document("Aan.", {"id": "wifi"}), (WIFI,), id="a document"),
        pytest.param(
            [
                "Uit.",
                Document("Aan.", {"source": "aan.md", "title": "Wifi", "format": "pdf", "n": 1}),
            ],
            (Page("Uit.", "context-1"), Page("Aan.", "context-2", "Wifi", "aan.md")),
            id="a document in a list",
        ),
        pytest.param(
            Document("Aan.", {"url": "b", "source": "a", "text": "Uit."}),
            (Page("Aan.", "context-1", None, "b"),),
            id="a document with an address twice and another text",
        ),
        pytest.param(Document("", {"id": "leeg"}), (Page("", "leeg"),), id="an empty document"),
    ],
)
def test_contexts_of_a_turn(contexts: Any, pages: tuple[Page, ...]):
    assert Turn("", "", contexts).pages == pages


@pytest.mark.parametrize(
    ("contexts", "message"),
    [
        (7, "contexts is a number, not a list of texts, pages or page names"),
        (True, "contexts is true or false, not a list of texts, pages or page names"),
        (b"Aan.", "contexts is something else, not a list of texts, pages or page names"),
        ({"Aan."}, "contexts is something else, not a list of texts, pages or page names"),
        (object(), "contexts is something else, not a list of texts, pages or page names"),
        ([None], "context 1 is nothing, not a text, a page or a page name"),
        (["Aan.", 7], "context 2 is a number, not a text, a page or a page name"),
        ([["Aan."]], "context 1 is a list, not a text, a page or a page name"),
        ([b"Aan."], "context 1 is something else, not a text, a page or a page name"),
        ([{"text": ["Aan."]}], "context 1: text is a list, not text"),
        ([{"text": "Aan.", "id": ["wifi"]}], "context 1: id is a list, not text"),
        (
            [{"text": "Aan.", "format": "pdf"}],
            'context 1: format "pdf" is not one of auto, markdown, html, plain',
        ),
        (Document(None, {}), "context 1: text is nothing, not text"),
        ([Document(b"Aan.", {})], "context 1: text is something else, not text"),
        ([Document("Aan.", {"source": 7})], "context 1: url is a number, not text"),
        (
            [Document("Aan.", None)],
            "context 1 is something else, not a text, a page or a page name",
        ),
        (
            [Document("Aan.", ["wifi"])],
            "context 1 is something else, not a text, a page or a page name",
        ),
        *(
            (
                [name],
                'context "wifi.md" is not a page (no folder of pages was given; '
                "--pages DIR names the folder)",
            )
            for name in ("wifi.md", {"id": "wifi.md"})
        ),
    ],
)
def test_contexts_that_a_turn_refuses(contexts: Any, message: str):
    with pytest.raises(RecordError) as caught:
        Turn("", "", contexts)
    assert str(caught.value) == message


@pytest.mark.parametrize("contexts", [7, b"a", ["a b", None], [{"text": 3}], ["wifi.md"]])
def test_a_turn_refuses_contexts_as_a_row_does(contexts: Any):
    with pytest.raises(RecordError) as in_python:
        Turn("", "", contexts)
    with pytest.raises(RecordError) as in_a_row:
        Turn.from_mapping({"contexts": contexts})
    assert str(in_python.value) == str(in_a_row.value)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"question": None}, "question is nothing, not text"),
        ({"answer": 5}, "answer is a number, not text"),
        ({"id": ["a"]}, "id is a list, not text"),
        ({"language": 3}, "language is a number, not text"),
        ({"reference": {}}, "reference is an object, not text"),
        ({"rating": 6}, "rating is 6, not a number from 1 to 5"),
        (
            {"message_type": "vraag"},
            f'message_type "vraag" is not one of {", ".join(MESSAGE_TYPES)}',
        ),
        ({"message_type": ["binary"]}, "message_type is a list, not text"),
    ],
)
def test_fields_that_a_turn_refuses(fields: dict[str, Any], message: str):
    with pytest.raises(RecordError) as caught:
        Turn(**{"question": "", "answer": "", **fields})
    assert str(caught.value) == message


def test_fields_of_a_turn_are_read_as_those_of_a_row():
    given: dict[str, Any] = {"id": 7, "language": "", "message_type": "", "rating": "4", "label": 1}
    turn = Turn("", "", **given)
    assert turn == Turn.from_mapping(given) == Turn("", "", id="7", rating=4.0, label=True)
    assert Turn("", "", id=None, language=None, meta=None) == Turn("", "")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"text": None}, "text is nothing, not text"),
        ({"text": b"Aan."}, "text is something else, not text"),
        ({"text": ["Aan."]}, "text is a list, not text"),
        ({"id": ["wifi"]}, "id is a list, not text"),
        ({"title": 3}, "title is a number, not text"),
        ({"url": {}}, "url is an object, not text"),
        ({"format": "pdf"}, 'format "pdf" is not one of auto, markdown, html, plain'),
        ({"format": 3}, "format is a number, not text"),
    ],
)
def test_fields_that_a_page_refuses(fields: dict[str, Any], message: str):
    with pytest.raises(RecordError) as caught:
        Page(**{"text": "Aan.", **fields})
    assert str(caught.value) == message


def test_a_page_without_a_name():
    assert Page("Aan.", None, "", None, None) == Page("Aan.")  # type: ignore[arg-type]


def test_records_are_frozen():
    with pytest.raises(dataclasses.FrozenInstanceError):
        Turn("", "").answer = "Ja."  # type: ignore[misc]
    with pytest.raises(dataclasses.FrozenInstanceError):
        Page("").text = "Aan."  # type: ignore[misc]


def test_record_errors_are_klopt_errors():
    assert issubclass(RecordError, KloptError)
    assert issubclass(RecordError, ValueError)


def test_a_page_without_a_name_is_numbered_as_a_text_is():
    turn = Turn("Kan dat?", "Ja.", ["Een tekst.", Page("Een pagina."), Page("Nog een.", id="a.md")])
    assert [page.id for page in turn.pages] == ["context-1", "context-2", "a.md"]


def test_a_row_that_is_no_object():
    with pytest.raises(RecordError, match="the row is a list, not an object with fields"):
        Turn.from_mapping([1])


def test_an_id_of_too_many_digits():
    with pytest.raises(RecordError, match="id is a number of too many digits"):
        Turn("Kan dat?", "Ja.", id=10**5000)


TOO_MANY_DIGITS = 10**5000
NESTED: list[Any] = []
for _ in range(100_000):
    NESTED = [NESTED]


@pytest.mark.parametrize(
    ("value", "shown"),
    [(TOO_MANY_DIGITS, "a number of too many digits"), (NESTED, "a list")],
    ids=["digits", "nested"],
)
def test_what_python_refuses_to_write_is_an_error_as_any_other(value: Any, shown: str):
    fields: dict[str, Any] = {"question": "Kan dat?", "answer": "Ja.", "rating": value}
    with pytest.raises(RecordError) as caught:
        Turn(**fields)
    assert str(caught.value) == f"rating is {shown}, not a number from 1 to 5"
    assert Turn("Kan dat?", "Ja.", label=value).label is None
    assert row_id({"id": value}) == ""


def test_a_row_with_a_name_of_too_many_digits():
    row: dict[Any, Any] = {TOO_MANY_DIGITS: 1, "contexts": [{TOO_MANY_DIGITS: 1, "text": "Aan."}]}
    assert [page.text for page in Turn.from_mapping(row).pages] == ["Aan."]


@pytest.mark.parametrize("text", ["a.md, b.md", "a.md;b.md", "a.md | b", "a\nb.md"])
def test_names_of_pages_in_one_text_are_parted(text):
    pages = {name: Page(name, id=name) for name in ("a.md", "b.md")}
    pages |= {"a": pages["a.md"], "b": pages["b.md"]}
    row = {"question": "q", "answer": "a", "contexts": text}
    assert [one.id for one in Turn.from_mapping(row, pages=pages).pages] == ["a.md", "b.md"]


@pytest.mark.parametrize("pages", [None, {"a.md": Page("x", id="a.md")}])
def test_names_without_their_pages_are_no_text(pages):
    row = {"question": "q", "answer": "a", "contexts": "a.md, c.md"}
    with pytest.raises(RecordError, match=r'context "[ac]\.md" is not a page'):
        Turn.from_mapping(row, pages=pages)


def test_a_text_with_commas_and_a_name_with_one_stay_whole():
    text = "Klik op **Opslaan**, of druk op F2; zie a.md."
    assert [one.text for one in Turn("q", "a", text).pages] == [text]
    pages = {one: Page("x", id=one) for one in ("a", "b", "a,b")}
    row = {"question": "q", "answer": "a", "contexts": "a,b"}
    assert [one.id for one in Turn.from_mapping(row, pages=pages).pages] == ["a,b"]
