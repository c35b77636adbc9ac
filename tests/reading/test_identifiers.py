"""What only can be copied: found where it is, left alone where it may be something else."""

from __future__ import annotations

import pytest

from klopt.reading.identifiers import identifiers, keys_of


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Bel 088-5550123.", ["088-5550123"]),
        ("Bel (088) 555 01 23 of +31 6 12345678", ["(088) 555 01 23", "+31 6 12345678"]),
        ("Mail hulp@acme.nl of a.b+c@x-y.co.uk.", ["hulp@acme.nl", "a.b+c@x-y.co.uk"]),
        ("Fout E07, T12, LN-2047 en E\u2011404.", ["E07", "T12", "LN-2047", "E\u2011404"]),
    ],
)
def test_what_is_one(text: str, found: list[str]) -> None:
    assert [text[span.start : span.end] for span, _ in identifiers(text)] == found


@pytest.mark.parametrize(
    "text",
    [
        "van 09.00-17.00 uur", "van 09.00 - 17.00 uur", "09:00-17:30", "vanaf 01 12 2026",
        "01-12-2026 12:00 uur", "tot 01-12-2026 (10 dagen)", "2026-12-01", "01/01/2026 - 31/12",
        "EUR25 en USD100", "JAN2026", "+100.000.000", "€ 10.000.000", "010.020.030.040",
        "npm@10.2.0", "01 2345\n02 3456", "KvK 12345678", "F5 en Alt+F4", "0900-1234", "B2B",
    ],
)  # fmt: skip
def test_what_is_none(text: str) -> None:
    assert list(identifiers(text)) == []


@pytest.mark.parametrize(
    ("answer", "page", "is_there"),
    [
        ("088-5550123", "Tel. +31 88 555 01 23", True),
        ("088-5550123", "Tel. 088\u20135550123", True),
        ("088-5550123", "Tel. 088-5550132", False),
        ("088-5550123", "Artikel 1088, 5550123 stuks", False),
        ("info@acme.nl", "INFO@acme.nl", True),
        ("info@acme.nl", "klanteninfo@acme.nl", False),
        ("info@acme.nl", "info@acme.nl.evil.com", False),
        ("E-404", "fout e404, of E 404", True),
        ("E-404", "Fout E-4041", False),
        ("LN-2047", "De LN-2041", False),
    ],
)
def test_whether_a_page_has_it(answer: str, page: str, is_there: bool) -> None:
    ((_, key),) = identifiers(answer)
    assert (key in keys_of([page])) == is_there
