"""Pipelines from an installed package, which the test makes."""

import json
import shutil
from pathlib import Path

import pytest
import spacy

from klopt.errors import PipelineError
from klopt.text.pipelines import available, load

INIT = """
from pathlib import Path
from spacy.util import load_model_from_init_py

def load(**overrides):
    return load_model_from_init_py(__file__, **overrides)
"""


def install(files: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Make a spaCy package of a pipeline, put it on the path, and return its name."""
    package, meta = folder / "nl_testpijp", json.loads((files / "meta.json").read_text("utf-8"))
    shutil.copytree(files, package / f"{package.name}-{meta['version']}")
    shutil.copy(files / "meta.json", package)
    (package / "__init__.py").write_text(INIT, "utf-8")
    monkeypatch.syspath_prepend(folder)
    return package.name


@pytest.fixture(scope="module")
def blank(tmp_path_factory):
    """The files of a pipeline that only splits sentences."""
    nlp = spacy.blank("nl")
    nlp.add_pipe("sentencizer")
    nlp.meta["version"] = "1.2.3"
    nlp.to_disk(folder := tmp_path_factory.mktemp("blank"))
    return folder


@pytest.fixture
def package(blank, tmp_path, monkeypatch):
    return install(blank, tmp_path, monkeypatch)


def test_a_package_is_loaded_by_its_name(tmp_path, monkeypatch):
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
def test_a_package_that_does_not_fit_is_refused(package, language, message):
    with pytest.raises(PipelineError) as caught:
        load(language, package)
    assert str(caught.value) == f'pipeline "nl_testpijp" {message}'
