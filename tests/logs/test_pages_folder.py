"""A folder of help pages: which files are pages, their names and formats, and skipped files."""

import re

import pytest

from klopt.errors import ExtraMissingError, InputError
from klopt.logs import pages as reading
from klopt.logs.pages import read_folder, read_pages


def test_the_ending_gives_the_format(tmp_path):
    formats = {
        **dict.fromkeys(("a.md", "b.markdown", "F.MD", "g.mdx"), "markdown"),
        **dict.fromkeys(("c.html", "d.htm"), "html"),
        **dict.fromkeys(("i.rst", "j.rst.txt"), "rst"),
        "e.txt": "plain",
    }
    for name in (*formats, "g.pdf", "h"):
        (tmp_path / name).write_text(f"tekst van {name}")
    (tmp_path / "a.md").write_bytes(b"\xef\xbb\xbf# Caf\xc3\xa9\r\n")
    (tmp_path / "b.markdown").write_bytes(b"# Caf\xe9")
    (tmp_path / "j.rst.txt").write_text(".. note:: tekst")
    pages = read_pages(tmp_path)
    assert {name: pages[name].format for name in pages if "." in name} == formats | {"j.rst": "rst"}
    assert (pages["c.html"].id, pages["c.html"].text) == ("c.html", "tekst van c.html")
    assert (pages["a"].text, pages["b"].text) == ("# Café\r\n", "# Café")


def test_names_with_subfolders_and_stems(tmp_path):
    (tmp_path / "net" / "thuis").mkdir(parents=True)
    (tmp_path / "wifi.md").write_text("een")
    (tmp_path / "net" / "wifi.md").write_text("twee")
    (tmp_path / "net" / "thuis" / "v1.2.md").write_text("drie")
    for ending in ("md", "txt"):  # two files share a stem, so it names neither
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


def test_without_docutils_the_error_names_the_extra(tmp_path, monkeypatch):
    monkeypatch.setattr(reading, "find_spec", lambda _: None)
    (tmp_path / "pas.rst").write_text("Passen")
    with pytest.raises(ExtraMissingError, match=re.escape("klopt[rst]")):
        read_folder(tmp_path)
    (tmp_path / "wifi.md").write_text("Wifi")
    found = read_folder(tmp_path)
    assert set(found.pages) == {"wifi.md", "wifi"}
    assert [(one.name, one.reason) for one in found.skipped] == [("pas.rst", "needs_rst")]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("weg", "weg: there is no such folder of pages"),
        ("help/handboek.pdf", "handboek.pdf: there is no such folder of pages"),
        (
            "help",
            "help: there is no page in it; pages end in .htm, .html, .markdown, .md, .mdx, .rst,",
        ),
    ],
)
def test_a_folder_without_pages_is_refused(tmp_path, name, message):
    (tmp_path / "help").mkdir()
    (tmp_path / "help" / "handboek.pdf").write_text("x")
    with pytest.raises(InputError, match=re.escape(message)):
        read_pages(tmp_path / name)


def test_links_out_of_the_folder_are_followed_only_with_the_option(tmp_path):
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
        found = read_folder(folder)
        assert set(found.pages) == {"net.md", "net", "wifi.md", "wifi"}
        assert {(one.name, one.reason) for one in found.skipped} == {
            ("map", "folder_link"),
            ("om.md", "outside"),
            ("rond.md", "unreadable"),
            ("uit.md", "outside"),
            ("weg.md", "unreadable"),
        }
        followed = read_folder(folder, follow_links=True)
        assert followed.pages["uit"].text == followed.pages["om"].text == "geheim.txt"
        assert "outside" not in {one.reason for one in followed.skipped}
        assert not any(name.startswith("map") for name in followed.pages)


def test_a_file_that_is_not_text_is_skipped_with_a_warning(tmp_path):
    (tmp_path / "a.md").write_text("tekst")
    (tmp_path / "b.html").write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x04\0\0\0")
    warnings = []
    assert "b.html" not in read_pages(tmp_path, warn=warnings.append)
    assert len(warnings) == 1
    assert "b.html" in warnings[0]


def test_skipped_files_have_a_reason(tmp_path, monkeypatch):
    monkeypatch.setattr(reading, "MAX_PAGE_BYTES", 1_000)
    redirect = "<meta content='0; url={}' http-equiv=refresh>"
    files = {
        "net/wifi.html": "<p>Klik op <b>Netwerk</b>.",
        "_sources/net/wifi.rst.txt": "Klik op **Netwerk**.",
        "_sources/los.rst.txt": "Een bron zonder pagina.",
        "net/oud.html": redirect.format("wifi.html#start"),
        "oud/index.html": redirect.format("../net/wifi"),
        "elders.html": redirect.format("https://example.com/"),
        "ververst.html": redirect.format("ververst.html"),
        "skript.html": f"<noscript>{redirect.format('leeg.md')}</noscript><p>Klik op Netwerk.",
        "lang.html": redirect.format("ververst.html") + "Klik op Netwerk. " * 40,
        "leeg.md": " \n",
        "groot.html": "x" * 1_001,
        "beeld.PNG": "x",
        "hulp.zip": "x",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    warnings: list[str] = []
    pages = read_pages(tmp_path, warn=warnings.append)
    assert {page.id for page in pages.values()} == {
        "net/wifi.html",
        "_sources/los.rst.txt",
        "lang.html",
        "skript.html",
        "ververst.html",
    }
    for name in ("_sources/net/wifi.rst.txt", "net/oud.html", "oud/index.html"):
        assert pages[name] is pages["net/wifi"]
    assert [(one.name, one.reason, one.detail) for one in read_folder(tmp_path).skipped] == [
        ("_sources/net/wifi.rst.txt", "source", "net/wifi.html"),
        ("beeld.PNG", "ending", ""),
        ("elders.html", "redirect", "https://example.com/"),
        ("groot.html", "too_large", "1,001 bytes"),
        ("hulp.zip", "archive", ""),
        ("leeg.md", "empty", ""),
        ("net/oud.html", "redirect", "net/wifi.html"),
        ("oud/index.html", "redirect", "net/wifi.html"),
    ]
    assert len(warnings) == 3  # one per reason, none for pictures and other names of pages


def test_a_folder_has_limits(tmp_path, monkeypatch):
    for number in range(3):
        (tmp_path / f"{number}.md").write_text("tekst")
    for limit, size in (("MAX_FILES", 3), ("MAX_FOLDER_CHARS", 15)):
        with monkeypatch.context() as patch:
            patch.setattr(reading, limit, size)
            assert read_folder(tmp_path).pages
            patch.setattr(reading, limit, size - 1)
            with pytest.raises(InputError, match=rf"(over|exceed) {size - 1} "):
                read_folder(tmp_path)
    with pytest.raises(InputError, match="unpack"):
        read_folder(tmp_path / "help.zip")
