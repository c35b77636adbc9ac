"""Tags in messages: which become strong or code, which go, which are placeholders."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from klopt import shipped
from klopt.bilingual.inline_tags import message_html
from klopt.reading.markup import read_text
from klopt.reading.text import read_plain
from tests.growth.growing import assert_linear
from tests.tables import tables

CASES = tables("bilingual", "inline_tags")


@pytest.mark.parametrize(("message", "written"), CASES["messages"])
def test_messages(message, written):
    assert message_html(message) == written


@pytest.mark.parametrize(("message", "text", "marks"), CASES["read"])
def test_what_is_written_is_read(message, text, marks):
    plain = read_text(message_html(message), "html")
    assert plain.text == text
    assert [[mark.kind, plain.text[mark.start : mark.end]] for mark in plain.marks] == marks


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
    table = shipped.table("klopt.bilingual", "inline_tags.toml")
    every = [tag for tags in table["marks"].values() for tag in tags]
    assert len(every) == len(set(every))
    assert set(table["joined"]) <= set(every)
