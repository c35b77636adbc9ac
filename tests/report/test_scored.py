"""Reading rows of `klopt score` and of the log."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from klopt._internal.files import to_json
from klopt.errors import RecordError
from klopt.report.log_figures import LogFigures
from klopt.report.log_page import render
from klopt.report.scored import LogRow, ScoredRow, day_in
from tests.report.scored_log import PAGE, scored


def test_a_row_is_read():
    row = ScoredRow.from_mapping(scored())
    assert (row.id, row.verdict, row.score, row.pages) == ("1", "block", 1.4, (PAGE,))
    assert [one.relation for one in row.claims] == ["supported", "contradicted"]
    assert row.measurements["components_defined"].evidence[0].text == "Blokkeer direct"
    assert ScoredRow.from_line(json.dumps(scored()).encode()) == row


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"id": "1"}, "verdict: Field required"),
        (scored(verdict="maybe"), "verdict: Input should be 'send', 'review', 'block'"),
        (scored(score=float("nan")), "score nan is not 1 to 5"),
        (scored(score=7), "score 7.0 is not 1 to 5"),
        (scored(claims=[{"text": 3}]), "claims.0.text"),
        (scored(claims="[" * 100_000), "klopt score"),
        (scored(measurements=["a"]), "klopt score"),
        (scored(measurements={"hal": {"evidence": [3]}}), "klopt score"),
        ({"question": "Kan dat?"}, "klopt score"),
    ],
)
def test_an_invalid_row_is_reported(row, message):
    assert ScoredRow.from_line(json.dumps(row).encode()) is None
    with pytest.raises(RecordError, match="this is not a row of `klopt score`") as caught:
        ScoredRow.from_mapping(row)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("row", "name", "day"),
    [
        ({"timestamp": "2026-11-23"}, None, 23),
        ({"meta": {"Tijdstip": "2026-11-23"}}, None, 23),
        ({"timestamp": "2026-11-23", "meta": {"timestamp": "2026-11-22"}}, None, 23),
        ({"timestamp": "unknown", "date": "2026-11-23"}, None, 23),
        ({"meta": {"sent": "2026-11-23"}}, "meta.sent", 23),
        ({"meta": {"sent": "2026-11-23"}}, "sent", 23),
        ({"sent": "2026-11-23"}, None, None),
    ],
)
def test_the_day_of_a_row_of_the_log(row, name, day):
    found = day_in(row, name)
    assert (found and found.day) == day


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


def anywhere(value, put, draw):
    """Return the value with one part of it replaced."""
    if isinstance(value, dict | list) and value and draw(st.integers(0, 5)):
        keys = list(value) if isinstance(value, dict) else range(len(value))
        chosen = draw(st.sampled_from(list(keys)))
        items = value.items() if isinstance(value, dict) else enumerate(value)
        made = {key: anywhere(one, put, draw) if key == chosen else one for key, one in items}
        return made if isinstance(value, dict) else list(made.values())
    return put


@settings(max_examples=300)
@given(st.data(), JSON)
def test_an_altered_row_is_reported_or_makes_a_page(data, put):
    drawn = anywhere(scored(), put, data.draw)
    row = drawn if isinstance(drawn, dict) else {"id": drawn}
    line = ScoredRow.from_line(json.dumps(row).encode())
    try:
        read = ScoredRow.from_mapping(row)
    except RecordError:
        assert line is None
        return
    assert repr(line) in ("None", repr(read))
    figures = LogFigures(3)
    figures.add(read, LogRow())
    to_json(figures.to_dict())
    "".join(render(figures, "en", "scores.jsonl"))
