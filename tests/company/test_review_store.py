"""Ratings on disk: each stored once, and none of others lost."""

import json
from pathlib import Path

import pytest

from klopt.company.review.store import ChangedError, PersonOpinion, Ratings, key_of
from klopt.logs.rows import read_rows

ROW = {
    "id": "7",
    "question": "Kan dat?",
    "answer": "Ja, dat kan.",
    "contexts": ["a.md"],
    "note": "x",
}
KEY = key_of("7", "Kan dat?", "Ja, dat kan.")
NEW = PersonOpinion().version


@pytest.fixture
def file(tmp_path):
    (tmp_path / "company.toml").touch()
    return tmp_path / "rated.jsonl"


def lines(file: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()]


def test_a_rating_is_a_row_of_the_log(file):
    Ratings(file).put(ROW, "An", PersonOpinion(4.0, "binary", ("dat kan",), "Let op."), NEW)
    rated = {"rating": 4, "message_type": "binary", "untrue": ["dat kan"], "note": "Let op."}
    assert lines(file) == [{**ROW, **rated, "rater": "An"}]
    (row,) = read_rows(str(file), with_contexts=False)
    assert row.turn is not None
    assert (row.turn.rating, row.turn.message_type) == (4.0, "binary")
    assert Ratings(file).get(KEY, "An") == PersonOpinion(4.0, "binary", ("dat kan",), "Let op.")


def test_a_new_rating_replaces_only_the_raters_own_line(file):
    other = {"id": "8", "question": "En dit?", "answer": "Nee."}
    ratings = Ratings(file)
    for row, rater, rating in ((ROW, "An", 1.0), (ROW, "Bo", 2.0), (other, "An", 3.0)):
        ratings.put(row, rater, PersonOpinion(rating), NEW)
    with file.open("ab") as added:
        added.write(b"{broken\n")
    ratings.put(ROW, "An", PersonOpinion(5.0), PersonOpinion(1.0).version)
    *found, broken = file.read_text("utf-8").splitlines()
    ratings_found = [(row["id"], row["rater"], row["rating"]) for row in map(json.loads, found)]
    assert ratings_found == [("7", "An", 5), ("7", "Bo", 2), ("8", "An", 3)]
    assert broken == "{broken"
    assert Ratings(file).by("An") == {KEY: 5.0, key_of("8", "En dit?", "Nee."): 3.0}


def test_a_rating_that_another_changed_is_refused(file):
    first, second = Ratings(file), Ratings(file)
    first.put(ROW, "", PersonOpinion(2.0), NEW)
    with pytest.raises(ChangedError):
        second.put(ROW, "", PersonOpinion(5.0), NEW)
    second.put(ROW, "", PersonOpinion(2.0), NEW)  # an equal rating is not a conflict
    assert [row["rating"] for row in lines(file)] == [2]
    second.put(ROW, "", PersonOpinion(5.0), PersonOpinion(2.0).version)
    assert [row["rating"] for row in lines(file)] == [5]
    assert first.get(KEY, "") == PersonOpinion(2.0)
    first.refresh()
    assert first.get(KEY, "") == PersonOpinion(5.0)


@pytest.mark.parametrize("cut", [b'{"id": "8", "question": "En', b'{"id": "8"', b"\xff\xfe"])
def test_a_line_cut_off_by_a_crash_is_removed(file, cut):
    Ratings(file).put(ROW, "", PersonOpinion(2.0), NEW)
    whole = file.read_bytes()
    file.write_bytes(whole + cut)
    ratings = Ratings(file)
    assert ratings.by("") == {KEY: 2.0}
    ratings.put({"id": "9", "question": "Hoe?", "answer": "Zo."}, "", PersonOpinion(3.0), NEW)
    assert file.read_bytes().startswith(whole)
    assert [row["id"] for row in lines(file)] == ["7", "9"]
