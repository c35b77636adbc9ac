"""A file that is no index, does not fit, was cut off or altered is refused, and says what to do."""

from __future__ import annotations

import io
import json
from contextlib import suppress
from zlib import crc32

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from klopt import Index, Page, Scorer, Turn, lexicons
from klopt.errors import InputError, KloptError
from klopt.indexing.building import build
from klopt.indexing.index_file import RECORD
from klopt.indexing.parts import _PREAMBLE, FORMAT, PartsWriter
from klopt.indexing.postings import POSTING, WORD
from klopt.matching import Language
from klopt.scoring.profile import Profile
from klopt.scoring.setup import Setup
from tests.indexing.conftest import built, opened

PAGES = {
    name: Page(text, name)
    for name, text in {
        "wifi.md": "# Wifi\n\n1. Klik op **Netwerk**.\n2. Kies *uw* netwerk.\n\nNiet met `F5`.",
        "geluid.md": "# Geluid\n\nZet het geluid harder met de schuif **Volume**.",
    }.items()
}
TURN = {
    "question": "Hoe kies ik een netwerk?",
    "answer": "Klik op **Netwerk** en kies het.",
    "contexts": ["wifi.md"],
    "language": "nl",
}
AGAIN = "`klopt index build --pages DIR -o FILE` builds it again"


@pytest.fixture(scope="module")
def content() -> bytes:
    return built(PAGES)


def used(index: Index) -> list[object]:
    """All that an index is asked for."""
    scorer = Scorer.load(index=index)
    score = scorer.score(Turn.from_mapping(TURN, pages=index)).to_dict()
    hits = [(hit.page.id, hit.score) for hit in index.search(TURN["question"], language="nl")]
    return [score, hits, dict(index), index.page_count, dict(index.page_counts)]


@pytest.mark.parametrize("content", [b"", b"# Wifi\n" * 100, b"klopt\n\x1a" + b"\0" * 90])
def test_what_is_no_index_is_refused(tmp_path, content):
    with pytest.raises(InputError, match=r"file\.klopt: is no index; `klopt index build --pages"):
        opened(tmp_path / "file.klopt", content)


def test_what_is_not_there_is_refused(tmp_path):
    for path in (tmp_path / "weg.klopt", tmp_path):
        with pytest.raises(InputError, match="there is no such file; `klopt index build"):
            Index.open(path)


def test_each_cut_is_refused(tmp_path, content):
    for length in range(0, len(content), 7):
        with pytest.raises(InputError, match=r"is no index|so it is cut off"):
            opened(tmp_path / "file.klopt", content[:length])


def test_a_file_that_is_cut_off_later_is_refused_then(tmp_path, content):
    path = tmp_path / "file.klopt"
    index = opened(path, content)
    with path.open("r+b") as file:
        file.truncate(100)
    with pytest.raises(InputError, match="is not as it was written"):
        used(index)


def test_each_byte_that_is_altered_is_told(tmp_path, content):
    """At once or when it is read; what is not read gives the same."""
    path = tmp_path / "file.klopt"
    index = opened(path, content)
    expected = used(index)
    for at in range(len(content)):
        altered = bytearray(content)
        altered[at] ^= 1 + at % 255
        with pytest.raises(InputError, match=r"file.klopt: "):
            opened(path, bytes(altered)).check()
        if at % 97 == 0:
            with suppress(InputError):
                assert used(opened(path, bytes(altered))) == expected


def with_directory(content: bytes, directory: object, parts: bytes | None = None) -> bytes:
    """The same parts, or others, with another directory, checksums and all."""
    start = _PREAMBLE.unpack_from(content)[3]
    file = io.BytesIO()
    writer = PartsWriter(file)
    writer.add((parts or content)[_PREAMBLE.size : start])
    writer.finish(directory)
    return file.getvalue()


def directory_of(content: bytes) -> dict:
    *_, start, size, _, _ = _PREAMBLE.unpack_from(content)
    return json.loads(content[start : start + size])


