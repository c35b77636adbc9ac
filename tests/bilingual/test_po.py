"""PO: which messages, which way round, and what is said of a file that is none."""

from __future__ import annotations

import sys

import pytest

from klopt.bilingual.pairs import Pair
from klopt.bilingual.po import read_po
from klopt.errors import ConfigurationError, ExtraMissingError, InputError

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
    assert read(tmp_path, header + SAVE, source, target).pairs == (Pair(*pair, "app.po"),)


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
    assert found.pairs == (Pair("Bewaar", "Save", "app.po"), Pair("Bestand", "File", "app.po"))
    assert found.skipped == {"untranslated": 1, "fuzzy": 1, "obsolete": 2}


def test_plural_forms(tmp_path):
    found = read(
        tmp_path,
        DUTCH + '\nmsgid "%d file"\nmsgid_plural "%d files"\n'
        'msgstr[0] "%d bestand"\nmsgstr[1] "%d bestanden"\nmsgstr[2] "%d bestandjes"\n'
        '\nmsgid "day"\nmsgid_plural "days"\nmsgstr[0] "dag"\nmsgstr[1] ""\n',
    )
    assert [(one.source, one.target) for one in found.pairs] == [
        ("%d bestand", "%d file"),
        ("%d bestanden", "%d files"),
        ("%d bestandjes", "%d files"),
        ("dag", "day"),
    ]
    assert found.skipped == {"untranslated": 1}


def test_messages_become_markdown(tmp_path):
    found = read(
        tmp_path,
        DUTCH + '\nmsgid ""\n"Click <gui>Save</gui> &amp; type "\n"<key>F2</key>: *."\n'
        'msgstr "Klik <gui>Bewaar</gui> &amp; typ <key>F2</key>: *."\n',
    )
    assert found.pairs == (
        Pair("Klik **Bewaar** \\& typ `F2`: \\*.", "Click **Save** \\& type `F2`: \\*.", "app.po"),
    )


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (DUTCH + '\nmsgid "a"b"\nmsgstr "b"\n', "not a PO file: Syntax error in po file"),
        ("niets\n", "not a PO file: Syntax error in po file"),
        (DUTCH.encode() + b'\nmsgid "a"\nmsgstr "\xff"\n',
         "not in the encoding that its header states: 'utf-8' codec can't decode byte 0xff"),
    ],
)  # fmt: skip
def test_what_is_no_po(tmp_path, content, problem):
    with pytest.raises(InputError) as told:
        read(tmp_path, content)
    assert str(told.value).startswith(f"{tmp_path / 'app.po'}: {problem}")


def test_another_encoding(tmp_path):
    content = (DUTCH.replace("UTF-8", "ISO-8859-1") + SAVE).replace("Bewaar", "Één")
    assert read(tmp_path, content.encode("iso-8859-1")).pairs[0].source == "Één"


def test_an_encoding_that_nobody_knows_is_read_as_utf_8_or_told(tmp_path):
    content = (DUTCH.replace("UTF-8", "klopt") + SAVE).replace("Bewaar", "Één")
    assert read(tmp_path, content).pairs[0].source == "Één"


def test_a_file_that_is_too_large_is_not_read(tmp_path):
    path = tmp_path / "app.po"
    with path.open("wb") as file:
        file.truncate(100_000_001)
    with pytest.raises(InputError) as told:
        read_po(path, "nl", "en")
    assert str(told.value) == f"{path}: larger than 100,000,000 bytes; split it"


def test_the_extra_is_named(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "polib", None)
    with pytest.raises(ExtraMissingError) as told:
        read(tmp_path, DUTCH + SAVE)
    assert str(told.value) == (
        "reading PO needs polib; install it with: pip install 'klopt[translation]'"
    )


def test_the_real_catalogue(data):
    found = read_po(data / "help" / "nl.po", "nl", "en")
    assert found.skipped == {"obsolete": 1076}
    assert len(found.pairs) == 3168
    assert not any("<gui" in one.source or "</" in one.source for one in found.pairs)
