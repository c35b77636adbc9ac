"""What was scored is kept within bounds, and without texts unless told."""

from __future__ import annotations

import json
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from datetime import date, timedelta
from functools import partial

import pytest

from klopt.errors import InputError
from klopt.records import Page
from klopt.report.scored import AskedRow, ScoredRow
from klopt.watching.growing import Position
from klopt.watching.keeping import Keeper
from klopt.watching.store import Bounds, Store
from tests.report.scored_log import ANSWER, QUESTION, place, scored, statement, unsupported

TODAY = date(2026, 11, 23)


def answer(store: Store, number: int, day: date = TODAY):
    passage = place("Dat duurt 30 minuten.", "kaarten.md")
    strange = place("Woorden van iemand.", "context-1")
    said = f"{ANSWER} {number}"
    row = scored(
        f"n{number}",
        explanation=said,
        measurements={"components_defined": {"value": 0.0, "evidence": [unsupported(said)]}},
        statements=[
            statement(said, "contradicted", fault=True, passage=passage),
            statement(said, "not_stated", passage=strange),
        ],
    )
    asked = AskedRow(f"{QUESTION} {number}", said, day)
    key = store.key_of(f"n{number}", asked.question, asked.answer)
    return key, ScoredRow.from_mapping(row), asked


PAGES = {"kaarten.md": Page(" " * 40 + "Dat duurt 30 minuten.", "kaarten.md")}


def test_a_page_that_only_bears_the_name_of_a_known_one_leaves_no_word(tmp_path):
    store = Store(tmp_path / "kept", Bounds(), PAGES)
    for number, text in enumerate(["Woorden van iemand.", "Dat duurt 30 minuten, Jan."]):
        stated = [statement(ANSWER, "not_stated", passage=place(text, "kaarten.md"))]
        row = ScoredRow.from_mapping(scored(f"n{number}", statements=stated))
        store.add([(f"{number}".encode(), row, AskedRow(QUESTION, ANSWER, TODAY))])
    written = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    assert b"iemand" not in written
    assert b"Jan" not in written


@pytest.mark.parametrize("with_texts", [False, True])
def test_no_word_of_an_answer_is_in_the_file_unless_told(tmp_path, with_texts):
    store = Store(tmp_path / "kept", Bounds(with_texts=with_texts), PAGES)
    store.add([answer(store, 1)])
    written = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    for text in (QUESTION, ANSWER, "Woorden van iemand"):
        assert (text.encode() in written) == with_texts
    assert b"Dat duurt 30 minuten." in written
    ((_, row, asked),) = store.answers()
    assert row.pages == ("kaarten.md", "context-1")
    assert [one.fault for one in row.statements] == [True, False]
    assert asked.question.startswith("#") != with_texts
    assert (asked.answer == f"{ANSWER} 1") == with_texts


def test_the_same_question_has_one_mark_in_a_file_and_another_in_another(tmp_path):
    marks = []
    for name in ("one", "two"):
        store = Store(tmp_path / name, Bounds())
        store.add([answer(store, 1), answer(store, 2)])
        _, row, asked = answer(store, 1)
        store.add([(b"other", row, AskedRow(asked.question.upper(), "", TODAY))])
        marks.append([asked.question for _, _, asked in store.answers()])
    assert marks[0][0] == marks[0][2] != marks[0][1]
    assert set(marks[0]).isdisjoint(marks[1])


def test_what_is_too_old_or_too_much_goes_and_an_answer_stands_there_once(tmp_path):
    store = Store(tmp_path / "kept", Bounds(days=3, row_count=40))
    store.add([answer(store, number, TODAY - timedelta(number % 5)) for number in range(50)])
    store.add([answer(store, number) for number in range(50)])
    assert len([*store.answers()]) == 50
    assert store.prune(TODAY)
    days = [asked.day for _, _, asked in store.answers()]
    assert min(days) == TODAY - timedelta(2)
    assert len(days) == 30
    assert not store.prune(TODAY)
    store.add([answer(store, number) for number in range(50, 61)])
    assert store.prune(TODAY)
    kept = [row.id for _, row, _ in store.answers()]
    assert len(kept) == 38
    assert kept[-11:] == [f"n{number}" for number in range(50, 61)]


