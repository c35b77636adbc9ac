"""PO: which messages, which way round, and what is said of a file that is none."""

from __future__ import annotations

from pathlib import Path

import pytest

from klopt import lexicons
from klopt.batch.pages import read_pages
from klopt.bilingual.pairs import to_pair
from klopt.bilingual.po import PIECE_CHARS, read_po, read_po_pages
from klopt.errors import ConfigurationError, InputError
from klopt.reading.reader import Reader

HEADER = 'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n'
DUTCH = HEADER + '"Language: nl\\n"\n'
SAVE = '\nmsgid "Save"\nmsgstr "Bewaar"\n'


def read(tmp_path, content, source="nl", target="en"):
    path = tmp_path / "app.po"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return read_po(path, source, target)


@pytest.mark.parametrize(
    ("header", "source", "target", "pair"),
    [
        (DUTCH, "nl", "en", ("Bewaar", "Save")),
        (DUTCH, "en", "nl", ("Save", "Bewaar")),
        (DUTCH.replace("nl", "nl_NL"), "nl", "en", ("Bewaar", "Save")),
        (DUTCH, "nl", "de", ("Bewaar", "Save")),
        (HEADER, "nl", "en", ("Bewaar", "Save")),
        (HEADER, "en", "nl", ("Save", "Bewaar")),
        ("", "nl", "en", ("Bewaar", "Save")),
        (DUTCH.replace("nl", "en"), "nl", "en", ("Save", "Bewaar")),
    ],
)
def test_the_direction_follows_the_header_and_without_one_messages_are_english(
    tmp_path, header, source, target, pair
):
    assert read(tmp_path, header + SAVE, source, target).pairs == (to_pair(*pair, "app.po"),)


@pytest.mark.parametrize(
    ("header", "source", "target", "problem"),
    [
        (DUTCH, "de", "en",
         "translated into nl, which is neither --from de nor --to en"),
        (HEADER, "nl", "de",
         "its header does not say in what language the translations are; add "
         '"Language: de\\n" to it'),
    ],
)  # fmt: skip
def test_languages_that_do_not_fit(tmp_path, header, source, target, problem):
    with pytest.raises(ConfigurationError) as told:
        read(tmp_path, header + SAVE, source, target)
    assert str(told.value) == f"{tmp_path / 'app.po'}: {problem}"


def test_what_is_left_out_is_counted(tmp_path):
    found = read(
        tmp_path,
        DUTCH + SAVE + '\nmsgid "Open"\nmsgstr ""\n'
        '\n#, fuzzy\nmsgid "Close"\nmsgstr "Sluit"\n'
        '\nmsgctxt "menu"\nmsgid "File"\nmsgstr "Bestand"\n'
        '\n#~ msgid "Old"\n#~ msgstr "Oud"\n#~ msgid "Older"\n#~ msgstr "Ouder"\n',
    )
    kept = ("Bewaar", "Save"), ("Bestand", "File")
    assert found.pairs == tuple(to_pair(*texts, "app.po") for texts in kept)
    assert found.skipped == {"untranslated": 1, "fuzzy": 1, "obsolete": 2}


def test_plural_forms(tmp_path):
    found = read(
        tmp_path,
        DUTCH + '\nmsgid "%d file"\nmsgid_plural "%d files"\n'
        'msgstr[0] "%d bestand"\nmsgstr[1] "%d bestanden"\nmsgstr[2] "%d bestandjes"\n'
        '\nmsgid "day"\nmsgid_plural "days"\nmsgstr[0] "dag"\nmsgstr[1] ""\n',
    )
    assert [(pair.source, pair.target) for pair in found.pairs] == [
        ("%d bestand", "%d file"),
        ("%d bestanden", "%d files"),
        ("%d bestandjes", "%d files"),
        ("dag", "day"),
    ]
    assert found.skipped == {"untranslated": 1}


KEYWORD = (
    "not PO, which has a keyword such as msgid and a text in quotes; or the file is cut off here"
)
CUT_OFF = "a message without msgstr; the file is cut off or damaged"
NOT_UTF_8 = (
    "not in the encoding that its header states: 'utf-8' codec can't decode byte 0xff in position "
    "99: invalid start byte"
)
MISPLACED = "stands where it cannot; a message is msgid, then msgstr"


@pytest.mark.parametrize(
    ("messages", "problem"),
    [
        ('msgid "a"b"\nmsgstr "b"\n', f', line 6: msgid "a"b": {KEYWORD}'),
        ("niets\n", f", line 6: niets: {KEYWORD}"),
        ('msgid "a"\nmsgstr "b"\nmsgstr "c"\n', f", line 8: msgstr {MISPLACED}"),
        ('msgstr "b"\n', f", line 6: msgstr {MISPLACED}"),
        ('msgid "a"\nmsgid "b"\nmsgstr "c"\n', f", line 7: msgid {MISPLACED}"),
        ('msgid "Save"\n', f", line 6: {CUT_OFF}"),
        ('msgid "Sa', f', line 6: msgid "Sa: {KEYWORD}'),
        ('msgid "Save"\nmsgstr "Be', f', line 7: msgstr "Be: {KEYWORD}'),
        ('msgid "Save"\nmsgstr "Be\\"', f', line 7: msgstr "Be\\": {KEYWORD}'),
        ('msgid "Save"\nmsgst', f", line 7: msgst: {KEYWORD}"),
        ('msgid "Save"\nmsgstr ""\n"Bew', f', line 8: "Bew: {KEYWORD}'),
        ('msgid "a"\nmsgstr "\xff"\n', f": {NOT_UTF_8}"),
        (f'msgid "a"\nmsgstr "{"a" * 1_000_001}"\n',
         ", line 7: one message has more than 1,000,000 characters"),
    ],
    ids=lambda text: text[:40],
)  # fmt: skip
def test_what_is_no_po_or_cut_off(tmp_path, messages, problem):
    with pytest.raises(InputError) as told:
        read(tmp_path, f"{DUTCH}\n{messages}".encode("latin-1"))
    assert str(told.value) == f"{tmp_path / 'app.po'}{problem}"


