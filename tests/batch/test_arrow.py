"""Record batches of turns in, record batches of assessments out."""

from __future__ import annotations

import json
import pickle
from dataclasses import replace
from functools import partial

import pyarrow as pa
import pytest

from klopt.batch.arrow import SCHEMA, check_columns, score_batches, to_batch, to_rows
from klopt.cli.demo_log import demo_terms
from klopt.errors import ConfigurationError, InputError
from klopt.records import Page, Turn
from klopt.scoring.assessment import CutOff, TurnLanguages
from klopt.scoring.interpretation import TranslationNote
from klopt.scoring.scorer import Scorer
from klopt.scoring.second_opinion import OpinionNote, SaidOfStatement
from tests.batch.many_turns import many, plainly
from tests.batch.test_parquet import texts

GOOD = {
    "id": "a",
    "question": "Hoe sla ik het op?",
    "answer": "Klik op **Bewaren**.",
    "contexts": ["# Opslaan\n\n1. Klik op **Bestand**.\n2. Klik op **Opslaan**."],
}


@pytest.fixture(scope="module")
def scorer() -> Scorer:
    return Scorer.load(terms=demo_terms())


def scored(rows, scorer, schema=None, **options):
    batch = pa.RecordBatch.from_pylist(rows, schema=schema)
    found = list(score_batches([batch], scorer, **options))
    return [row for one in found for row in to_rows(one)]


def test_every_row_is_what_klopt_score_writes_to_the_letter(scorer):
    table = many(110)
    plain = plainly(table, scorer)
    batches = score_batches(table.to_batches(max_chunksize=64), scorer)
    found = [row for batch in batches for row in to_rows(batch)]
    assert [json.dumps(row) for row in found] == [json.dumps(row) for row in plain.values()]
    assert len(found) == 110
    assert {"scored", "not_scorable", "error"} == {row["status"] for row in found}


def test_how_rows_are_divided_changes_nothing(scorer):
    table = many(30)
    whole = pa.Table.from_batches(score_batches(table.to_batches(), scorer))
    for rows_each in (1, 7):
        parts = (table.slice(start, rows_each) for start in range(0, 30, rows_each))
        found = [one for part in parts for one in score_batches(part.to_batches(), scorer)]
        assert pa.Table.from_batches(found).equals(whole)


def test_the_schema_has_every_field_of_a_row(scorer):
    turn = Turn.from_mapping(GOOD)
    note = TranslationNote("de", "en", "whole", "failed", "timeout", "no reply", 2)
    opinion = OpinionNote(
        "llm", "given", None, None, 0.2, (None, SaidOfStatement("supported", 0.7)), 3.0, "review"
    )
    one = replace(
        scorer.score(turn),
        translation=note,
        opinions=(opinion,),
        cut_off=CutOff(5.0, (), ("step_order",)),
        retrieved=(Page("Klik op **Opslaan**.", "opslaan.md"),),
        languages=TurnLanguages("nl", None, ("nl", "en")),
    )
    assert list(one.to_dict()) == SCHEMA.names
    assert list(to_rows(to_batch([one.to_dict()]))) == [json.loads(json.dumps(one.to_dict()))]


def test_maps_as_spark_makes_them_are_read_as_pages(scorer):
    page = list({"id": "opslaan.md", "text": GOOD["contexts"][0]}.items())
    schema = pa.schema({**dict.fromkeys(("id", "question", "answer"), pa.string())})
    schema = schema.append(pa.field("contexts", pa.list_(pa.map_(pa.string(), pa.string()))))
    [row] = scored([{**GOOD, "contexts": [page]}], scorer, schema)
    expected = scored([{**GOOD, "contexts": [dict(page)]}], scorer)
    assert [row] == expected
    assert row["status"] == "scored"


def test_a_cell_that_is_no_text_costs_only_its_row(scorer):
    broken = texts(b"ja\xff", b"Nee")
    times = pa.array([2**62, 0], pa.timestamp("s"))
    batch = pa.RecordBatch.from_arrays(
        [pa.array(["a", "b"]), pa.array(["Kan dat?"] * 2), broken, times],
        names=["id", "question", "answer", "moment"],
    )
    [found] = score_batches([batch], scorer, keep=["moment"])
    assert [row["id"] for row in to_rows(found)] == ["a", "b"]
    assert found.column("moment").equals(times)


def test_half_characters_become_question_marks(scorer):
    pages = {"a.md": Page(GOOD["contexts"][0], "caf\udce9.md")}
    row = {**GOOD, "answer": "Klik op **Opslaan**.", "contexts": ["a.md"]}
    given = scorer.score(Turn.from_mapping(row, pages=pages)).to_dict()
    assert "\\udce9" in json.dumps(given)
    [found] = to_rows(to_batch([given]))
    assert json.dumps(found) == json.dumps(given).replace("\\udce9", "?")


def test_a_row_without_id_is_called_by_its_place(scorer):
    nameless = {name: one for name, one in GOOD.items() if name != "id"}
    assert [row["id"] for row in scored([nameless, nameless], scorer)] == ["row-1", "row-2"]


def test_a_worker_makes_the_scorer_that_was_sent_once(scorer):
    batch = pa.RecordBatch.from_pylist([GOOD])
    batch = batch.rename_columns(["id", "question", "bot", "contexts"])
    options = {"scorer": scorer, "names": {"answer": "bot"}, "keep": ["contexts"]}
    again = pickle.loads(pickle.dumps(partial(score_batches, **options)))
    assert list(again([batch])) == list(score_batches([batch], **options))


TWO = ["question", "answer"]


@pytest.mark.parametrize(
    ("columns", "options", "kind", "message"),
    [
        (["klanttekst", "answer"], {}, InputError, "no column is read as question; the columns a"),
        (TWO, {"names": {"contexts": "docs"}}, InputError, 'there is no column "docs"; the colu'),
        (TWO, {"names": {"docs": "answer"}}, ConfigurationError, 'there is no field "docs"; the f'),
        ([*TWO, "dag", "dag", "answer"], {}, InputError, 'there are 2 columns "answer"; rename'),
        (TWO, {"keep": ["dag"]}, InputError, 'there is no column "dag"; the columns are question'),
        ([*TWO, "id"], {"keep": ["id"]}, ConfigurationError, '"id" is a column of the results too'),
    ],
)
def test_a_table_that_cannot_be_scored_is_refused_at_once(columns, options, kind, message):
    with pytest.raises(kind, match=message):
        check_columns(columns, **options)
