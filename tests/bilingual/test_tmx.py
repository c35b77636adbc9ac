"""TMX: units as pairs."""

from __future__ import annotations

import pytest

from klopt.bilingual.pairs import to_pair
from klopt.bilingual.tmx import read_tmx


def read(path, content, source="nl", target="en"):
    path.write_text(content, encoding="utf-8", newline="")
    return read_tmx(path, source, target)


def variant(language, seg):
    return f'<tuv xml:lang="{language}"><seg>{seg}</seg></tuv>'


def foreign(*units):
    every = "\n".join(f"<tu>{unit}</tu>" for unit in units)
    return f'<tmx version="1.4"><header creationtool="x"/><body>\n{every}\n</body></tmx>'


FOREIGN = {
    "plain": ("Bewaar.", "Bewaar."),
    "native code goes": ('Klik <bpt i="1">{\\b </bpt>hier<ept i="1">}</ept>.', "Klik hier."),
    "bold by tag": (
        'Klik <bpt i="1">&lt;b&gt;</bpt>hier<ept i="1">&lt;/b&gt;</ept>.', "Klik <b>hier</b>.",
    ),
    "bold by single tags": ("Klik <ph>&lt;b&gt;</ph>hier<ph>&lt;/b&gt;</ph>.", "Klik <b>hier</b>."),
    "highlight stays": ("Klik <hi>hier</hi>.", "Klik hier."),
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
