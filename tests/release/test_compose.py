"""The Dockerfile, the Compose file, the alerts and the dashboard, tested without Docker."""

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
DASHBOARD = json.loads((FOLDER / "grafana" / "klopt.json").read_text("utf-8"))
RULES = [rule for group in read("alerts.yaml")["groups"] for rule in group["rules"]]
EXPRESSIONS = {
    **{rule["alert"]: rule["expr"] for rule in RULES},
    **{f"{panel['title']} {target['refId']}": target["expr"]
       for panel in DASHBOARD["panels"] for target in panel["targets"]},
}  # fmt: skip


@pytest.fixture(scope="module")
def labels(tmp_path_factory):
    """The labels of each metric of a service after a request."""
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
    """Yield the metrics and labels of an expression that a service does not have."""
    names = re.findall(r"\b(klopt_\w+|up)\b(?:\{(\w+)[=!~])?", expression)
    assert names, expression
    for name, label in names:
        if name not in OF_PROMETHEUS and (name not in labels or label not in {"", *labels[name]}):
            yield f"{name}{{{label}}}"
    groups = re.findall(r"by \(([^)]*)\)", expression)
    grouped = {label for group in groups for label in group.split(", ")}
    yield from grouped - set().union(*(labels.get(name, set()) for name, _ in names))


@pytest.mark.parametrize("name", EXPRESSIONS)
def test_alerts_and_dashboard_use_existing_metrics(name, labels):
    expression = EXPRESSIONS[name]
    assert list(unknown(expression, labels)) == []
    assert all(expression.count(one[0]) == expression.count(one[1]) for one in ("()", "{}", "[]"))


def instructions() -> list[tuple[str, str]]:
    """Return name and value of each instruction of the Dockerfile, with continued lines joined."""
    text = re.sub(r"^#.*\n", "", (ROOT / "Dockerfile").read_text("utf-8"), flags=re.MULTILINE)
    lines = re.sub(r"\\\n\s*", "", text).splitlines()
    return [(name, value) for name, _, value in (line.partition(" ") for line in lines) if name]


LAST = dict(instructions())


def options(arguments: list[str]) -> dict[str, Any]:
    """Return the options of ``klopt serve`` in the image with these arguments."""
    return command.make_context("serve", [*json.loads(LAST["ENTRYPOINT"])[2:], *arguments]).params


def test_the_image_does_not_run_as_root():
    assert int(LAST["USER"]) > 0
    assert f"--uid {LAST['USER']} " in LAST["RUN"]


def test_the_image_serves_an_index_of_its_volume_on_its_port():
    given = options(json.loads(LAST["CMD"]))
    assert str(given["index"]).startswith(f"{LAST['VOLUME']}/")
    assert str(given["port"]) == LAST["EXPOSE"]
    assert f":{LAST['EXPOSE']}/readyz" in LAST["HEALTHCHECK"]
    compile(json.loads(LAST["HEALTHCHECK"].partition("CMD ")[2])[2], "healthcheck", "exec")


def test_the_compose_file_and_prometheus_share_port_and_token():
    service = COMPOSE["services"]["klopt"]
    given = options(service["command"])
    (scrape,) = read("prometheus.yaml")["scrape_configs"]
    (secret,) = COMPOSE["secrets"]
    token = f"/run/secrets/{secret}"
    assert str(given["token_file"]) == scrape["authorization"]["credentials_file"] == token
    assert scrape["static_configs"] == [{"targets": [f"klopt:{given['port']}"]}]
    assert service["secrets"] == COMPOSE["services"]["prometheus"]["secrets"] == [secret]
    ports = [port for one in COMPOSE["services"].values() for port in one["ports"]]
    assert all(port.startswith("127.0.0.1:") for port in ports)
