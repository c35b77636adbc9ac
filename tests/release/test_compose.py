"""What can be known of the Compose file, the alerts and the board without Docker."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
import yaml
from prometheus_client.parser import text_string_to_metric_families

from klopt.cli.serve import command
from tests.conftest import ROOT
from tests.server.conftest import ROW, SAVING, running

FOLDER = ROOT / "deploy"
OF_PROMETHEUS = {"up"}


def read(name: str) -> Any:
    return yaml.safe_load((FOLDER / name).read_text("utf-8"))


COMPOSE = read("compose.yaml")
BOARD = json.loads((FOLDER / "grafana" / "klopt.json").read_text("utf-8"))
RULES = [rule for group in read("alerts.yaml")["groups"] for rule in group["rules"]]
EXPRESSIONS = {
    **{rule["alert"]: rule["expr"] for rule in RULES},
    **{f"{panel['title']} {target['refId']}": target["expr"]
       for panel in BOARD["panels"] for target in panel["targets"]},
}  # fmt: skip


@pytest.fixture(scope="module")
def labels(tmp_path_factory):
    """The labels of each metric of a service that was asked something."""
    folder = tmp_path_factory.mktemp("service")
    (folder / "help").mkdir()
    (folder / "help" / "opslaan.md").write_text(SAVING, encoding="utf-8")
    with (
        running(folder, "--pages", folder / "help", "--workers", 1) as service,
        service.client() as client,
    ):
        assert client.post("/v1/score", json=ROW).status_code == 200
        text = client.get("/metrics").text
    found: dict[str, set[str]] = {}
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            found.setdefault(sample.name, set()).update(sample.labels)
    return found


def unknown(expression: str, labels: dict[str, set[str]]) -> Iterator[str]:
    """Metrics and labels of an expression that a service does not have."""
    names = re.findall(r"\b(klopt_\w+|up)\b(?:\{(\w+)[=!~])?", expression)
    assert names, expression
    for name, label in names:
        if name not in OF_PROMETHEUS and (name not in labels or label not in {"", *labels[name]}):
            yield f"{name}{{{label}}}"
    grouped = {
        label for by in re.findall(r"by \(([^)]*)\)", expression) for label in by.split(", ")
    }
    yield from grouped - set().union(*(labels.get(name, set()) for name, _ in names))


@pytest.mark.parametrize("name", EXPRESSIONS)
def test_alerts_and_board_read_metrics_that_there_are(name, labels):
    expression = EXPRESSIONS[name]
    assert list(unknown(expression, labels)) == []
    assert all(
        expression.count(left) == expression.count(right) for left, right in ("()", "{}", "[]")
    )


def test_the_service_runs_as_it_is_asked_for():
    service = COMPOSE["services"]["klopt"]
    docker = (ROOT / "Dockerfile").read_text("utf-8")
    (start,) = re.findall(r"^ENTRYPOINT (.*)$", docker, re.M)
    given = command.make_context("serve", [*json.loads(start)[2:], *service["command"]]).params
    (scrape,) = read("prometheus.yaml")["scrape_configs"]
    (secret,) = COMPOSE["secrets"]
    token = f"/run/secrets/{secret}"
    assert str(given["token_file"]) == scrape["authorization"]["credentials_file"] == token
    assert scrape["static_configs"] == [{"targets": [f"klopt:{given['port']}"]}]
    assert service["secrets"] == COMPOSE["services"]["prometheus"]["secrets"] == [secret]
    assert all(
        port.startswith("127.0.0.1:")
        for one in COMPOSE["services"].values()
        for port in one["ports"]
    )
