from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from klopt.errors import TranslationError
from klopt.translators.batches import (
    cut,
    from_wire,
    lines,
    pack,
    size_bytes,
    to_wire,
    translate_all,
)
from klopt.translators.faults import AskingError
from klopt.translators.providers import provider

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


def test_requests_hold_what_they_may():
    asked = Asked()
    texts = ["een", "twee. drie. vier, vijf. zes", "zeven"]
    batch = translate_all(texts, SMALL, asked)
    assert batch.done == {text: text.upper() for text in texts}
    assert list(batch.done) == texts
    assert asked.texts == ["een\ntwee. drie.", "vier, vijf. zes", "zeven"]


@pytest.mark.parametrize("reason", ["empty", "bad_reply"])
def test_a_text_that_fails_by_itself_stops_no_other(reason):
    asked = Asked(twee=AskingError(reason, "orlinde"))
    batch = translate_all(["een", "twee", "drie"], SMALL, asked)
    assert batch.done == {"een": "EEN", "drie": "DRIE"}
    assert batch.problem.reason_code == reason
    assert asked.texts == ["een\ntwee\ndrie", "een", "twee", "drie"]


def test_a_long_text_with_a_part_that_failed_is_not_done():
    asked = Asked(twee=AskingError("refused", "orlinde", about_the_text=True))
    batch = translate_all(["een een een. twee. drie drie drie."], SMALL, asked)
    assert (batch.done, batch.problem.reason_code) == ({}, "refused")


@pytest.mark.parametrize("reason", ["no_network", "quota", "refused", "server", "timeout"])
def test_a_translator_that_fails_is_not_asked_on(reason):
    asked = Asked(twee=TranslationError(reason, "orlinde"))
    batch = translate_all(["een" * 5, "twee" * 4, "drie" * 4], SMALL, asked)
    assert batch.done == {"een" * 5: "EEN" * 5}
    assert batch.problem.reason_code == reason
    assert asked.texts == ["een" * 5, "twee" * 4]


def test_the_first_problem_is_told():
    asked = Asked(twee=AskingError("empty", "first"), drie=AskingError("empty", "second"))
    assert translate_all(["twee", "drie"], SMALL, asked).problem.message == "first"


def test_each_text_has_marks_of_its_own():
    asked = Asked()
    batch = translate_all(["a [x1x] ⟦1⟧", "b ⟦1⟧"], SMALL, asked)
    assert asked.texts == ["a [x1x] [XX1XX]", "b [X1X]"]
    assert batch.done == {"a [x1x] ⟦1⟧": "A [X1X] ⟦1⟧", "b ⟦1⟧": "B ⟦1⟧"}


@pytest.mark.parametrize(
    ("texts", "alone"),
    [
        (["a ⟦1⟧", "b", "c"], True),
        (["a ⟦1⟧", "b", "c ⟦1⟧"], False),  # the same marks stand in the same lines
    ],
)
def test_lines_in_another_order_are_asked_one_by_one(texts, alone):
    asked = []

    def backwards(text):
        asked.append(text)
        return "\n".join(reversed(text.upper().split("\n")))

    batch = translate_all(texts, SMALL, backwards)
    assert (len(asked) > 1) == alone
    assert (batch.done == {text: text.upper() for text in texts}) == alone


def test_marks_that_got_lost_are_no_other_order():
    asked = []

    def without(text):
        asked.append(text)
        return text.replace("[X1X]", "x")

    assert translate_all(["a ⟦1⟧", "b"], SMALL, without).done == {"a ⟦1⟧": "a x", "b": "b"}
    assert asked == ["a [X1X]\nb"]


# Texts and requests


@pytest.mark.parametrize(
    ("text", "limit", "parts"),
    [
        ("Klik hier.", 10, ("Klik hier.",)),
        ("Klik. Wacht! Klaar.", 12, ("Klik. Wacht!", "Klaar.")),
        ("Klik. Wacht! Klaar.", 18, ("Klik. Wacht!", "Klaar.")),
        ("Hij zei: “Klik.” Dan niet", 21, ("Hij zei: “Klik.”", "Dan niet")),
        ("Klik eerst, wacht, en sluit", 20, ("Klik eerst, wacht,", "en sluit")),
        ("Versie 1.2 van de app", 12, ("Versie 1.2", "van de app")),
        ("een twee drie", 9, ("een twee", "drie")),
        ("één twee", 5, ("één", "twee")),
        ("点击这里。等一下。", 15, ("点击这里。", "等一下。")),
        ("Klik op [X1X] nu", 13, ("Klik op [X1X]", "nu")),
        ("Klik op [X1X] nu", 12, ("Klik op", "[X1X] nu")),
        ("aaaaaaaaaaaa", 11, None),
        ("klik aaaaaaaaaaaa", 11, None),
        ("", 1, ("",)),
    ],
)
def test_where_a_text_is_cut(text, limit, parts):
    assert cut(text, limit) == parts


