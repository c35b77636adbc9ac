"""Responses and errors of a real service."""

import json
import re
import socket

import httpx
import pytest

from klopt.retrieval.index_file import Index
from tests.server.conftest import ROW, Service
from tests.waiting import wait_for

NDJSON = "application/x-ndjson"
LINES = {"content-type": NDJSON}


def sent_to(service: Service, data: bytes) -> socket.socket:
    """Open a connection and send data on it."""
    host, port = service.url.removeprefix("http://").split(":")
    connection = socket.create_connection((host, int(port)), timeout=60)
    connection.sendall(data)
    return connection


STREAM = (
    b"POST /v1/stream HTTP/1.1\r\nHost: localhost\r\n"
    b"Content-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\n\r\n"
)


def chunk(text: str) -> bytes:
    data = text.encode()
    return b"%x\r\n%s\r\n" % (len(data), data)


def error(response: httpx.Response) -> tuple[int, str, str]:
    found = response.json()["error"]
    return response.status_code, found["code"], found["message"]


def test_a_response_equals_the_output_of_the_command(client, pages, klopt, tmp_path):
    log = tmp_path / "log.jsonl"
    log.write_text(json.dumps(ROW) + "\n", encoding="utf-8")
    written = klopt("score", log, "--pages", pages).out.encode()
    answer = client.post("/v1/score", json=ROW)
    assert answer.status_code == 200
    assert answer.content == written
    assert client.post("/v1/score/batch", content=json.dumps(ROW), headers=LINES).content == written


def test_a_batch_has_results_in_order_and_errors_of_invalid_rows(client):
    lines = [json.dumps({**ROW, "id": str(number)}) for number in range(8)]
    lines[2], lines[5] = "{", json.dumps({"question": 3})
    answer = client.post("/v1/score/batch", content="\n".join(lines), headers=LINES)
    found = [json.loads(line) for line in answer.text.splitlines()]
    assert [one["id"] for one in found] == ["0", "1", "row-3", "3", "4", "row-6", "6", "7"]
    assert [one["status"] for one in found].count("error") == 2
    assert "the request, line 3: not JSON" in found[2]["reason"]
    assert "row 6: question is a number, not text" in found[5]["reason"]


def test_fields_with_dutch_names_are_read_and_unknown_ones_reported(client):
    line = {"vraag": ROW["question"], "antwoord": ROW["answer"], "paginas": ROW["contexts"]}
    assert client.post("/v1/score", json={**line, "kanaal": "web"}).json()["verdict"] == "review"
    row = client.post("/v1/score/batch", content='{"reactie": "x"}', headers=LINES).json()
    assert row["status"] == "error"
    assert "row 1: no field is read as question or answer" in row["reason"]
    question = {"question": ROW["question"], "kanaal": "web"}
    assert client.post("/v1/classify", json=question).json()["message_type"] == "instruction"
    empty = client.post("/v1/score", json={"question": "a", "budget_ms": 1000})
    assert (empty.status_code, empty.json()["verdict"]) == (200, "unscored")


def test_pages_are_listed_and_found_by_name(client):
    assert client.get("/v1/pages").json() == {"count": 2, "pages": ["opslaan.md", "printer.md"]}
    assert client.get("/v1/pages?name=PRINT").json() == {"count": 1, "pages": ["printer.md"]}
    assert client.get("/v1/pages?name=wifi").json() == {"count": 0, "pages": []}


def test_a_question_is_classified_and_searched(client):
    found = client.post("/v1/classify", json={"id": "a", "question": ROW["question"]}).json()
    assert (found["id"], found["message_type"]) == ("a", "instruction")
    question = {"question": "Hoe voeg ik een printer toe?", "k": 1}
    (page,) = client.post("/v1/search", json=question).json()["pages"]
    assert page["id"] == "printer.md"


