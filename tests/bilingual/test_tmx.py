"""TMX: ours comes back as it was, that of others as pairs."""

from __future__ import annotations

import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from klopt.bilingual.pairs import to_pair
from klopt.bilingual.tmx import read_tmx, write_tmx
from klopt.errors import InputError
from klopt.translation.memory import Entry
from klopt.version import VERSION


def written(*entries):
    file = io.StringIO()
    write_tmx(entries, file)
    return file.getvalue()


def read(path, content, source="nl", target="en"):
    path.write_text(content, encoding="utf-8", newline="")
    return read_tmx(path, source, target)


def variant(language, seg):
    return f'<tuv xml:lang="{language}"><seg>{seg}</seg></tuv>'


def foreign(*units):
    every = "\n".join(f"<tu>{unit}</tu>" for unit in units)
    return f'<tmx version="1.4"><header creationtool="x"/><body>\n{every}\n</body></tmx>'


def test_what_is_written():
    entry = Entry("nl", "en", "trusted", "Klik op ⟦1⟧ & <b>.", "Click ⟦1⟧\x01.", "a\x02.po")
    assert written(entry) == (
        '<?xml version="1.0" encoding="UTF-8"?>\n<tmx version="1.4">\n'
        f'<header creationtool="klopt" creationtoolversion="{VERSION}" segtype="sentence" '
        'o-tmf="klopt" adminlang="en" srclang="*all*" datatype="plaintext"/>\n<body>\n'
        '<tu srclang="nl">\n<prop type="x-klopt-provider">trusted</prop>\n'
        '<prop type="x-klopt-origin">a\ufffd.po</prop>\n'
        '<tuv xml:lang="nl"><seg>Klik op <ph x="1" type="klopt"/> &amp; &lt;b&gt;.</seg></tuv>\n'
        '<tuv xml:lang="en"><seg>Click <ph x="1" type="klopt"/>\ufffd.</seg></tuv>\n'
        "</tu>\n</body>\n</tmx>\n"
    )


TEXTS = st.text(
    st.one_of(
        st.sampled_from("⟦⟧0123 \n\t\x7f\x85\u2028<>&]"),
        st.characters(codec="utf-8", exclude_categories=["Cc"], exclude_characters="\ufffe\uffff"),
    ),
    min_size=1,
    max_size=30,
).filter(str.strip)


@given(st.lists(st.tuples(TEXTS, TEXTS, st.sampled_from(["trusted", "google"])), max_size=5))
@settings(max_examples=200)
def test_any_text_comes_back(tmp_path_factory, texts):
    entries = tuple(
        Entry("nl", "en", provider, source, target, "één.po") for source, target, provider in texts
    )
    path = tmp_path_factory.getbasetemp() / "round.tmx"
    found = read(path, written(*entries))
    assert (found.entries, found.pairs, found.skipped) == (entries, (), {})


@pytest.mark.parametrize(
    ("source", "target"), [("nl", "en"), ("en", "nl"), ("nl", "nl-BE"), ("en", "en")]
)
def test_ours_says_which_side_is_the_source(tmp_path, source, target):
    entry = Entry(source, target, "deepl", "Een ⟦2⟧ ⟦1⟧", "One ⟦1⟧ ⟦2⟧", "")
    found = read(tmp_path / "a.tmx", written(entry), None, None)
    assert found.entries == (entry,)


def test_ours_after_another_tool_put_the_texts_the_other_way_round(tmp_path):
    unit = (
        '<prop type="x-klopt-provider">trusted</prop>'
        + variant("en", 'Save <ph x="1" type="klopt"/>.')
        + variant("nl", "Bewaar.")
    )
    found = read(tmp_path / "a.tmx", foreign(unit).replace("<tu>", '<tu srclang="nl">'))
    assert found.entries == (Entry("nl", "en", "trusted", "Bewaar.", "Save ⟦1⟧.", ""),)


