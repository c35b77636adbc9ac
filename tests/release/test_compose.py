"""What can be known of the Compose file, the alerts and the board without Docker."""

from __future__ import annotations

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
def labels(tmp_path_factory: pytest.TempPathFactory) -> dict[str, set[str]]:
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


@pytest.mark.parametrize(
    "expression",
    ["klopt_turn_total", 'klopt_turns_total{status="5"}', "sum by (path) (klopt_turns_total)"],
)
def test_what_there_is_not_is_told(expression, labels):
    assert list(unknown(expression, labels))


def test_every_metric_is_on_the_board(labels):
    shown = " ".join(target["expr"] for panel in BOARD["panels"] for target in panel["targets"])
    families = {re.sub(r"_(total|created|bucket|sum|count)$", "", name) for name in labels}
    assert [family for family in families if family not in shown] == []


def test_panels_do_not_overlap_and_say_what_they_show():
    cells = [
        (x, y)
        for panel in BOARD["panels"]
        for place in [panel["gridPos"]]
        for x in range(place["x"], place["x"] + place["w"])
        for y in range(place["y"], place["y"] + place["h"])
    ]
    assert len(cells) == len(set(cells))
    assert {x for x, _ in cells} == set(range(24))
    assert len({panel["title"] for panel in BOARD["panels"]}) == len(BOARD["panels"])


def test_every_alert_says_what_and_what_to_do():
    assert len({rule["alert"] for rule in RULES}) == len(RULES)
    for rule in RULES:
        assert set(rule) == {"alert", "expr", "for", "annotations"}
        assert set(rule["annotations"]) == {"summary", "cure"}


def test_what_is_mounted_is_there_and_where_it_is_read():
    services = COMPOSE["services"]
    mounted = [one.split(":")[:2] for service in services.values() for one in service["volumes"]]
    files = {
        inside: FOLDER / outside
        for outside, inside in mounted
        if outside.endswith((".yaml", ".json"))
    }
    assert all(path.is_file() for path in files.values())
    assert {outside for outside, _ in mounted if "/" not in outside} == set(COMPOSE["volumes"])
    prometheus = read("prometheus.yaml")
    assert set(prometheus["rule_files"]) <= files.keys()
    (provider,) = read("grafana/boards.yaml")["providers"]
    assert f"{provider['options']['path']}/klopt.json" in files
    (source,) = read("grafana/source.yaml")["datasources"]
    assert {panel["datasource"]["uid"] for panel in BOARD["panels"]} == {source["uid"]}
    assert source["url"].removeprefix("http://").split(":")[0] in services


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
