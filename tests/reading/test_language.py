"""The vote on the language: the case table, and what holds for any text."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from klopt import Page, lexicons
from klopt.reading.reader import READ_CHARS, settled, vote
from tests.tables import tables

CASES: list[dict[str, Any]] = tables("reading", "language")["case"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["text"][:40])
def test_case(case: dict[str, Any]) -> None:
    assert vote([case["text"]]).language == (case["language"] or None)


def test_reasons() -> None:
    assert vote([]).reason == "there are no letters"
    assert vote(["1 + 1"]).reason == "there are no letters"
    assert vote(["Как изменить пароль?"]).reason == "most letters are not Latin"
    assert vote(["Settings"]).reason == "too few words of it tell the language"
    assert vote(["Wie kann ich das ändern?"]).reason == "reads like another language: de"
    assert vote(["can kan"]).reason == "undecided between en and nl"


def test_texts_vote_together() -> None:
    assert vote(["Settings?", "Klik op Settings."]).language == "nl"


def test_only_the_start_votes() -> None:
    start = "Dit is hier te vinden. ".ljust(READ_CHARS, "x")
    assert vote([start + " the of and you with from" * 500]).language == "nl"


@given(texts=st.lists(st.text(max_size=100), max_size=4))
def test_any_text(texts: list[str]) -> None:
    result = vote(texts)
    assert result == vote(texts)
    assert (result.language is None) == (result.reason is not None)
    assert result.language in (None, *lexicons.languages())
    assert all(0 < share <= 1 for _, share in result.shares)
    assert not result.shares or abs(sum(share for _, share in result.shares) - 1) < 1e-9
    assert [s for _, s in result.shares] == sorted((s for _, s in result.shares), reverse=True)


@pytest.mark.parametrize(
    ("texts", "page", "language"),
    [
        (["Wat kost Plus?", "€ 0,39 per kWh."], "Met Plus laadt u het hele jaar.", "nl"),
        (["Hoeveel kW is de Volt 11?", "De Volt 11 levert 11 kW."], "Op de paal zit 5 jaar.", "nl"),
        (["can kan"], "You can change it in the settings.", "en"),
        (["can kan"], "Puede cambiar la contraseña en el menú.", None),
        (["Wie kann ich das ändern?"], "U kunt het wijzigen in het menu.", None),
        (["1 + 1"], "U kunt het wijzigen in het menu.", None),
    ],
)
def test_pages_settle_what_may_be_their_language(
    texts: list[str], page: str, language: str | None
) -> None:
    voted = vote(texts)
    assert voted.language is None
    assert settled(voted, [Page(page)]) == language
    html = f"<html><head><style>{'the of and you ' * 400}</style></head><p>{page}</p></html>"
    assert settled(voted, [Page(html)]) == language
    assert settled(voted, []) is None
