"""Requests drawn from the description of the service, valid and invalid: none breaks it."""

import os
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from klopt.server.app import openapi

COUNT: Final = int(os.environ.get("KLOPT_FUZZ", "400")) // 10
"""Requests for each call; ``make fuzz`` sets the number of all inputs."""
EVENTS: Final = "POST /v1/stream"
"""Its answer is one text in OpenAPI 3.1, and a list of events to schemathesis."""
CALLS: Final = [
    f"{method.upper()} {path}" for path, methods in openapi()["paths"].items() for method in methods
]


def lines(context: object, value: Any) -> bytes:
    return value.encode("utf-8", "replace") if isinstance(value, str) else str(value).encode()


@pytest.fixture(scope="module")
def schema():
    """The description as schemathesis reads it, which takes a second to import."""
    import schemathesis

    schemathesis.serializer("application/x-ndjson")(lines)
    return schemathesis.openapi.from_dict(openapi())


@pytest.mark.slow
@pytest.mark.parametrize("call", CALLS)
def test_no_request_breaks_the_service(service, schema, call):
    from schemathesis import GenerationMode, checks
    from schemathesis.specs.openapi import checks as described

    checked = [checks.not_a_server_error, described.content_type_conformance]
    checked += [described.status_code_conformance]
    checked += [described.response_schema_conformance] * (call != EVENTS)
    (drawn,) = (one.ok() for one in schema.get_all_operations() if one.ok().label == call)

    @settings(
        max_examples=COUNT,
        deadline=None,
        derandomize="KLOPT_FUZZ" not in os.environ,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(case=st.one_of(drawn.as_strategy(generation_mode=mode) for mode in GenerationMode))
    def send(case):
        case.call_and_validate(base_url=service.url, checks=checked)

    send()
