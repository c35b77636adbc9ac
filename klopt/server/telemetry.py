"""What operators see of the service: log lines, metrics and spans; texts only where asked for."""

from __future__ import annotations

import logging
from collections import Counter as Counts
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from opentelemetry import propagate, trace
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from klopt.server.desk import LoggedAssessment
from klopt.version import VERSION

_LOG = logging.getLogger("klopt.server")
_BUCKETS_S: Final = (0.005, 0.01, 0.02, 0.03, 0.05, 0.075, 0.1, 0.2, 0.5, 1, 2.5, 5, 10)
_EVALUATION: Final = "gen_ai.evaluation"


@dataclass(slots=True)
class Account:
    """What is noted of one request while it is answered; ``code`` is why it was refused."""

    request_id: str
    assessed: list[LoggedAssessment] = field(default_factory=list)
    code: str | None = None
    sent: bytearray = field(default_factory=bytearray)


class Telemetry:
    """Tells of requests."""

    def __init__(self, *, log_texts: bool = False) -> None:
        self.log_texts = log_texts
        self.registry = CollectorRegistry()
        self._requests = Counter(
            "klopt_requests", "Requests by path and status.", ("path", "status"),
            registry=self.registry,
        )  # fmt: skip
        self._seconds = Histogram(
            "klopt_request_seconds", "Time to answer a request, that was not refused.", ("path",),
            buckets=_BUCKETS_S, registry=self.registry,
        )  # fmt: skip
        self._turns = Counter(
            "klopt_turns", "Answers assessed, by verdict.", ("verdict",), registry=self.registry
        )
        self._tracer = trace.get_tracer("klopt", VERSION)

    def gauge(self, name: str, help: str, read: Callable[[], float]) -> None:
        """Shows a number as it is when somebody looks."""
        Gauge(name, help, registry=self.registry).set_function(read)

    def metrics(self) -> bytes:
        """All metrics, as Prometheus reads them."""
        return generate_latest(self.registry)

    def span(self, method: str, path: str, headers: dict[str, str]) -> Any:  # noqa: ANN401
        """A span around a request, under that of whoever sent it."""
        return self._tracer.start_as_current_span(
            f"{method} {path}",
            context=propagate.extract(headers),
            kind=trace.SpanKind.SERVER,
            attributes={"http.request.method": method, "http.route": path},
        )

    def tell(self, account: Account, method: str, path: str, status: int, seconds: float) -> None:
        """Tells of a request that was answered."""
        self._requests.labels(path, str(status)).inc()
        if status < 400:
            self._seconds.labels(path).observe(seconds)
        for summary in account.assessed:
            self._turns.labels(summary.verdict).inc()
        self._trace(account.assessed, status)
        fields: dict[str, Any] = {
            "request_id": account.request_id,
            "method": method,
            "path": path,
            "status": status,
            "ms": round(seconds * 1000, 1),
        }
        if account.code is not None:
            fields["code"] = account.code
        fields |= _summary(account.assessed)
        if self.log_texts and account.sent:
            fields["text"] = account.sent.decode(errors="replace")
        _LOG.info("request", extra={"fields": fields})

    def _trace(self, assessed: Sequence[LoggedAssessment], status: int) -> None:
        span = trace.get_current_span()
        if not span.is_recording():
            return
        span.set_attribute("http.response.status_code", status)
        if status >= 500:
            span.set_status(trace.StatusCode.ERROR)
        for summary in assessed:
            attributes: dict[str, str | float] = {
                f"{_EVALUATION}.name": "klopt",
                f"{_EVALUATION}.score.label": summary.verdict,
                f"{_EVALUATION}.explanation": summary.why if self.log_texts else summary.ground,
            }
            if summary.score is not None:
                attributes[f"{_EVALUATION}.score.value"] = summary.score
            span.add_event(f"{_EVALUATION}.result", attributes)


def _summary(assessed: Sequence[LoggedAssessment]) -> dict[str, Any]:
    if len(assessed) == 1:
        return {"verdict": assessed[0].verdict, "fingerprint": assessed[0].fingerprint}
    if not assessed:
        return {}
    counts = Counts(summary.verdict for summary in assessed)
    return {"rows": len(assessed), "verdicts": dict(sorted(counts.items()))}
