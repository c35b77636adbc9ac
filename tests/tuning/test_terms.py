"""Company terms learnt from help pages, with a small reference of our own."""

from __future__ import annotations

import datetime
from pathlib import Path

import pytest

from klopt import Page, Scorer, Turn
from klopt.batch.pages import read_pages
from klopt.lexicons import read_lexicon
from klopt.reading.reader import Reader
from klopt.tuning import terms
from klopt.tuning.terms import learn_terms, to_lexicon
from tests.conftest import DEMO

TODAY = datetime.date(2026, 11, 22)
PAGES = [
    Page("De gebruiker opent het dossier. Het dossier bevat de factuur."),
    Page("# Factuur\n\nDe gebruiker opent het dossier."),
]


@pytest.fixture
def reference(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The general language is two words; what was asked for is kept."""
    asked: list[str] = []

    def known(language: str) -> frozenset[str]:
        asked.append(language)
        return frozenset({"gebruiker", "opent"})

    monkeypatch.setattr(terms, "general_words", known)
    return asked


def test_frequent_and_unknown_to_the_general_language(dutch: Reader, reference: list[str]):
    """ "openen" is known by its form "opent"; the most frequent term comes first."""
    learnt = learn_terms(PAGES, dutch)
    assert learnt.language == "nl"
    assert learnt.page_count == 2
    assert learnt.terms[:2] == ("dossier", "factuur")
    assert not {"gebruiker", "openen", "de", "het"} & set(learnt.terms)
    assert reference == ["nl"]


@pytest.mark.usefixtures("reference")
@pytest.mark.parametrize("language", ["nl", "en"])
@pytest.mark.parametrize("source", ["hulp", 'the "demo" \\ pages', "hulp\nnieuw", "a\tb"])
def test_demo_pages_round_trip(language, source, tmp_path, dutch, english):
    reader = {"nl": dutch, "en": english}[language]
    pages = {page.id: page for page in read_pages(DEMO / "pages" / language).values()}
    learnt = learn_terms(list(pages.values())[:6], reader)
    assert learnt.page_count == 6
    assert learnt.terms
    file = tmp_path / "company_terms.toml"
    file.write_text(to_lexicon(learnt, source=source, today=TODAY), "utf-8")
    lexicon = read_lexicon(file)
    assert (lexicon.id, lexicon.language) == ("company_terms", language)
    assert lexicon.lists == {"terms": tuple(sorted(learnt.terms))}


@pytest.mark.usefixtures("reference")
def test_learnt_terms_are_found_in_an_answer(tmp_path: Path, dutch: Reader):
    file = tmp_path / "company_terms.toml"
    learnt = learn_terms(PAGES, dutch)
    file.write_text(to_lexicon(learnt, source="hulp", today=TODAY), "utf-8")
    turn = Turn("Waar staat de factuur?", "Het dossier bevat de factuur.", PAGES)
    found = Scorer.load(terms=[file], all_types=True).score(turn, measure_all=True)
    entries = [one.entry for one in found.measurements["company_specific_terms"].evidence]
    assert {"dossier", "factuur"} <= set(entries)


def test_reference_is_wordfreq():
    pytest.importorskip("wordfreq")
    words = terms.general_words("nl")
    assert {"huis", "de"} <= words
    assert len(words) <= terms.REFERENCE_WORDS == 50_000
