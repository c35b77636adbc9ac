from __future__ import annotations

import copy
import pickle
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from klopt.errors import LlmError
from klopt.models.calls import Call, CallError, Meter, Reply, Usage
from klopt.models.in_order import in_order

CALL = Call("w1", "cloze_fact", "Open <BLANK 1>.", "Fill in.", "Fill in: Open <BLANK 1>.")

usages = st.builds(
    Usage,
    st.integers(0, 9),
    st.integers(0, 9),
    st.none() | st.integers(0, 9).map(float),
    st.integers(0, 9).map(float),
    st.integers(0, 9),
    st.integers(0, 9),
)


@given(usages, usages, usages)
def test_usages_add_up_in_any_order(first, second, third):
    assert first + second == second + first
    assert (first + second) + third == first + (second + third)
    assert first + Usage() == first


def test_a_cost_of_nothing_is_known():
    assert (Usage(cost_usd=0.0) + Usage()).cost_usd == 0.0


def test_the_digest_is_of_the_words_and_not_of_the_try():
    assert replace(CALL, attempt=2).digest == CALL.digest
    assert replace(CALL, id="w2", technique="step_restore", task="x").digest == CALL.digest


def test_other_words_have_another_digest():
    moved = replace(CALL, system="Fill in.F", user="ill in: Open <BLANK 1>.")
    others = [replace(CALL, system=""), replace(CALL, user="x"), moved]
    assert len({call.digest for call in (CALL, *others)}) == 4


def test_a_digest_of_half_a_character():
    assert len(replace(CALL, user="\ud800").digest) == 64


class Model:
    name = "tiny"

    def complete(self, call):
        if call.id == "failed":
            raise CallError("cut", "half", Usage(9, 9, 9.0, 9.0, 9, 1))
        if call.id == "missing":
            raise LlmError("no_transcript", "nothing")
        return Reply("{}", call.task, self.name, Usage(1, 2, 0.5, 1.0, 0, 1))


def test_errors_survive_a_copy():
    again = pickle.loads(pickle.dumps(CallError("cut", "half", Usage(calls=1), ("first",))))
    assert (again.reason_code, str(again)) == ("cut", "half")
    assert (again.usage, again.problems) == (Usage(calls=1), ("first",))
    assert str(copy.copy(LlmError("timeout", "too slow"))) == "too slow"


def test_everything_that_was_spent_is_counted():
    meter = Meter(Model())
    assert (meter.name, meter.usage) == ("tiny", Usage())
    assert len(list(in_order(meter.complete, [CALL] * 400, at_once=8))) == 400
    for id in ("failed", "missing"):
        with pytest.raises(LlmError):
            meter.complete(Call(id, "cloze_fact", "", "", ""))
    assert meter.usage == Usage(409, 809, 209.0, 409.0, 9, 401)
