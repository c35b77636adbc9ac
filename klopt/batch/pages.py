"""A folder of help pages."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path
from typing import Final

from klopt.errors import InputError
from klopt.records import Page, PageFormat

FORMATS: Final[dict[str, PageFormat]] = {
    ".htm": "html", ".html": "html", ".markdown": "markdown", ".md": "markdown", ".txt": "plain",
}  # fmt: skip

CATALOGUE: Final = ".po"
ENDINGS: Final = (*sorted(FORMATS), CATALOGUE)

_LOG: Final = logging.getLogger("klopt")


def read_pages(
    folder: Path, *, follow_links: bool = False, warn: Callable[[str], object] = _LOG.warning
) -> dict[str, Page]:
    """The pages of a folder and its subfolders, by name.

    A page goes by its path in the folder (``wifi.md``, ``net/wifi.md``), and also by its path
    without the ending when no other page has that. A gettext catalogue (``nl.po``) holds several:
    each goes by the file that its messages come from (``nl.po/wifi.page``), and has their
    translations.
    """
    if not folder.is_dir():
        raise InputError(f"{folder}: there is no such folder of pages")
    pages: dict[str, Page] = {}
    outside: list[str] = []
    root = folder.resolve()
    for path in sorted(folder.rglob("*")):
        if path.suffix.lower() in ENDINGS and path.is_file():
            name = path.relative_to(folder).as_posix()
            if path.is_symlink() and not (follow_links or path.resolve().is_relative_to(root)):
                outside.append(name)
                continue
            if path.suffix.lower() == CATALOGUE:
                from klopt.bilingual.po import read_po_pages

                for part, text in read_po_pages(path).items():
                    pages[f"{name}/{part}"] = Page(text, id=f"{name}/{part}", format="html")
                continue
            text = path.read_bytes().decode("utf-8-sig", "replace")
            pages[name] = Page(text, id=name, format=FORMATS[path.suffix.lower()])
    if outside:
        warn(
            f"{folder}: not read, as the file is outside the folder: {', '.join(outside[:3])}"
            f"{f' and {len(outside) - 3} more' if len(outside) > 3 else ''}; "
            "--follow-links reads such links"
        )
    if not pages:
        endings = ", ".join(ENDINGS)
        raise InputError(f"{folder}: there is no page in it; pages end in {endings}")
    stems: dict[str, list[str]] = {}
    for name in pages:
        stems.setdefault(name.rpartition(".")[0], []).append(name)
    for stem, names in stems.items():
        if len(names) == 1 and stem not in pages:
            pages[stem] = pages[names[0]]
    return pages
