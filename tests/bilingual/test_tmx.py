"""TMX: units as pairs."""

from __future__ import annotations

import pytest

from klopt.bilingual import xml_file
from klopt.bilingual.pairs import to_pair
from klopt.bilingual.tmx import read_tmx
from klopt.bilingual.xml_file import read_elements
from klopt.errors import InputError
from tests.tables import tables

SEGMENTS = tables("bilingual", "tmx")["segments"]


def read(path, content, source="nl", target="en"):
    path.write_text(content, encoding="utf-8", newline="")
    return read_tmx(path, source, target)


def variant(language, seg):
    return f'<tuv xml:lang="{language}"><seg>{seg}</seg></tuv>'


def foreign(*units):
    every = "\n".join(f"<tu>{unit}</tu>" for unit in units)
    return f'<tmx version="1.4"><header creationtool="x"/><body>\n{every}\n</body></tmx>'


@pytest.mark.parametrize(("seg", "written_as"), SEGMENTS.values(), ids=SEGMENTS)
def test_segments_of_others(tmp_path, seg, written_as):
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
    content = foreign("".join(variant(language, f"Tekst {language}") for language in variants))
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


# XML of others: one element at a time, and nothing that it asks for beside.

ENTITIES = (
    ": defines entities or asks for another file, which klopt does not follow; take that out of "
    "its DOCTYPE"
)


def elements(path, content):
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return list(read_elements(path, frozenset({"tu"})))


def test_elements(tmp_path):
    found = elements(
        tmp_path / "a.tmx",
        '<?xml version="1.0"?>\n<!DOCTYPE tmx SYSTEM "tmx14.dtd">\n<t:tmx xmlns:t="u" a="1">\n'
        "<body>\n<tu>een <b>twee</b> drie</tu>\n<tu xml:lang='nl'>\n<tu/></tu></body></t:tmx>",
    )
    assert ["".join(element.itertext()) for element in found] == ["een twee drie", "\n"]
    assert found[1].get("lang") == "nl"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "iso-8859-1"])
def test_the_encoding_that_is_declared(tmp_path, encoding):
    declared = encoding.removesuffix("-sig")
    content = f'<?xml version="1.0" encoding="{declared}"?><x><tu>één</tu></x>'.encode(encoding)
    assert [element.text for element in elements(tmp_path / "a.tmx", content)] == ["één"]


LAUGHS = (
    '<!DOCTYPE x [<!ENTITY a "ha">' + "".join(
        f'<!ENTITY {chr(98 + n)} "{f"&{chr(97 + n)};" * 10}">' for n in range(9)
    ) + "]>\n<x><tu>&j;</tu></x>"
)  # fmt: skip


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (LAUGHS, ENTITIES),
        ('<!DOCTYPE x [\n<!ENTITY a SYSTEM "file:///etc/passwd">]><x>&a;</x>', ENTITIES),
        ('<!DOCTYPE x [\n<!ENTITY % a SYSTEM "http://x.nl/">%a;]><x/>', ENTITIES),
        ("<x>\n" + "<y>" * 200, ": elements nest more than 100 deep"),
        ("<x>\n<tu>" + "<y>" * 200, ": elements nest more than 100 deep"),
        ("<x>\n<tu></x>", ", line 2: not XML: mismatched tag, column 6"),
        ("<x>\n<tu>&nbsp;</tu></x>", ", line 2: not XML: undefined entity, column 4"),
        ("<x>", ", line 1: not XML: no element found, column 3"),
        ("", ", line 1: not XML: no element found, column 0"),
        (b"<x><tu>\xff</tu></x>", ", line 1: not XML: not well-formed (invalid token), column 7"),
        ("<x><tu>\x01</tu></x>", ", line 1: not XML: not well-formed (invalid token), column 7"),
        ('<?xml version="1.0" encoding="klopt"?><x/>',
         ": not XML that can be read: unknown encoding: klopt"),
    ],
)  # fmt: skip
def test_what_is_refused_and_where(tmp_path, content, message):
    path = tmp_path / "a.tmx"
    with pytest.raises(InputError) as told:
        elements(path, content)
    assert str(told.value) == f"{path}{message}"


@pytest.mark.parametrize(
    ("start", "part", "end"),
    [("<!--", "a", "-->"), ("<?x ", "a", "?>"), ("<y a='", "a", "'/>"), ("<tu>", "<y/>", "</tu>")],
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_an_element_comment_or_tag_is_read_up_to_its_bound(
    tmp_path, monkeypatch, start, part, end, encoding
):
    """The parser looks at a comment anew with every piece, so that a long one would never end."""
    assert xml_file.LONGEST_ELEMENT_BYTES == 4_000_000
    monkeypatch.setattr(xml_file, "LONGEST_ELEMENT_BYTES", 400_000)
    path = tmp_path / "a.tmx"
    short, long = (
        f"<x>\n{'<tu>kort</tu>' * 999}{start}{part * (count // len(part))}{end}<tu/></x>"
        for count in (190_000, 500_000)
    )
    assert len(elements(path, short.encode(encoding))) >= 1_000
    with pytest.raises(InputError) as told:
        elements(path, long.encode(encoding))
    assert str(told.value) == (
        f"{path}: one element, comment, tag or text has more than 400,000 bytes"
    )
