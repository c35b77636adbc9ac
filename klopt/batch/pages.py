"""A folder of help pages."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from klopt.errors import InputError
from klopt.records import Page, PageFormat

FORMATS: Final[dict[str, PageFormat]] = {
    ".htm": "html", ".html": "html", ".markdown": "markdown", ".md": "markdown", ".txt": "plain",
}  # fmt: skip


def read_pages(folder: Path) -> dict[str, Page]:
    """The pages of a folder and its subfolders, by name.

    A page goes by its path in the folder (``wifi.md``, ``net/wifi.md``), and also by its path
    without the ending when no other page has that.

    Raises:
        InputError: The folder is not there, or holds no page.
    """
    if not folder.is_dir():
        raise InputError(f"{folder}: there is no such folder of pages")
    pages: dict[str, Page] = {}
    for path in sorted(folder.rglob("*")):
        if path.suffix.lower() in FORMATS and path.is_file():
            name = path.relative_to(folder).as_posix()
            text = path.read_bytes().decode("utf-8-sig", "replace")
            pages[name] = Page(text, id=name, format=FORMATS[path.suffix.lower()])
    if not pages:
        endings = ", ".join(sorted(FORMATS))
        raise InputError(f"{folder}: there is no page in it; pages end in {endings}")
    stems: dict[str, list[str]] = {}
    for name in pages:
        stems.setdefault(name.rpartition(".")[0], []).append(name)
    for stem, names in stems.items():
        if len(names) == 1 and stem not in pages:
            pages[stem] = pages[names[0]]
    return pages
