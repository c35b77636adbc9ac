"""Record batches of turns in, record batches of assessments out."""

import json
from dataclasses import replace

import pyarrow as pa
import pytest

from klopt.cli.scoring import demo_terms
from klopt.errors import ConfigurationError, InputError
from klopt.logs.arrow import SCHEMA, check_columns, score_batches, to_batch, to_rows
from klopt.scoring.assessment import CutOff, TurnLanguages
from klopt.scoring.notes import ClaimOpinion, OpinionNote, TranslationNote
from klopt.scoring.scorer import Scorer
from klopt.types import Page, Turn
from tests.logs.many_turns import many, plainly
from tests.logs.test_parquet import texts

GOOD = {
    "id": "a",
    "question": "Hoe sla ik het op?",
    "answer": "Klik op **Bewaren**.",
    "contexts": ["# Opslaan\n\n1. Klik op **Bestand**.\n2. Klik op **Opslaan**."],
}


@pytest.fixture(scope="module")
def scorer():
    return Scorer.load(terms=demo_terms())


def scored(rows, scorer, schema=None, **options):
    batch = pa.RecordBatch.from_pylist(rows, schema=schema)
    found = list(score_batches([batch], scorer, **options))
    return [row for one in found for row in to_rows(one)]


def test_every_row_equals_the_output_of_klopt_score(scorer):
    table = many(110)
    plain = plainly(table, scorer)
    batches = score_batches(table.to_batches(max_chunksize=64), scorer)
    found = [row for batch in batches for row in to_rows(batch)]
    assert [json.dumps(row) for row in found] == [json.dumps(row) for row in plain.values()]
    assert len(found) == 110
    assert {"scored", "not_scorable", "error"} == {row["status"] for row in found}


def test_a_row_with_ignored_fields_is_scored(scorer, caplog):
    pages = {"opslaan.md": Page(GOOD["contexts"][0], "opslaan.md")}
    row = {**GOOD, "contexts": ["opslaan.md", "weg.md"], "rating": 9, "message_type": "1"}
    [found] = scored([row], scorer, pages=pages)
    [plain] = scored([GOOD], scorer)
    assert (found["status"], found["score"]) == ("scored", plain["score"])
    assert len(caplog.messages) == 3


def test_the_schema_has_every_field_of_a_row(scorer):
    turn = Turn.from_mapping(GOOD)
    note = TranslationNote("de", "en", "whole", "failed", "timeout", "no reply", 2)
    opinion = OpinionNote(
        "llm", "given", None, None, 0.2, (None, ClaimOpinion("supported", 0.7)), 3.0, "review"
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


def test_maps_of_spark_are_pages(scorer):
    page = list({"id": "opslaan.md", "text": GOOD["contexts"][0]}.items())
    schema = pa.schema({**dict.fromkeys(("id", "question", "answer"), pa.string())})
    schema = schema.append(pa.field("contexts", pa.list_(pa.map_(pa.string(), pa.string()))))
    [row] = scored([{**GOOD, "contexts": [page]}], scorer, schema)
    expected = scored([{**GOOD, "contexts": [dict(page)]}], scorer)
    assert [row] == expected
    assert row["status"] == "scored"


def test_an_invalid_cell_affects_only_its_row(scorer):
    broken = texts(b"ja\xff", b"Nee")
    times = pa.array([2**62, 0], pa.timestamp("s"))
    batch = pa.RecordBatch.from_arrays(
        [pa.array(["a", "b"]), pa.array(["Kan dat?"] * 2), broken, times],
        names=["id", "question", "answer", "moment"],
    )
    [found] = score_batches([batch], scorer, keep=["moment"])
    assert [row["id"] for row in to_rows(found)] == ["a", "b"]
    assert found.column("moment").equals(times)


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
def test_a_table_that_cannot_be_scored_is_refused(columns, options, kind, message):
    with pytest.raises(kind, match=message):
        check_columns(columns, **options)
