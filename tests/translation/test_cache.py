"""The translation cache: entries, digest, concurrent use and invalid files."""

import sqlite3
from concurrent.futures import ThreadPoolExecutor

import pytest

from klopt.errors import InputError
from klopt.translation import CacheEntry, TranslationCache
from tests.translation.fakes import entries

PAIRS = [(f"Zin {number}.", f"Sentence {number}.") for number in range(1200)]


@pytest.fixture
def path(tmp_path):
    return tmp_path / "cache.sqlite"


def test_entries_are_found_by_language_and_exact_text(path):
    with TranslationCache(path, create=True) as cache:
        assert cache.add(entries(PAIRS)) == 1200
        assert cache.find([text for text, _ in PAIRS], "nl", "en") == dict(PAIRS)
        assert cache.find(["zin 1.", "Zin 1. ", "Zin \ud800"], "nl", "en") == {}
        assert cache.find(["Zin 1."], "de", "en") == cache.find(["Zin 1."], "nl", "fr") == {}
        assert cache.add([CacheEntry("nl", "en", "Zin \ud800", "x")]) == 0
        assert cache.entries() == sorted(entries(PAIRS))


def test_an_entry_is_kept_unless_replaced(path):
    first, second = (entries([("Klik.", text)]) for text in ("Click.", "Press."))
    with TranslationCache(path, create=True) as cache:
        assert [cache.add(first), cache.add(second), cache.entries()] == [1, 0, first]
        assert [cache.add(second, replace=True), cache.entries()] == [1, second]
        assert cache.add(second, replace=True) == 0


def test_the_digest_depends_on_the_entries_alone(path, tmp_path):
    with (
        TranslationCache(path, create=True) as one,
        TranslationCache(tmp_path / "other.sqlite", create=True) as other,
    ):
        assert one.digest("nl", "en") == "0" * 64
        one.add(entries(PAIRS))
        other.add(reversed(entries(PAIRS)))
        assert one.digest("nl", "en") == other.digest("nl", "en") != "0" * 64
        assert one.digest("de", "en") == "0" * 64
        with TranslationCache(path, create=True) as elsewhere:
            elsewhere.add(entries([("Nieuw.", "New.")]))
        assert one.digest("nl", "en") != other.digest("nl", "en")


def test_threads_and_connections_share_a_file(path):
    with TranslationCache(path, create=True) as one, TranslationCache(path, create=True) as two:

        def add(number):
            return (one, two)[number % 2].add(entries([PAIRS[number // 2]]))

        with ThreadPoolExecutor(4) as pool:
            assert sum(pool.map(add, range(100))) == 50
        assert one.entries() == two.entries() == sorted(entries(PAIRS[:50]))


def test_a_failed_import_stores_nothing(path):
    def broken():
        yield from entries(PAIRS)
        raise RuntimeError

    with TranslationCache(path, create=True) as cache:
        with pytest.raises(RuntimeError):
            cache.add(broken())
        assert cache.entries() == []


def sqlite(path, script):
    connection = sqlite3.connect(path)
    connection.executescript(script)
    connection.close()


VIEW = "CREATE VIEW translations AS SELECT 1 AS source_language"
REFUSED = {
    "missing": (lambda path: None, "no such translation cache"),
    "folder": (lambda path: path.mkdir(), "no such translation cache"),
    "no database": (lambda path: path.write_bytes(b"x" * 5000), "unusable"),
    "other program": (lambda path: sqlite(path, "CREATE TABLE a (b)"), "not a translation cache"),
    "computed": (lambda path: sqlite(path, VIEW), "not a translation cache"),
    "older klopt": (lambda path: sqlite(path, "CREATE TABLE entry (b)"), "older klopt"),
}


@pytest.mark.parametrize("kind", REFUSED)
def test_other_files_are_refused(path, kind):
    make, message = REFUSED[kind]
    make(path)
    with pytest.raises(InputError, match=message):
        TranslationCache(path)