FOREIGN = {
    "plain": ("Bewaar.", "Bewaar."),
    "native code goes": ('Klik <bpt i="1">{\\b </bpt>hier<ept i="1">}</ept>.', "Klik hier."),
    "bold by type": (
        'Klik <bpt i="1" type="bold">x</bpt>hier<ept i="1">x</ept>.', "Klik <b>hier</b>.",
    ),
    "bold by tag": (
        'Klik <bpt i="1">&lt;b&gt;</bpt>hier<ept i="1">&lt;/b&gt;</ept>.', "Klik <b>hier</b>.",
    ),
    "bold by single tags": ("Klik <ph>&lt;b&gt;</ph>hier<ph>&lt;/b&gt;</ph>.", "Klik <b>hier</b>."),
    "overlapping": (
        '<bpt i="1">&lt;b></bpt>a<bpt i="2">&lt;i></bpt>b<ept i="1"/>c<ept i="2"/>', "<b>ab</b>c",
    ),
    "highlight stays": ("Klik <hi>hier</hi>.", "Klik hier."),
    "highlight by type": ('Klik <hi type="x-html-code">hier</hi>.', "Klik <code>hier</code>."),
    "sub goes": ('Klik<ph>\\fn <sub>Een noot.</sub></ph> hier.', "Klik hier."),
    "ut and it go": ('Klik<ut>{x</ut> <it pos="begin">{y</it>hier.', "Klik hier."),
    "placeholder stays": ("Wacht <ph>{0}</ph> tellen.", "Wacht {0} tellen."),
    "tags as text": ("&lt;b&gt;hier&lt;/b&gt; &amp;amp; daar.", "<b>hier</b> &amp; daar."),
    "signs": ("1. *Bewaar*", "1. &#42;Bewaar&#42;"),
}  # fmt: skip


@pytest.mark.parametrize("name", FOREIGN)
def test_segments_of_others(tmp_path, name):
    seg, written_as = FOREIGN[name]
    content = foreign(variant("nl", seg) + variant("en", "Save."))
    assert read(tmp_path / "a.tmx", content).pairs == (to_pair(written_as, "Save.", "a.tmx"),)


@pytest.mark.parametrize(
    ("variants", "source"),
    [
        (("nl-NL", "en-GB"), "nl-NL"),
        (("NL", "EN"), "NL"),
        (("de", "en", "nl"), "nl"),
        (("nl-BE", "nl", "en"), "nl"),
        (("nl_BE", "nl-NL", "en"), "nl_BE"),
    ],
)
def test_languages_of_others(tmp_path, variants, source):
    content = foreign("".join(variant(one, f"Tekst {one}") for one in variants))
    (pair,) = read(tmp_path / "a.tmx", content).pairs
    assert pair.source == f"Tekst {source}"


def test_what_is_left_out_is_counted(tmp_path):
    content = foreign(
        variant("nl", "Bewaar.") + variant("de", "Speichern."),
        variant("nlx", "Bewaar.") + variant("en", "Save."),
        variant("nl", "") + variant("en", "Save."),
        variant("nl", "<ph>x</ph>") + variant("en", "Save."),
        variant("nl", "a" * 10_001) + variant("en", "Save."),
        '<tuv xml:lang="nl"/><tuv xml:lang="en"/>',
    )
    found = read(tmp_path / "a.tmx", content)
    assert found.pairs == ()
    assert found.skipped == {
        "not in nl and en": 3, "untranslated": 2, "longer than 10,000 characters": 1,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ('"nl"', '"!"', 'from is "!", not a language such as nl'),
        ("Save.", "", "target is empty"),
        ("trusted<", "A B<", 'provider is "A B", not one word in lower case such as trusted'),
    ],
)
def test_ours_after_somebody_spoilt_it(tmp_path, old, new, problem):
    path = tmp_path / "a.tmx"
    content = written(Entry("nl", "en", "trusted", "Bewaar.", "Save."))
    with pytest.raises(InputError) as told:
        read(path, content.replace(old, new))
    assert str(told.value) == f"{path}, line 10: {problem}"
