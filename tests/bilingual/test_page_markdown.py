"""Pages of other formats as Markdown: the same blocks, words and marks."""

from __future__ import annotations

import pytest

from klopt.bilingual.markdown_writer import page_markdown
from klopt.reading.markup import read_text
from klopt.records import Page

HTML = """<html><body><h1>Bewaren</h1><p>Klik op <b>Map</b> &amp; typ <kbd>F2</kbd>. 2 * 3 * 4</p>
<ol><li>Open <strong>Map</strong>.<ul><li>Wacht.</li></ul></li><li>Kies <code>a_b</code>.</li></ol>
<pre>een ``` twee
drie</pre><blockquote>Let op.</blockquote>
<table><tr><td>1. Cel</td><td># Twee</td></tr></table></body></html>"""


def shape(plain):
    blocks = [
        (block.kind if block.kind != "cell" else "paragraph", block.ordered,
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
