"""What operators see: a span a request with the evaluation on it, lines of JSON."""

from __future__ import annotations

import json
import logging

import pytest
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from starlette.testclient import TestClient

from klopt.server import telemetry as seen
from klopt.server.desk import LoggedAssessment
from klopt.server.gate import Gate
from klopt.server.limits import RefusedError
from klopt.server.log import JsonLines
from klopt.server.telemetry import Telemetry

SAID = LoggedAssessment(
    "block", 1.5, "weighed_evidence", "Geen pagina noemt “Bewaren als”.", "klopt:x"
)
PARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


def ask(log_texts: bool, monkeypatch, refusal: RefusedError | None = None):
    """The span of one request, and the answer."""
    spans = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(spans))
    monkeypatch.setattr(seen.trace, "get_tracer", provider.get_tracer)

    async def app(scope, receive, send):
        if refusal:
            raise refusal
        scope["state"]["account"].assessed.append(SAID)
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    gate = Gate(app, Telemetry(log_texts=log_texts), ["/v1/score"], None, ())
    answer = TestClient(gate).post("/v1/score", headers={"traceparent": PARENT})
    (span,) = spans.get_finished_spans()
    return span, answer


@pytest.mark.parametrize(("log_texts", "said"), [(False, SAID.ground), (True, SAID.why)])
def test_a_request_is_a_span_with_its_evaluation(monkeypatch, log_texts, said):
    span, _ = ask(log_texts, monkeypatch)
    assert (span.name, span.kind) == ("POST /v1/score", trace.SpanKind.SERVER)
    assert f"{span.context.trace_id:032x}" == PARENT.split("-")[1]
    assert f"{span.parent.span_id:016x}" == PARENT.split("-")[2]
    assert span.attributes["http.response.status_code"] == 200
    (event,) = span.events
    assert event.name == "gen_ai.evaluation.result"
    assert dict(event.attributes) == {
        "gen_ai.evaluation.name": "klopt",
        "gen_ai.evaluation.score.value": 1.5,
        "gen_ai.evaluation.score.label": "block",
        "gen_ai.evaluation.explanation": said,
    }


def test_a_refusal_is_told_too(monkeypatch):
    span, answer = ask(False, monkeypatch, RefusedError(503, "busy", "te druk", 1))
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "1")
    assert span.attributes["http.response.status_code"] == 503
    assert span.status.status_code == trace.StatusCode.ERROR


def test_a_line_is_one_line_whatever_is_in_it():
    text = 'een\ntwee\u2028drie "\x1b[31m'
    record = logging.LogRecord("klopt", logging.INFO, "", 0, text, (), None)
    line = JsonLines().format(record)
    assert len(line.splitlines()) == 1
    assert "\x1b" not in line
    assert json.loads(line)["event"] == text
