"""Tags in messages: which become strong or code, which go, which are placeholders."""

from __future__ import annotations

import tomllib
from importlib import resources

import pytest
from hypothesis import given
from hypothesis import strategies as st

from klopt.bilingual.inline_tags import message_html
from klopt.reading.markup import read_text
from klopt.reading.text import read_plain
from tests.growth.growing import assert_linear


@pytest.mark.parametrize(
    ("message", "written"),
    [
        # HTML
        ("Klik op <b>Opslaan</b>.", "Klik op <b>Opslaan</b>."),
        ('Klik op <strong class="x">Opslaan</strong>.', "Klik op <b>Opslaan</b>."),
        ("Typ <code>ls</code> en <KBD>F2</KBD>.", "Typ <code>ls</code> en <code>F2</code>."),
        ('Zie <a href="x">hier</a> en <em>daar</em>.', "Zie hier en daar."),
        ("Een<br/>twee", "Een<p>twee"),
        ("Een.\n \r\nTwee.\r\nDrie.", "Een.<p>Twee.\r\nDrie."),
        ("<p>Een</p><p>Twee</p>", "<p>Een<p><p>Twee<p>"),
        ("<b>Een<p>twee</b>", "<b>Een<p>twee</b>"),
        ("<b>Een <code>a <b>b</b></code></b>", "<b>Een <code>a b</code></b>"),
        # Mallard
        (
            "Open <guiseq><gui>Beeld</gui><gui>Lijst</gui></guiseq>.",
            "Open <b>Beeld ▸ Lijst</b>.",
        ),
        ("Druk <keyseq><key>Ctrl</key> <key>S</key></keyseq>.", "Druk <code>Ctrl+S</code>."),
        ("Zie <app>Lijst</app>, <file>/tmp</file>.", "Zie Lijst, <code>/tmp</code>."),
        ("<guiseq>Ga naar <gui>A</gui> en <gui>B</gui></guiseq>", "<b>Ga naar A en B</b>"),
        # DocBook
        (
            "<menuchoice><guimenu>A</guimenu> <guimenuitem>B</guimenuitem></menuchoice>",
            "<b>A ▸ B</b>",
        ),
        ("<keycombo><keycap>A</keycap><keycap>B</keycap></keycombo>", "<code>A+B</code>"),
        # placeholders and markup of others
        ("Klik op <_:link-1/>.", "Klik op &lt;_:link-1/&gt;."),
        ("Typ <naam> of {0}, %s.", "Typ &lt;naam&gt; of {0}, %s."),
        ("<0>Een</0> en <nieuw>twee</nieuw>", "Een en twee"),
        ('Een <nieuw soort="x"/>', "Een "),
        # what is no tag
        ("3 < 4 > 2 **4**", "3 &lt; 4 &gt; 2 &#42;&#42;4&#42;&#42;"),
        ("&Bestand en _Bewerken", "&amp;Bestand en _Bewerken"),
        ("a &amp; b &lt;c&gt; &eacute;&#233;", "a &amp; b &lt;c&gt; éé"),
        ("", ""),
        ("<p><b> </b>", ""),
        # comments
        ("Een <!-- niet --> twee", "Een  twee"),
        ("a<!-- <b> -->b", "ab"),
        ("a<!-- <!-- -->b-->", "ab--&gt;"),
        ("a<!-->b", "a&lt;!--&gt;b"),
        ("a<!-- b", "a&lt;!-- b"),
        ("a --> <b>c</b>", "a --&gt; <b>c</b>"),
    ],
)
def test_messages(message, written):
    assert message_html(message) == written


@pytest.mark.parametrize(
    ("message", "text", "marks"),
    [
        ("# geen kop\n1. geen *lijst*", "# geen kop 1. geen *lijst*", []),
        ("Klik<b> op </b>nu", "Klik op nu", [("strong", "op")]),
        ("a<b>(x)</b>b", "a(x)b", [("strong", "(x)")]),
        ("<b>a</b><b>*b*</b>", "a*b*", [("strong", "a"), ("strong", "*b*")]),
        ("<b>a<b>b</b>c</b>", "abc", [("strong", "abc")]),
        ("<b>a", "a", [("strong", "a")]),
        ("<key>Ctrl+`</key>", "Ctrl+`", [("code", "Ctrl+`")]),
    ],
)
def test_what_is_written_is_read(message, text, marks):
    plain = read_text(message_html(message), "html")
    assert plain.text == text
    assert [(one.kind, plain.text[one.start : one.end]) for one in plain.marks] == marks


SIGNS = st.sampled_from("*_`#-+=:|[]()!;~\\ \n\r\t1.)ab\"'\x0b\u2028\u00a0é")


@given(st.text(st.one_of(SIGNS, st.characters(codec="utf-8", exclude_characters="<&\0"))))
def test_any_plain_text_reads_as_its_words(text):
    plain = read_text(message_html(text), "html")
    assert plain.text.split() == read_plain(text).text.split()
    assert plain.marks == ()


@pytest.mark.parametrize("part", ["<a ", "<!--", "<!-- b -->", "<b>", "<b>a</b>", "</b>", "\n \n"])
def test_a_long_row_takes_no_time(part):
    assert_linear(lambda size: (part * size)[:size], 50_000, message=message_html)


def test_no_tag_has_two_senses_and_every_joined_one_has_one():
    text = resources.files("klopt.bilingual").joinpath("inline_tags.toml").read_text("utf-8")
    table = tomllib.loads(text)
    every = [tag for tags in table["marks"].values() for tag in tags]
    assert len(every) == len(set(every))
    assert set(table["joined"]) <= set(every)
