"""Pages that are found by what they mean, in whatever language."""

from __future__ import annotations

import os
from zlib import crc32

import numpy as np
import pytest

from klopt import Page, Scorer, Turn
from klopt.embedding.encoder import WIDTH, TextEncoder
from klopt.errors import InputError
from klopt.indexing.vectors import (
    MOST_PASSAGES,
    PASSAGE,
    PASSAGE_WORDS,
    Likeness,
    passages_of,
    vectors_of,
)
from klopt.reading.markup import read_text
from klopt.translation.word_for_word import word_for_word
from tests.indexing.conftest import built, opened
from tests.indexing.test_damaged import directory_of, with_directory

PAGES = {
    name: Page(text, name)
    for name, text in {
        "leave": "# Request leave\n\nPress **Leave** and choose the days on which you are off.",
        "paper": "# Paper\n\nPut paper into the tray before you print a document.",
        "wachtwoord": "# Wachtwoord\n\nKies **Wachtwoord wijzigen** om een nieuw te kiezen.",
        "wifi": "# Wifi\n\nZet de schakelaar van het draadloze netwerk om.",
    }.items()
}


@pytest.fixture(scope="module")
def index(tmp_path_factory):
    path = tmp_path_factory.mktemp("vectors") / "help.klopt"
    return opened(path, built(PAGES, vectors=True))


@pytest.mark.parametrize(
    ("question", "language", "best"),
    [
        ("Hoe vraag ik vakantiedagen aan?", "nl", "leave"),
        ("How do I choose a new password?", "en", "wachtwoord"),
        ("Wie lege ich Papier in den Drucker ein?", "de", "paper"),
        ("¿Cómo cambio la contraseña?", "es", "wachtwoord"),
        ("Jak złożyć wniosek o urlop?", "pl", "leave"),
        ("Πώς αλλάζω τον κωδικό πρόσβασης;", "el", "wachtwoord"),
    ],
)
def test_a_page_is_found_in_another_language(index, question, language, best):
    assert index.search(question, 1, language=language)[0].page.id == best


def test_only_pages_in_some_languages_are_found(index):
    question = "Hoe vraag ik vakantiedagen aan?"
    found = index.search(question, 9, language="nl", pages_in=["nl"])
    assert {hit.page.id for hit in found} == {"wachtwoord", "wifi"}
    assert index.search(question, 9, language="nl", pages_in=[]) == ()
    assert len(index.search(question, 9, language="nl")) == len(PAGES)


def test_pages_that_cannot_be_read_are_not_retrieved(index):
    turn = Turn("Hoe vraag ik vakantiedagen aan?", "Kies onder Leave de dagen waarop je vrij bent.")
    alone = Scorer.load(index=index, retrieve=1).score(turn)
    across = Scorer.load(index=index, retrieve=1, translate=word_for_word()).score(turn)
    assert [page.id for page in alone.retrieved] != ["leave"]
    assert [page.id for page in across.retrieved] == ["leave"]
    assert across.verdict == "review"


def test_the_bytes_do_not_depend_on_processes_or_an_old_file(index, tmp_path):
    expected, plain = index.path.read_bytes(), built(PAGES)
    assert built(PAGES, vectors=True, processes=2) == expected
    assert built(PAGES, vectors=True, old=opened(tmp_path / "old.klopt", plain)) == expected
    assert built(PAGES, old=index) == plain


@pytest.mark.parametrize(
    ("encoder", "change", "bit", "message"),
    [
        ("0123456789ab", bytes, 0, "its vectors are of another encoder"),
        ("", lambda part: part[PASSAGE.itemsize :] + part[: PASSAGE.itemsize], 0, "its table of v"),
        ("", lambda part: part[:-3], 0, "its table of vectors is not as it was written"),
        ("", bytes, 1, 'table "vectors" is not as it was written'),
    ],
)
def test_vectors_that_cannot_be_used_are_refused(index, tmp_path, encoder, change, bit, message):
    content = index.path.read_bytes()
    directory, altered = directory_of(content), bytearray(content)
    start, length, _ = directory["regions"]["vectors"]
    part = change(content[start : start + length])
    altered[start : start + len(part)] = part
    altered[start + 7] ^= bit  # of which its checksum does not know
    directory["regions"]["vectors"] = [start, len(part), crc32(part)]
    directory["vectors"] = encoder or directory["vectors"]
    bad = opened(tmp_path / "bad.klopt", with_directory(content, directory, bytes(altered)))
    with pytest.raises(InputError, match=message):
        bad.search("Hoe werkt wifi?")


def test_a_page_is_read_in_passages():
    def shape(text: str) -> tuple[int, ...]:
        return vectors_of(Page(text, "page"), read_text(text)).shape

    assert shape("") == (0, WIDTH)
    assert shape("woord " * PASSAGE_WORDS) == (1, WIDTH)
    assert shape("woord " * (PASSAGE_WORDS + 1)) == (2, WIDTH)
    assert len(range(0, PASSAGE_WORDS * 1000, PASSAGE_WORDS)[:MOST_PASSAGES]) == MOST_PASSAGES
    assert shape("x" * 100_000 + "\ud800") == (1, WIDTH)


def test_a_long_title_costs_no_more_than_is_read():
    page = Page("woord " * PASSAGE_WORDS * MOST_PASSAGES, "page", title="x" * 1_000_000)
    assert sum(map(len, passages_of(page, read_text(page.text)))) < 400_000


def test_the_best_passage_of_a_page_counts():
    passages = np.zeros(3, PASSAGE)
    passages["record"] = [0, 2, 2]
    passages["vector"][:, :2] = [[1, 0], [0, 1], [1, 1]]
    question = np.eye(1, WIDTH, dtype=np.float32)[0]
    likeness = Likeness(passages, np.array([2, 0, 1, 2])).of(question)
    assert likeness == pytest.approx([0.5**0.5, 1, 0, 0.5**0.5])
    assert list(Likeness(passages[:0], np.array([0, 1])).of(question)) == [0, 0]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_forked_process_has_a_net_of_its_own():
    encoder = TextEncoder.shipped()
    expected = encoder.question("Hoe werkt wifi?").tobytes()
    reads, writes = os.pipe()
    child = os.fork()
    if not child:
        os.write(writes, encoder.question("Hoe werkt wifi?").tobytes())
        os._exit(0)
    os.close(writes)
    with os.fdopen(reads, "rb") as pipe:
        assert pipe.read() == expected
    assert os.waitpid(child, 0)[1] == 0
