"""Invalid rows of every kind in one log: each gets a status, in order, and affects no other row.

``tests/growth`` measures the time for long texts.
"""

import json
import re
import subprocess
import sys
from dataclasses import dataclass
from itertools import chain
from typing import Any

import pytest

from klopt import Page, Scorer, Turn
from klopt.logs.pages import read_pages
from klopt.scoring.explanation import texts
from klopt.text.building import read_plain
from klopt.text.reader import ANSWER_LIMIT_CHARS, CONTEXTS_LIMIT_CHARS

SAVING = """# Een document opslaan

1. Klik op **Bestand**.
2. Klik op **Opslaan**.
3. Kies de map van de medewerker.
"""
ENGLISH = "# Save a document\n\nYou save a document in the file of the employee. Click **Save**.\n"
QUESTION = "Hoe sla ik een document op in het dossier?"
ANSWER = "Klik op **Bestand** en daarna op **Opslaan**, en kies de map van de medewerker."
INVENTED = "Klik op **Bestand** en daarna op **Bewaren als**, en kies de map."
GOOD: tuple[dict[str, Any], ...] = (
    {"question": QUESTION, "answer": ANSWER, "contexts": ["opslaan.md"]},
    {"question": QUESTION, "answer": INVENTED, "contexts": [SAVING]},
    {"question": "How do I save a document?", "answer": "Click **Save**.", "contexts": [ENGLISH]},
)
MB = 1_000_000


@dataclass(frozen=True)
class Case:
    """A line of the log with its expected status; None is any status but ``error``.

    ``message`` is a part of the reason; without ``has_id`` the row is named after its line.
    """

    name: str
    line: bytes
    status: str | None
    code: str | None = None
    message: str = ""
    has_id: bool = True


def turn(
    name: str, status: str | None, code: str | None = None, message: str = "", **fields
) -> Case:
    """The first valid row with other fields; a field of `...` is left out."""
    row = {"id": name, **GOOD[0], **fields}
    kept = {key: value for key, value in row.items() if value is not ...}
    return Case(name, json.dumps(kept).encode(), status, code, message)


def raw(name: str, line: bytes, message: str) -> Case:
    return Case(name, line, "error", "row", message, has_id=False)


