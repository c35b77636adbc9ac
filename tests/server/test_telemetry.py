"""Telemetry: a span per request with its evaluation, and log lines in JSON."""

import json
import logging

import pytest
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from starlette.testclient import TestClient

from klopt import Assessment, Scorer, Turn
from klopt.scoring.setup import Setup
from klopt.server import telemetry
from klopt.server.gate import Gate
from klopt.server.settings import Address, RefusedError, Settings
from klopt.server.telemetry import JsonLines

PARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


@pytest.fixture(scope="module")
def found():
    return Scorer.load().score(
        Turn("Hoe sla ik op?", "Klik op **Bewaren**.", ["# Opslaan\n\nKlik op **Opslaan**.\n"])
    )


def send(log_texts: bool, monkeypatch, found: Assessment, refusal: RefusedError | None = None):
    """Return the span of one request, and the response."""
    spans = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(spans))
    monkeypatch.setattr(telemetry.trace, "get_tracer", provider.get_tracer)

    async def app(scope, receive, send):
        if refusal:
            raise refusal
        scope["state"]["account"].assessed.append(found)
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    address = Address(allowed_hosts=("testserver",))
    gate = Gate(app, ["/v1/score"], Settings(Setup, address, log_texts=log_texts))
    answer = TestClient(gate).post("/v1/score", headers={"traceparent": PARENT})
    (span,) = spans.get_finished_spans()
    return span, answer


@pytest.mark.parametrize(("log_texts", "field"), [(False, "rule"), (True, "why")])
def test_a_request_is_a_span_with_its_evaluation(monkeypatch, log_texts, field, found):
    span, _ = send(log_texts, monkeypatch, found)
    assert (span.name, span.kind) == ("POST /v1/score", trace.SpanKind.SERVER)
    assert f"{span.context.trace_id:032x}" == PARENT.split("-")[1]
    assert f"{span.parent.span_id:016x}" == PARENT.split("-")[2]
    assert span.attributes["http.response.status_code"] == 200
    (event,) = span.events
    assert event.name == "gen_ai.evaluation.result"
    assert dict(event.attributes) == {
        "gen_ai.evaluation.name": "klopt",
        "gen_ai.evaluation.score.value": found.score,
        "gen_ai.evaluation.score.label": found.verdict,
        "gen_ai.evaluation.explanation": getattr(found, field),
    }


def test_a_refusal_is_traced_too(monkeypatch, found):
    span, answer = send(False, monkeypatch, found, RefusedError(503, "busy", "te druk", 1))
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "1")
    assert span.attributes["http.response.status_code"] == 503
    assert span.status.status_code == trace.StatusCode.ERROR


def test_any_text_is_one_line():
    text = 'een\ntwee\u2028drie "\x1b[31m'
    record = logging.LogRecord("klopt", logging.INFO, "", 0, text, (), None)
    line = JsonLines().format(record)
    assert len(line.splitlines()) == 1
    assert "\x1b" not in line
    assert json.loads(line)["event"] == text
