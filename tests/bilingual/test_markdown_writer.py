"""What is written as Markdown reads as the same words and marks."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from klopt.bilingual.markdown_writer import MarkdownWriter, page_markdown
from klopt.reading.markup import read_text
from klopt.reading.text import read_plain
from klopt.records import Page


def escape(text):
    writer = MarkdownWriter()
    writer.text(text)
    return writer.build()


def read(markdown):
    plain = read_text(markdown, "markdown")
    return plain.text, [(mark.kind, plain.text[mark.start : mark.end]) for mark in plain.marks]


SIGNS = st.sampled_from("*_`#-+=:|<>[]()!&;~\\ \n\r\t1.)ab\"'\0\x0b\u2028\u00a0é")
TEXTS = st.text(st.one_of(SIGNS, st.characters(codec="utf-8")), max_size=40)


@given(TEXTS)
@settings(max_examples=500)
def test_any_plain_text_reads_as_its_words(text):
    words = read_plain(text).text.split()
    plain = read_text(escape(text), "markdown")
    assert plain.text.split() == words
    assert plain.marks == ()


@pytest.mark.parametrize(
    "text",
    ["# geen kop", "1. geen lijst", "1) geen", "- geen", "+ geen", "a\n===", "a\n---", "> geen",
     "| a |\n|---|", "a\n:-", "[a](b)", "[a]: b", "![a](b)", "<b>", "&amp;", "a_b_c", "~~a~~",
     "`a`", "\\*", "    vier", "\tx", "```", "***", "5.", "a  \nb", "<https://x.nl>"],
)  # fmt: skip
def test_what_would_be_markdown_is_not(text):
    assert read(escape(text)) == (" ".join(text.split()), []) or "\n" in text
    plain = read_text(escape(text), "markdown")
    assert plain.text.split() == text.split()
    assert {block.kind for block in plain.blocks} == {"paragraph"}


def test_marks_within_very_many_marks_are_left_out():
    writer = MarkdownWriter()
    for _ in range(10_000):
        writer.open("strong")
        writer.text("a")
    writer.close("code")
    assert writer.build() == f"**{'a' * 10_000}**"


def test_a_blank_line_parts_paragraphs():
    assert len(read_text(escape("Een.\n\nTwee."), "markdown").blocks) == 2


@pytest.mark.parametrize(
    ("pieces", "markdown", "text", "marks"),
    [
        ("Klik [op] nu", "Klik **op** nu", "Klik op nu", ["op"]),
        ("Klik[ op ]nu", "Klik **op** nu", "Klik op nu", ["op"]),
        ("a[(x)]b", "a<b>(x)</b>b", "a(x)b", ["(x)"]),
        ("a [(x)] b", "a **(x)** b", "a (x) b", ["(x)"]),
        ("«[x]»", "«**x**»", "«x»", ["x"]),
        ("[a][b]", "**a**<b>b</b>", "ab", ["a", "b"]),
        ("[*]", "**\\***", "*", ["*"]),
        ("[a[b]c]", "**abc**", "abc", ["abc"]),
        ("[ ]", "", "", []),
        ("[a", "**a**", "a", ["a"]),
        ("a]b", "ab", "ab", []),
        ("[Ctrl+`]", "**Ctrl+\\`**", "Ctrl+`", ["Ctrl+`"]),
        ("[1. x]", "**1. x**", "1. x", ["1. x"]),
    ],
)
def test_strong(pieces, markdown, text, marks):
    writer = MarkdownWriter()
    for piece in pieces:
        match piece:
            case "[":
                writer.open("strong")
            case "]":
                writer.close("strong")
            case _:
                writer.text(piece)
    assert writer.build() == markdown
    assert read(markdown) == (text, [("strong", mark) for mark in marks])


@pytest.mark.parametrize(
    ("code", "markdown"),
    [
        ("a*b", "`a*b`"),
        ("a`b", "``a`b``"),
        ("`", "`` ` ``"),
        ("a  \n b", "`a b`"),
        ("\\n", "`\\n`"),
        ("<b>", "`<b>`"),
    ],
)
def test_code(code, markdown):
    writer = MarkdownWriter()
    writer.open("code")
    writer.text(code)
    assert writer.build() == markdown
    assert read(markdown) == (" ".join(code.split()), [("code", " ".join(code.split()))])


@given(st.lists(st.tuples(st.sampled_from(["", "strong", "code"]), TEXTS), max_size=5))
@settings(max_examples=200)
def test_any_pieces_read_as_their_words(pieces):
    writer = MarkdownWriter()
    for kind, text in pieces:
        if kind:
            writer.open(kind)
        writer.text(text)
        if kind:
            writer.close(kind)
        writer.end_block()
    words = " ".join(read_plain(text).text for _, text in pieces).split()
    assert read_text(writer.build(), "markdown").text.split() == words


# Pages of other formats as Markdown: the same blocks, words and marks.

HTML = """<html><body><h1>Bewaren</h1><p>Klik op <b>Map</b> &amp; typ <kbd>F2</kbd>. 2 * 3 * 4</p>
<ol><li>Open <strong>Map</strong>.<ul><li>Wacht.</li></ul></li><li>Kies <code>a_b</code>.</li></ol>
<pre>een ``` twee
drie</pre><blockquote>Let op.</blockquote>
<table><tr><td>1. Cel</td><td># Twee</td></tr></table></body></html>"""


def shape(plain):
    blocks = [
        (block.kind if block.kind != "row" else "paragraph", block.ordered,
         plain.text[block.start : block.end].split())
        for block in plain.blocks
    ]  # fmt: skip
    kinds = {"key": "code"}
    # Markdown marks a block of code, HTML does not.
    code = [block.start for block in plain.blocks if block.kind == "code"]
    marks = [
        (kinds.get(mark.kind, mark.kind), plain.text[mark.start : mark.end].split())
        for mark in plain.marks
        if mark.start not in code
    ]
    return blocks, [mark for mark in marks if mark[0] in ("strong", "code")]


@pytest.mark.parametrize(("page_format", "ticks"), [("auto", "``"), ("html", "```")])
def test_html(page_format, ticks):
    text = HTML.replace("```", ticks)
    markdown = page_markdown(Page(text, format=page_format))
    assert markdown.startswith(
        "# Bewaren\n\nKlik op **Map** \\& typ `F2`. 2 \\* 3 \\* 4\n\n1. Open"
    )
    assert shape(read_text(markdown, "markdown")) == shape(read_text(text, "html"))


def test_plain_text_is_not_taken_for_markdown():
    text = "# Bewaren\nKlik op *Map*.\n1. Een"
    markdown = page_markdown(Page(text, format="plain"))
    assert shape(read_text(markdown, "markdown")) == shape(read_text(text, "plain"))


@pytest.mark.parametrize("page_format", ["auto", "markdown"])
def test_markdown_stays(page_format):
    text = "# Bewaren\n\n1. Klik *hier*.\n"
    assert page_markdown(Page(text, format=page_format)) == text


def test_nothing_is_nothing():
    assert page_markdown(Page("", format="html")) == ""
