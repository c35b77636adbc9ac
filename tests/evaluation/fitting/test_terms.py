"""Company terms extracted from help pages, with two words as general language."""

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
    """Replace the general words by two; return the requested languages."""
    requested: list[str] = []

    def known(language: str) -> frozenset[str]:
        requested.append(language)
        return frozenset({"gebruiker", "opent"})

    monkeypatch.setattr(terms, "general_words", known)
    return requested


def test_frequent_words_that_are_not_general_are_terms(dutch, reference):
    """ "openen" is general by its form "opent"; the most frequent term is first."""
    extracted = extract_terms(PAGES, dutch)
    assert extracted.language == "nl"
    assert extracted.page_count == 2
    assert extracted.terms[:2] == ("dossier", "factuur")
    assert not {"gebruiker", "openen", "de", "het"} & set(extracted.terms)
    assert reference == ["nl"]


@pytest.mark.usefixtures("reference")
def test_extracted_terms_are_found_in_an_answer(tmp_path, dutch):
    file = tmp_path / "company_terms.toml"
    extracted = extract_terms(PAGES, dutch)
    file.write_text(to_lexicon(extracted, source="hulp", today=TODAY), "utf-8")
    turn = Turn("Waar staat de factuur?", "Het dossier bevat de factuur.", PAGES)
    found = Scorer.load(terms=[file], all_types=True).score(turn, measure_all=True)
    entries = [one.entry for one in found.measurements["company_specific_terms"].evidence]
    assert {"dossier", "factuur"} <= set(entries)
