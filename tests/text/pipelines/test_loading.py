"""Pipelines by name, their parses, and the errors for unknown ones."""

import re

import pytest

from klopt.errors import PipelineError, UnknownLanguageError
from klopt.text.pipelines import BUNDLED, SUBJECT_LABELS, load
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


NONE_OF_FR = 'no pipeline is bundled for language "fr"; bundled: en, nl. Name an installed spaCy'


@pytest.mark.parametrize(
    ("language", "name", "error", "message"),
    [
        ("fr", None, UnknownLanguageError, NONE_OF_FR),
        ("../nl", BUNDLED, UnknownLanguageError, 'bundled for language "../nl"; bundled: en, nl'),
        ("nl", "nl_core_news_xx", PipelineError, "python -m spacy download nl_core_news_xx"),
        ("fr", "onze_pijplijn", PipelineError, "there is for fr: none. Install it with `pip"),
        ("nl", "nl/core", PipelineError, "is not the name of a package, such as nl_core_news_sm"),
        ("nl", "json", PipelineError, "is installed but is not a spaCy pipeline; there is for nl"),
    ],
)
def test_errors_name_the_available_pipelines_and_the_remedy(language, name, error, message):
    with pytest.raises(error, match=re.escape(message)):
        load(language, name)
