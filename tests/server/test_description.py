"""The service matches its OpenAPI description."""

import json
import re

import jsonschema
import pytest
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

from klopt.server.app import openapi
from tests.server.conftest import ROW

PRINTER = "Kan ik zelf een printer toevoegen?"
REQUESTS = {
    "a row": ("/v1/score", ROW),
    "another": ("/v1/score", {"question": PRINTER, "answer": "Ja.", "contexts": ["printer"]}),
    "without pages": ("/v1/score", {**ROW, "contexts": []}),
    "no time": ("/v1/score", {**ROW, "budget_ms": 0}),
    "unread": ("/v1/score", {"question": 3}),
    "a type": ("/v1/classify", {"question": PRINTER}),
    "no type": ("/v1/classify", {"question": "?"}),
    "pages": ("/v1/search", {"question": "printer"}),
    "no number": ("/v1/search", {"question": "printer", "k": 0}),
}


def validator(pointer: str) -> jsonschema.Draft202012Validator:
    whole = json.loads(json.dumps(openapi()).replace('"#/', '"urn:klopt#/'))
    known = Registry().with_resource("urn:klopt", Resource(whole, DRAFT202012))
    return jsonschema.Draft202012Validator({"$ref": f"urn:klopt#{pointer}"}, registry=known)


def check(answer, path: str, method: str = "post") -> None:
    responses = openapi()["paths"][path][method]["responses"]
    code = str(answer.status_code)
    place = f"/paths/{path.replace('/', '~1')}/{method}/responses/{code}"
    if code not in responses:
        place = responses["default"]["$ref"].removeprefix("#")
    kind = answer.headers["content-type"].partition(";")[0].replace("/", "~1")
    validator(f"{place}/content/{kind}/schema").validate(answer.json())


@pytest.mark.parametrize("name", REQUESTS)
def test_responses_match_the_description(client, name):
    path, body = REQUESTS[name]
    check(client.post(path, json=body), path)


@pytest.mark.parametrize("value", [None, True, 3, []])
def test_rows_are_accepted_as_described(client, value):
    row = validator("/components/schemas/Row")
    page = ROW | {"contexts": [{"id": "opslaan", "text": "Klik op **Opslaan**."}]}
    fields = openapi()["components"]["schemas"]["Row"]["properties"].keys()
    rows = [ROW | {name: value} for name in fields - {"id"}]
    rows += [
        page | {"contexts": [page["contexts"][0] | {name: value}]}
        for name in ("title", "text", "url", "format")
    ]
    for sent in rows:
        is_accepted = client.post("/v1/score", json=sent).status_code == 200
        assert (is_accepted, sent) == (row.is_valid(sent), sent)


def test_health_and_errors_match_the_description(client):
    for path in ("/healthz", "/readyz", "/v1/pages"):
        check(client.get(path), path, "get")
    for path in ("/v1/score", "/v1/score/batch", "/v1/classify", "/v1/search", "/v1/stream"):
        check(client.post(path, content=b"x", headers={"content-type": "text/plain"}), path)


def test_every_path_is_described_and_every_reference_resolves(client):
    described = client.get("/openapi.json").json()
    assert described == openapi()
    found = client.get("/weg").json()["error"]["message"].partition("there are ")[2].split(", ")
    pages = {"/", "/docs", "/docs.js", "/try.css", "/try.js", "/openapi.json"}
    assert set(described["paths"]) == set(found) - pages
    for schema in described["components"]["schemas"].values():
        jsonschema.Draft202012Validator.check_schema(schema)
    text = json.dumps(described)
    for name in set(re.findall(r'"#/components/(\w+/\w+)"', text)):
        kind, one = name.split("/")
        assert one in described["components"][kind], name


def test_every_example_is_accepted(client):
    for path, methods in openapi()["paths"].items():
        for kind, body in methods.get("post", {}).get("requestBody", {}).get("content", {}).items():
            names = [one["$ref"].rpartition("/")[2] for one in body.get("examples", {}).values()]
            values = [openapi()["components"]["examples"][name]["value"] for name in names]
            for value in values or [body["example"]]:
                sent = value if isinstance(value, str) else json.dumps(value)
                answer = client.post(path, content=sent, headers={"content-type": kind})
                assert answer.status_code == 200, path
                assert "error" not in answer.text, path
