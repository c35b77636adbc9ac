"""Log lines, metrics and spans of the service; they hold texts only with ``--log-texts``."""

from __future__ import annotations

import logging
import os
from collections import Counter as Counts
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

from opentelemetry import propagate, trace
from prometheus_client import REGISTRY, CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.values import MultiProcessValue

from klopt._internal.files import to_json
from klopt.version import VERSION

if TYPE_CHECKING:
    from klopt.scoring.assessment import Assessment

MULTIPROC_DIR: Final = "PROMETHEUS_MULTIPROC_DIR"
_LOG = logging.getLogger("klopt.server")
_BUCKETS_S: Final = (0.005, 0.01, 0.02, 0.03, 0.05, 0.075, 0.1, 0.2, 0.5, 1, 2.5, 5, 10)
_EVALUATION: Final = "gen_ai.evaluation"
_REQUESTS: Final = Counter("klopt_requests", "Requests by path and status.", ("path", "status"))
_SECONDS: Final = Histogram(
    "klopt_request_seconds", "Duration of successful requests.", ("path",), buckets=_BUCKETS_S
)
_TURNS: Final = Counter(
    "klopt_turns", "Scored answers by verdict and status.", ("verdict", "status")
)
_FAILED_RELOADS: Final = "klopt_failed_reloads"


class JsonLines(logging.Formatter):
    """Formats a record as one JSON object on one line."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line of a record, with its ``fields`` after the event."""
        time = datetime.fromtimestamp(record.created, UTC)
        line = {
            "time": time.isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "event": record.getMessage(),
            **getattr(record, "fields", {}),
        }
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return to_json(line)


LOG_CONFIG: Final[dict[str, Any]] = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"json": {"()": JsonLines}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "json"}},
    "loggers": {
        name: {"handlers": ["stderr"], "level": "INFO", "propagate": False}
        for name in ("klopt", "uvicorn")
    },
}  # For `logging.config.dictConfig`: klopt and uvicorn write JSON lines to standard error


@dataclass(slots=True)
class Account:
    """Facts of one request for the log, the metrics and the span; ``code`` of a refusal.

    ``index`` is the digest of the index that the worker reads; ``warnings`` are about contexts
    that it left out.
    """

    request_id: str
    assessed: list[Assessment] = field(default_factory=list)
    code: str | None = None
    index: str | None = None
    warnings: list[str] = field(default_factory=list)
    body: bytearray = field(default_factory=bytearray)


def span(method: str, path: str, headers: dict[str, str]) -> AbstractContextManager[trace.Span]:
    """Return a span for a request, with the client's ``traceparent`` as its parent."""
    return trace.get_tracer("klopt", VERSION).start_as_current_span(
        f"{method} {path}",
        context=propagate.extract(headers),
        kind=trace.SpanKind.SERVER,
        attributes={"http.request.method": method, "http.route": path},
    )


def report(
    account: Account, method: str, path: str, status: int, seconds: float, *, log_texts: bool
) -> None:
    """Log, count and trace a finished request."""
    _REQUESTS.labels(path, str(status)).inc()
    if status < 400:
        _SECONDS.labels(path).observe(seconds)
    for found in account.assessed:
        _TURNS.labels(found.verdict, found.status).inc()
    _trace(account, status, log_texts=log_texts)
    fields: dict[str, Any] = {"request_id": account.request_id, "method": method, "path": path}
    fields |= {"status": status, "ms": round(seconds * 1000, 1)}
    if account.code is not None:
        fields["code"] = account.code
    if len(account.assessed) == 1:
        [found] = account.assessed
        fields |= {"verdict": found.verdict, "assessment_status": found.status}
        fields["fingerprint"] = found.fingerprint
    elif account.assessed:
        verdicts = Counts(found.verdict for found in account.assessed)
        statuses = Counts(found.status for found in account.assessed)
        fields |= {"rows": len(account.assessed), "verdicts": dict(sorted(verdicts.items()))}
        fields["assessment_statuses"] = dict(sorted(statuses.items()))
    if account.assessed and account.index is not None:
        fields["index"] = account.index
    if account.warnings:
        fields["contexts_left_out"] = len(account.warnings)
    if log_texts and account.warnings:
        fields["warnings"] = account.warnings
    if log_texts and account.body:
        fields["text"] = account.body.decode(errors="replace")
    _LOG.info("request", extra={"fields": fields})


def _trace(account: Account, status: int, *, log_texts: bool) -> None:
    current = trace.get_current_span()
    if not current.is_recording():
        return
    current.set_attribute("http.response.status_code", status)
    if status >= 500:
        current.set_status(trace.StatusCode.ERROR)
    for found in account.assessed:
        rule = found.rule or found.reason_code or found.status
        attributes: dict[str, str | float] = {
            f"{_EVALUATION}.name": "klopt",
            f"{_EVALUATION}.score.label": found.verdict,
            f"{_EVALUATION}.explanation": found.why if log_texts else rule,
        }
        if found.score is not None:
            attributes[f"{_EVALUATION}.score.value"] = found.score
        current.add_event(f"{_EVALUATION}.result", attributes)


def failed_reloads() -> Callable[[], None]:
    """Return a function that counts a failed reload, for the process that supervises the workers.

    That process imports this module before the folder of the workers' metrics exists.
    """
    names = (_FAILED_RELOADS, f"{_FAILED_RELOADS}_total", (), (), "Reloads that kept old workers.")
    count = MultiProcessValue()("counter", *names)  # type: ignore[no-untyped-call]
    return lambda: count.inc(1)


def metrics() -> bytes:
    """Return the metrics of all workers in Prometheus' text format."""
    if MULTIPROC_DIR not in os.environ:
        return generate_latest(REGISTRY)
    registry = CollectorRegistry()
    MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    return generate_latest(registry)
