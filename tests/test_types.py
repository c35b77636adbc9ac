"""Turns and pages from rows, measurements, and messages for invalid fields."""

import dataclasses
import math
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest

from klopt.errors import RecordError
from klopt.types import Evidence, Measurement, Page, Turn, row_id

PAGES = {"wifi.md": Page("# Wifi", id="wifi.md"), "net/wifi.md": Page("# Net", id="net/wifi.md")}
PAGE_TEXT = "De pagina."
EMPTY = {"question": "", "answer": ""}


def refusal(read: Callable[[], object]) -> str:
    """Return the error message for an invalid row."""
    with pytest.raises(RecordError) as caught:
        read()
    assert caught.type is RecordError
    return str(caught.value)


@pytest.mark.parametrize(
    "fields",
    [
        "user_input response retrieved_contexts reference",
        "input actual_output retrieval_context expected_output",
        "input actualOutput retrievalContext expectedOutput",
        "message output documents ground_truth",
        "prompt output context Ground-Truth",
        "QUERY Prediction CONTEXTS ground_truth",
    ],
)
@pytest.mark.parametrize("contexts", [PAGE_TEXT, [PAGE_TEXT], [{"content": PAGE_TEXT}]], ids=type)
def test_aliases(fields, contexts):
    row = dict(zip(fields.split(), ("Kan dat?", "Ja.", contexts, "Jawel."), strict=True))
    turn = Turn("Kan dat?", "Ja.", [Page(PAGE_TEXT, id="context-1")], reference="Jawel.")
    assert Turn.from_mapping(row) == turn
    assert Turn.from_mapping({name.replace("_", " "): one for name, one in row.items()}) == turn


@pytest.mark.parametrize("reverse", [False, True])
def test_a_field_name_overrides_an_alias(reverse):
    row = {"question": "Kan dat?", "prompt": "You are a bot.", "answer": "Ja.", "output": "{}"}
    if reverse:
        row = dict(reversed(row.items()))
    turn = Turn.from_mapping(row)
    assert (turn.question, turn.answer) == ("Kan dat?", "Ja.")


def test_unknown_fields_are_ignored():
    assert Turn.from_mapping({"question": "Kan dat?", "latency_ms": 3}).meta == {}
    assert Turn.from_mapping({"question": "Kan dat?", "metadata": {"bot": 2}}).meta == {"bot": 2}


def test_mapped_fields_and_paths():
    row = {"meta": {"bot": {"solution": "1. Open het."}}, "a.b": "Kan dat?"}
    row |= {"bot_text": "Ja.", "answer": "Nee.", "turn_id": 12}
    names = {"reference": "meta.bot.solution", "question": "a.b", "answer": "bot_text"}
    turn = Turn.from_mapping(row, names=names)
    assert (turn.reference, turn.question) == ("1. Open het.", "Kan dat?")
    assert (turn.answer, turn.id) == ("Ja.", "12")
    for path in ("meta.solution", "answer.solution", "meta."):
        with pytest.raises(RecordError, match="there is no field"):
            Turn.from_mapping(row, names={"reference": path})


@pytest.mark.parametrize("names", [{"antwoord": "bot"}, {"answer": "bot_text"}], ids=str)
def test_a_mapped_field_that_is_missing(names, snapshot):
    row = {"question": "Kan dat?", "answer": "Ja."}
    assert refusal(lambda: Turn.from_mapping(row, names=names)) == snapshot


def test_pages_by_name():
    row = {"contexts": ["net/wifi.md", "Dit is een tekst.", {"id": "wifi.md"}]}
    turn = Turn.from_mapping(row, pages=PAGES)
    assert turn.pages == (
        PAGES["net/wifi.md"],
        Page("Dit is een tekst.", id="context-2"),
        PAGES["wifi.md"],
    )


@pytest.mark.parametrize(
    ("contexts", "pages"),
    [
        *(([one], pages) for one in ("vpn.md", {"id": "vpn.md"}) for pages in (PAGES, None)),
        *(([name], None) for name in ("wifi.md", "net/wifi.html", "WIFI.TXT")),
    ],
    ids=str,
)
def test_a_missing_page(contexts, pages, snapshot):
    assert refusal(lambda: Turn.from_mapping({"contexts": contexts}, pages=pages)) == snapshot