@given(st.text(st.sampled_from("aé。., !\t"), max_size=60), st.integers(1, 20))
def test_parts_fit_and_nothing_is_lost(text, limit):
    text = text.strip()
    parts = cut(text, limit)
    if parts is None:
        return
    assert max(map(size_bytes, parts)) <= limit
    assert "".join("".join(parts).split()) == "".join(text.split())


@pytest.mark.parametrize(
    ("texts", "limit", "several", "requests"),
    [
        (["een", "twee", "drie"], 100, True, ((0, 1, 2),)),
        (["een", "twee", "drie"], 100, False, ((0,), (1,), (2,))),
        (["een", "twee", "drie"], 8, True, ((0, 1), (2,))),
        (["een", "twee", "drie"], 7, True, ((0,), (1,), (2,))),
        (["een", "twee\ndrie", "vier", "vijf"], 100, True, ((0,), (1,), (2, 3))),
        (["een", "twee\u2028drie"], 100, True, ((0,), (1,))),
        ([], 8, True, ()),
    ],
)
def test_what_travels_together(texts, limit, several, requests):
    assert pack(texts, limit, several) == requests


@given(st.lists(st.text("aé", min_size=1, max_size=9), max_size=12), st.integers(18, 40))
def test_requests_hold_every_text_once_and_fit(texts, limit):
    requests = pack(texts, limit, True)
    assert [number for one in requests for number in one] == list(range(len(texts)))
    for one in requests:
        assert size_bytes("\n".join(texts[number] for number in one)) <= limit
    for one, following in pairwise(requests):
        together = [texts[number] for number in (*one, following[0])]
        assert size_bytes("\n".join(together)) > limit


@pytest.mark.parametrize(
    ("reply", "count", "found"),
    [
        ("one\ntwo", 2, ("one", "two")),
        (" one \r\ntwo\n\n", 2, ("one", "two")),
        ("one two", 2, None),
        ("one\n\ntwo", 2, None),
        ("one\n\ntwo", 3, None),
        ("", 1, None),
    ],
)
def test_lines_of_a_reply(reply, count, found):
    assert lines(reply, count) == found


@pytest.mark.parametrize(
    ("text", "wired"),
    [
        ("Klik op ⟦1⟧ en ⟦12⟧.", "Klik op [X1X] en [X12X]."),
        ("⟦1⟧⟦2⟧", "[X1X][X2X]"),
        ("Geen merk.", "Geen merk."),
        ("Lijst [1] en [X].", "Lijst [1] en [X]."),
        ("Lijst [X1X]: ⟦1⟧", "Lijst [X1X]: [XX1XX]"),
        ("Lijst ［ x １ x ］: ⟦1⟧", "Lijst ［ x １ x ］: [XX1XX]"),
        ("Lijst [x1x] [xx1xx]: ⟦1⟧", "Lijst [x1x] [xx1xx]: [XXX1XXX]"),
        ("⟦01⟧ ⟦0⟧ ⟦١⟧", "⟦01⟧ ⟦0⟧ ⟦١⟧"),
        ("half \ud800 teken", "half \ufffd teken"),
    ],
)
def test_what_travels(text, wired):
    assert to_wire(text)[0] == wired


@pytest.mark.parametrize(
    ("reply", "read"),
    [
        ("Click [X1X].", "Click ⟦1⟧."),
        ("Click [x1x].", "Click ⟦1⟧."),
        ("Click [ X 1 X ].", "Click ⟦1⟧."),
        ("Click [X1X ].", "Click ⟦1⟧."),
        ("Click ［Ｘ１Ｘ］.", "Click ⟦1⟧."),
        ("Click[X1X]or[X2X]", "Click⟦1⟧or⟦2⟧"),
        ("Click [X1X] and [X1X].", "Click ⟦1⟧ and ⟦1⟧."),
        ("Click X1X.", "Click X1X."),
        ("Click [1].", "Click [1]."),
        ("Click [X1].", "Click [X1]."),
        ("Click [Y1Y].", "Click [Y1Y]."),
        ("Click (X1X).", "Click (X1X)."),
        ("Click [X1X.", "Click [X1X."),
        ("Click [X\n1X].", "Click [X\n1X]."),
        ("Click [X12345X].", "Click [X12345X]."),
    ],
)
def test_what_is_read(reply, read):
    assert from_wire(reply, 1) == read


@given(st.text(st.sampled_from("[]［］XxＸ １12⟦⟧ a\n\ud800"), max_size=30))
def test_nothing_but_marks_is_changed(text):
    wired, letters_count = to_wire(text)
    assert from_wire(wired, letters_count) == text.replace("\ud800", "\ufffd")
