"""Which kind of file a file is."""

from __future__ import annotations

import io
import json

import pytest

from klopt.bilingual.formats import read_file, to_row
from klopt.bilingual.tmx import write_tmx
from klopt.errors import ConfigurationError, InputError
from klopt.translation.memory import Entry

ENTRIES = (
    Entry("nl", "en", "trusted", "Bewaar.", "Save."),
    Entry("nl", "de", "trusted", "Bewaar.", "Speichern."),
)
PO = 'msgid ""\nmsgstr ""\n"Language: nl\\n"\n\nmsgid "Save"\nmsgstr "Bewaar"\n'
TMX = (
    '<tmx version="1.4"><body><tu><tuv xml:lang="nl"><seg>Bewaar</seg></tuv>'
    '<tuv xml:lang="en"><seg>Save</seg></tuv></tu></body></tmx>'
)
XLIFF = (
    '<?xml version="1.0"?>\n<!-- x -->\n<xliff version="1.2"><file source-language="en" '
    'target-language="nl"><body><trans-unit id="1"><source>Save</source>'
    "<target>Bewaar</target></trans-unit></body></file></xliff>"
)


def own_tmx():
    file = io.StringIO()
    write_tmx(ENTRIES, file)
    return file.getvalue()


def lines():
    return "".join(json.dumps(to_row(one)) + "\n" for one in ENTRIES)


@pytest.mark.parametrize("name", ["a.po", "a.txt", "a"])
@pytest.mark.parametrize("content", [PO, TMX, XLIFF])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
def test_the_content_tells_what_others_wrote(tmp_path, name, content, encoding):
    path = tmp_path / name
    path.write_bytes(content.encode(encoding))
    found = read_file(path, "nl", "en")
    assert [(one.source, one.target) for one in found.pairs] == [("Bewaar", "Save")]


def test_a_file_of_utf_16(tmp_path):
    path = tmp_path / "a.tmx"
    path.write_bytes(('<?xml version="1.0" encoding="utf-16"?>' + TMX).encode("utf-16"))
    assert len(read_file(path, "nl", "en").pairs) == 1


@pytest.mark.parametrize("content", [own_tmx(), lines()], ids=["tmx", "jsonl"])
@pytest.mark.parametrize(
    ("languages", "kept", "skipped"),
    [
        ((None, None), ENTRIES, {}),
        (("nl", "en"), ENTRIES[:1], {"not in nl and en": 1}),
        ((None, "de"), ENTRIES[1:], {"not in any and de": 1}),
        (("de", "nl"), (), {"not in de and nl": 2}),
    ],
)
def test_what_klopt_wrote_needs_no_languages(tmp_path, content, languages, kept, skipped):
    path = tmp_path / "export"
    path.write_text(content, encoding="utf-8")
    found = read_file(path, *languages)
    assert (found.entries, found.pairs, found.skipped) == (kept, (), skipped)


@pytest.mark.parametrize("content", [PO, TMX, XLIFF], ids=["po", "tmx", "xliff"])
@pytest.mark.parametrize(
    ("languages", "words"),
    [
        ((None, None), "not written by klopt, so state its languages with --from and --to"),
        (("nl", None), "not written by klopt, so state its languages with --from and --to"),
    ],
)
def test_what_others_wrote_needs_languages(tmp_path, content, languages, words):
    path = tmp_path / "a"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(ConfigurationError) as told:
        read_file(path, *languages)
    assert str(told.value) == f"{path}: {words}"


def test_twice_the_same_language(tmp_path):
    path = tmp_path / "a.po"
    path.write_text(PO, encoding="utf-8")
    with pytest.raises(ConfigurationError, match=r"^--from and --to are both nl$"):
        read_file(path, "nl", "nl")


@pytest.mark.parametrize(
    "content", ["", "een tekst", "<html><body>msg</body></html>", "a,b\n1,2", "\0\1\2"]
)
def test_another_file(tmp_path, content):
    path = tmp_path / "a.txt"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(InputError) as told:
        read_file(path, "nl", "en")
    assert str(told.value) == (
        f"{path}: not a translation file; klopt reads TMX, XLIFF 1.2 and 2, gettext PO, and the "
        "JSON lines of klopt memory export"
    )


@pytest.mark.parametrize("name", ["weg.po", "."])
def test_no_file(tmp_path, name):
    with pytest.raises(InputError, match="there is no such file"):
        read_file(tmp_path / name, "nl", "en")