@pytest.mark.parametrize(
    ("value", "rating"),
    [
        (None, None),
        ("", None),
        (1, 1.0),
        (5, 5.0),
        (3.5, 3.5),
        ("4", 4.0),
        (" 2.5 ", 2.5),
        (" 4,5 ", 4.5),
    ],
)
def test_rating(value, rating):
    assert Turn.from_mapping({"rating": value}).rating == rating


@pytest.mark.parametrize(
    "value", [0, 6, 5.5, "5,5", "4,", "1,234", "vijf", "nan", "inf", True, [3], {"stars": 3}]
)
def test_an_invalid_rating(value):
    message = refusal(lambda: Turn.from_mapping({"rating": value}))
    assert message == f"rating is {value!r}, not a number from 1 to 5"


@dataclasses.dataclass
class Document:
    """Like a document of LangChain, which has more fields."""

    page_content: Any
    metadata: Any
    type: str = "Document"

    def __iter__(self) -> Iterator[tuple[str, Any]]:
        return iter(vars(self).items())


WIFI = Page("Aan.", id="wifi")


@pytest.mark.parametrize(
    ("contexts", "pages"),
    [
        *((one, ()) for one in (None, "", [])),
        ({}, (Page("", "context-1"),)),
        ("Aan.", (Page("Aan.", "context-1"),)),
        *((text, (Page(text, "context-1"),)) for text in ("wifi", "Zie wifi.md")),
        (WIFI, (WIFI,)),
        (["Aan.", Page("Uit."), WIFI],
         (Page("Aan.", "context-1"), Page("Uit.", "context-2"), WIFI)),
        ((one for one in (WIFI, "Uit.")), (WIFI, Page("Uit.", "context-2"))),
        ({"page_content": "Aan.", "name": "wifi"}, (WIFI,)),
        (["Los.", {"page_content": "Uit.", "source": "uit.md"}],
         (Page("Los.", "context-1"), Page("Uit.", "context-2", None, "uit.md"))),
        ([{"text": "Aan.", "id": 7, "title": None, "source": "aan.md", "format": "plain"},
          {"text": "<p>Uit</p>", "title": "Wifi", "url": "uit", "format": "html"}],
         (Page("Aan.", "7", None, "aan.md", "plain"),
          Page("<p>Uit</p>", "context-2", "Wifi", "uit", "html"))),
        (Document("Aan.", {"id": "wifi"}), (WIFI,)),
        (["Uit.", Document("Aan.", {"source": "aan.md", "title": "Wifi", "format": "pdf", "n": 1})],
         (Page("Uit.", "context-1"), Page("Aan.", "aan.md", "Wifi", "aan.md"))),
        (Document("Aan.", {"url": "b", "source": "a", "text": "Uit."}),
         (Page("Aan.", "a", None, "b"),)),
        (Document("", {"id": "leeg"}), (Page("", "leeg"),)),
    ],
)  # fmt: skip
def test_contexts_of_a_turn(contexts, pages):
    assert Turn("", "", contexts).pages == pages


REFUSED: tuple[dict[str, Any], ...] = (
    *({name: one} for name in ("question", "answer") for one in (["Kan dat?"], 5, True, 1.5, {})),
    *({"contexts": one} for one in (7, True, b"Aan.", {"Aan."}, ["a b", None], ["Aan.", 7])),
    *({"contexts": [one]} for one in (None, 7, ["a"], b"Aan.", "wifi.md", {"id": "wifi.md"})),
    *({"contexts": [{"text": one}]} for one in (3, ["Aan."])),
    *({"contexts": [{"text": "a", **one}]} for one in ({"id": ["b"]}, {"format": "pdf"})),
    {"contexts": ["Aan.", {"text": "a", "url": ["b"]}]},
    {"contexts": [Document(None, {})]},
    {"contexts": [Document(b"Aan.", {})]},
    {"contexts": [Document("Aan.", {"source": 7})]},
    {"contexts": [Document("Aan.", None)]},
    {"contexts": [Document("Aan.", ["wifi"])]},
    {"id": ["a"]},
    {"language": 3},
    {"language": b"nl"},
    {"reference": ["Ja."]},
    {"reference": {}},
    {"rating": 6},
    {"message_type": "vraag"},
    {"message_type": ["binary"]},
)


