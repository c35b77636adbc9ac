"""Texts as words, and key terms found by them: hits, near misses and what stands instead."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from klopt.checking.term_places import find_term
from klopt.checking.words import FIGURE, GENERAL, MOST_PLACES, language, without_placeholders
from tests.tables import tables

CASES = tables("checking", "words")
TEXTS = st.text(max_size=60) | st.text("aB1.,'’ \n\r-_<>[]`*\u0301\ud800", max_size=60)


@pytest.mark.parametrize(("text", "words"), [*CASES["words"], ("\ud800Open \udfff", ["open"])])
def test_words(text: str, words: list[str]):
    assert list(language("en").read(text).letters) == words


@given(TEXTS, st.sampled_from(["en", "nl"]))
def test_offsets(text: str, code: str):
    words = language(code).read(text)
    before = 0
    for start, end, key, letters in zip(
        words.starts, words.ends, words.keys, words.letters, strict=True
    ):
        assert before <= start < end <= len(words.source)
        assert language(code).read(words.source[start:end]).joined == letters
        assert key
        before = end
    assert len(words.sentences) == len(words.keys) == len(words.weights)
    assert list(words.sentences) == sorted(words.sentences)
    numbers = sorted(number for places in words.places.values() for number in places)
    assert numbers == list(range(len(words.keys)))


@given(TEXTS)
def test_a_text_is_found_in_itself(text: str):
    words = language("en").read(text)
    expected = [(0, len(words.keys) - 1)] if words.joined else []
    assert list(words.find((words.joined,)))[:1] == expected


@pytest.mark.parametrize(("text", "sentences"), CASES["sentences"])
def test_sentences(text: str, sentences: list[int]):
    assert list(language("en").read(text).sentences) == sentences


@pytest.mark.parametrize(("parts", "text", "runs"), CASES["find"])
def test_find(parts: list[str], text: str, runs: list[list[int]]):
    assert list(map(list, language("en").read(text).find(parts))) == runs


@pytest.mark.parametrize(("term", "parts", "bare"), CASES["placeholders"])
def test_placeholders(term: str, parts: list[str], bare: str):
    assert list(language("en").split(term)) == parts
    assert without_placeholders(term) == bare


def test_signs_do_not_matter():
    spellings = ("C:\\Orl\\orl.ini", "c:/orl/orl.ini")
    assert {language("en").read(one).joined for one in spellings} == {"corlorlini"}


@pytest.mark.parametrize(
    ("code", "word", "weight"),
    [
        ("en", "the", 0.0),
        ("en", "files", GENERAL),
        ("en", "x", GENERAL),
        ("en", "1", FIGURE),
        ("en", "server", 1.0),
        ("nl", "uit", 0.0),
        ("nl", "knoppen", GENERAL),
        ("nl", "loonrun", 1.0),
    ],
)
def test_weight(code: str, word: str, weight: float):
    assert language(code).read(word).weights == (weight,)


def test_a_name_is_its_own_stem():
    words = language("en").read("maxUsers maxusers users PDFs")
    assert words.keys == ("maxusers", "maxus", "user", "pdfs")


@pytest.mark.parametrize(
    ("code", "term", "text", "degree", "found", "at"),
    [(*case, None, None)[:6] for case in CASES["terms"]],
)
def test_case(code: str, term: str, text: str, degree: float, found: str | None, at: int | None):
    tables = language(code)
    answer = tables.read(text)
    place = find_term(term, answer, tables)[0]
    assert place.degree == degree
    if place.run is None or found is None:
        assert (place.run, found) == (None, None)
        return
    start, end = answer.span(place.run)
    assert answer.source[start:end] == found
    assert start == (answer.source.index(found) if at is None else at)


def test_every_place_is_told():
    tables = language("en")
    answer = tables.read("Open orl.ini. Not orl.ini.bak, but orl.ini, and conf/orl.ini!")
    places = find_term("orl.ini", answer, tables)
    starts = [answer.span(place.run)[0] for place in places if place.run is not None]
    assert starts == [5, 35, 53]


def test_no_more_places_than_the_limit():
    tables = language("en")
    assert len(find_term("orl", tables.read("orl " * 1000), tables)) == MOST_PLACES


def test_the_shortest_window_is_told():
    tables = language("en")
    answer = tables.read("Run the queue. Then reset the old queue, and wait.")
    place = find_term("reset old job queue", answer, tables)[0]
    assert (place.degree, place.run) == (0.5, (4, 7))


@given(st.lists(st.sampled_from(["Orl", "sync", "9.7", "max_users", "één", "a"]), min_size=1))
def test_a_term_is_in_itself(words: list[str]):
    tables = language("nl")
    term = " ".join(words)
    assert find_term(term, tables.read(f"Kies {term}."), tables)[0].degree == 1.0
