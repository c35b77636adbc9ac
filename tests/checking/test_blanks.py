"""A case table of what has a key term and what only looks like it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from klopt.checking.blanks import locate, matches, matches_as_published
from klopt.reading.text import Span

HAS: dict[str, list[str]] = {
    "httpd.conf": [
        "httpd.conf",
        "HTTPD.CONF",
        "conf/httpd.conf",
        "the httpd.conf file",
        "httpd.conf.",
        "`httpd.conf`",
        "**httpd.conf**,",
        "open httpd.conf: the settings",
        "\u200bhttpd.conf\u00a0",
    ],
    "orl.properties file": ["orl.properties"],
    "file orl.properties": ["the orl.properties"],
    "bestand orl.ini": ["orl.ini"],
    "het bestand orl.ini": ["orl.ini-bestand orl.ini"],
    "conf/orl.ini": [r"conf\orl.ini"],
    r"C:\orl\bin": ["c:/orl/bin/", r"C:\\orl\\bin"],
    "/opt/orl/": ["/opt/orl"],
    "/opt/orl": ["(/opt/orl)", "map /opt/orl/, dan"],
    "http://help.orlinde.example/a": ["http://help.orlinde.example/a."],
    "5.0.0.8": ["5.0.0.8 or later", "v5.0.0.8 is 5.0.0.8"],
    "v10.0.0.9": ["V10.0.0.9+"],
    "9.7": ["version 9.7."],
    "9.8": ["not 9.7 but 9.8"],
    "1200": ["1200 seconds"],
    "8080": ["localhost:8080"],
    "30": ["maxUsers=30"],
    "maxUsers=30": ["maxUsers = 30"],
    'mode: "fit"': ["mode: fit"],
    "max_users": ["wad.ini (max_users)"],
    "$ORL_HOME/bin": ["$ORL_HOME/bin"],
    "ORL_HOME": ["$ORL_HOME"],
    "#1358": ["1358"],
    "netstat -tulnp": ["`netstat   -tulnp`", "sudo netstat -tulnp | grep 80"],
    "-v": ["orlinde -v"],
    "gtk+": ["GTK+"],
    "C#": ["c#"],
    "Instellingen": [
        "'Instellingen'",
        "*Instellingen*",
        "‘Instellingen’",
        "het tabblad Instellingen",
    ],
    "Bestand > Opslaan": ["Bestand → Opslaan"],
    "Save": ["Save."],
    "Save tab": ["the Save"],
    "the Save button": ["Save"],
    "Save button": ["Save knop"],
    "Save folder": ["Save directory"],
    "User Start call": ["the User Start"],
    "Key Safe Kit (KSKit)": ["KSKit", "the Key Safe Kit"],
    "KSK (Key Safe Kit)": ["Key Safe Kit"],
    "Key Safe Kit": ["Key Safe Kit (KSK)"],
    "users' guide": ["users’ guide"],
    "één map": ["één map"],
    "één": ["e\u0301e\u0301n"],
    "f(x, y)": ["f(x,y)"],
    "non-root": ["a non-root user"],
    "wait-free": ["wait‑free"],
    "Orlinde®": ["Orlinde"],
    "never": ["never"],
    "do not save": ["do not save"],
}

LACKS: dict[str, list[str]] = {
    "httpd.conf": [
        "",
        " \n",
        "Unanswerable",
        "httpd.cfg",
        "httpd.conf.bak",
        "my-httpd.conf",
        "myhttpd.conf",
        "httpd",
    ],
    "": ["httpd.conf"],
    "conf/httpd.conf": ["httpd.conf"],
    "/etc/orl": ["/etc/orl/orl.ini"],
    "/lib": ["/usr/lib"],
    "/orl": ["C:/orl"],
    "a/b": ["a/b/c"],
    "http://a.example/b": ["https://a.example/b", "http://a.example/b?lang=en"],
    "1": ["10.1.2", "10", "1,200"],
    "9.7": ["9.7.0.1", "19.7", "8.9.7", "not 9.7", "niet versie 9.7", "instead of 9.7"],
    "9.7.0.1": ["9.7"],
    "8.5.0.0": ["8.5"],
    "10.2.1 FP1": ["10.2.1"],
    "50": ["1,50"],
    "30": ["30-40"],
    "root": ["non-root", "zonder root"],
    "-v": ["--v", "-vv"],
    "verbose": ["--verbose"],
    "netstat -tulnp": ["netstat -anp", "netstat"],
    "gtk": ["gtk+"],
    "gtk+": ["gtk"],
    "C": ["C#"],
    "C#": ["C"],
    "max_users": ["max_users_count"],
    "timeout": ["orl.timeout"],
    "orl.timeout": ["timeout"],
    "Save tab": ["Save button"],
    "Save file": ["Save as"],
    "het tabblad Saldo": ["de knop Saldo"],
    "Class Definition": ["Definition"],
    "Override Session": ["Session"],
    "Key Safe Kit (KSKit)": ["Key Safe"],
    "Key Safe Kit (see below)": ["see below"],
    "Reinsert": ["Insert"],
    "Instellingen": ["Instelling", "Netwerkinstellingen"],
    "user@orl": ["user"],
    "Save": ["w " * 40 + "Save"],
}


@pytest.mark.parametrize(("table", "has"), [(HAS, True), (LACKS, False)])
def test_who_has_the_term(table: dict[str, list[str]], has: bool):
    wrong = [
        (one, fill) for one, fills in table.items() for fill in fills if matches(one, fill) != has
    ]
    assert wrong == []


@pytest.mark.parametrize(
    ("text", "answer", "span"),
    [
        ("save", "Press Save.", Span(6, 10)),
        ("save", "autosave, then save", Span(15, 19)),
        ("save", "autosave", Span(4, 8)),
        ("a  b", "x a\nb", Span(2, 5)),
        ("a.c", "abc a.c", Span(4, 7)),
        ("save", "nothing", None),
        (" ", "nothing", None),
        ("x" * 2001, "x" * 3000, None),
    ],
)
def test_locate(text: str, answer: str, span: Span | None):
    assert locate(text, answer) == span


# As published


@pytest.mark.parametrize(
    ("term", "fill", "matched"),
    [
        ("httpd.conf", "", True),
        ("httpd.conf", "HTTPD . conf", True),
        ("10.1.2", "1", True),
        ("1", "10.1.2", True),
        ("**Save**", "_save_.", True),
        ("Save", "Unanswerable", False),
        ("httpd.conf", "httpd.cfg", False),
        ("a-b", "ab", False),
    ],
)
def test_published_rule(term: str, fill: str, matched: bool):
    assert matches_as_published(term, fill) is matched


@pytest.mark.parametrize("piece", [" ", ".", "_", "*a ", "(", "not 9.7 ", "/", "= ", "'", "a (B"])
def test_long_hostile_fills_are_answered(piece: str):
    fill = piece * (100_000 // len(piece)) + "x"
    assert not matches("9.7", fill)
    assert not matches(fill, "9.7")
    assert matches_as_published("9.7", fill) is ("9.7" in fill)


@given(st.lists(st.sampled_from(["orl.ini", "/opt/orl", "9.7", "--all", "één", "x=1", "the"])))
def test_a_term_matches_itself_and_nothing_blank(words: list[str]):
    term = " ".join(words)
    for fill in (term, term.upper(), f"`{term}`", f" {term}. ", f"**{term}**", f'"{term}"'):
        assert matches(term, fill) is bool(words)
        assert matches_as_published(term, fill)
    assert not matches(term, " \n")


@given(st.text(max_size=40), st.text(max_size=60))
def test_what_is_located_is_there(text: str, answer: str):
    span = locate(text, answer)
    assert span is None or 0 <= span.start < span.end <= len(answer)
    assert span is not None or not text.strip() or text not in answer
