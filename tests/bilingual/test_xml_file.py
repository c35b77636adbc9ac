"""XML of others: one element at a time, and nothing that it asks for beside."""

from __future__ import annotations

import sys

import pytest

from klopt.bilingual.xml_file import read_elements
from klopt.errors import ExtraMissingError, InputError

ENTITIES = (
    ": defines entities or asks for another file, which klopt does not follow; take that out of "
    "its DOCTYPE"
)


def read(path, content):
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return list(read_elements(path, frozenset({"tu"})))


def test_elements(tmp_path):
    found = read(
        tmp_path / "a.tmx",
        '<?xml version="1.0"?>\n<!DOCTYPE tmx SYSTEM "tmx14.dtd">\n<t:tmx xmlns:t="u" a="1">\n'
        "<body>\n<tu>een <b>twee</b> drie</tu>\n<tu xml:lang='nl'>\n<tu/></tu></body></t:tmx>",
    )
    assert ["".join(one.itertext()) for one in found] == ["een twee drie", "\n"]
    assert found[1].get("lang") == "nl"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "iso-8859-1"])
def test_the_encoding_that_is_declared(tmp_path, encoding):
    declared = encoding.removesuffix("-sig")
    content = f'<?xml version="1.0" encoding="{declared}"?><x><tu>één</tu></x>'.encode(encoding)
    assert [one.text for one in read(tmp_path / "a.tmx", content)] == ["één"]


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
    ],
)  # fmt: skip
def test_what_is_refused_and_where(tmp_path, content, message):
    path = tmp_path / "a.tmx"
    with pytest.raises(InputError) as told:
        read(path, content)
    assert str(told.value) == f"{path}{message}"


def test_an_encoding_that_nobody_knows(tmp_path):
    path = tmp_path / "a.tmx"
    with pytest.raises(InputError) as told:
        read(path, '<?xml version="1.0" encoding="klopt"?><x/>')
    assert str(told.value) == f"{path}: not XML that can be read: unknown encoding: klopt"


def test_a_file_that_is_too_large_is_not_read(tmp_path):
    path = tmp_path / "a.tmx"
    with path.open("wb") as file:
        file.truncate(1_000_000_001)
    with pytest.raises(InputError) as told:
        list(read_elements(path, frozenset({"tu"})))
    assert str(told.value) == f"{path}: larger than 1,000,000,000 bytes; split it"


def test_the_extra_is_named(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "defusedxml.ElementTree", None)
    with pytest.raises(ExtraMissingError) as told:
        read(tmp_path / "a.tmx", "<x/>")
    assert str(told.value) == (
        "reading XML needs defusedxml; install with: pip install 'klopt[translation]'"
    )


@pytest.mark.parametrize(
    ("start", "part", "end"),
    [("<!--", "a", "-->"), ("<?x ", "a", "?>"), ("<y a='", "a", "'/>"), ("<tu>", "<y/>", "</tu>")],
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_an_element_comment_or_tag_is_read_up_to_its_bound(tmp_path, start, part, end, encoding):
    """The parser looks at a comment anew with every piece, so that a long one would never end."""
    path = tmp_path / "a.tmx"
    short, long = (
        f"<x>\n{'<tu>kort</tu>' * 9999}{start}{part * (count // len(part))}{end}<tu/></x>"
        for count in (1_900_000, 4_100_000)
    )
    assert len(read(path, short.encode(encoding))) >= 10_000
    with pytest.raises(InputError) as told:
        read(path, long.encode(encoding))
    assert str(told.value) == (
        f"{path}: one element, comment, tag or text has more than 4,000,000 bytes"
    )
