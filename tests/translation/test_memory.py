"""The memory: what is found, what replaces what, and what another process does meanwhile."""

from __future__ import annotations

import multiprocessing
import os
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from klopt.errors import InputError
from klopt.translation import memory as memory_room
from klopt.translation.memory import Entry, Memory


def entry(source, target, provider="trusted", origin=""):
    return Entry("nl", "en", provider, source, target, origin)


ENTRIES = (
    entry("Bewaar.", "Save."),
    entry("Bewaar.", "Keep.", "google"),
    entry("Klik op ⟦1⟧.", "Click ⟦1⟧."),
    Entry("en", "nl", "trusted", "Save.", "Bewaar."),
)
BOTH = ("trusted", "google")


@pytest.fixture
def path(tmp_path):
    return tmp_path / "nl-en.tm"


@pytest.fixture
def memory(path):
    with Memory.open(path, create=True) as memory:
        yield memory


def targets(memory, texts, providers=BOTH, source="nl", target="en"):
    return [entry and entry.target for entry in memory.find(texts, source, target, providers)]


@pytest.mark.parametrize(
    ("texts", "providers", "found"),
    [
        (["Bewaar.", "Weg.", "Bewaar."], ["trusted", "google"], ["Save.", None, "Save."]),
        (["Bewaar."], ["google", "trusted"], ["Keep."]),
        (["Bewaar."], ["deepl", "google"], ["Keep."]),
        (["Bewaar."], ["deepl"], [None]),
        (["Bewaar."], [], [None]),
        ([], ["trusted"], []),
        (["a\0b", "a", "a\0"], ["trusted"], ["c\0d", None, None]),
    ],
)
def test_what_is_found_of_the_first_provider_that_has_it(memory, texts, providers, found):
    memory.add([entry("Bewaar.", "Keep.", "google"), entry("Bewaar.", "Save.")])
    memory.add([entry("a\0b", "c\0d")])
    assert targets(memory, texts, providers) == found


@pytest.mark.parametrize(
    ("text", "source", "target"),
    [("bewaar.", "nl", "en"), ("Bewaar", "nl", "en"), ("Bewaar.", "en", "nl"),
     ("Bewaar.", "nl", "de"), ("Bewaar. ", "nl", "en"), ("Bewaar.\0", "nl", "en")],
)  # fmt: skip
def test_what_differs_in_one_character_or_in_its_languages_is_not_found(
    memory, text, source, target
):
    memory.add([entry("Bewaar.", "Save.")])
    assert targets(memory, [text], source=source, target=target) == [None]


def test_a_lone_surrogate_is_never_found_and_not_kept(memory):
    lone = "Klik \ud800 hier"
    assert memory.add([entry(lone, "Click"), entry("Klik", lone), entry("Bewaar", "Save")]) == 1
    assert targets(memory, [lone, "Bewaar"], ["\ud800", "trusted"]) == [None, "Save"]


@given(st.lists(st.tuples(st.text(), st.text()), max_size=8))
@settings(max_examples=40)
def test_any_text_comes_back(tmp_path_factory, texts):
    path = tmp_path_factory.mktemp("memory") / "a.tm"
    kept = dict(texts)
    with Memory.open(path, create=True) as memory:
        memory.add(entry(source, target) for source, target in texts)
        assert {entry.source: entry.target for entry in memory.entries()} == kept
        assert targets(memory, list(kept)) == list(kept.values())


# add


@pytest.mark.parametrize(
    ("first", "second", "count", "target"),
    [
        (("trusted", "Save."), ("trusted", "Keep."), 1, "Keep."),
        (("trusted", "Save."), ("trusted", "Save."), 0, "Save."),
        (("google", "Save."), ("google", "Keep."), 0, "Save."),
        (("trusted", "Save."), ("google", "Keep."), 1, "Save."),
        (("google", "Save."), ("trusted", "Keep."), 1, "Keep."),
    ],
)
def test_what_takes_the_place_of_what(memory, first, second, count, target):
    assert memory.add([entry("Bewaar.", first[1], first[0])]) == 1
    assert memory.add([entry("Bewaar.", second[1], second[0])]) == count
    assert targets(memory, ["Bewaar."]) == [target]


