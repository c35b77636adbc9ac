"""PO: which messages, which way round, and what is said of a file that is none."""

from __future__ import annotations

import sys
import time

import pytest

from klopt.bilingual.pairs import to_pair
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
    assert found.pairs == (
        to_pair("Bewaar", "Save", "app.po"),
        to_pair("Bestand", "File", "app.po"),
    )
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


def test_messages_become_html(tmp_path):
    found = read(
        tmp_path,
        DUTCH + '\nmsgid ""\n"Click <gui>Save</gui> &amp; type "\n"<key>F2</key>: *."\n'
        'msgstr "Klik <gui>Bewaar</gui> &amp; typ <key>F2</key>: *."\n',
    )
    assert found.pairs == (
        to_pair(
            "Klik <b>Bewaar</b> &amp; typ <code>F2</code>: &#42;.",
            "Click <b>Save</b> &amp; type <code>F2</code>: &#42;.",
            "app.po",
        ),
    )


KEYWORD = (
    "not PO, which has a keyword such as msgid and a text in quotes; or the file is cut off here"
)
CUT_OFF = "a message without msgstr; the file is cut off or damaged"
MISPLACED = "stands where it cannot; a message is msgid, then msgstr"


@pytest.mark.parametrize(
    ("messages", "problem"),
    [
        ('msgid "a"b"\nmsgstr "b"\n', f', line 5: msgid "a"b": {KEYWORD}'),
        ("niets\n", f", line 5: niets: {KEYWORD}"),
        ('domain "app"\n', f', line 5: domain "app": {KEYWORD}'),
        ('msgid "a"\nmsgstr "b"\nmsgstr "c"\n', f", line 7: msgstr {MISPLACED}"),
        ('msgstr "b"\n', f", line 5: msgstr {MISPLACED}"),
        ('msgctxt "c"\nmsgid_plural "a"\nmsgstr "b"\n', f", line 6: msgid_plural {MISPLACED}"),
        ('msgid "a"\nmsgid "b"\nmsgstr "c"\n', f", line 6: msgid {MISPLACED}"),
        ('msgid "a"\nmsgid "b"\n', f", line 6: {CUT_OFF}"),
        ('msgid "Save"\n', f", line 5: {CUT_OFF}"),
        ('msgctxt "menu"\n', f", line 5: {CUT_OFF}"),
        ('msgid "Sa', f', line 5: msgid "Sa: {KEYWORD}'),
        ('msgid "Save"\nmsgstr "Be', f', line 6: msgstr "Be: {KEYWORD}'),
        ('msgid "Save"\nmsgstr "Be\\"', f', line 6: msgstr "Be\\": {KEYWORD}'),
        ('msgid "Save"\nmsgst', f", line 6: msgst: {KEYWORD}"),
        ('msgid "Save"\nmsgstr ""\n"Bew', f', line 7: "Bew: {KEYWORD}'),
    ],
)  # fmt: skip
def test_what_is_no_po_or_cut_off(tmp_path, messages, problem):
    header = 'msgid ""\nmsgstr ""\n"Language: nl\\n"\n\n'
    with pytest.raises(InputError) as told:
        read(tmp_path, header + messages)
    assert str(told.value) == f"{tmp_path / 'app.po'}{problem}"


def test_bytes_of_another_encoding_than_the_header_states(tmp_path):
    with pytest.raises(InputError) as told:
        read(tmp_path, DUTCH.encode() + b'\nmsgid "a"\nmsgstr "\xff"\n')
    problem = "not in the encoding that its header states: 'utf-8' codec can't decode byte 0xff"
    assert str(told.value).startswith(f"{tmp_path / 'app.po'}: {problem}")


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
    "line", ['"a"\n', "#. path: a/b\n", '"\\n"\n', "# a\n", "#, a\n", '#~ "a"\n', '""\n']
)
def test_a_message_of_many_lines_is_read_in_one_pass(tmp_path, line):
    """By the best of several: reading it anew for every line took sixteen times as long."""
    seconds = []
    for count in (30_000, 120_000):
        content = f'{DUTCH}\nmsgid "Save"\nmsgstr ""\n{line * count}'
        runs = []
        for _ in range(2):
            begun = time.process_time()
            read(tmp_path, content)
            runs.append(time.process_time() - begun)
        seconds.append(min(runs))
    assert seconds[1] < 10 * seconds[0] + 0.05


def test_a_message_that_is_too_long(tmp_path):
    content = f'{DUTCH}\nmsgid "Save"\nmsgstr "{"a" * 1_000_001}"\n'
    with pytest.raises(InputError) as told:
        read(tmp_path, content)
    path = tmp_path / "app.po"
    assert str(told.value) == f"{path}, line 7: one message has more than 1,000,000 characters"


@pytest.mark.parametrize("name", ["punycode", "idna", "zlib", "hex", "unicode_escape", "utf-x"])
def test_an_encoding_that_is_none_of_gettext_is_not_followed(tmp_path, name):
    assert read(tmp_path, DUTCH.replace("UTF-8", name) + SAVE).pairs[0].source == "Bewaar"


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


def test_without_the_extra_the_error_names_it(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "polib", None)
    with pytest.raises(ExtraMissingError) as told:
        read(tmp_path, DUTCH + SAVE)
    assert str(told.value) == (
        "reading PO needs polib; install with: pip install 'klopt[translation]'"
    )


def test_the_real_catalogue(data):
    found = read_po(data / "help" / "nl.po", "nl", "en")
    assert found.skipped == {"obsolete": 1076}
    assert len(found.pairs) == 3168
    assert not any("<gui" in one.source or "</gui" in one.source for one in found.pairs)
