"""A build gives the same bytes each time."""

from __future__ import annotations

import pytest

from klopt import Index, Page
from klopt.errors import UnknownLanguageError
from klopt.indexing.building import spoken
from tests.indexing.conftest import built, opened


def test_the_bytes_do_not_depend_on_processes(demo_pages):
    pages = {**demo_pages["nl"], **{f"en/{name}": one for name, one in demo_pages["en"].items()}}
    assert built(pages, processes=2) == built(pages)


def test_one_text_under_two_names_is_kept_once(tmp_path):
    text = "# Wifi\n\nKlik op **Netwerk**."
    pages = {"a": Page(text, "a", title="A"), "b": Page(text, "b", url="https://b.example")}
    index = opened(tmp_path / "two.klopt", built(pages))
    assert dict(index) == pages
    assert len(index._records) == 1
    assert [hit.page.id for hit in index.search("Waar is het netwerk?", language="nl")] == [
        "a",
        "b",
    ]


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


def test_what_is_open_stays_when_the_file_is_replaced(demo_pages, tmp_path):
    path = tmp_path / "help.klopt"
    index = opened(path, built(demo_pages["nl"]))
    (tmp_path / "new").write_bytes(built(demo_pages["en"]))
    (tmp_path / "new").replace(path)
    index.check()
    assert set(Index.open(path)) == set(demo_pages["en"])
