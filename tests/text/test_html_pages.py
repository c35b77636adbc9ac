"""klopt reads the visible text of HTML pages of many products and generators."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from klopt._internal import shipped
from klopt.text.html import read_html, title_of
from klopt.text.html_tabs import MAX_LABEL_CHARS
from klopt.text.html_tree import MAX_TAGS, Tree
from tests.tables import tables
from tests.text.drawn import texts

CASES = tables("text", "html_pages")


@pytest.mark.parametrize(
    ("source", "lines"), [case[1:] for case in CASES["pages"]], ids=[c[0] for c in CASES["pages"]]
)
def test_page_of_a_generator(source, lines):
    plain = read_html(source)
    assert [
        [".".join(map(str, one.tab or ())), one.kind, plain.text[one.start : one.end]]
        for one in plain.blocks
    ] == lines


@pytest.mark.parametrize(("source", "lines"), CASES["tabs"])
def test_tabs_have_their_labels(source, lines):
    plain = read_html(source)
    assert [
        f"{'.'.join(map(str, one.tab or ()))} {plain.text[one.start : one.end]}"
        for one in plain.blocks
    ] == lines


@pytest.mark.parametrize(("more", "is_tab"), [(0, True), (1, False)])
def test_a_label_of_a_tab_has_a_limit(more, is_tab):
    label = f'<input type="radio"><label>{"a" * (MAX_LABEL_CHARS + more)}</label>'
    tab = f'{label}<div class="tabbed-content"><p>Een.</p></div>'
    plain = read_html(f'<main><div class="tabbed-set">{tab}</div></main>')
    assert any(one.tab is not None for one in plain.blocks) is is_tab


@pytest.mark.parametrize(("source", "lines"), CASES["kept"])
def test_where_navigation_begins_and_ends(source, lines):
    assert read_html(source).text.split("\n") == lines


@pytest.mark.parametrize(("source", "places"), CASES["lists"])
def test_numbers_of_list_items(source, places):
    items = [one for one in read_html(source).blocks if one.list_number >= 0]
    assert [[one.list_number, one.item_number] for one in items] == places


def test_labels_of_a_user_interface_are_marked():
    plain = read_html(
        '<p><span class="guilabel">A</span> <span class="menuselection">B ‣ C</span> '
        '<span class="ph uicontrol">D</span> <button>E</button> <kbd>F</kbd></p>'
    )
    marks = [(one.kind, plain.text[one.start : one.end]) for one in plain.marks]
    assert marks == [
        ("strong", "A"),
        ("strong", "B ‣ C"),
        ("strong", "D"),
        ("strong", "E"),
        ("key", "F"),
    ]


@pytest.mark.parametrize("name", ["feedback", "toc_headings"])
@given(data=st.data())
def test_phrases_have_their_signs(name, data):
    table = shipped.table("klopt.text", "html_page.toml")
    phrase = data.draw(st.sampled_from(table[name]).flatmap(lambda one: st.from_regex(one)))
    assert any(sign in phrase.lower() for sign in table[f"{name}_signs"])


@given(texts("html"))
def test_offsets_lead_to_the_text_of_any_page(source):
    plain = read_html(source)
    assert list(plain.origins) == sorted(plain.origins)
    assert all(0 <= place <= len(source) for place in plain.origins)


@given(texts("html"))
def test_elements_nest_and_count_their_text(source):
    tree = Tree(source)
    for element in tree.elements:
        assert element.first <= element.last <= len(tree.events)
        assert 0 <= element.linked <= element.chars
        assert element.start <= element.end <= len(source) or element.first == element.last


def test_tags_beyond_the_limit_are_ignored(monkeypatch):
    assert MAX_TAGS >= 100_000
    monkeypatch.setattr("klopt.text.html_tree.MAX_TAGS", 3)
    assert read_html("<p>a</p><p>b</p><p>c</p>").text == "a\nb\nc"
    assert len(Tree("<b>" * 100).elements) == 3


@pytest.mark.parametrize(
    ("source", "title"),
    [
        ("<head><title>A &amp; B – Acme</title>", "A & B"),
        ("<TITLE lang=nl>\n A-B \n</TITLE>", "A-B"),
        ("<title></title>", None),
        ("<p>A</p>", None),
    ],
)
def test_title_of_a_page(source, title):
    assert title_of(source) == title
