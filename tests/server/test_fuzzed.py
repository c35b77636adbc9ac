"""Requests that nobody meant, drawn from the service's own description: none breaks it."""

from __future__ import annotations

import os
from typing import Any, Final

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from klopt.server.description import openapi

COUNT: Final = int(os.environ.get("KLOPT_FUZZ", "400")) // 10
"""Of each call; ``make fuzz`` says how many inputs there are in all."""
CHECKS: Final = [
    not_a_server_error,
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
]
EVENTS: Final = "POST /v1/stream"
"""Its answer is one text in OpenAPI 3.1, and a list of events to schemathesis."""
CALLS: Final = {
    found.ok().label: found.ok()
    for found in schemathesis.openapi.from_dict(openapi()).get_all_operations()
}


@schemathesis.serializer("application/x-ndjson")
def lines(context: object, value: Any) -> bytes:
    return value.encode("utf-8", "replace") if isinstance(value, str) else str(value).encode()


@pytest.mark.slow
@pytest.mark.parametrize("call", CALLS)
def test_no_request_breaks_the_service(service, call):
    left_out = [response_schema_conformance] if call == EVENTS else []
    drawn = [CALLS[call].as_strategy(generation_mode=mode) for mode in GenerationMode]

    @settings(
        max_examples=COUNT,
        deadline=None,
        derandomize="KLOPT_FUZZ" not in os.environ,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(case=st.one_of(drawn))
    def send(case):
        case.call_and_validate(base_url=service.url, checks=CHECKS, excluded_checks=left_out)

    send()
