"""Pipelines from installed packages, played by a package made for the test."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
import spacy

from klopt.errors import PipelineError
from klopt.pipelines import available, hash_of, load, signature

INIT = """
from pathlib import Path
from spacy.util import load_model_from_init_py

def load(**overrides):
    return load_model_from_init_py(__file__, **overrides)
"""


def install(files: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Lays a pipeline out as a spaCy package and puts it on the path."""
    package, meta = folder / "nl_testpijp", json.loads((files / "meta.json").read_text("utf-8"))
    shutil.copytree(files, package / f"{package.name}-{meta['version']}")
    shutil.copy(files / "meta.json", package)
    (package / "__init__.py").write_text(INIT, "utf-8")
    monkeypatch.syspath_prepend(folder)
    return package.name


@pytest.fixture(scope="module")
def blank(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files of a pipeline that splits sentences and no more."""
    nlp = spacy.blank("nl")
    nlp.add_pipe("sentencizer")
    nlp.meta["version"] = "1.2.3"
    nlp.to_disk(folder := tmp_path_factory.mktemp("blank"))
    return folder


@pytest.fixture
def package(blank: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    return install(blank, tmp_path, monkeypatch)


def test_a_package_is_loaded_by_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (bundled,) = (each.path for each in available() if each.bundled and each.language == "nl")
    nlp = load("nl", install(bundled, tmp_path, monkeypatch))
    assert nlp is not load("nl")
    assert nlp.path is not None
    assert tmp_path in nlp.path.parents
    assert [word.pos_ for word in nlp("Klik hier.")] == ["VERB", "ADV", "PUNCT"]


@pytest.mark.parametrize(
    ("language", "message"),
    [
        ("en", 'is for language "nl", not "en"; there is for en: klopt'),
        ("nl", "has no parser and no part-of-speech tagger and no lemmatizer; it has sentencizer"),
    ],
)
def test_a_package_that_does_not_fit_is_refused(package: str, language: str, message: str) -> None:
    with pytest.raises(PipelineError) as caught:
        load(language, package)
    assert str(caught.value) == f'pipeline "nl_testpijp" {message}'


def test_its_signature_is_not_the_bundled_one(package: str) -> None:
    assert signature("nl", package) != signature("nl")


@pytest.mark.parametrize(
    ("name", "counts"), [("MODEL_CARD.md", False), ("scores.json", False), ("lookups.bin", True)]
)
def test_the_model_card_does_not_count(blank: Path, tmp_path: Path, name: str, counts: bool):
    copy = shutil.copytree(blank, tmp_path / "copy")
    (copy / name).write_text("more", "utf-8")
    assert (hash_of(copy) != hash_of(blank)) == counts