def test_answers_and_position_are_written_together_or_not_at_all(tmp_path):
    store = Store(tmp_path / "kept", Bounds())
    with pytest.raises(InputError, match="cannot be read or written"):
        store.add([answer(store, 1)], Position("a.jsonl", 7, 1, 0, None))  # type: ignore[arg-type]
    assert ([*store.answers()], store.positions()) == ([], [])
    store.add([answer(store, 1)], Position("a.jsonl", 7, 1, 0, b"x"))
    again = Store(tmp_path / "kept", Bounds())
    assert again.positions() == [Position("a.jsonl", 7, 1, 0, b"x")]
    assert again.has(answer(again, 1)[0])
    assert not again.has(answer(again, 2)[0])


def test_processes_that_begin_a_file_at_one_time_share_it(tmp_path):
    for number in range(5):
        begins = [partial(Store, tmp_path / f"kept{number}", Bounds())] * 4
        with ThreadPoolExecutor(4) as threads:
            stores = [*threads.map(lambda begin: begin(), begins)]
        assert len({store.key_of("n1", QUESTION, ANSWER) for store in stores}) == 1


@pytest.mark.parametrize("with_texts", [False, True])
def test_names_are_kept_as_far_as_they_are_shown(tmp_path, with_texts):
    store = Store(tmp_path / "kept", Bounds(with_texts=with_texts))
    long = "n" * 100_000
    passage = place("Dat duurt 30 minuten.", long)
    row = scored(long, statements=[statement(ANSWER, "not_stated", passage=passage)])
    store.add([(b"key", ScoredRow.from_mapping(row), AskedRow(QUESTION, ANSWER, TODAY))])
    assert sum(file.stat().st_size for file in tmp_path.iterdir()) < 100_000
    ((_, kept, _),) = store.answers()
    assert kept.id == kept.pages[0] == "n" * 200


DAMAGE = {
    "no secret": "DELETE FROM secret",
    "no JSON": "UPDATE answer SET row = '{'",
    "no row": "UPDATE answer SET row = '{}'",
    "no day": "UPDATE answer SET day = '2026-13-99'",
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_file_is_told_by_its_name(tmp_path, damage):
    path = tmp_path / "kept"
    store = Store(path, Bounds())
    store.add([answer(store, 1)])
    store.close()
    with sqlite3.connect(path) as other:
        other.execute(DAMAGE[damage])
    with pytest.raises(InputError, match="kept: cannot be read or written"):
        list(Store(path, Bounds()).answers())


def test_what_cannot_be_kept_costs_no_other(tmp_path, caplog):
    keeper = Keeper(Store(tmp_path / "kept", Bounds()))
    for number, line in enumerate([b"{", b"{}", json.dumps(scored("n1")).encode()]):
        keeper.keep([json.dumps({"question": QUESTION, "answer": str(number)}).encode()], line)
    keeper.close()
    assert [row.id for _, row, _ in Store(tmp_path / "kept", Bounds()).answers()] == ["n1"]
    assert [record.getMessage()[:20] for record in caplog.records] == ["1 rows were not kept"] * 2


def test_a_file_of_somebody_else_is_left_alone(tmp_path):
    path = tmp_path / "other.sqlite"
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE entry (a)")
    before = path.read_bytes()
    with pytest.raises(InputError, match="name another file with --keep"):
        Store(path, Bounds())
    assert path.read_bytes() == before
    Store(tmp_path / "computed", Bounds()).close()
    with sqlite3.connect(tmp_path / "computed") as other:
        other.execute("CREATE TRIGGER t AFTER INSERT ON answer BEGIN DELETE FROM answer; END")
    with pytest.raises(InputError, match="name another file with --keep"):
        Store(tmp_path / "computed", Bounds())
    path.write_text("geen sqlite " * 100, "utf-8")
    with pytest.raises(InputError, match="cannot be read or written"):
        Store(path, Bounds())
