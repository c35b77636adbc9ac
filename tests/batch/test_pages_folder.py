"""A folder of help pages: which files are pages, and by which names they go."""

from __future__ import annotations

import re

import pytest

from klopt.batch.pages import read_pages
from klopt.errors import InputError


def test_formats_come_from_the_ending(tmp_path):
    formats = {
        **dict.fromkeys(("a.md", "b.markdown", "F.MD"), "markdown"),
        **dict.fromkeys(("c.html", "d.htm"), "html"),
        "e.txt": "plain",
    }
    for name in (*formats, "g.pdf", "h"):
        (tmp_path / name).write_text(f"tekst van {name}")
    (tmp_path / "a.md").write_bytes(b"\xef\xbb\xbf# Caf\xc3\xa9\r\n")
    (tmp_path / "b.markdown").write_bytes(b"# Caf\xe9")
    pages = read_pages(tmp_path)
    assert {name: pages[name].format for name in pages if "." in name} == formats
    assert (pages["c.html"].id, pages["c.html"].text) == ("c.html", "tekst van c.html")
    assert (pages["a"].text, pages["b"].text) == ("# Café\r\n", "# Caf\ufffd")


def test_subfolders_and_stems(tmp_path):
    (tmp_path / "net" / "thuis").mkdir(parents=True)
    (tmp_path / "wifi.md").write_text("een")
    (tmp_path / "net" / "wifi.md").write_text("twee")
    (tmp_path / "net" / "thuis" / "v1.2.md").write_text("drie")
    for ending in ("md", "txt"):  # two share a stem, which names neither
        (tmp_path / f"geluid.{ending}").write_text(ending)
    pages = read_pages(tmp_path)
    found = {name: page.text for name, page in pages.items()}
    assert found == {
        "wifi.md": "een",
        "wifi": "een",
        "net/wifi.md": "twee",
        "net/wifi": "twee",
        "net/thuis/v1.2.md": "drie",
        "net/thuis/v1.2": "drie",
        "geluid.md": "md",
        "geluid.txt": "txt",
    }
    assert pages["net/wifi"].id == "net/wifi.md"


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("weg", "weg: there is no such folder of pages"),
        ("help/handboek.pdf", "handboek.pdf: there is no such folder of pages"),
        ("help", "help: there is no page in it; pages end in .htm, .html, .markdown, .md, .txt"),
    ],
)
def test_what_is_no_folder_of_pages(tmp_path, name, told):
    (tmp_path / "help").mkdir()
    (tmp_path / "help" / "handboek.pdf").write_text("x")
    with pytest.raises(InputError, match=re.escape(told)):
        read_pages(tmp_path / name)


def test_links_that_lead_outside_are_told_and_followed_only_when_that_is_asked_for(tmp_path):
    for folder in ("help", "buiten"):
        (tmp_path / folder).mkdir()
    for name in ("help/wifi.md", "geheim.txt", "buiten/ook.md"):
        (tmp_path / name).write_text(name)
    links = {"net": "wifi.md", "uit": "../geheim.txt", "om": "uit.md", "weg": "nergens.md"}
    for name, target in (links | {"rond": "rond.md"}).items():
        (tmp_path / "help" / f"{name}.md").symlink_to(target)
    (tmp_path / "help" / "map").symlink_to(tmp_path / "buiten", target_is_directory=True)
    (tmp_path / "link").symlink_to(tmp_path / "help", target_is_directory=True)
    for folder in (tmp_path / "help", tmp_path / "link"):
        told: list[str] = []
        pages = read_pages(folder, warn=told.append)
        found = {name: page.text for name, page in pages.items() if "." in name}
        assert found == dict.fromkeys(("net.md", "wifi.md"), "help/wifi.md")
        assert told == [
            f"{folder}: not read, as the file is outside the folder: om.md, uit.md; "
            "--follow-links reads such links"
        ]
        pages = read_pages(folder, follow_links=True, warn=told.append)
        assert (pages["uit"].text, pages["om"].text, len(told)) == (*["geheim.txt"] * 2, 1)
        assert not any(name.startswith("map") for name in pages)