JSON = "application/json"
TWO, ONE = b'{"vraagtekst": "a", "reactie": "b"}', b'{"vraag": "a", "reactie": "b"}'
NONE = b'{"vraagtekst": "a", "k": 1}'
REFUSED = {
    "bad json": ("score", JSON, b"{", 400, "bad_json", "the request: not JSON: Expecting"),
    "deep": ("score", JSON, b"[" * 90_000, 400, "bad_json", "the request: not JSON"),
    "no utf-8": ("score", JSON, b'{"question": "\xff"}', 400, "bad_json", "the request: not JSON"),
    "empty": ("score", JSON, b"", 400, "bad_json", "the request: not JSON"),
    "list": ("score", JSON, b"[]", 422, "row", "not a JSON object with the fields of a row"),
    "wrong type": ("score", JSON, b'{"question": 3}', 422, "row", "question is a number, not"),
    "page not there": ("score", JSON, b'{"contexts": ["weg"]}', 422, "row", '"weg" is not a page'),
    "half a character": ("score", JSON, rb'{"contexts": ["\ud800"]}', 422, "row", "is not a page"),
    "wrong message type": (
        "score",
        JSON,
        b'{"message_type": "x"}',
        422,
        "row",
        '"x" is not one of',
    ),
    "outside": ("score", JSON, b'{"contexts": ["../x"]}', 422, "row", '"../x" is not a page'),
    "file": ("score", JSON, b'{"contexts": [{"id": "/x"}]}', 422, "row", '"/x" is not a page'),
    "other names": ("score", JSON, TWO, 422, "row", "other fields are vraagtekst, reactie: send"),
    "another name": ("score", JSON, ONE, 422, "row", "send reactie as"),
    "no question": ("classify", JSON, NONE, 422, "row", "send vraagtekst as"),
    "nor to search": ("search", JSON, NONE, 422, "row", "send vraagtekst"),
    "large": ("score", JSON, b" " * 100_001, 413, "too_large", "100000 bytes (--body-bytes)"),
    "rows": ("score/batch", NDJSON, b"{}\n" * 11, 413, "too_many_rows", "11 rows, a"),
    "no pages": ("search", JSON, b'{"question": "a", "k": 0}', 422, "row", "from 1 to 100"),
    "all pages": ("search", JSON, b'{"question": "a", "k": 101}', 422, "row", "from 1 to 100"),
    "true pages": ("search", JSON, b'{"question": "a", "k": true}', 422, "row", "from 1 to 100"),
    "text": ("score", "text/plain", b"{}", 415, "content_type", "send application/json"),
    "form": ("score", "application/x-www-form-urlencoded", b"{}", 415, "content_type", "send app"),
    "no kind": ("score", "", b"{}", 415, "content_type", "send application/json"),
}
"""Requests with their errors; a page of another site could send some of them."""


@pytest.mark.parametrize("name", REFUSED)
def test_an_invalid_request_has_an_error(client, name):
    path, kind, body, status, code, message = REFUSED[name]
    found = error(client.post(f"/v1/{path}", content=body, headers={"content-type": kind}))
    assert found[:2] == (status, code)
    assert message in found[2]


def test_a_body_may_have_as_many_bytes_as_the_limit(client):
    body = json.dumps(ROW).ljust(100_000)
    assert client.post("/v1/score", content=body, headers={"content-type": JSON}).is_success


def test_a_body_of_unknown_length_is_limited(client):
    parts = (b" " * 1_000 for _ in range(200))
    answer = client.post("/v1/score", content=parts, headers={"content-type": JSON})
    assert error(answer)[1] == "too_large"


@pytest.mark.parametrize("path", ["/", "/readyz", "/v1/pages", "/nergens"])
def test_answers_are_neither_stored_nor_framed_nor_run(client, path):
    headers = client.get(path).headers
    assert headers["cache-control"] == "no-store"
    assert headers["x-content-type-options"] == "nosniff"
    assert "default-src 'none'" in headers["content-security-policy"]
    assert "frame-ancestors 'none'" in headers["content-security-policy"]


def test_an_unknown_host_or_path_is_refused(client):
    answer = client.get("/", headers={"host": "evil.example:80"})
    assert error(answer)[:2] == (421, "host")
    assert "--allow-host" in error(answer)[2]
    for path in ("/v1", "/v1/score/", "/../etc/passwd", "/try.css/../../x", "/%00"):
        assert error(client.get(path))[:2] == (404, "path")
    wrong = client.get("/v1/score")
    assert (error(wrong)[:2], wrong.headers["allow"]) == ((405, "path"), "POST")
    assert error(wrong)[2].endswith("use POST")


def test_a_result_within_a_time_budget_is_never_sent(client):
    found = client.post("/v1/score", json={**ROW, "budget_ms": 0}).json()
    assert (found["status"], found["verdict"] == "send") == ("cut_off", False)
    assert client.post("/v1/score", json={**ROW, "budget_ms": 60_000}).json()["status"] == "scored"


def test_a_reason_names_the_budget_of_the_row(client):
    found = client.post("/v1/score", json={**ROW, "budget_ms": 0.5}).json()
    assert found["cut_off"]["budget_ms"] == 0.5
    assert "(0.5 ms)" in found["reason"]


def test_a_stream_ends_within_the_time_budget_of_its_row(client):
    sent = pieces("Klik op **Bestand**. Kies de map.", budget_ms=0)
    (name, found) = events(client.post("/v1/stream", content=sent, headers=LINES).text)[-1]
    assert (name, found["status"]) == ("assessment", "cut_off")


def test_health(client, built):
    assert client.get("/healthz").json() == {"status": "ok"}
    digest = Index.open(built).digest
    assert client.get("/readyz").json() == {"status": "ready", "index": digest}


