"""What is written as Markdown reads as the same words and marks."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from klopt.bilingual.markdown_writer import MarkdownWriter
from klopt.reading.markup import read_text
from klopt.reading.plain import read_plain


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