def rewritten(content: bytes, name: str, field: str, value: object) -> bytes:
    """With a table of which each row says something else, and the checksums that fit it."""
    directory = directory_of(content)
    kinds = {"records": RECORD, "words": WORD, "postings": POSTING}
    altered = bytearray(content)

    def table(of: str) -> np.ndarray:
        start, length, _ = directory["regions"][of]
        return np.frombuffer(altered, kinds[of], length // kinds[of].itemsize, start)

    table(name)[field] = value
    for row in table("words"):
        start, count = int(row["start"]), int(row["count"])
        row["sum"] = crc32(table("postings")[start : start + count].tobytes())
    for row in table("records"):
        start, length = int(row["start"]), int(row["length"])
        row["sum"] = crc32(altered[start : start + length])
    for of in kinds:
        directory["regions"][of][2] = crc32(table(of).tobytes())
    return with_directory(content, directory, bytes(altered))


@pytest.mark.parametrize("length", [0, 60])
def test_a_bad_record_of_an_old_file_is_read_anew(tmp_path, content, length):
    old = opened(tmp_path / "old.klopt", rewritten(content, "records", "length", length))
    file = io.BytesIO()
    assert build(file, PAGES, Setup(Profile.load()), old=old) == 0
    assert file.getvalue() == content


@pytest.mark.parametrize(
    ("table", "field", "value"),
    [*(("postings", "impact", no) for no in (np.nan, np.inf, -np.inf)), ("words", "count", 9_999)],
)
def test_words_that_cannot_be_are_refused(tmp_path, content, table, field, value):
    """In a file whose checksums fit."""
    index = opened(tmp_path / "file.klopt", rewritten(content, table, field, value))
    with pytest.raises(InputError, match="its table of words is not as it was written"):
        index.search(TURN["question"], language="nl")


@pytest.mark.parametrize(
    ("place", "value"),
    [
        *((0, name) for name in (5, True, None, ["wifi.md"])),
        *((5, record) for record in (False, 0.0, -1, 2, "0", None, [0])),
    ],
)
def test_a_page_without_a_name_or_record_is_refused(tmp_path, content, place, value):
    directory = directory_of(content)
    directory["pages"][0][place] = value
    with pytest.raises(InputError, match="its directory is not as it was written"):
        opened(tmp_path / "file.klopt", with_directory(content, directory))


@pytest.mark.parametrize("region", ["records", "words", "postings", "vectors"])
def test_a_region_that_is_not_there_is_told(tmp_path, content, region):
    directory = directory_of(content)
    del directory["regions"][region]
    with pytest.raises(InputError, match="its directory is not as it was written"):
        opened(tmp_path / "file.klopt", with_directory(content, directory))


@pytest.mark.parametrize("written", [b"9" * 5_000, b"[" * 100_000, b"\xff", b"{"])
def test_a_directory_that_is_no_json_is_told(tmp_path, written):
    place = _PREAMBLE.size + len(written), _PREAMBLE.size, len(written), crc32(written)
    head = _PREAMBLE.pack(b"klopt\r\n\x1a", FORMAT, *place, 0)[:-4]
    whole = head + crc32(head).to_bytes(4, "little") + written
    with pytest.raises(InputError, match="its directory is not as it was written"):
        opened(tmp_path / "file.klopt", whole)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=6,
)


@given(st.data())
def test_a_directory_that_lies_is_refused(tmp_path_factory, content, data):
    directory = directory_of(content)
    place: object = directory
    while isinstance(place, dict | list) and place:
        keys = list(place) if isinstance(place, dict) else range(len(place))
        key = data.draw(st.sampled_from(sorted(keys)))
        if not isinstance(place[key], dict | list) or data.draw(st.booleans()):
            place[key] = data.draw(JSON)
            break
        place = place[key]
    file = tmp_path_factory.mktemp("lies") / "file.klopt"
    with suppress(KloptError):
        index = opened(file, with_directory(content, directory))
        used(index)
        index.check()


@given(st.data())
def test_a_table_that_lies_is_refused(tmp_path_factory, content, data):
    """Tables and records whose checksums fit what they say."""
    directory, altered = directory_of(content), bytearray(content)
    regions = {name: region for name, region in directory["regions"].items() if region[1]}
    name = data.draw(st.sampled_from(sorted(regions)))
    start, length, _ = regions[name]
    for _ in range(data.draw(st.integers(1, 3))):
        altered[start + data.draw(st.integers(0, length - 1))] = data.draw(st.integers(0, 255))
    directory["regions"][name][2] = crc32(bytes(altered[start : start + length]))
    file = tmp_path_factory.mktemp("lies") / "file.klopt"
    with suppress(KloptError):
        used(opened(file, with_directory(bytes(altered), directory)))


def test_another_version_is_refused(tmp_path, content):
    directory = directory_of(content) | {"klopt": "0.0.1"}
    with pytest.raises(InputError, match=r"read by klopt 0\.0\.1, and this is .*; `klopt index"):
        opened(tmp_path / "file.klopt", with_directory(content, directory))
    head = bytearray(content[: _PREAMBLE.size - 4])
    head[8] = 99
    later = bytes(head) + crc32(head).to_bytes(4, "little") + content[_PREAMBLE.size :]
    with pytest.raises(InputError, match=f"is an index of format 99, .*; {AGAIN}"):
        opened(tmp_path / "file.klopt", later)


def test_other_tables_are_refused(tmp_path, content):
    index = opened(tmp_path / "file.klopt", content)
    with pytest.raises(InputError, match='was built for profile "default", and') as caught:
        Scorer.load("afas", index=index)
    assert f"-o {index.path} --profile NAME`" in str(caught.value)
    terms = tmp_path / "terms.toml"
    terms.write_text(TERMS, "utf-8")
    with pytest.raises(InputError, match=r'in "nl" were read with other tables .* --terms'):
        Scorer.load(index=index, terms=[terms])
    setup = Setup(Profile.load(), terms=(terms,))
    assert build(io.BytesIO(), PAGES, setup, old=index) == 0, "pages read otherwise are not copied"
    again = built(PAGES, terms=(terms,))
    own = opened(tmp_path / "own.klopt", again)
    with pytest.raises(InputError, match="other tables"):
        own.search("Hoe?", language="nl")
    Scorer.load(index=own, terms=[terms])
    assert own.search("Hoe kies ik een netwerk?")[0].page.id == "wifi.md"


TERMS = """
[lexicon]
id = "company_terms"
language = "nl"
source = "geschreven voor deze proef"
licence = "CC0"
retrieved = 2026-11-23
changes = "geen"

[lists]
terms = ["loonstaat"]
"""


def test_a_language_that_is_not_in_the_index_is_read(tmp_path, content):
    index = opened(tmp_path / "file.klopt", content)
    english = Language(lexicons.load("en"), shelf=index)
    assert english.page(Page("Press **Save**.")).names("save")
    assert index.search("How do I save a file?", language="en") == ()
