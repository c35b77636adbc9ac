from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from klopt.translators.packing import cut, lines, pack, size_bytes


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