HTML = (
    "<html><head><script>Bewaren als</script><style>Bewaren als</style></head><body>"
    "<h1>Opslaan</h1><p onclick='x()'>Klik op <b>Bestand</b> en kies de map.</p>"
    "<script>document.write('<b>Bewaren als</b>')</script><template>Bewaren als</template></body>"
)
CASES = (
    # Empty or missing.
    turn("question missing", "not_scorable", "empty_question", question=...),
    turn("contexts missing", "not_scorable", "no_contexts", contexts=...),
    turn("all missing", None, question=..., answer=..., contexts=...),
    Case("no id", b"{}", "not_scorable", has_id=False),
    # Pages.
    turn("page missing", "error", "row", '"weg.md" is not a page', contexts=["weg.md"]),
    turn("page of html with scripts", "scored", contexts=[HTML], answer=INVENTED),
    turn("page of asterisks", "not_scorable", "page_too_long", contexts=["*" * MB]),
    turn("page of 5 MB", "not_scorable", "page_too_long", contexts=[SAVING * (5 * MB // 90)]),
    turn("pages of 600,000 characters", "not_scorable", "contexts_too_long",
         f"klopt reads at most {CONTEXTS_LIMIT_CHARS:,}", contexts=["De map. " * 20_000] * 4),
    # Long and unusual texts.
    turn("question of 5 MB", "not_scorable", "question_too_long", question="Hoe? " * MB),
    turn("answer of 5 MB", "not_scorable", "answer_too_long",
         f"the answer has 5,000,000 characters; klopt reads at most {ANSWER_LIMIT_CHARS:,}",
         answer="Klik." * MB),
    turn("surrogates", None, question="Hoe \ud800 sla ik het op?", answer="Klik op **Op\udfff**."),
    turn("surrogate alone", None, question="\ud800", answer="\udc00",
         contexts=[{"text": "\ud800"}]),
    turn("right to left and zero width", "scored",
         question="\u202eHoe\u200b sla ik een document op\u202c?",
         answer="Klik op **Be\u200bstand** en \u2067kies\u2069 de \ufeffmap van de medewerker."),
    turn("zero width alone", None, question="\u200b\u200d", answer="\u2060",
         contexts=[{"text": "\u200b"}]),
    turn("another script", "not_scorable", "language_unknown", question="كيف أحفظ؟",
         answer="اضغط حفظ"),
    turn("control characters", "scored",
         answer="Klik op **Bestand**\x00\x07\x1b[2J en kies de map."),
    turn("combining", None, answer="Kies de map" + "\u0301" * 5_000),
    # Wrong types.
    turn("answer list", "error", "row", "answer is a list, not text", answer=["Ja."]),
    turn("deep meta", "scored", meta={"a": [[[[{}]]]]}),
    # Lines that are no JSON objects.
    raw("no json", b"klopt dat?", "not JSON: "),
    raw("cut off", b'{"id": "cut off", "question": "Hoe', "not JSON: "),
    raw("list", b'[{"id": "list"}]', "not a JSON object but "),
    raw("deep", b'{"meta": ' + b"[" * 200_000, "not JSON: "),
    raw("huge number", b'{"id": ' + b"9" * 10_000 + b"}", "not JSON: "),
    raw("bytes", b"\x00\xff\xfe\x80", "not JSON: "),
    Case("invalid UTF-8",
         json.dumps({"id": "invalid UTF-8", **GOOD[0]}).encode().replace(b"map", b"m\xe4p"),
         "scored"),
    turn("twice", "scored"),
    turn("twice", "scored"),
)  # fmt: skip


@dataclass(frozen=True)
class Result:
    """The run over the log: its cases, the scored rows, exit code and standard error."""

    folder: Any
    cases: list[Case]
    rows: list[dict[str, Any]]
    code: int
    err: str


@pytest.fixture(scope="module")
def result(tmp_path_factory):
    """Score all cases in one log, with a valid row before each."""
    folder = tmp_path_factory.mktemp("bad")
    (folder / "pages").mkdir()
    (folder / "pages" / "opslaan.md").write_text(SAVING, encoding="utf-8")
    good = [turn(f"good-{at}", "scored", **GOOD[at % len(GOOD)]) for at in range(len(CASES) + 1)]
    cases = [*chain.from_iterable(zip(good, CASES, strict=False)), good[-1]]
    log, output = folder / "log.jsonl", folder / "out.jsonl"
    log.write_bytes(b"\n".join(case.line for case in cases))
    arguments = ["score", log, "--pages", folder / "pages", "-o", output]
    run = subprocess.run(
        [sys.executable, "-m", "klopt", *map(str, arguments)], capture_output=True, check=False
    )
    err = run.stderr.decode()
    assert output.is_file(), err[-2_000:]
    rows = [json.loads(line) for line in output.read_bytes().splitlines()]
    return Result(folder, cases, rows, run.returncode, err)


def test_every_row_is_written_in_order(result):
    assert [row["id"] for row in result.rows] == [
        case.name if case.has_id else f"row-{number}" for number, case in enumerate(result.cases, 1)
    ]


def test_exit_code_and_summary(result):
    assert result.code == 3
    errors = sum(row["status"] == "error" for row in result.rows)
    assert f"{len(result.rows)} answers: " in result.err
    assert f"{errors} could not be read." in result.err
    assert "Traceback" not in result.err


def test_the_output_is_json_without_nan(result):
    text = (result.folder / "out.jsonl").read_bytes().decode("utf-8")
    assert not re.search(r"\b(?:NaN|Infinity)\b", text)
    assert len(text.splitlines()) == len(result.cases)


@pytest.mark.parametrize("case", [one for one in CASES if "too_long" in (one.code or "")])
def test_a_text_that_is_too_long_is_not_read(monkeypatch, case):
    read: list[str] = []
    for module in ("text.reader", "scoring.reading"):
        monkeypatch.setattr(
            f"klopt.{module}.read_text", lambda text, *_: read.append(text) or read_plain(text)
        )
    pages = {"opslaan.md": Page(SAVING, "opslaan.md")}
    one = Scorer.load().score(Turn.from_mapping(json.loads(case.line), pages=pages))
    assert one.reason_code == case.code
    assert sum(map(len, read)) <= 2 * ANSWER_LIMIT_CHARS


@pytest.mark.parametrize("index", range(len(CASES)), ids=[case.name for case in CASES])
def test_status_and_reason(result, index):
    case, row = CASES[index], result.rows[2 * index + 1]
    assert row["reason_code"] != "internal"
    if case.status is None:
        assert row["status"] in ("scored", "not_scorable")
    else:
        assert row["status"] == case.status
    if case.code is not None:
        assert row["reason_code"] == case.code
    assert case.message in (row["reason"] or "")
    assert len(row["reason"] or "") < 1_000
    if row["status"] == "scored":
        assert 1 <= row["score"] <= 5
        assert (row["reason_code"], row["reason"]) == (None, None)
    else:
        assert (row["score"], row["stars"], row["verdict"]) == (None, None, "unscored")
        assert row["reason"]
        starts = [texts(code)["verdict"]["unscored"].split("{")[0] for code in ("en", "fr", "nl")]
        assert row["explanation"].startswith(tuple(starts))
        assert row["reason"] in row["explanation"] or not row["explanation"].startswith(starts[0])


@pytest.mark.parametrize("kind", range(len(GOOD)))
def test_valid_rows_are_scored_as_without_the_others(result, kind):
    pages = read_pages(result.folder / "pages")
    scorer = Scorer.load()
    alone = scorer.score(Turn.from_mapping(GOOD[kind], pages=pages)).to_dict()
    found = result.rows[2 * kind :: 2 * len(GOOD)]
    assert alone["status"] == "scored"
    assert all(row["id"].startswith("good-") for row in found)
    assert all({**row, "id": ""} == alone for row in found)


def test_a_script_on_a_page_supports_nothing(result):
    names = [case.name for case in result.cases]
    row = result.rows[names.index("page of html with scripts")]
    assert row["measurements"]["components_defined"]["value"] < 1
    assert row["verdict"] != "send"
