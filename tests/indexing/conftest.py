"""The demo company's pages as an index file, for each language."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from klopt import Index
from klopt.batch.pages import read_pages
from klopt.indexing.building import build
from klopt.records import Pages
from klopt.scoring.profile import Profile
from klopt.scoring.setup import Setup
from tests.conftest import DEMO


def built(pages: Pages, profile: str = "default", terms: tuple[Path, ...] = (), **options) -> bytes:
    file = io.BytesIO()
    build(file, pages, Setup(Profile.load(profile), terms=terms), **options)
    return file.getvalue()


@pytest.fixture(scope="session")
def demo_pages() -> dict[str, Pages]:
    return {code: read_pages(DEMO / "pages" / code) for code in ("nl", "en")}


@pytest.fixture(scope="session")
def indexes(demo_pages, tmp_path_factory) -> dict[str, Index]:
    folder = tmp_path_factory.mktemp("indexes")
    return {
        code: opened(folder / f"{code}.klopt", built(pages)) for code, pages in demo_pages.items()
    }


def opened(path: Path, content: bytes) -> Index:
    path.write_bytes(content)
    return Index.open(path)
