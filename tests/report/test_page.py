"""The report of an evaluation: its sections, texts, links and markup."""

import functools
import operator
import re
import textwrap
from typing import Any

import pytest
from hypothesis import given, settings

from klopt.report import html
from tests.report.reader import MARKUP, Reader, words
from tests.report.wadlinde import NOTHING, estimate, evaluated, example, with_texts

VOID = {"meta", "br"}


@pytest.fixture
def one():
    return example(second=False)


@pytest.fixture
def two():
    return example()


def render(evaluation: dict[str, Any]) -> str:
    return html.render(evaluated(evaluation))


@pytest.mark.parametrize("key", ["columns", "comparison", "message_types"])
def test_a_section_without_data_is_left_out(two, key):
    two[key] = [] if isinstance(two[key], list) else None
    page = render(two)
    ids = re.findall(r'<(?:section|details)[^>]* id="([a-z-]+)"', page)
    assert len(ids) == len(set(ids)) > 0
    assert key.replace("_", "-") not in ids
    assert f'href="#{key.replace("_", "-")}"' not in page


def test_the_text_of_the_page(two, snapshot):
    parts = render(two).split("</head>")[1].split("<section")
    texts = (words(f"</head><section{part}").strip() for part in parts)
    assert "\n\n".join(textwrap.fill(text, 200) for text in texts) == snapshot


def test_the_page_in_dutch(two):
    two["profiles"][0]["ablation"][0]["brings"] = NOTHING
    page = html.render(evaluated(two), "nl")
    assert '<html lang="nl">' in page
    text = words(page)
    assert "Voor de 48 antwoorden die beoordeeld én gescoord zijn, is de overeenstemming" in text
    assert "0,10 tot 0,30" in text
    assert "(minder dan 3 rijen)" in text
    assert not re.search(r" (the|of the|answers|rows|interval of) ", text)


RHO = ("profiles", 0, "agreement", 0, "spearman")
TRUE = ("profiles", 0, "costs", "true_count")
FIRST = ("profiles", 0, "disagreements", 0)
LABELLED = example()["profiles"][0]["disagreements"][0] | {"rating": None}
LESS = ("comparison", "spearman_difference")
GROUPS = example()["profiles"][0]["agreement"] * 100
CASES = [
    (RHO, estimate(0.05, 0.2), "The interval includes 0, so this may be chance."),
    (RHO, estimate(-0.5, 0.2), "The whole interval is below 0"),
    (RHO, NOTHING, "The agreement with people is unknown: fewer than 3 rows."),
    (FIRST, LABELLED | {"label": True}, "Person true · klopt 4.2 ▼"),
    (FIRST, LABELLED | {"label": False}, "Person untrue · klopt 4.2 ▲"),
    (LESS, estimate(0.05), "no difference between default and afas is certain."),
    (LESS, estimate(-0.3), "Profile afas agrees better with people than default."),
    (LESS, NOTHING, "The profiles cannot be compared: fewer than 3 rows."),
    (TRUE, 0, "There is no curve: it needs both true and untrue answers."),
    (("profiles", 0, "agreement"), GROUPS, "99 more are not shown."),
]


@pytest.mark.parametrize(("path", "value", "text"), CASES)
def test_the_text_for_other_figures(two, path, value, text):
    *parents, last = path
    functools.reduce(operator.getitem, parents, two)[last] = value
    assert text in words(render(two))


@pytest.mark.parametrize(
    ("n", "warning"),
    [
        (9, "Only 9 answers are both scored and rated: too few for a conclusion"),
        (49, "49 rated answers are few: look at the intervals"),
        (50, None),
    ],
)
def test_few_answers_give_a_warning(one, n, warning):
    for key in ("spearman", "auc"):
        one["profiles"][0]["agreement"][0][key] = estimate(0.8, 0.1, n)
    text = words(render(one))
    assert warning in text if warning else "few" not in text.partition("On this page")[0][:900]


