"""Search for the pages of a question, and scoring with retrieved pages."""

import pytest

from klopt import Page, Scorer, Turn
from klopt.errors import ConfigurationError, RecordError
from klopt.retrieval.search import parts_of
from tests.retrieval.conftest import built, opened

PAGES = {
    name: Page(text, name)
    for name, text in {
        "kabel": "# Kabels\n\nEen kabel verbindt het netwerk met de printer.",
        "papier": "# Papier\n\nLeg papier in de lade. Een kabel is niet nodig.",
        "verlof": "# Verlof aanvragen\n\nKlik op **Verlof**. Het netwerk doet er niet toe.",
        "save": "# Save a file\n\nPress **Save** and wait until the file is there.",
    }.items()
}


@pytest.fixture(scope="module")
def index(tmp_path_factory):
    return opened(tmp_path_factory.mktemp("search") / "help.klopt", built(PAGES))


@pytest.mark.parametrize(
    ("question", "best"),
    [
        ("Hoe vraag ik verlof aan?", "verlof"),
        ("Waar laat ik het papier?", "papier"),
        ("Welke netwerkkabel moet ik hebben?", "kabel"),
        ("How do I save the file?", "save"),
    ],
)
def test_the_best_page_is_first(index, question, best):
    hits = index.search(question)
    assert hits[0].page == PAGES[best]
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)


def test_only_pages_with_a_word_of_the_question_are_found(index):
    assert index.search("Wie won de voetbalwedstrijd van gisteren?") == ()
    assert len(index.search("het netwerk en de kabel", 1)) == 1
    found = index.search("het netwerk en de kabel", 99)
    assert found[0].page.id == "kabel"
    assert {hit.page.id for hit in found} == {"kabel", "papier", "verlof"}


@pytest.mark.parametrize("question", ["Een netwerk", "Een kabel"])
def test_a_page_with_a_compound_is_found_by_either_part(tmp_path, question):
    texts = {"geheel": "Sluit een netwerkkabel aan.", "delen": "Netwerk, kabel, scherm en printer."}
    pages = {name: Page(text, name) for name, text in texts.items()}
    found = opened(tmp_path / "help.klopt", built(pages)).search(question, language="nl")
    assert {hit.page.id for hit in found} == texts.keys()


@pytest.mark.parametrize(
    ("question", "answer", "expected"),
    [
        ("Welke netwerkkabel moet ik hebben?", "Een kabel verbindt het netwerk.", "kabel"),
        ("How do I save the file?", "Press **Save** and wait.", "save"),
        ("Printer nodig?", "Kabel, printer nodig.", "kabel"),  # found pages decide the language
    ],
)
def test_a_turn_without_contexts_gets_retrieved_pages(index, question, answer, expected):
    scorer = Scorer.load(index=index, retrieve=2)
    one = scorer.score(Turn(question, answer, message_type="instruction"))
    assert one.status == "scored"
    assert one.retrieved[0] == PAGES[expected]
    assert one.to_dict()["retrieved"][0] == expected
    assert one.fingerprint.endswith(f"|retrieved:2@{index.digest[:8]}")
    own = scorer.score(Turn(question, answer, one.retrieved, message_type="instruction"))
    assert (own.score, own.retrieved) == (one.score, ())
    assert "retrieved" not in own.to_dict()
    assert own.fingerprint == one.fingerprint.partition("|retrieved")[0]


def test_a_turn_without_hits_is_unscored(index):
    turn = Turn("Wie won de voetbalwedstrijd van gisteren?", "Dat was een gelijkspel, hoor ik.")
    one = Scorer.load(index=index, retrieve=2, all_types=True).score(turn)
    assert (one.reason_code, one.retrieved) == ("nothing_found", ())
    assert one.explanation == "Niet gescoord: klopt vond geen pagina over deze vraag."
    assert "|retrieved:2@" in one.fingerprint


def test_retrieval_needs_an_index(index):
    for retrieve, given in ((3, None), (-1, index), ("3", index), (2.5, index), (None, index)):
        with pytest.raises(ConfigurationError, match=r"^retrieve=.*: give a number of pages"):
            Scorer.load(retrieve=retrieve, index=given)
    for given in ("help.klopt", PAGES):
        with pytest.raises(ConfigurationError, match=r"^index=.*: give an open index file"):
            Scorer.load(index=given)


def test_invalid_arguments_of_a_search(index):
    for k in (0, "3", 2.5, None):
        with pytest.raises(ValueError, match=f"^k is a whole number from 1, not {k!r}$"):
            index.search("netwerk", k)
    with pytest.raises(RecordError, match=r"^question is None, not text$"):
        index.search(None)


def test_the_parts_of_compounds():
    known = {"personeel", "dossier", "kabel", "netwerk", "groep", "map", "a"}.__contains__
    assert parts_of("personeelsdossier", known) == ("personeel", "dossier")
    assert parts_of("netwerkkabel", known) == ("netwerk", "kabel")
    assert parts_of("groepenkabel", known) == ("groep", "kabel")
    for word in ("dossier", "kabelmap", "xkabel", "akabel", "@netwerkkabel", "a" * 100_000):
        assert parts_of(word, known) == ()
