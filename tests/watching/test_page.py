"""A real browser and a real process: the page keeps up, by keys too, and shows hostile rows."""

from __future__ import annotations

import base64
import json
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from klopt.server.bodies import JSON, LINES
from tests.report.browser import HOSTILE, tab, violations
from tests.server.conftest import ROW, running
from tests.watching.conftest import Watching, line, watching

TOKEN = "geheim-123"


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    (tmp_path / "logs").mkdir()
    return tmp_path / "logs"


@pytest.fixture
def watch(logs: Path, built: Path) -> Iterator[Watching]:
    (logs / "a.jsonl").write_text(line(1) + line(2, question=HOSTILE, id=HOSTILE), "utf-8")
    with watching(logs.parent, "--index", built, "--keep-text") as found:
        found.wait(lambda text: "van de 2 antwoorden" in text)
        yield found


@pytest.fixture
def page(chromium, watch):
    with tab(chromium, viewport={"width": 400, "height": 800}) as (page, told):
        page.goto(watch.url)
        yield page
        assert told == []


def add(logs: Path, text: str) -> None:
    with (logs / "a.jsonl").open("a", encoding="utf-8") as file:
        file.write(text)


def test_what_comes_is_shown_and_nobody_is_disturbed(page, logs):
    lead = page.locator(".lead")
    add(logs, line(3) + line(4)[:20])
    lead.filter(has_text="van de 3 antwoorden").wait_for()
    add(logs, line(4)[20:] + "{\n")
    lead.filter(has_text="van de 4 antwoorden").wait_for()
    page.get_by_text("Niet te lezen en niet meegeteld: 1 rijen.").wait_for()
    page.locator("#live summary").press("Enter")
    assert "a.jsonl, line 5: not JSON" in page.locator("#live li li, #live details li").inner_text()

    page.locator("select[name=verdict]").select_option("review")
    page.locator("input[name=words]").fill("opslaan")
    page.locator(".card summary").last.press("Enter")
    shown, opened = page.locator("output").inner_text(), page.locator(".card[open]").count()
    add(logs, line(5))
    page.locator("#now").wait_for()
    assert "van de 4 antwoorden" in lead.inner_text()
    page.locator("#now").press("Enter")
    lead.filter(has_text="van de 5 antwoorden").wait_for()
    assert page.locator("input[name=words]").input_value() == "opslaan"
    assert page.locator("output").inner_text() == shown
    assert page.locator(".card[open]").count() == opened
    assert page.evaluate("document.activeElement.id") == "by-itself"

    page.keyboard.press("Enter")
    assert page.locator("#by-itself").get_attribute("aria-pressed") == "false"
    add(logs, line(6))
    page.locator("#now").wait_for()
    assert "van de 5 antwoorden" in lead.inner_text()
    page.locator("a", has_text="Alles").press("Enter")
    lead.filter(has_text="van de 6 antwoorden").wait_for()
    assert page.locator("[aria-current=page]").inner_text() == "Alles"


def test_hostile_rows_do_not_run_and_everybody_can_use_it(page, logs):
    add(logs, json.dumps([HOSTILE]) + "\n" + line(7, answer=HOSTILE, contexts=[{"text": HOSTILE}]))
    page.locator(".lead", has_text="van de 3 antwoorden").wait_for()
    assert page.evaluate("document.documentElement.dataset.pwned") is None
    assert page.locator("main img").count() == 0
    page.evaluate("for (const part of document.querySelectorAll('details')) part.open = true")
    assert page.evaluate("document.documentElement.scrollWidth") <= 400
    assert violations(page) == []


def test_a_row_counts_once_whatever_ends_the_process(logs, built):
    (logs / "a.jsonl").write_text("".join(map(line, range(60))), "utf-8")
    options = ("--index", built, "--page-language", "en")
    with watching(logs.parent, *options) as found:
        found.wait(lambda text: "answers" in text and "Refreshes" in text)
        found.process.send_signal(signal.SIGKILL)
    add(logs, line(59) + line(60))
    (logs / "a.jsonl").rename(logs / "b.jsonl")
    (logs / "a.jsonl").write_text(line(61), "utf-8")
    with watching(logs.parent, *options) as found:
        text = found.wait(lambda text: "of the 62 answers" in text)
        counted = "What is in the logs of the last 30 days is counted"
        assert counted in found.wait(lambda text: "What is in the logs" in text)
    assert "#" in text
    assert "Bewaren als" not in text


def test_who_may_ask(logs, built):
    (logs / "a.jsonl").write_text(line(1), "utf-8")
    with watching(logs.parent, "--index", built, KLOPT_TOKEN=TOKEN) as found:
        assert found.get(host="evil.example").status_code == 421
        refused = found.get("/state")
        assert refused.status_code == 401
        assert refused.headers["www-authenticate"] == 'Basic realm="klopt"'
        for shown in ("geheim-12", "", f"{TOKEN} "):
            given = base64.b64encode(f"ik:{shown}".encode()).decode()
            assert found.get(authorization=f"Basic {given}").status_code == 401
        assert found.get(authorization=f"Bearer {TOKEN}").status_code == 401
        given = base64.b64encode(f"ik:{TOKEN}".encode()).decode()
        answer = found.get(authorization=f"Basic {given}")
        assert answer.status_code == 200
        assert answer.headers["content-security-policy"] == "frame-ancestors 'none'"
        assert answer.headers["cache-control"] == "no-store"


def test_what_a_service_scored_is_shown_without_its_texts(tmp_path, built, klopt):
    kept = tmp_path / "scores.sqlite"
    rows = line(1) + "{\n" + line(2, contexts=[]) + '{"reactie": "x"}\n'
    with running(tmp_path, "--index", built, "--workers", 1, "--keep", kept) as service:
        with service.client() as client:
            for _ in range(2):
                pretty = json.dumps(json.loads(line(0)), indent=1)
                client.post("/v1/score", content=pretty, headers={"content-type": JSON})
            answer = client.post("/v1/score/batch", content=rows, headers={"content-type": LINES})
            client.post("/v1/classify", json={"question": ROW["question"]})
            assert len(answer.text.splitlines()) == 4
        assert service.stop() == 0
    assert str(ROW["answer"]).encode() not in kept.read_bytes()
    with watching(tmp_path, "--keep", kept, logs=()) as found:
        text = found.wait(lambda text: "van de 4 antwoorden" in text)
    assert "4 keer" not in text
    assert "scores.sqlite, beoordeeld door klopt" in text
    run = klopt("watch", "--keep", tmp_path / "weg.sqlite")
    assert (run.code, "there is no" in run.err) == (2, True)
