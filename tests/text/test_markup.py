"""Markdown, HTML and plain text: text, blocks, marks and offsets."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from klopt.errors import RecordError
from klopt.text.html_tree import DEEPEST
from klopt.text.markup import read_text
from klopt.text.plain import PlainText
from tests.tables import tables

CASES = tables("text", "markup")

MARKDOWN = """# Een *contract* maken #

1. Open het **Activiteiten**-overzicht &amp; typ \\*x\\* `Ctrl+A`.
   vervolg
   - sub [link](http://a.b/c_(d)) ![plaatje](x.png) na
2. Twee

> let **op**

| a | b |
|---|---|
| 1 | **2** |

```
regel een
  regel twee
```

<div>html <b>vet</b></div>

tekst met <kbd>F8</kbd> en e\u0301e\u0301n z\u200bero
"""

HTML = (
    "<html><head><title>t</title></head><body><h1>Kop &eacute;</h1>"
    "<ol><li>Een <b>vet</b> stuk<li>Twee &lt;b&gt;</ol><p>a<br>b<!-- c <b> -->"
    "<script>if(a<b)x()</script> d&nbsp;e</p><pre>x\n y</pre><table><tr><td>1<td>2</table>"
)


def texts(plain: PlainText) -> list[tuple[str, str]]:
    return [(block.kind, plain.text[block.start : block.end]) for block in plain.blocks]


def marks(plain: PlainText) -> list[tuple[str, str]]:
    return [(mark.kind, plain.text[mark.start : mark.end]) for mark in plain.marks]


def test_markdown_blocks_lists_and_marks():
    plain = read_text(MARKDOWN, "markdown")
    assert texts(plain) == [
        ("heading", "Een contract maken"),
        ("item", "Open het Activiteiten-overzicht & typ *x* Ctrl+A. vervolg"),
        ("item", "sub link plaatje na"),
        ("item", "Twee"),
        ("quote", "let op"),
        ("row", "a | b"),
        ("row", "1 | 2"),
        ("code", "regel een\n  regel twee"),
        ("paragraph", "html vet"),
        ("paragraph", "tekst met F8 en één zero"),
    ]
    items = [block for block in plain.blocks if block.kind == "item"]
    assert [(b.list_number, b.item_number, b.depth, b.ordered) for b in items] == [
        (0, 0, 1, True),
        (1, 0, 2, False),
        (0, 1, 1, True),
    ]
    assert marks(plain) == [
        ("emphasis", "contract"),
        ("strong", "Activiteiten"),
        ("code", "Ctrl+A"),
        ("link", "link"),
        ("strong", "op"),
        ("strong", "2"),
        ("code", "regel een\n  regel twee"),
        ("strong", "vet"),
        ("key", "F8"),
    ]


def test_a_long_table_is_read_as_a_table():
    plain = read_text("| a | b |\n|---|---|\n" + "| 1 | **2** |\n" * 6_000, "markdown")
    assert {(block.kind, block.table) for block in plain.blocks} == {("row", 0)}
    assert len(plain.blocks) == len(plain.marks) + 1 == 6_001


@pytest.mark.parametrize(
    ("prefix", "before"), [("> ", 0), ("- ", 0), ("> - ", 0), ("1. a\n\n   ", 1)]
)
def test_html_within_lists_and_quotes_has_no_markers(prefix, before):
    indent = prefix.rpartition("\n")[2].replace("-", " ")
    plain = read_text(f"{prefix}<div>\n{indent}<b>x</b> y\n{indent}</div>\n", "markdown")
    assert [text for _, text in texts(plain)][before:] == ["x y"]
    assert marks(plain) == [("strong", "x")]


def test_html_blocks_and_marks():
    plain = read_text(HTML)
    assert texts(plain) == [
        ("heading", "Kop é"),
        ("item", "Een vet stuk"),
        ("item", "Twee <b>"),
        ("paragraph", "a"),
        ("paragraph", "b d e"),
        ("code", "x\n y"),
        ("row", "1 | 2"),
    ]
    assert marks(plain) == [("strong", "vet")]


@pytest.mark.parametrize(("source", "plain_part", "original_part"), CASES["stretches"])
def test_offsets_of_a_part_include_whole_accents_and_entities(source, plain_part, original_part):
    plain = read_text(source)
    at = plain.text.rindex(plain_part)
    start, end = plain.original(at, at + len(plain_part))
    assert source[start:end] == original_part
    assert plain.plain(start, end) == (at, at + len(plain_part))
    assert plain.quoted(start, end) == plain_part


@pytest.mark.parametrize(("source", "lines"), CASES["line_breaks"])
def test_which_line_breaks_are_kept(source, lines):
    assert [text for _, text in texts(read_text(source))] == lines


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("<div>a<style>b{}</style><script>alert('c')</script><template>d</template></div>", "a"),
        ("zero\u200bwidth \u202eright-to-left\u202c", "zerowidth right-to-left"),
        ("half \ud800 pair", "half \N{REPLACEMENT CHARACTER} pair"),
    ],
)
def test_hidden_text_and_characters_are_omitted(source, text):
    assert read_text(source).text == text


def test_an_unknown_format_is_refused():
    with pytest.raises(
        RecordError, match='format "docx" is not one of auto, markdown, html, rst, plain'
    ):
        read_text("x", "docx")  # type: ignore[arg-type]


MARKUP = st.text(alphabet="ab *_`[]()<>&;#-1.\n|\\é\u0301\u200b", max_size=120)


@given(st.text(max_size=300) | MARKUP, st.sampled_from(["markdown", "html", "plain"]))
def test_offsets_are_within_the_text_and_in_order(source, page_format):
    plain = read_text(source, page_format)  # type: ignore[arg-type]
    origins = list(plain.origins)
    assert len(origins) == len(plain.text) + 1
    assert origins == sorted(origins)
    assert all(0 <= origin <= len(source) for origin in origins)
    ends = 0
    for block in plain.blocks:
        assert ends <= block.start < block.end <= len(plain.text)
        ends = block.end
    assert all(0 <= m.start < m.end <= len(plain.text) for m in plain.marks)
    assert "\u200b" not in plain.text


@pytest.mark.parametrize(("source", "text"), CASES["placeholders"])
def test_placeholders_in_markdown(source, text):
    plain = read_text(source, "markdown")
    assert plain.text == " ".join(text.split())
    for name in ("<domein>", "<uw naam>", "<klant-id_2>", "<klant-id>"):
        at = plain.text.find(name)
        if at >= 0:
            start, end = plain.original(at, at + len(name))
            assert source[start:end] == name


@pytest.mark.parametrize(("source", "blocks"), CASES["html"])
def test_invalid_html(source, blocks):
    plain = read_text(source, "html")
    assert list(map(list, texts(plain))) == blocks
    for start in range(len(plain.text)):
        first, last = plain.original(start, len(plain.text))
        assert 0 <= first < last <= len(source)


@pytest.mark.parametrize(
    ("bold", "read"),
    [
        ("\U0001d15fa", "\U0001d158\U0001d165a"),
        ("e\u0301", "é"),
        ("o\u0308\u0323\u20dd", "ọ\u0308\u20dd"),
    ],
)
def test_bold_text_stays_bold_when_its_characters_change(bold, read):
    assert marks(read_text(f"x **{bold}** x")) == [("strong", read)]


def test_bold_ends_with_its_paragraph():
    plain = read_text("<p><b>een</p><p>twee</b> <b>dr<i>ie</b> v</i>", "html")
    assert marks(plain) == [("strong", "een"), ("strong", "drie"), ("emphasis", "ie v")]


def test_elements_beyond_the_depth_limit_separate_paragraphs():
    plain = read_text("<div>" * 300 + "<ul><li>a</ul><svg>b</svg>c", "html")
    assert texts(plain) == [("paragraph", "a"), ("paragraph", "c")]


@pytest.mark.parametrize("unit", ["<div>", "<ul><li>", "<b>", "<blockquote>", "<table><tr><td>"])
def test_text_beyond_the_depth_limit_has_no_marks(unit):
    page = f"{unit * 2 * DEEPEST}<p>Klik op <b>Opslaan</b>.</p><p>Sluit.</p>"
    assert read_text(page, "html").text.split() == ["Klik", "op", "Opslaan.", "Sluit."]


@pytest.mark.parametrize("mark", ["**", "*", "["])
def test_text_within_many_marks_is_read(mark):
    plain = read_text(f"{mark * 500}Opslaan", "markdown")
    assert plain.text.endswith("Opslaan")


@pytest.mark.parametrize(("source", "names"), CASES["tags"])
def test_tags_and_markdown_are_mixed(source, names):
    plain = read_text(source)
    assert [plain.text[mark.start : mark.end] for mark in plain.marks] == names
    for mark in plain.marks:
        start, end = plain.original(mark.start, mark.end)
        assert source[start:end] == plain.text[mark.start : mark.end]


def test_tags_in_markdown_separate_blocks_and_lists():
    plain = read_text("- Vooraf <p>Zo:<ol><li>Open.<li>Kies.</ol>Klaar.<br>Weg.\n- Na")
    found = [
        (block.kind, plain.text[block.start : block.end], block.list_number, block.item_number)
        for block in plain.blocks
    ]
    assert found == [
        ("item", "Vooraf", 0, 0),
        ("item", "Zo:", 0, 0),
        ("item", "Open.", 1, 0),
        ("item", "Kies.", 1, 1),
        ("item", "Klaar.", 0, 0),
        ("item", "Weg.", 0, 0),
        ("item", "Na", 0, 1),
    ]


LEAD = "| Code | Wat |\n|---|---|\n"


def rows(text: str) -> list[list[object]]:
    plain = read_text(text)
    return [
        [block.table, block.row, [plain.text[one.start : one.end] for one in plain.cells(block)]]
        for block in plain.blocks
        if block.kind == "row"
    ]


@pytest.mark.parametrize(("text", "expected"), CASES["rows"])
def test_rows(text, expected):
    assert rows(text) == expected


def test_a_layout_table_has_no_rows():
    assert rows(f"<table><tr><td>menu<td>{'lang ' * 500}</table>") == []
    inner = "<table><tr><th>a<th>b</table>"
    assert rows(f"<table><tr><td>menu<td>{inner}</table>") == [[1, 0, ["a", "b"]]]


def test_marks_and_offsets_of_a_row():
    text = f"voor\n\n{LEAD}| **K1** | a **b**<br>`c` |\n\nna **d**"
    plain = read_text(text)
    assert plain.text == "voor\nCode | Wat\nK1 | a b c\nna d"
    assert marks(plain) == [("strong", "K1"), ("strong", "b"), ("code", "c"), ("strong", "d")]
    for mark in plain.marks:
        start, end = plain.original(mark.start, mark.end)
        assert text[start:end] == plain.text[mark.start : mark.end]
    assert list(plain.origins) == sorted(plain.origins)


@pytest.mark.parametrize(("source", "blocks", "bold"), CASES["stars"])
def test_asterisks(source, blocks, bold):
    plain = read_text(source, "markdown")
    assert plain.text == blocks
    assert [text.replace(" ", "_") for _, text in marks(plain)] == bold.split()


@pytest.mark.parametrize(("source", "blocks"), CASES["paragraphs"])
def test_where_a_paragraph_of_one_line_ends(source, blocks):
    plain = read_text(source, "markdown")
    assert "/".join(f"{kind} {text}" for kind, text in texts(plain)) == blocks
