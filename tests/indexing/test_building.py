"""A build gives the same bytes each time, copies what did not change, and leaves nothing half."""

from __future__ import annotations

import io
import shutil

import pytest

from klopt import Index, Page
from klopt.errors import UnknownLanguageError
from klopt.indexing.building import build, spoken
from klopt.scoring.profile import Profile
from klopt.scoring.setup import Setup
from tests.indexing.conftest import built, opened


def test_the_bytes_do_not_depend_on_processes_or_an_old_file(demo_pages, tmp_path):
    pages = {**demo_pages["nl"], **{f"en/{name}": one for name, one in demo_pages["en"].items()}}
    expected = built(pages)
    assert built(pages, processes=2) == expected
    half = dict(list(pages.items())[::2])
    old = opened(tmp_path / "old.klopt", built(half))
    assert built(pages, old=old) == expected


@pytest.mark.parametrize("vectors", [False, True])
def test_only_pages_that_changed_are_read(demo_pages, tmp_path, vectors):
    pages = {name: page for name, page in demo_pages["nl"].items() if "." in name}
    pages = dict(list(pages.items())[:2])
    old = opened(tmp_path / "old.klopt", built(pages, vectors=vectors))
    changed = next(iter(pages))
    text = f"{pages[changed].text}\n\nNieuw: klik op **Verversen**."
    new = pages | {changed: Page(text, pages[changed].id)}
    file = io.BytesIO()
    assert build(file, new, Setup(Profile.load()), vectors=vectors, old=old) == len(new) - 1
    assert file.getvalue() == built(new, vectors=vectors)
    assert opened(tmp_path / "new.klopt", file.getvalue())[changed].text == text


def test_a_damaged_old_file_is_read_anew(demo_pages, indexes, tmp_path):
    content = indexes["nl"].path.read_bytes()
    old = opened(tmp_path / "old.klopt", content[:200] + bytes([content[200] ^ 1]) + content[201:])
    assert built(demo_pages["nl"], old=old) == content


def test_one_text_under_two_names_is_kept_once(tmp_path):
    text = "# Wifi\n\nKlik op **Netwerk**."
    pages = {"a": Page(text, "a", title="A"), "b": Page(text, "b", url="https://b.example")}
    index = opened(tmp_path / "two.klopt", built(pages))
    assert dict(index) == pages
    assert len(index._records) == 1
    hits = index.search("Waar is het netwerk?", language="nl")
    assert [hit.page.id for hit in hits] == ["a", "b"]


def test_an_index_without_pages_finds_nothing(tmp_path):
    index = opened(tmp_path / "none.klopt", built({}, language="nl"))
    assert (len(index), index.page_count, index.search("Hoe?", language="nl")) == (0, 0, ())
    assert index.search("Hoe zet ik dit uit?") == index.search("?") == ()


def test_pages_that_tell_no_language_need_one():
    with pytest.raises(UnknownLanguageError, match="state it with --language"):
        spoken([Page("123")], "auto")
    assert spoken([Page("123"), Page("Press the button to save it.")], "nl") == ("nl", ["nl", "en"])
    with pytest.raises(UnknownLanguageError, match='are in "fr", which profile "default"'):
        built({"a": Page("123", "a")}, language="fr")


def test_what_is_open_stays_when_the_file_is_replaced(indexes, tmp_path):
    path = tmp_path / "help.klopt"
    index = opened(path, indexes["nl"].path.read_bytes())
    shutil.copy(indexes["en"].path, tmp_path / "new").replace(path)
    index.check()
    assert set(Index.open(path)) == set(indexes["en"])
