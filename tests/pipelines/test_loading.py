"""Loading by name, never another pipeline than the one that was named."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

import pytest

from klopt.errors import PipelineError, UnknownLanguageError
from klopt.pipelines import BUNDLED, SUBJECT_LABELS, available, load
from tests.tables import tables

CASES = tables("pipelines", "loading")

MEGABYTE = 1_000_000


@pytest.mark.parametrize("language", ["nl", "en"])
def test_the_bundled_pipeline_is_loaded_once(language: str) -> None:
    nlp = load(language)
    assert nlp.lang == language
    assert nlp.pipe_names[-1] == "klopt_lemma_rules"
    assert load(language, BUNDLED) is nlp


@pytest.mark.parametrize(("language", "text", "expected"), CASES["parses"])
def test_support_sentences_parse(language: str, text: str, expected: list[str]) -> None:
    found = [f"{word.lemma_} {word.pos_} {word.dep_}" for word in load(language)(text)]
    assert found[: len(expected)] == expected


@pytest.mark.parametrize(("language", "text", "subjects"), CASES["subjects"])
def test_subjects(language: str, text: str, subjects: list[str]) -> None:
    found = [word.text for word in load(language)(text) if word.dep_ in SUBJECT_LABELS]
    assert found == subjects


@pytest.mark.parametrize("language", ["nl", "en"])
def test_the_same_text_gives_the_same_parse(language: str) -> None:
    text = "Als de melding verschijnt, klik dan op Annuleren. If it appears, click Cancel."
    first, second = (load(language)(text).to_json() for _ in range(2))
    assert first == second


@pytest.mark.parametrize("language", ["nl", "en"])
def test_a_bundled_pipeline_is_small_and_tells_nothing_of_the_machine(language: str) -> None:
    [info] = [info for info in available() if info.bundled and info.language == language]
    files = [path for path in info.path.rglob("*") if path.is_file()]
    assert sum(path.stat().st_size for path in files) <= 10 * MEGABYTE
    texts = [path.read_bytes() for path in files]
    places = [f"{place}/".encode() for place in (tempfile.gettempdir(), Path.home(), Path.cwd())]
    assert not any(place in text for text in texts for place in places)


@pytest.mark.parametrize("language", ["nl", "en"])
def test_a_bundled_pipeline_states_its_licence_and_data(language: str) -> None:
    meta = load(language).meta
    assert (meta["name"], meta["license"]) == ("klopt_sm", "CC BY-SA 4.0")
    assert all(source["license"] for source in meta["sources"])


NONE_OF_FR = 'no pipeline is bundled for language "fr"; bundled: en, nl. Name an installed spaCy'


@pytest.mark.parametrize(
    ("language", "name", "error", "told"),
    [
        ("fr", None, UnknownLanguageError, NONE_OF_FR),
        ("../nl", BUNDLED, UnknownLanguageError, 'bundled for language "../nl"; bundled: en, nl'),
        ("nl", "nl_core_news_xx", PipelineError, "python -m spacy download nl_core_news_xx"),
        ("fr", "onze_pijplijn", PipelineError, "there is for fr: none. Install it with `pip"),
        ("nl", "nl/core", PipelineError, "is not the name of a package, such as nl_core_news_sm"),
        ("nl", "json", PipelineError, "is installed but is not a spaCy pipeline; there is for nl"),
    ],
)
def test_errors_say_what_is_there_and_what_to_do(
    language: str, name: str | None, error: type[Exception], told: str
) -> None:
    with pytest.raises(error, match=re.escape(told)):
        load(language, name)
