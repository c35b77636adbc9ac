"""Many texts in few requests: what travels together, and what of it is read."""

from __future__ import annotations

import pickle
from dataclasses import replace
from itertools import pairwise

import pytest
from deep_translator.constants import MY_MEMORY_LANGUAGES_TO_CODES
from hypothesis import given
from hypothesis import strategies as st

from klopt.errors import ConfigurationError, TranslationError
from klopt.translation.translator import UnfinishedError
from klopt.translators.clients import AskingError
from klopt.translators.packing import from_wire, pack, size_bytes, to_wire, translate_all
from klopt.translators.providers import PROVIDERS, provider

SMALL = replace(provider("google"), bytes_per_request=20)


class Asked:
    def __init__(self, **failing):
        self.texts: list[str] = []
        self.failing = failing

    def __call__(self, text):
        self.texts.append(text)
        for word, error in self.failing.items():
            if word in text:
                raise error
        return text.upper()


def unfinished(texts, asked):
    with pytest.raises(UnfinishedError) as caught:
        translate_all(texts, SMALL, asked)
    return caught.value


def test_requests_hold_what_they_may():
    asked = Asked()
    texts = ["een", "twee. drie.", "vier, vijf. zes", "zeven"]
    assert translate_all(texts, SMALL, asked) == {text: text.upper() for text in texts}
    assert asked.texts == ["een\ntwee. drie.", "vier, vijf. zes", "zeven"]


def test_a_sentence_that_is_too_long_stops_no_other():
    asked = Asked()
    batch = unfinished(["een", "twee " * 5, "drie"], asked)
    assert batch.done == {"een": "EEN", "drie": "DRIE"}
    assert batch.reason_code == "too_long"
    assert str(batch) == "google takes 20 bytes at once, and a sentence has more"
    assert pickle.loads(pickle.dumps(batch)).done == batch.done
    assert asked.texts == ["een\ndrie"]


@pytest.mark.parametrize("reason", ["empty", "bad_reply"])
def test_a_text_that_fails_by_itself_stops_no_other_and_the_first_problem_is_told(reason):
    asked = Asked(twee=AskingError(reason, "first"), vier=AskingError("empty", "second"))
    batch = unfinished(["een", "twee", "drie", "vier"], asked)
    assert batch.done == {"een": "EEN", "drie": "DRIE"}
    assert (batch.reason_code, batch.message) == (reason, "first")
    assert asked.texts == ["een\ntwee\ndrie\nvier", "een", "twee", "drie", "vier"]


@pytest.mark.parametrize("reason", ["no_network", "quota", "refused", "server", "timeout"])
def test_a_translator_that_fails_is_not_asked_on(reason):
    asked = Asked(twee=TranslationError(reason, "orlinde"))
    batch = unfinished(["een" * 5, "twee" * 4, "drie" * 4], asked)
    assert batch.done == {"een" * 5: "EEN" * 5}
    assert batch.reason_code == reason
    assert asked.texts == ["een" * 5, "twee" * 4]


def test_marks_that_got_lost_are_no_other_order():
    asked = []

    def without(text):
        asked.append(text)
        return text.replace("[X1X]", "x")

    assert translate_all(["a ⟦1⟧", "b"], SMALL, without) == {"a ⟦1⟧": "a x", "b": "b"}
    assert asked == ["a [X1X]\nb"]


@given(st.lists(st.text("aé", min_size=1, max_size=9), max_size=12, unique=True), st.integers(18))
def test_requests_hold_every_text_once_and_fit(texts, limit):
    requests = pack({text: text for text in texts}, limit, True)
    assert [text for request in requests for text in request] == texts
    assert all(size_bytes("\n".join(request)) <= limit for request in requests)
    for request, following in pairwise(requests):
        assert size_bytes("\n".join((*request, following[0]))) > limit


@pytest.mark.parametrize(
    ("text", "wired"),
    [
        ("Klik op ⟦1⟧ en ⟦12⟧.", "Klik op [X1X] en [X12X]."),
        ("⟦1⟧⟦2⟧", "[X1X][X2X]"),
        ("Lijst [1] en [X].", "Lijst [1] en [X]."),
        ("⟦01⟧ ⟦0⟧ ⟦١⟧", "⟦01⟧ ⟦0⟧ ⟦١⟧"),
        ("half \ud800 teken", "half \ufffd teken"),
    ],
)
def test_what_travels(text, wired):
    assert to_wire(text) == wired


@pytest.mark.parametrize(
    ("reply", "read"),
    [
        ("Click [X1X].", "Click ⟦1⟧."),
        ("Click [x1x].", "Click ⟦1⟧."),
        ("Click [ X 1 X ].", "Click ⟦1⟧."),
        ("Click ［Ｘ１Ｘ］.", "Click ⟦1⟧."),
        ("Click[X1X]or[X2X]", "Click⟦1⟧or⟦2⟧"),
        ("Click [X1X] and [X1X].", "Click ⟦1⟧ and ⟦1⟧."),
        *((one, one) for one in ("X1X", "[1]", "[X1]", "[Y1Y]", "(X1X)", "[X1X", "[X\n1X]")),
        ("Click [X12345X].", "Click [X12345X]."),
    ],
)
def test_what_is_read(reply, read):
    assert from_wire(reply) == read


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("Google", "there is no translator 'Google', did you mean 'google'? known are "),
        ("mymemry", "there is no translator 'mymemry', did you mean 'mymemory'? known are "),
        ("bing", "there is no translator 'bing'; known are "),
    ],
)
def test_a_name_that_is_not_there(name, message):
    with pytest.raises(ConfigurationError) as caught:
        provider(name)
    assert str(caught.value) == message + "deepl, google, libretranslate, microsoft, mymemory"


def test_languages_of_mymemory_are_those_of_its_class():
    codes = set(provider("mymemory").languages.values())
    assert codes <= set(MY_MEMORY_LANGUAGES_TO_CODES.values())


@pytest.mark.parametrize("name", PROVIDERS)
def test_each_is_whole(name):
    one = provider(name)
    assert one.address.startswith("https://")
    assert 0 < one.bytes_per_request < 5_000
    assert one.seconds_between_requests > 0
    assert (one.key == "none") == (one.key_variable is None)
