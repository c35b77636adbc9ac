"""The fingerprint changes with each part that decides a score, and only then."""

import re

import pytest

import klopt
from klopt import Scorer, Turn
from klopt.scoring.profile import source_of
from klopt.text import pipelines
from tests.scoring.turns import TERMS, parts_of

DUTCH = Turn("Hoe opent de gebruiker het bestand?", "Dat doet de gebruiker.", ["De gebruiker."])
ENGLISH = Turn("How does the user open the file?", "The user does that.", ["The user."])


def parts(scorer: Scorer, turn: Turn = DUTCH) -> dict[str, str]:
    return parts_of(scorer.score(turn).fingerprint)


@pytest.fixture(scope="module")
def before():
    return parts(Scorer.load())


def changed(before: dict[str, str], after: dict[str, str]) -> set[str]:
    assert list(before) == list(after)
    return {name for name in before if before[name] != after[name]}


def test_parts_of_the_fingerprint(before):
    assert before["klopt"] == klopt.__version__
    assert re.fullmatch(r"default@[0-9a-f]{8}", before["profile"])
    assert before["language"] == "nl"
    assert re.fullmatch(r"[0-9a-f]{8}", before["lexicons"])
    assert (before["pipeline"], before["spacy"], before["translator"]) == ("none", "none", "none")


def test_parts_that_change_with_language_and_profile(before):
    assert parts(Scorer.load()) == before
    assert changed(before, parts(Scorer.load(), ENGLISH)) == {"language", "lexicons"}
    afas = changed(before, parts(Scorer.load("afas", all_types=True)))
    assert afas == {"profile", "pipeline", "spacy"}


def test_a_profile_with_another_threshold(tmp_path, before):
    text = source_of("default").text
    file = tmp_path / "default.toml"
    file.write_text(text, "utf-8")
    assert changed(before, parts(Scorer.load(file))) == set()
    file.write_text(re.sub("send_from = .*", "send_from = 4.5", text), "utf-8")
    assert changed(before, parts(Scorer.load(file))) == {"profile"}


def test_company_terms(tmp_path, before):
    file = tmp_path / "company_terms.toml"
    file.write_text(TERMS, "utf-8")
    first = parts(Scorer.load(terms=[file]))
    assert changed(before, first) == {"lexicons"}
    file.write_text(TERMS.replace('"bestand"', '"map"'), "utf-8")
    assert changed(first, parts(Scorer.load(terms=[file]))) == {"lexicons"}
    assert changed(before, parts(Scorer.load(terms=[file]), ENGLISH)) == {"language", "lexicons"}


def test_the_pipeline_of_a_profile_that_parses(monkeypatch):
    before = parts(Scorer.load("afas", all_types=True))
    assert before["pipeline"] == f"klopt@{pipelines.signature('nl')}"
    assert re.fullmatch(r"3\.\d+\.\d+", before["spacy"])
    monkeypatch.setattr(pipelines, "signature", lambda language, name=None: "0123456789ab")
    assert changed(before, parts(Scorer.load("afas", all_types=True))) == {"pipeline"}