def test_a_disagreement_marks_what_differs_and_links_to_the_page(one):
    page = render(one)
    card = page[page.index("wad-017") : page.index("wad-003")]
    assert '<mark class="differs">dezelfde dag</mark>' in card
    assert '<mark class="differs">drie dagen</mark>' in card
    link = "https://wadlinde.example/hulp/adres#:~:text=Verhuisd%3F%20Wadlinde%20verwerkt"
    assert f'<a href="{link}' in card
    opens = '<a href="https://wadlinde.example/hulp/zelf#:~:text='
    assert re.search(rf'{opens}[^"]*" lang="en">open the page</a>', card)


def test_long_texts_are_truncated_with_a_note(one):
    case = one["profiles"][0]["disagreements"][0]
    case |= {"question": "q" * 3000, "answer": "a" * 100_000}
    case["measurements"][0]["evidence"][0] |= {"start": 5990, "end": 90_000}
    page = render(one)
    assert "… (cut: 3,000 characters)" in page
    assert "… (cut: 100,000 characters)" in page
    assert "q" * 2001 not in page
    assert max(map(len, re.findall("a+", page))) <= 6000


def test_links_within_the_page_have_targets(two):
    tags = Reader(render(two)).tags
    targets = {f"#{attributes['id']}" for _, attributes in tags if "id" in attributes}
    links = {attributes["href"] or "" for _, attributes in tags if "href" in attributes}
    links = {link for link in links if not link.startswith("https://wadlinde.example/")}
    assert "#costs" in links <= targets


def test_the_page_is_accessible(two):
    tags = Reader(render(two)).tags
    assert ("html", {"lang": "en"}) in tags
    names = [tag for tag, _ in tags]
    assert {"header", "main", "nav"} <= set(names)
    assert names.count("h1") == 1
    assert all(one.get("scope") in ("col", "row") for tag, one in tags if tag == "th")
    assert all(one.get("role") == "img" for tag, one in tags if tag == "svg")
    after = [names[index + 1 : index + 3] for index, tag in enumerate(names) if tag == "svg"]
    assert after
    assert all(pair == ["title", "desc"] for pair in after)
    assert names.count("caption") == names.count("table")


@pytest.mark.parametrize(
    ("language", "of_answer", "of_note"),
    [
        ("nl", "nl", "nl"),
        ("es", "es", "en"),
        (None, "", "en"),
        ('nl" onclick="x', "", "en"),
        ("../nl", "", "en"),
    ],
)
def test_an_answer_and_its_note_have_a_language(one, language, of_answer, of_note):
    for case in one["profiles"][0]["disagreements"]:
        case["language"] = language
    page = render(one)
    assert f'<ul class="answer" lang="{of_answer}">' in page
    assert f'<p class="note" lang="{of_note}">' in page


def test_nothing_is_loaded_from_elsewhere(two):
    page = re.sub(r'<a href="https://wadlinde[^"]*"|https://wadlinde.example/hulp', "", render(two))
    assert re.findall(r"https?:|url\(|@import|<script|src=", page) == []
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page)
    assert policy is not None
    assert policy[1].startswith("default-src 'none'; style-src &#39;sha256-")


FIGURES = evaluated(example())


@settings(max_examples=25)
@given(MARKUP)
def test_no_text_becomes_markup(hostile):
    """Every element and attribute is one that the same page has without hostile texts."""
    page = html.render(with_texts(FIGURES, lambda _: hostile))
    clean, found = (
        {(tag, name) for tag, own in Reader(text).tags for name in ("", *own)}
        for text in (html.render(FIGURES), page)
    )
    assert found <= clean | {("details", "open")}
    opened = re.findall(r"<([a-z0-9]+)", page.lower())
    closed = re.findall(r"</([a-z0-9]+)", page.lower())
    assert sorted(tag for tag in opened if tag not in VOID) == sorted(closed)
    page.encode()
