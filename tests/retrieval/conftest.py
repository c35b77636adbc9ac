"""The demo company's pages as an index file, for each language."""

import io
from pathlib import Path

import pytest

from klopt import Index
from klopt.logs.pages import read_pages
from klopt.retrieval.building import build
from klopt.retrieval.vectors import Embedder
from klopt.scoring.profile import Profile
from klopt.scoring.setup import Setup
from klopt.types import Pages
from tests.conftest import DEMO
from tests.llm.opinions.onnx_models import write_embedding_model

MEANINGS = [
    ["leave", "vakantiedagen", "vakantie"],
    ["password", "wachtwoord", "contraseña", "πρόσβασης"],
    ["paper", "papier", "printer", "print"],
    ["wifi", "netwerk"],
]


def built(pages: Pages, profile: str = "default", terms: tuple[Path, ...] = (), **options) -> bytes:
    file = io.BytesIO()
    build(file, pages, Setup(Profile.load(profile), terms=terms), **options)
    return file.getvalue()


@pytest.fixture(scope="session")
def demo_pages():
    return {code: read_pages(DEMO / "pages" / code) for code in ("nl", "en")}


@pytest.fixture(scope="session")
def indexes(demo_pages, tmp_path_factory):
    folder = tmp_path_factory.mktemp("indexes")
    return {
        code: opened(folder / f"{code}.klopt", built(pages)) for code, pages in demo_pages.items()
    }


def opened(path: Path, content: bytes, embedder: Embedder | None = None) -> Index:
    path.write_bytes(content)
    return Index.open(path, embedder)


@pytest.fixture(scope="session")
def model_folder(tmp_path_factory):
    """A sentence-embedding model that knows `MEANINGS`."""
    return write_embedding_model(tmp_path_factory.mktemp("embedding"), MEANINGS)


@pytest.fixture(scope="session")
def embedder(model_folder):
    return Embedder(model_folder)