def test_a_text_without_a_keyword(tmp_path):
    with pytest.raises(InputError, match="line 1: a text without a keyword such as msgid before"):
        read(tmp_path, '"Bewaar"\n')


def test_escapes_comments_and_a_byte_order_mark(tmp_path):
    content = (
        "\ufeff# Over dit bestand.\n" + DUTCH + "\n#. A button.\n#: app.c:1 app.c:2\n#, c-format\n"
        '#| msgid "Save"\n#| "it"\nmsgid "Say\\t\\"yes\\"\\q"\n'
        'msgstr ""\n"Zeg "\n"\\"ja\\""\n# Einde.\n'
        '#~| msgid "Gone"\n#~ msgid "Went"\n#~ msgstr "Ging"\n'
    )
    found = read(tmp_path, content)
    assert found.pairs == (to_pair('Zeg "ja"', 'Say\t"yes"\\q', "app.po"),)
    assert found.skipped == {"obsolete": 1}


@pytest.mark.parametrize(
    ("stated", "written"),
    [
        ("UTF-8", "utf-8"),
        ("ISO-8859-1", "iso-8859-1"),
        # what is no encoding of gettext is not followed
        *((name, "utf-8") for name in ("punycode", "idna", "zlib", "hex", "unicode_escape", "x")),
    ],
)
def test_the_encoding_that_the_header_states(tmp_path, stated, written):
    content = (DUTCH.replace("UTF-8", stated) + SAVE).replace("Bewaar", "Één")
    assert read(tmp_path, content.encode(written)).pairs[0].source == "Één"


# Catalogues as the pages that they translate.

CATALOGUE = r"""
msgid ""
msgstr "Language: nl\n"

#. (itstool) path: info/desc
#: C/leave.page:9
msgid "How to ask."
msgstr "Hoe u verlof vraagt."

#. (itstool) path: item/p
#: C/leave.page:31 C/sick.page:7
msgid "Click <gui>New</gui>."
msgstr "Klik op <gui>Nieuw</gui>."

#. (itstool) path: item/p
#: C/leave.page:30
msgid "Open <gui>Leave</gui>."
msgstr "Open <gui>Verlof</gui>."

#. (itstool) path: page/title
#: C/leave.page:20
msgid "Leave"
msgstr "Verlof"

#. (itstool) path: section/title
#: C/sick.page:5
msgid "Sick"
msgstr "Ziek"

#. (itstool) path: credit/name
#: C/leave.page:3
msgid "A. Writer"
msgstr "A. Writer"

#: C/sick.page:8
#, fuzzy
msgid "Old."
msgstr "Oud."

#: C/sick.page:9
msgid "Later."
msgstr ""

#~ msgid "Gone."
#~ msgstr "Weg."
"""


@pytest.fixture
def catalogue(tmp_path: Path) -> Path:
    path = tmp_path / "nl.po"
    path.write_text(CATALOGUE, "utf-8")
    return path


def test_pages_stand_in_the_order_of_their_files(catalogue: Path):
    assert read_po_pages(catalogue) == {
        "C/leave.page": "<p>Hoe u verlof vraagt.</p>\n<h1>Verlof</h1>\n<ol>\n"
        "<li>Open <b>Verlof</b>.</li>\n<li>Klik op <b>Nieuw</b>.</li>\n</ol>",
        "C/sick.page": "<h2>Ziek</h2>\n<ol>\n<li>Klik op <b>Nieuw</b>.</li>\n</ol>",
    }


def test_a_folder_has_the_pages_of_its_catalogues(catalogue: Path):
    (catalogue.parent / "a.md").write_text("# A", "utf-8")
    pages = read_pages(catalogue.parent)
    assert set(pages) == {
        "a", "a.md", "nl.po/C/leave", "nl.po/C/leave.page", "nl.po/C/sick", "nl.po/C/sick.page",
    }  # fmt: skip
    page = pages["nl.po/C/leave"]
    reading = Reader(lexicons.load("nl")).read(page.text, page.format)
    assert [step.components for step in reading.guides[0].steps] == [("verlof",), ("nieuw",)]


def test_messages_that_do_not_say_whence_they_come(tmp_path: Path):
    path = tmp_path / "app.po"
    text = "Tekst. " * 400
    path.write_text("\n".join(f'msgid "{n}"\nmsgstr "{n} {text}"\n' for n in range(20)), "utf-8")
    pages = read_po_pages(path)
    assert list(pages) == ["1", "2", "3"]
    assert all(len(page) < 2 * PIECE_CHARS for page in pages.values())
    assert pages["1"].startswith("<p>0 Tekst.")
