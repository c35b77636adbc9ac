"""Texts as words, and key terms found by them: hits, near misses and what stands instead."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from klopt.checking.term_places import find_term
from klopt.checking.words import (
    FIGURE,
    GENERAL,
    MOST_PLACES,
    PLACEHOLDER_WORDS,
    language,
    without_placeholders,
)

TEXTS = st.text(max_size=60) | st.text("aB1.,'’ \n\r-_<>[]`*\u0301\ud800", max_size=60)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Open conf/orl_main.xml.", ["open", "conf", "orl", "main", "xml"]),
        ("v9.7, V2.1.3 and rev9", ["9.7", "2.1.3", "and", "rev9"]),
        ("1,000 or 1.000.000, not 0.500 or 1000.5", ["1000", "or", "1000000", "not", "0.500"]),
        ("user's User’s 'user'", ["users", "users", "user"]),
        ("één e\u0301e\u0301n", ["één", "één"]),
        ("1. One\n 2) Two\n**3.** Three\n> 4. Four", ["one", "two", "three", "four"]),
        ("Version 1. Then 2) it", ["version", "1", "then", "2", "it"]),
        ("1.2.3 is new\n30.\nend", ["1.2.3", "is", "new", "30", "end"]),
        ("\ud800Open \udfff", ["open"]),
        ("!?*_`'\u2019", []),
        ("", []),
    ],
)
def test_words(text: str, words: list[str]):
    found = list(language("en").read(text).letters)
    assert found[: len(words)] == words
    assert len(found) == len(words) or text.endswith("1000.5")


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
    assert sorted(number for places in words.places.values() for number in places) == list(
        range(len(words.keys))
    )


@given(TEXTS)
def test_a_text_is_found_in_itself(text: str):
    words = language("en").read(text)
    expected = [(0, len(words.keys) - 1)] if words.joined else []
    assert list(words.find((words.joined,)))[:1] == expected


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("Open it. Then wait.", [0, 0, 1, 1]),
        ("Open it\nThen wait", [0, 0, 1, 1]),
        ("Open it\r\nThen wait", [0, 0, 1, 1]),
        ("See e.g. the page", [0, 0, 0, 0, 0]),
        ("Kies: Nieuw. Klaar", [0, 0, 1]),
    ],
)
def test_sentences(text: str, sentences: list[int]):
    assert list(language("en").read(text).sentences) == sentences


@pytest.mark.parametrize(
    ("parts", "text", "runs"),
    [
        (("maxusers",), "Set max users, maxUsers and max-users", [(1, 2), (3, 3), (5, 6)]),
        (("user",), "users user superuser user1", [(1, 1)]),
        (("ab",), "a b ab xa b", [(0, 1), (2, 2)]),
        (("orlu", "now"), "orl -u fenna --now", [(0, 3)]),
        (("orlu", "now"), "orl -u" + " x" * PLACEHOLDER_WORDS + " now", [(0, 10)]),
        (("orlu", "now"), "orl -u" + " x" * (PLACEHOLDER_WORDS + 1) + " now", []),
        (("orlu", "now"), "now orl -u", []),
        (("a", "b", "c"), "a x c b c", [(0, 4)]),
        (("",), "a b", []),
        (("a",), "", []),
    ],
)
def test_find(parts: tuple[str, ...], text: str, runs: list[tuple[int, int]]):
    assert list(language("en").read(text).find(parts)) == runs


@pytest.mark.parametrize(
    ("term", "parts", "bare"),
    [
        ("orl -u <user> --now", ("orlu", "now"), "orl -u   --now"),
        ("orl ${HOME} {name} [all users]", ("orl",), "orl      "),
        ("<user>", ("user",), "<user>"),
        ("a < b and c > d", ("abandcd",), "a < b and c > d"),
        ("list[0] {1}", ("list01",), "list[0] {1}"),
        ("...", ("",), "..."),
    ],
)
def test_placeholders(term: str, parts: tuple[str, ...], bare: str):
    assert language("en").split(term) == parts
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


# Found by hand: what the answer has in the term's place, and where if that stands there before. The
# degree is 1 for the term, 0.75 when something else stands for what the reader is to put in, 0.5
# when words are left out or apart, 0 when it is another thing; None: there is nothing of it.
CASES: list[tuple[Any, ...]] = [
    # Versions and figures
    ("en", "9.7", "Install v9.7 first.", 1.0, "v9.7"),
    ("en", "v9.7", "Install 9.7, or later.", 1.0, "9.7"),
    ("en", "9.7", "Install 9.7.0.1 first.", 0.0, None),
    ("en", "9.7", "Install 19.7 first.", 0.0, None),
    ("en", "1", "You need 10.1.2, or 21.", 0.0, None),
    ("en", "1", "1. Open it.\n2. Set it to 2.", 0.0, None),
    ("en", "1", "1. Open it.\n2. Set it to 1.", 1.0, "1", 25),
    ("en", "2", "1. Open it.\n**2.** Set it to 1.", 0.0, None),
    ("en", "30 minutes", "Wait for 60 minutes.", 0.0, "60 minutes"),
    ("en", "1,000 lines", "It stops after 1000 lines.", 1.0, "1000 lines"),
    ("en", "1,000 lines", "It stops after 1,001 lines.", 0.0, "1,001 lines"),
    ("nl", "50.000 aanvragen", "Er mogen 50000 aanvragen per dag bij.", 1.0, "50000 aanvragen"),
    ("nl", "7 dagen", "De oude sleutel werkt nog 14 dagen.", 0.0, "14 dagen"),
    ("nl", "0,50 euro", "Een verschil tot 0,50 euro mag.", 1.0, "0,50 euro"),
    ("nl", "LN-2041", "U ziet LN-2047.", 0.0, "LN-2047"),
    # Paths and addresses
    (
        "en",
        "/etc/orlinde/orl.conf",
        "Open \\etc\\orlinde\\orl.conf.",
        1.0,
        "etc\\orlinde\\orl.conf",
    ),
    ("en", "C:\\Orlinde\\orl.ini", "Open `C:/Orlinde/orl.ini`.", 1.0, "C:/Orlinde/orl.ini"),
    (
        "en",
        "/etc/orlinde/orl.conf",
        "Open the file /opt/orlinde/orl.conf.",
        0.0,
        "opt/orlinde/orl.conf",
    ),
    (
        "en",
        "/etc/orlinde/orl.conf",
        "Open the file /etc/orlinde/orl.ini.",
        0.0,
        "etc/orlinde/orl.ini",
    ),
    ("en", "orl.conf", "Open /etc/orlinde/orl.conf.", 1.0, "orl.conf"),
    ("en", "orl.conf", "Open orl.conf.bak.", 0.0, "orl.conf.bak"),
    ("en", "orl.conf", "Open my-orl.conf.", 0.0, "my-orl.conf"),
    ("en", "orl.conf", "Open log.orl.conf.", 0.0, "log.orl.conf"),
    (
        "en",
        "https://help.orlinde.example/start",
        "See [the help](https://help.orlinde.example/start).",
        1.0,
        "https://help.orlinde.example/start",
    ),
    (
        "en",
        "https://help.orlinde.example/start",
        "See https://help.orlinde.example/stop.",
        0.0,
        "https://help.orlinde.example/stop",
    ),
    # Options and commands
    ("en", "--all", "Add `--all` to it.", 1.0, "all"),
    ("en", "-f", "Run `orl stop -f`.", 1.0, "f"),
    ("en", "-a", "Run a job.", 0.0, None),
    ("en", "-f", "Run `orl stop --f`.", 0.0, None),
    ("en", "orl sync --user <user>", "Run `orl sync --user <user>`.", 1.0, "orl sync --user <user"),
    ("en", "orl sync --user <user>", "Run `orl sync --user fenna`.", 0.75, "orl sync --user"),
    (
        "en",
        "orl sync --user <user> --all",
        "Run `orl sync --user fenna --all`.",
        0.75,
        "orl sync --user fenna --all",
    ),
    (
        "en",
        "orl sync --user <user> --all",
        "Run `orl sync --user fenna --none`.",
        0.5,
        "orl sync --user",
    ),
    ("en", "orl copy ${SOURCE} [target]", "Run `orl copy /var/a.db /tmp/b.db`.", 0.75, "orl copy"),
    (
        "nl",
        "orl stop --gebruiker <naam> --nu",
        "Voer `orl stop --gebruiker fenna --nu` uit.",
        0.75,
        "orl stop --gebruiker fenna --nu",
    ),
    # Identifiers
    ("en", "orl_sync", "Set orl_stop.", 0.0, "orl_stop"),
    ("en", "orl", "Set orl_sync.", 0.0, "orl_sync"),
    ("en", "maxUsers", "Set the max users.", 1.0, "max users"),
    ("en", "max users", "Set maxUsers.", 1.0, "maxUsers"),
    ("en", "maxUsers", "Set maxUser.", 0.0, None),
    ("en", "maxUsers", "Set orl.maxUsers.", 1.0, "maxUsers"),
    ("en", "orl-sync", "Start orl sync.", 1.0, "orl sync"),
    ("en", "`COALESCE`", "Use `NULLIF`.", 0.0, None),
    ("en", "C++", "Use C, or C#.", 0.0, None),
    ("en", "C++", "Use C++.", 1.0, "C"),
    # Names and their abbreviations
    ("en", "Sync Kit (SK)", "Install the SK.", 1.0, "SK"),
    ("en", "Sync Kit (SK)", "Install the Sync Kit.", 1.0, "Sync Kit"),
    ("en", "Sync Kit (SK)", "Install the Task Pack.", 0.0, None),
    # General nouns and articles
    ("en", "the Save button", "Click Save.", 1.0, "Save"),
    ("en", "Save button", "Click the Cancel button.", 0.0, None),
    ("en", "Users tab", "Open Users.", 1.0, "Users"),
    ("en", "reset the queue", "Then reset queue.", 1.0, "reset queue"),
    ("en", "reset queue", "Then reset the queue.", 1.0, "reset the queue"),
    ("en", "Save as copy", "Choose Save.", 0.0, None),
    ("en", "Save as", "Choose Save.", 0.5, "Save"),
    ("en", "File > Save as", "Choose File → Save as.", 1.0, "File → Save as"),
    ("en", "SSL directives", "Check the SSL keys.", 0.0, "SSL keys"),
    ("en", "root", "Run it as a non-root user.", 0.0, "non-root"),
    ("nl", "knop Opslaan", "Klik op Opslaan.", 1.0, "Opslaan"),
    ("nl", "Opslaan", "Klik op de Opslaan-knop.", 1.0, "Opslaan"),
    ("nl", "tabblad Betaling", "Open het tabblad Salaris.", 0.0, None),
    ("nl", "Definitief maken", "Klik op Tijdelijk maken.", 0.0, "Tijdelijk maken"),
    ("nl", "Definitief maken", "Maak de loonrun definitief.", 0.5, "Maak de loonrun definitief"),
    # Dutch words
    ("nl", "E-mailadres", "Vul het e-mail adres in.", 1.0, "e-mail adres"),
    ("nl", "btw-aangifte", "Open de btw aangifte.", 1.0, "btw aangifte"),
    ("nl", "loonaangifte", "Open de aangifte.", 0.0, None),
    ("nl", "foto's", "Voeg de foto’s toe.", 1.0, "foto’s"),
    ("nl", "één reünie", "Kies één reünie.", 1.0, "één reünie"),
    ("nl", "één reünie", "Kies één reünie.", 1.0, "één reünie"),
    ("nl", "één", "Kies een rij.", 0.0, None),
    ("nl", "...", "Wacht...", 0.0, None),
]


@pytest.mark.parametrize(
    ("code", "term", "text", "degree", "found", "at"), [(*case, None)[:6] for case in CASES]
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