def test_the_origin_changes_only_with_the_translation_and_is_mended(memory):
    for target, origin, kept in (("Save.", "a.po", "a.po"), ("Save.", "b.po", "a.po"),
                                 ("Keep.", "\udce9.po", "?.po")):  # fmt: skip
        memory.add([entry("Bewaar.", target, origin=origin)])
        assert [entry.origin for entry in memory.entries()] == [kept]


STOP = (
    "CREATE TRIGGER stop BEFORE INSERT ON entry WHEN new.source = 'x' "
    "BEGIN SELECT RAISE(ABORT, 'no'); END"
)


def test_nothing_is_kept_of_what_breaks_off(memory, path):
    def broken_off():
        yield entry("Nieuw.", "New.")
        raise KeyboardInterrupt

    memory.add(ENTRIES)
    before = memory.digest("nl", "en", BOTH)
    with pytest.raises(KeyboardInterrupt):
        memory.add(broken_off())
    with closing(sqlite3.connect(path)) as other:
        other.execute(STOP)
    with pytest.raises(sqlite3.IntegrityError):
        memory.add([entry("Nieuw.", "New."), entry("x", "y")])
    assert list(memory.entries()) == sorted(ENTRIES)
    assert memory.digest("nl", "en", BOTH) == before
    assert memory.add([entry("Nieuw.", "New.")]) == 1


# digest


def test_digest_of_nothing_is_zeros(memory):
    assert memory.digest("nl", "en", BOTH) == "0" * 64
    assert memory.digest("nl", "en", ()) == memory.digest("nl", "en", BOTH)


@given(st.permutations(ENTRIES), st.integers(0, 4))
@settings(max_examples=20)
def test_digest_does_not_tell_the_order_the_file_or_the_origin(tmp_path_factory, entries, cut):
    folder = tmp_path_factory.mktemp("digest")
    digests = set()
    for name, origin in (("a.tm", ""), ("b.tm", "x.po")):
        with Memory.open(folder / name, create=True) as memory:
            for part in (entries[:cut], entries[cut:]):
                memory.add(replace(entry, origin=origin) for entry in part)
            digests.add(memory.digest("nl", "en", BOTH[:: 1 if origin else -1]))
    with Memory.open(folder / "c.tm", create=True) as memory:
        memory.add(ENTRIES)
        digests.add(memory.digest("nl", "en", BOTH))
    assert len(digests) == 1


@pytest.mark.parametrize(
    ("more", "changes"),
    [
        (entry("Nieuw.", "New."), True),
        (entry("Bewaar.", "Store."), True),
        (entry("Nieuw.", "New.", "google"), True),
        (entry("Nieuw.", "New.", "deepl"), False),
        (Entry("en", "nl", "trusted", "New.", "Nieuw."), False),
        (entry("Bewaar.", "Save.", origin="z"), False),
    ],
)
@pytest.mark.parametrize("elsewhere", [False, True])
def test_digest_follows_what_is_added_here_or_elsewhere(memory, path, more, changes, elsewhere):
    memory.add(ENTRIES)
    before = memory.digest("nl", "en", BOTH)
    assert memory.digest("nl", "en", BOTH) == before
    if elsewhere:
        with Memory.open(path, create=False) as other:
            other.add([more])
    else:
        memory.add([more])
    assert (memory.digest("nl", "en", BOTH) != before) == changes
    with Memory.open(path, create=False) as anew:
        assert anew.digest("nl", "en", BOTH) == memory.digest("nl", "en", BOTH)


def test_digest_tells_where_a_text_ends(tmp_path):
    digests = set()
    for name, texts in (("a", ("ab", "c")), ("b", ("a", "bc")), ("c", ('a", "b', "c"))):
        with Memory.open(tmp_path / name, create=True) as memory:
            memory.add([entry(*texts)])
            digests.add(memory.digest("nl", "en", BOTH))
    assert len(digests) == 3


