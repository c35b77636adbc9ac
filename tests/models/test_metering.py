from __future__ import annotations

import pytest

from klopt.errors import LlmError
from klopt.models.calls import Call, CallError, Reply, Usage
from klopt.models.in_order import in_order
from klopt.models.metering import Meter

CALL = Call("w1", "cloze_fact", "", "", "")


class Model:
    name = "tiny"

    def complete(self, call):
        if call.id == "failed":
            raise CallError("cut", "half", Usage(9, 9, 9.0, 9.0, 9, 1))
        if call.id == "missing":
            raise LlmError("no_transcript", "nothing")
        return Reply("{}", call.task, self.name, Usage(1, 2, 0.5, 1.0, 0, 1))


def test_everything_that_was_spent_is_counted():
    meter = Meter(Model())
    assert (meter.name, meter.usage) == ("tiny", Usage())
    assert len(list(in_order(meter.complete, [CALL] * 400, at_once=8))) == 400
    for id in ("failed", "missing"):
        with pytest.raises(LlmError):
            meter.complete(Call(id, "cloze_fact", "", "", ""))
    assert meter.usage == Usage(409, 809, 209.0, 409.0, 9, 401)