def test_metrics_count_requests_of_all_workers(client):
    def count(name: str) -> float:
        found = client.get("/metrics")
        assert found.headers["content-type"].startswith("text/plain; version=0.0.4")
        values = re.findall(rf"^{name} (\S+)$", found.text, re.MULTILINE)
        return sum(map(float, values))

    names = [
        r'klopt_requests_total\{path="/v1/classify",status="200"\}',
        r'klopt_request_seconds_count\{path="/v1/classify"\}',
    ]
    before = [count(name) for name in names]
    for _ in range(20):
        client.post("/v1/classify", json=ROW)
    client.post("/v1/score", json=ROW)
    wait_for(lambda: [count(name) for name in names] == [number + 20 for number in before])
    client.post("/v1/score", json={**ROW, "budget_ms": 0})
    scored = r'klopt_turns_total\{status="scored",verdict="(?:block|review)"\}'
    wait_for(lambda: count(scored) >= 1)
    wait_for(lambda: count(r'klopt_turns_total\{status="cut_off",verdict="review"\}') >= 1)


def test_the_log_has_one_line_per_request_and_no_text(service, client, built):
    answer = client.post("/v1/score", json=ROW, headers={"x-request-id": "vraag-1"})
    assert answer.headers["x-request-id"] == "vraag-1"
    wait_for(lambda: '"vraag-1"' in service.log.read_text("utf-8"))
    log = service.log.read_text("utf-8")
    (line,) = [one for one in log.splitlines() if '"vraag-1"' in one]
    shown = {name: answer.json()[name] for name in ("verdict", "fingerprint")}
    shown |= {"assessment_status": "scored", "index": Index.open(built).digest}
    assert {"path": "/v1/score", "status": 200, **shown}.items() <= json.loads(line).items()
    assert "Bewaren" not in log


def test_an_invalid_request_id_is_replaced(client):
    answer = client.post("/v1/score", json=ROW, headers={"x-request-id": 'a" b'})
    assert re.fullmatch("[0-9a-f]{16}", answer.headers["x-request-id"])


def events(text: str) -> list[tuple[str, dict]]:
    found = re.findall(r"event: (\w+)\ndata: (.*)\n\n", text)
    return [(name, json.loads(data)) for name, data in found]


def pieces(*texts: str, **row: object) -> str:
    head = {name: value for name, value in {**ROW, **row}.items() if name != "answer"}
    return "\n".join(json.dumps(one) for one in (head, *({"text": text} for text in texts)))


def test_a_stream_ends_with_the_assessment_of_the_answer(client):
    answer = str(ROW["answer"]) + " Kies de map."
    sent = pieces(*(answer[place : place + 7] for place in range(0, len(answer), 7)))
    found = events(client.post("/v1/stream", content=sent, headers=LINES).text)
    assert [name for name, _ in found] == ["fault", "assessment"]
    assert found[0][1]["text"] == "Bewaren als"
    assert found[1][1] == client.post("/v1/score", json={**ROW, "answer": answer}).json()


def test_a_fault_is_sent_before_the_answer_is_complete(service):
    first = chunk(pieces("Klik op **Bewaren als**. ", "Kies de map") + "\n")
    with sent_to(service, STREAM + first) as connection:
        received = b""
        while b"event: fault" not in received:
            received += connection.recv(4096)
        assert b"event: assessment" not in received
        connection.sendall(chunk('{"text": " van de medewerker."}\n') + b"0\r\n\r\n")
        while b"event: assessment" not in received:
            received += connection.recv(4096)


@pytest.mark.parametrize(
    ("sent", "code", "message"),
    [
        (pieces() + '\n{"tekst": "a"}', "piece", "line 2: after its first line each line is {"),
        (pieces() + "\n{", "bad_json", "the request, line 2: not JSON"),
        (pieces("a", "b") + "\n\n3", "piece", "the request, line 5: after its first line each"),
    ],
)
def test_an_invalid_piece_ends_a_stream_with_an_error(client, sent, code, message):
    ((name, found),) = events(client.post("/v1/stream", content=sent, headers=LINES).text)
    assert (name, found["code"]) == ("error", code)
    assert message in found["message"]


HEALTH = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n"
HEADS = {
    "one header": (b"GET / HTTP/1.1\r\nX-A: ", b"a" * 65_536),
    "many headers": (b"GET / HTTP/1.1\r\n", b"X-A: b\r\n" * 8_192),
    "address": (b"GET /", b"a" * 65_536),
    "trailer": (STREAM + b"0\r\nX-A: ", b"a" * 65_536),
    "size of a chunk": (STREAM + b"1;a=", b"a" * 65_536),
}


@pytest.mark.parametrize("name", HEADS)
def test_an_endless_head_is_refused(service, client, name):
    first, more = HEADS[name]
    with sent_to(service, first) as connection, pytest.raises(ConnectionError):
        connection.sendall(more * 200)
    assert client.get("/healthz").status_code == 200


def test_a_long_head_is_refused(service):
    for most, status in ((6_000, b"200"), (60_000, b"400")):
        with sent_to(service, HEALTH + b"a: bcd\r\n" * most + b"\r\n") as connection:
            assert connection.recv(12) == b"HTTP/1.1 " + status
