"""Pipelines from installed packages, played by a package made for the test."""

from __future__ import annotations

from pathlib import Path

import pytest
import spacy

from klopt.errors import PipelineError
from klopt.pipelines import hash_of, load, signature

INIT = """
from pathlib import Path
from spacy.util import load_model_from_init_py

def load(**overrides):
    return load_model_from_init_py(__file__, **overrides)
"""


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    nlp = spacy.blank("nl")
    nlp.add_pipe("sentencizer")
    nlp.meta["version"] = "1.2.3"
    folder = tmp_path / "nl_testpijp"
    folder.mkdir()
    nlp.to_disk(folder / "nl_testpijp-1.2.3")
    (folder / "meta.json").write_text(
        (folder / "nl_testpijp-1.2.3" / "meta.json").read_text("utf-8"), "utf-8"
    )
    (folder / "__init__.py").write_text(INIT, "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    return "nl_testpijp"


def test_a_package_for_another_language_is_refused(package: str) -> None:
    with pytest.raises(PipelineError) as caught:
        load("en", package)
    assert str(caught.value) == (
        'pipeline "nl_testpijp" is for language "nl", not "en"; there is for en: klopt'
    )


def test_a_package_without_a_parser_is_refused(package: str) -> None:
    with pytest.raises(PipelineError) as caught:
        load("nl", package)
    assert str(caught.value) == (
        'pipeline "nl_testpijp" has no parser and no part-of-speech tagger and no lemmatizer; '
        "it has sentencizer"
    )


def test_its_signature_is_not_the_bundled_one(package: str) -> None:
    assert signature("nl", package) != signature("nl")


def test_a_pipeline_without_a_folder_has_a_hash_too() -> None:
    assert len(hash_of(spacy.blank("nl"))) == 12


def test_the_model_card_does_not_count(tmp_path: Path) -> None:
    spacy.blank("nl").to_disk(tmp_path)
    bare = hash_of(spacy.load(tmp_path))
    copy = tmp_path / "copy"
    spacy.blank("nl").to_disk(copy)
    (copy / "MODEL_CARD.md").write_text("a card", "utf-8")
    (copy / "scores.json").write_text("{}", "utf-8")
    assert hash_of(spacy.load(copy)) == bare
