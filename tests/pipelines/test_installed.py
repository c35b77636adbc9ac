"""Pipelines from installed packages, played by a package made for the test."""

from __future__ import annotations

from pathlib import Path

import pytest
import spacy
from spacy.language import Language

from klopt.errors import PipelineError
from klopt.pipelines import hash_of, load, signature

INIT = """
from pathlib import Path
from spacy.util import load_model_from_init_py

def load(**overrides):
    return load_model_from_init_py(__file__, **overrides)
"""


def _install(nlp: Language, folder: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Lays a pipeline out as a spaCy package and puts it on the path."""
    name = "nl_testpijp"
    package, files = folder / name, folder / name / f"{name}-{nlp.meta['version']}"
    package.mkdir()
    nlp.to_disk(files)
    (package / "meta.json").write_text((files / "meta.json").read_text("utf-8"), "utf-8")
    (package / "__init__.py").write_text(INIT, "utf-8")
    monkeypatch.syspath_prepend(folder)
    return name


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    nlp = spacy.blank("nl")
    nlp.add_pipe("sentencizer")
    nlp.meta["version"] = "1.2.3"
    return _install(nlp, tmp_path, monkeypatch)


def test_a_package_is_loaded_by_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = _install(load("nl"), tmp_path, monkeypatch)
    nlp = load("nl", name)
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


def test_the_model_card_does_not_count(tmp_path: Path) -> None:
    spacy.blank("nl").to_disk(tmp_path)
    bare = hash_of(tmp_path)
    copy = tmp_path / "copy"
    spacy.blank("nl").to_disk(copy)
    (copy / "MODEL_CARD.md").write_text("a card", "utf-8")
    (copy / "scores.json").write_text("{}", "utf-8")
    assert hash_of(copy) == bare