def test_counts(memory):
    assert memory.counts() == {}
    memory.add(ENTRIES)
    assert memory.counts() == {
        ("en", "nl", "trusted"): 1, ("nl", "en", "google"): 1, ("nl", "en", "trusted"): 2,
    }  # fmt: skip


# threads and processes


def test_threads_share_one_memory(memory):
    def work(number):
        for place in range(20):
            memory.add([entry(f"{number} {place}", "x")])
            assert targets(memory, [f"{number} {place}"]) == ["x"]
            memory.digest("nl", "en", BOTH)

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(work, range(4))) == [None] * 4
    assert memory.counts() == {("nl", "en", "trusted"): 80}


WRITER = """
import sys
from pathlib import Path
from klopt.translation.memory import Entry, Memory
with Memory.open(Path(sys.argv[1]), create=True) as memory:
    for place in range(40):
        memory.add([Entry("nl", "en", "trusted", f"{sys.argv[2]} {place}", "x")])
"""


def test_processes_write_into_one_file_that_none_of_them_found(path):
    command = sys.executable, "-c", WRITER, path
    writers = [subprocess.Popen([*command, number]) for number in ("1", "2")]
    assert [writer.wait(60) for writer in writers] == [0, 0]
    with Memory.open(path, create=False, read_only=True) as memory:
        assert memory.counts() == {("nl", "en", "trusted"): 80}


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system does not fork")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_forked_process_opens_the_file_anew(memory):
    memory.add([entry("Bewaar.", "Save.")])
    memory.digest("nl", "en", BOTH)
    process = multiprocessing.get_context("fork").Process(target=_in_child, args=(memory,))
    process.start()
    process.join(60)
    assert process.exitcode == 0
    assert targets(memory, ["Kind.", "Bewaar."]) == ["Child.", "Save."]


def _in_child(memory):
    assert targets(memory, ["Bewaar."]) == ["Save."]
    memory.add([entry("Kind.", "Child.")])
    assert memory.digest("nl", "en", BOTH)


KILLED = """
import os, sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("PRAGMA cache_size = 1")
connection.execute("BEGIN IMMEDIATE")
rows = (("nl", "en", "trusted", f"Half {n}", "x" * 500, "") for n in range(2000))
connection.executemany("INSERT INTO entry VALUES (?, ?, ?, ?, ?, ?)", rows)
os.kill(os.getpid(), 9)
"""


@pytest.mark.parametrize("read_only", [True, False])
def test_what_a_killed_process_left_is_undone(path, read_only):
    with Memory.open(path, create=True) as memory:
        memory.add([entry("Bewaar.", "Save.")])
    run = subprocess.run([sys.executable, "-c", KILLED, str(path)], check=False)
    assert run.returncode == -9
    assert path.with_name(f"{path.name}-journal").stat().st_size > 0
    with Memory.open(path, create=False, read_only=read_only) as memory:
        assert list(memory.entries()) == [entry("Bewaar.", "Save.")]


def test_a_process_that_writes_all_the_time_is_told(path, monkeypatch):
    Memory.open(path, create=True).close()
    monkeypatch.setattr(memory_room, "BUSY_SECONDS", 0.05)
    with (
        closing(sqlite3.connect(path, isolation_level=None)) as other,
        Memory.open(path, create=False) as memory,
    ):
        other.execute("BEGIN IMMEDIATE")
        assert targets(memory, ["Bewaar."]) == [None]
        with pytest.raises(InputError) as told:
            memory.add([entry("Bewaar.", "Save.")])
        other.execute("ROLLBACK")
        assert memory.add([entry("Bewaar.", "Save.")]) == 1
    assert str(told.value) == (
        f"{path}: another process has been writing to this memory for 0.05 seconds; try again "
        "when it is done"
    )
