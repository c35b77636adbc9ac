"""Building an index: the same bytes each time, unchanged pages copied, unsuitable ones skipped."""

import io
import shutil

import pytest

from klopt import Index, Page
from klopt.errors import InputError, UnknownLanguageError
from klopt.retrieval import building
from klopt.retrieval.building import build, page_languages
from klopt.retrieval.skipped import SkippedPage
from klopt.scoring.profile import Profile
from klopt.scoring.setup import Setup
from klopt.text.plain import PlainText
from klopt.types import PageFormat
from tests.retrieval.conftest import built, opened


def test_the_bytes_do_not_depend_on_processes_or_an_old_file(demo_pages, tmp_path):
    pages = {**demo_pages["nl"], **{f"en/{name}": one for name, one in demo_pages["en"].items()}}
    expected = built(pages)
    assert built(pages, processes=2) == expected
    half = dict(list(pages.items())[::2])
    old = opened(tmp_path / "old.klopt", built(half))
    assert built(pages, old=old) == expected


@pytest.mark.parametrize("vectors", [False, True])
def test_only_changed_pages_are_read(demo_pages, tmp_path, embedder, vectors):
    pages = {name: page for name, page in demo_pages["nl"].items() if "." in name}
    pages = dict(list(pages.items())[:2])
    model = embedder if vectors else None
    old = opened(tmp_path / "old.klopt", built(pages, embedder=model))
    changed = next(iter(pages))
    text = f"{pages[changed].text}\n\nNieuw: klik op **Verversen**."
    new = pages | {changed: Page(text, pages[changed].id)}
    file = io.BytesIO()
    done = build(file, new, Setup(Profile.load()), embedder=model, old=old)
    assert (done.page_count, done.copied_count) == (len(new), len(new) - 1)
    assert file.getvalue() == built(new, embedder=model)
    assert opened(tmp_path / "new.klopt", file.getvalue())[changed].text == text


def test_pages_of_a_damaged_old_file_are_read_again(demo_pages, indexes, tmp_path):
    content = indexes["nl"].path.read_bytes()
    old = opened(tmp_path / "old.klopt", content[:200] + bytes([content[200] ^ 1]) + content[201:])
    assert built(demo_pages["nl"], old=old) == content


def test_a_text_with_two_names_is_stored_once(tmp_path):
    text = "# Wifi\n\nKlik op **Netwerk**."
    pages = {"a": Page(text, "a", title="A"), "b": Page(text, "b", url="https://b.example")}
    index = opened(tmp_path / "two.klopt", built(pages))
    assert dict(index) == pages
    assert sum(len(name) == 32 for name in index._parts.sizes) == 1
    hits = index.search("Waar is het netwerk?", language="nl")
    assert [hit.page.id for hit in hits] == ["a"]
    assert index.skipped == (SkippedPage("b", "same_text", "a"),)


def test_an_index_without_pages_finds_nothing(tmp_path):
    index = opened(tmp_path / "none.klopt", built({}, language="nl"))
    assert (len(index), index.page_count, index.search("Hoe?", language="nl")) == (0, 0, ())
    assert index.search("Hoe zet ik dit uit?") == index.search("?") == ()


def test_pages_without_a_detected_language_need_the_option():
    with pytest.raises(UnknownLanguageError, match="set it with --language"):
        page_languages([Page("123")], "auto")
    assert page_languages([Page("123"), Page("Press the button to save it.")], "nl") == (
        "nl",
        ["nl", "en"],
    )
    with pytest.raises(UnknownLanguageError, match='are in "fr", which profile "default"'):
        built({"a": Page("123", "a")}, language="fr")


def test_an_open_index_works_after_its_file_is_replaced(indexes, tmp_path):
    path = tmp_path / "help.klopt"
    index = opened(path, indexes["nl"].path.read_bytes())
    shutil.copy(indexes["en"].path, tmp_path / "new").replace(path)
    index.check()
    assert set(Index.open(path)) == set(indexes["en"])


def sections(*numbers: int) -> str:
    return "\n\n".join(
        f"# Deel {number}\n\n"
        + " ".join(f"Kies in scherm {number} de regel {row} met knop {row}." for row in range(8))
        for number in numbers
    )


def test_a_page_that_repeats_others_is_not_searched(tmp_path):
    texts = {
        "a.md": sections(1),
        "b.md": sections(2),
        "c.md": sections(3),
        "d.md": sections(3, 4),  # has more than c.md, so it is not a copy
        "print.md": sections(1, 2, 3, 4),
        "twee/a.html": sections(1).replace("# Deel 1", "<h1>Deel 1</h1>"),
        "kort.md": "Kies in scherm 1 de regel 1 met knop 1.",
    }
    pages = {name: Page(text, name) for name, text in texts.items()}
    index = opened(tmp_path / "help.klopt", built(pages))
    assert index.skipped == (
        SkippedPage("print.md", "compilation", "4 pages"),
        SkippedPage("twee/a.html", "same_text", "a.md"),
    )
    assert dict(index) == pages
    found = {hit.page.id for hit in index.search("scherm regel knop", 99, language="nl")}
    assert found == texts.keys() - {"print.md", "twee/a.html"}


def test_an_unreadable_page_is_skipped(tmp_path, monkeypatch):
    good, bad = Page("Klik op de knop.", "goed"), Page("Klik op de BOM.", "slecht")
    read_text = building.read_text

    def fail(text: str, page_format: PageFormat) -> PlainText:
        if "BOM" in text:
            raise RecursionError("too deep")
        return read_text(text, page_format)

    monkeypatch.setattr(building, "read_text", fail)
    index = opened(tmp_path / "help.klopt", built({"goed": good, "slecht": bad}))
    assert index.skipped == (SkippedPage("slecht", "failed", "RecursionError: too deep"),)
    assert dict(index) == {"goed": good}
    index.check()
    with pytest.raises(InputError, match="none of the pages can be read: slecht: "):
        built({"slecht": bad}, language="nl")


def test_the_language_of_a_page_is_that_of_its_text(tmp_path):
    head = "".join(f"<meta name=the{n} content='this is not for the reader'>" for n in range(99))
    pages = {
        "nl.html": f"<html><head>{head}</head><body><p>Klik op de knop om het bestand op te slaan.",
        "de.md": "Klicken Sie auf die Taste, um das Dokument zu speichern und zu schließen.",
        "leeg.html": "<p></p>",
    }
    index = opened(
        tmp_path / "a.klopt", built({name: Page(text, name) for name, text in pages.items()})
    )
    assert index.page_counts == {"nl": 3}
    assert index.skipped == (
        SkippedPage("de.md", "other_language", "de"),
        SkippedPage("leeg.html", "empty"),
    )