def test_a_turn_and_a_row_refuse_the_same_fields(snapshot):
    messages = {str(one): refusal(partial(Turn, **{**EMPTY, **one})) for one in REFUSED}
    assert messages == {str(one): refusal(partial(Turn.from_mapping, one)) for one in REFUSED}
    assert messages == snapshot


def test_a_turn_and_a_row_convert_the_same_fields():
    given: dict[str, Any] = {"id": 7, "language": "", "message_type": "", "rating": "4", "label": 1}
    turn = Turn("", "", **given)
    assert turn == Turn.from_mapping(given) == Turn("", "", id="7", rating=4.0, label=True)
    assert Turn("", "", id=None, language=None, meta=None) == Turn("", "")  # type: ignore[arg-type]
    assert Page("Aan.", None, "", None, None) == Page("Aan.")  # type: ignore[arg-type]


def test_invalid_fields_of_a_page(snapshot):
    fields: tuple[dict[str, Any], ...] = (
        *({"text": one} for one in (None, b"Aan.", ["Aan."])),
        *({"id": ["wifi"]}, {"title": 3}, {"url": {}}, {"format": "pdf"}, {"format": 3}),
    )
    assert {str(one): refusal(partial(Page, **{"text": "a", **one})) for one in fields} == snapshot


def test_a_row_that_is_a_list():
    assert refusal(lambda: Turn.from_mapping([1])) == "the row is a list, not an object with fields"


TOO_MANY_DIGITS = 10**5000
NESTED: list[Any] = []
for _ in range(100_000):
    NESTED = [NESTED]


@pytest.mark.parametrize(
    ("value", "shown"),
    [(TOO_MANY_DIGITS, "a number with too many digits"), (NESTED, "a list")],
    ids=["digits", "nested"],
)
def test_a_value_that_python_cannot_format_is_an_error_like_any_other(value, shown):
    assert refusal(lambda: Turn(**EMPTY, rating=value)) == (
        f"rating is {shown}, not a number from 1 to 5"
    )
    assert shown in refusal(lambda: Turn(**EMPTY, id=value))
    assert Turn("Kan dat?", "Ja.", label=value).label is None
    assert row_id({"id": value}) == ""


@pytest.mark.parametrize("text", ["a.md, b.md", "a.md;b.md", "a.md | b", "a\nb.md"])
def test_page_names_in_one_text_are_separated(text):
    pages = {name: Page(name, id=name) for name in ("a.md", "b.md")}
    pages |= {"a": pages["a.md"], "b": pages["b.md"]}
    row = {"question": "q", "answer": "a", "contexts": text}
    assert [one.id for one in Turn.from_mapping(row, pages=pages).pages] == ["a.md", "b.md"]


@pytest.mark.parametrize("pages", [None, {"a.md": Page("x", id="a.md")}])
def test_page_names_without_pages_are_refused(pages):
    row = {"question": "q", "answer": "a", "contexts": "a.md, c.md"}
    with pytest.raises(RecordError, match=r'context "[ac]\.md" is not a page'):
        Turn.from_mapping(row, pages=pages)


def test_texts_and_page_names_with_commas_are_not_split():
    text = "Klik op **Opslaan**, of druk op F2; zie a.md."
    assert [one.text for one in Turn("q", "a", text).pages] == [text]
    pages = {one: Page("x", id=one) for one in ("a", "b", "a,b")}
    row = {"question": "q", "answer": "a", "contexts": "a,b"}
    assert [one.id for one in Turn.from_mapping(row, pages=pages).pages] == ["a,b"]


def test_a_missing_measurement_has_a_reason():
    evidence = (Evidence("found", "dus", 0, 3),)
    assert Measurement.missing("empty", evidence) == Measurement(None, "empty", evidence)
    assert (Measurement(0.25).value, Measurement(0.25).reason) == (0.25, None)


@pytest.mark.parametrize(
    ("value", "reason"),
    [*((one, None) for one in (-0.001, 1.001, math.nan, math.inf, None)), (0.5, "empty")],
)
def test_an_invalid_measurement_is_refused(value, reason):
    with pytest.raises(ValueError, match="measurement"):
        Measurement(value, reason)
