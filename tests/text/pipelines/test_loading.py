"""Bundled and installed pipelines by name, their parses, and the errors for unknown ones."""

import json
import re
import shutil
from pathlib import Path

import pytest
import spacy

from klopt.errors import PipelineError, UnknownLanguageError
from klopt.text.pipelines import BUNDLED, SUBJECT_LABELS, available, load
from tests.tables import tables

CASES = tables("text/pipelines", "loading")


@pytest.mark.parametrize("language", ["nl", "en"])
def test_the_bundled_pipeline_is_loaded_once(language):
    nlp = load(language)
    assert nlp.lang == language
    assert nlp.pipe_names[-1] == "klopt_lemma_rules"
    assert load(language, BUNDLED) is nlp


@pytest.mark.parametrize(("language", "text", "expected"), CASES["parses"])
def test_support_sentences_parse(language, text, expected):
    found = [f"{word.lemma_} {word.pos_} {word.dep_}" for word in load(language)(text)]
    assert found[: len(expected)] == expected


@pytest.mark.parametrize(("language", "text", "subjects"), CASES["subjects"])
def test_subjects(language, text, subjects):
    found = [word.text for word in load(language)(text) if word.dep_ in SUBJECT_LABELS]
    assert found == subjects


@pytest.mark.parametrize("language", ["nl", "en"])
def test_the_same_text_gives_the_same_parse(language):
    text = "Als de melding verschijnt, klik dan op Annuleren. If it appears, click Cancel."
    first, second = (load(language)(text).to_json() for _ in range(2))
    assert first == second


@pytest.mark.parametrize("language", ["nl", "en"])
def test_a_bundled_pipeline_states_its_licence_and_data(language):
    meta = load(language).meta
    assert (meta["name"], meta["license"]) == ("klopt_sm", "CC BY-SA 4.0")
    assert all(source["license"] for source in meta["sources"])


NO_FRENCH = 'no pipeline is bundled for language "fr"; bundled: en, nl. Name an installed spaCy'


@pytest.mark.parametrize(
    ("language", "name", "error", "message"),
    [
        ("fr", None, UnknownLanguageError, NO_FRENCH),
        ("../nl", BUNDLED, UnknownLanguageError, 'bundled for language "../nl"; bundled: en, nl'),
        ("nl", "nl_core_news_xx", PipelineError, "python -m spacy download nl_core_news_xx"),
        ("fr", "onze_pijplijn", PipelineError, "installed for fr: none. Install it with `pip"),
        ("nl", "nl/core", PipelineError, "is not the name of a package, such as nl_core_news_sm"),
        ("nl", "json", PipelineError, "is installed but is not a spaCy pipeline; installed for nl"),
    ],
)
def test_errors_name_the_available_pipelines_and_the_remedy(language, name, error, message):
    with pytest.raises(error, match=re.escape(message)):
        load(language, name)


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
        ("en", 'is for language "nl", not "en"; installed for en: klopt'),
        ("nl", "has no parser and no part-of-speech tagger and no lemmatizer; it has sentencizer"),
    ],
)
def test_a_package_that_does_not_fit_is_refused(package, language, message):
    with pytest.raises(PipelineError) as caught:
        load(language, package)
    assert str(caught.value) == f'pipeline "nl_testpijp" {message}'
