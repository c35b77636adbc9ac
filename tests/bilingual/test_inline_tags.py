"""Tags in messages: which become strong or code, which go, which are placeholders."""

from __future__ import annotations

import tomllib
from importlib import resources

import pytest
from hypothesis import given
from hypothesis import strategies as st

from klopt.bilingual.inline_tags import message_markdown, opened_kinds


@pytest.mark.parametrize(
    ("message", "markdown"),
    [
        # HTML
        ("Klik op <b>Opslaan</b>.", "Klik op **Opslaan**."),
        ('Klik op <strong class="x">Opslaan</strong>.', "Klik op **Opslaan**."),
        ("Typ <code>ls</code> en <KBD>F2</KBD>.", "Typ `ls` en `F2`."),
        ('Zie <a href="x">hier</a> en <em>daar</em>.', "Zie hier en daar."),
        ("Een<br/>twee", "Een\n\ntwee"),
        ("<p>Een</p><p>Twee</p>", "Een\n\nTwee"),
        ("Een <!-- niet --> twee", "Een twee"),
        # Mallard
        ("Open <guiseq><gui>Beeld</gui><gui>Lijst</gui></guiseq>.", "Open **Beeld ▸ Lijst**."),
        ("Druk <keyseq><key>Ctrl</key> <key>S</key></keyseq>.", "Druk `Ctrl+S`."),
        ("Zie <app>Lijst</app>, <file>/tmp</file>.", "Zie Lijst, `/tmp`."),
        ("<guiseq>Ga naar <gui>A</gui> en <gui>B</gui></guiseq>", "**Ga naar A en B**"),
        # DocBook
        (
            "<menuchoice><guimenu>A</guimenu> <guimenuitem>B</guimenuitem></menuchoice>",
            "**A ▸ B**",
        ),
        ("<keycombo><keycap>A</keycap><keycap>B</keycap></keycombo>", "`A+B`"),
        # placeholders and markup of others
        ("Klik op <_:link-1/>.", "Klik op \\<\\_:link-1/\\>."),
        ("Typ <naam> of {0}, %s.", "Typ \\<naam\\> of {0}, %s."),
        ("<0>Een</0> en <nieuw>twee</nieuw>", "Een en twee"),
        ('Een <nieuw soort="x"/>', "Een"),
        # what is no tag
        ("3 < 4 > 2", "3 \\< 4 \\> 2"),
        ("&Bestand en _Bewerken", "\\&Bestand en \\_Bewerken"),
        ("a &amp; b &lt;c&gt; &eacute;&#233;", "a \\& b \\<c\\> éé"),
        ("", ""),
    ],
)
def test_messages(message, markdown):
    assert message_markdown(message) == markdown


@pytest.mark.parametrize(
    ("code", "kinds"),
    [
        ("<b>", ("strong",)),
        ("<i><code>", ("code",)),
        ("</b>", ()),
        ("<b/>", ()),
        ("<run bold='1'>", ()),
        ("", ()),
    ],
)
def test_what_tags_in_code_open(code, kinds):
    assert opened_kinds(code) == kinds


@given(st.text("<>/ab='\"! -keygui&;", max_size=60))
def test_no_message_is_too_much(message):
    message_markdown(message)


@pytest.mark.parametrize(
    ("part", "markdown"),
    [("<a ", "\\<a "), ("<!--", "\\<!--"), ("<!-- b -->", ""), ("<b>", ""), ("<b>a</b>", "a")],
)
def test_a_long_row_takes_no_time(part, markdown):
    assert len(message_markdown(part * 20_000)) >= len(markdown.strip()) * 20_000


@pytest.mark.parametrize(
    ("message", "markdown"),
    [
        ("a<!-- <b> -->b", "ab"),
        ("a<!-- <!-- -->b-->", "ab--\\>"),
        ("a<!-->b", "a\\<!--\\>b"),
        ("a<!-- b", "a\\<!-- b"),
        ("a --> <b>c</b>", "a --\\> **c**"),
    ],
)
def test_comments(message, markdown):
    assert message_markdown(message) == markdown


def test_no_tag_has_two_senses_and_every_joined_one_has_one():
    text = resources.files("klopt.bilingual").joinpath("inline_tags.toml").read_text("utf-8")
    table = tomllib.loads(text)
    every = [tag for tags in table["marks"].values() for tag in tags]
    assert len(every) == len(set(every))
    assert set(table["joined"]) <= set(every)
