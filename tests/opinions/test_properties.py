"""What holds whatever an opinion says."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as some

from klopt.opinions import RELATIONS, Said, SaidOfStatement
from tests.opinions.asking import NL, advised, before

FIRST = {verdict: before(NL, verdict) for verdict in ("send", "review", "block")}
chances = some.one_of(some.floats(0, 1), some.floats())
relations = some.sampled_from([*RELATIONS, "perhaps"])
of_statements = some.one_of(some.none(), some.builds(SaidOfStatement, relations, chances))
opinions = some.builds(
    Said,
    truth=some.one_of(some.none(), chances),
    statements=some.lists(of_statements, max_size=3).map(tuple),
    who=some.text(max_size=300),
)


@given(opinions, some.sampled_from(list(FIRST)))
def test_an_answer_is_sent_only_by_an_opinion_that_is_one(said, verdict):
    first = FIRST[verdict]
    found = advised(said, first)
    (note,) = found.opinions
    assert found.score is not None
    assert 1 <= found.score <= 5
    assert found.stars == int(found.score + 0.5)
    assert json.dumps(found.to_dict(), allow_nan=False)
    assert all(found.sentences)
    assert len(note.who) <= 100
    if found.verdict == "send":
        assert note.status == "given"
        assert not any(one.fault for one in found.statements)
    if note.status != "given":
        assert (found.score, found.statements) == (first.score, first.statements)
    assert found == advised(said, first)
