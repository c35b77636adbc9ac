"""Index files that klopt refuses: other files and versions, truncated, altered or invalid ones."""

import io
import json
from collections.abc import Callable
from contextlib import suppress
from zlib import crc32

import pytest
from hypothesis import given
from hypothesis import strategies as st

from klopt import Index, Page, Scorer, Turn
from klopt.errors import InputError, KloptError
from klopt.retrieval.building import build
from klopt.retrieval.parts import _PREAMBLE, FORMAT, PartsWriter
from klopt.scoring.profile import Profile
from klopt.scoring.setup import Setup
from tests.retrieval.conftest import built, opened

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
AGAIN = "rebuild it with `klopt index build --pages DIR -o FILE`"


@pytest.fixture(scope="module")
def content():
    return built(PAGES)


def results_of(index: Index) -> list[object]:
    """Return results of an index: a score, hits and pages."""
    scorer = Scorer.load(index=index)
    score = scorer.score(Turn.from_mapping(TURN, pages=index)).to_dict()
    hits = [(hit.page.id, hit.score) for hit in index.search(TURN["question"], language="nl")]
    return [score, hits, dict(index), index.page_count, dict(index.page_counts)]


@pytest.mark.parametrize("content", [b"", b"# Wifi\n" * 100, b"klopt\n\x1a" + b"\0" * 90])
def test_other_files_are_refused(tmp_path, content):
    with pytest.raises(InputError, match=r"file\.klopt: is not an index; create one with `klopt"):
        opened(tmp_path / "file.klopt", content)


def test_each_truncated_file_is_refused(tmp_path, content):
    for length in range(0, len(content), 7):
        with pytest.raises(InputError, match=r"is not an index|so it is cut off"):
            opened(tmp_path / "file.klopt", content[:length])


def test_each_altered_byte_is_refused(tmp_path, content):
    """When the file is opened or the part is read; other parts give the same results."""
    path = tmp_path / "file.klopt"
    index = opened(path, content)
    expected = results_of(index)
    for at in range(len(content)):
        altered = bytearray(content)
        altered[at] ^= 1 + at % 255
        with pytest.raises(InputError, match=r"file.klopt: "):
            opened(path, bytes(altered)).check()
        if at % 97 == 0:
            with suppress(InputError):
                assert results_of(opened(path, bytes(altered))) == expected


def rewritten(content: bytes, change: Callable[[dict, dict[str, bytes]], object]) -> bytes:
    """Return the index with a changed directory or changed parts, and valid checksums."""
    about, places = directory_of(content)
    parts = {name: content[start : start + size] for name, (start, size, _) in places.items()}
    change(about, parts)
    file = io.BytesIO()
    writer = PartsWriter(file)
    for name, part in parts.items():
        writer.add(name, part)
    writer.finish(about)
    return file.getvalue()


def directory_of(content: bytes) -> tuple[dict, dict[str, tuple[int, int, int]]]:
    *_, start, size, _, _ = _PREAMBLE.unpack_from(content)
    return json.loads(content[start : start + size])


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=6,
)


@given(st.data())
def test_an_altered_directory_raises_only_errors_of_klopt(tmp_path_factory, content, data):
    directory = directory_of(content)
    place: object = directory
    while isinstance(place, dict | list) and place:
        keys = list(place) if isinstance(place, dict) else range(len(place))
        key = data.draw(st.sampled_from(sorted(keys)))
        if not isinstance(place[key], dict | list) or data.draw(st.booleans()):
            place[key] = data.draw(JSON)
            break
        place = place[key]
    start = _PREAMBLE.unpack_from(content)[3]
    written = json.dumps(directory).encode()
    head = _PREAMBLE.pack(
        b"klopt\r\n\x1a", FORMAT, start + len(written), start, len(written), crc32(written), 0
    )[:-4]
    whole = head + crc32(head).to_bytes(4, "little") + content[_PREAMBLE.size : start] + written
    file = tmp_path_factory.mktemp("altered") / "file.klopt"
    with suppress(KloptError):
        index = opened(file, whole)
        results_of(index)
        index.check()


@given(st.data())
def test_an_altered_part_raises_only_errors_of_klopt(tmp_path_factory, content, data):
    def change(_: dict, parts: dict[str, bytes]) -> None:
        name = data.draw(st.sampled_from(sorted(name for name, part in parts.items() if part)))
        altered = bytearray(parts[name])
        for _ in range(data.draw(st.integers(1, 3))):
            altered[data.draw(st.integers(0, len(altered) - 1))] = data.draw(st.integers(0, 255))
        parts[name] = bytes(altered)

    file = tmp_path_factory.mktemp("altered") / "file.klopt"
    with suppress(KloptError):
        results_of(opened(file, rewritten(content, change)))


def test_another_version_is_refused(tmp_path, content):
    older = rewritten(content, lambda about, _: about.update(klopt="0.0.1"))
    with pytest.raises(InputError, match=rf"read by klopt 0\.0\.1, and this is .*; {AGAIN}"):
        opened(tmp_path / "file.klopt", older)
    head = bytearray(content[: _PREAMBLE.size - 4])
    head[8] = 99
    later = bytes(head) + crc32(head).to_bytes(4, "little") + content[_PREAMBLE.size :]
    with pytest.raises(InputError, match=f"is an index of format 99, .*; {AGAIN}"):
        opened(tmp_path / "file.klopt", later)


def test_an_index_with_other_tables_is_refused(tmp_path, content):
    index = opened(tmp_path / "file.klopt", content)
    with pytest.raises(InputError, match='was built for profile "default", and') as caught:
        Scorer.load("afas", index=index)
    assert f"-o {index.path} --profile NAME`" in str(caught.value)
    terms = tmp_path / "terms.toml"
    terms.write_text(TERMS, "utf-8")
    with pytest.raises(InputError, match=r'in "nl" were read with other tables .* --terms'):
        Scorer.load(index=index, terms=[terms])
    setup = Setup(Profile.load(), terms=(terms,))
    assert not build(io.BytesIO(), PAGES, setup, old=index).copied_count, (
        "pages read otherwise are not copied"
    )
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
