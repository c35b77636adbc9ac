"""Company terms learnt from help pages, with a small reference of our own."""

import datetime

import pytest

from klopt import Page, Scorer, Turn
from klopt.evaluation.fitting import terms
from klopt.evaluation.fitting.terms import extract_terms, to_lexicon

TODAY = datetime.date(2026, 11, 22)
PAGES = [
    Page("De gebruiker opent het dossier. Het dossier bevat de factuur."),
    Page("# Factuur\n\nDe gebruiker opent het dossier."),
]


@pytest.fixture
def reference(monkeypatch):
    """The general language is two words; what was asked for is kept."""
    asked: list[str] = []

    def known(language: str) -> frozenset[str]:
        asked.append(language)
        return frozenset({"gebruiker", "opent"})

    monkeypatch.setattr(terms, "general_words", known)
    return asked


def test_frequent_and_unknown_to_the_general_language(dutch, reference):
    """ "openen" is known by its form "opent"; the most frequent term comes first."""
    learnt = extract_terms(PAGES, dutch)
    assert learnt.language == "nl"
    assert learnt.page_count == 2
    assert learnt.terms[:2] == ("dossier", "factuur")
    assert not {"gebruiker", "openen", "de", "het"} & set(learnt.terms)
    assert reference == ["nl"]


@pytest.mark.usefixtures("reference")
def test_learnt_terms_are_found_in_an_answer(tmp_path, dutch):
    file = tmp_path / "company_terms.toml"
    learnt = extract_terms(PAGES, dutch)
    file.write_text(to_lexicon(learnt, source="hulp", today=TODAY), "utf-8")
    turn = Turn("Waar staat de factuur?", "Het dossier bevat de factuur.", PAGES)
    found = Scorer.load(terms=[file], all_types=True).score(turn, measure_all=True)
    entries = [one.entry for one in found.measurements["company_specific_terms"].evidence]
    assert {"dossier", "factuur"} <= set(entries)
