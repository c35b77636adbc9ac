"""Command lines: their output, and the errors of invalid ones.

`pytest --snapshot-update tests/cli/test_lines.py` updates the snapshots of their output.
"""

import csv
import io
import json
import re
import shlex
import shutil
import socket
import tomllib
from pathlib import Path

import pytest

from klopt._internal import shipped
from klopt.scoring.profile import source_of
from klopt.translation import TranslationCache
from tests.cli.column_rows import BLEU, EVIL, judged, rated
from tests.cli.conftest import PRINTER, SAVING, TURNS
from tests.cli.judged_log import REFERENCE, RIGHT, ROWS, STEP_MISSING, row
from tests.cli.test_translate import ENGLISH, FIRST, GERMAN, KNOWN, SECOND
from tests.llm.server import KEY
from tests.report.scored_log import logged, scored
from tests.translation.fakes import entries

FILES = Path(__file__).with_name("files")
LINES = tomllib.loads(Path(__file__).with_name("lines.toml").read_text("utf-8"))
ANSI = re.compile(r"\x1b\[[0-9;]*m")
DIGITS = re.compile(r"\d+([.,]\d+)+|\d+%|(?<=[@ :])[0-9a-f]{8,64}")
"""Figures, versions and digests, which change with the scores."""
LOGS = {
    "log": TURNS,
    "rated": rated(team=lambda index: "ab"[index % 2], second=lambda _: "instruction"),
    "turned": rated(rating=lambda index: [1, 5, 2][index % 3]),
    "labelled": rated(rating=lambda _: None, label=lambda index: index % 2),
    "many": (row | {"id": f"{row['id']}-{n}"} for n in range(5) for row in rated()),
    "unrated": rated(rating=lambda _: None),
    "labels": rated(rating=lambda _: None, label=lambda _: "invoice"),
    "no-pages": rated(contexts=lambda _: []),
    "judged": judged(),
    "reference": [{**one, "meta": {"solution": REFERENCE}} for one in ROWS],
    "bad-claims": [
        {"passage": "Dat kan.", "claim": 5},
        {"claim": "Dat kan."},
        {"passage": "Dat kan.", "claim": ""},
        {"passage": "…", "claim": "Dat kan hier niet."},
        {"passage": "qq 12", "claim": "ww 13"},
        {"passage": "Dat kan.", "claim": "Dat kan.", "language": "de"},
        {"passage": "Dat kan.", "claim": "d" * 20_001},
        "nope",
        {"passage": "Dat kan.", "claim": "Dat \ud800kan\x1b[31m niet met [bold]Alt[/]."},
    ],
    "questions": [
        {"id": "a", "question": "Hoe voeg ik een printer toe?", "contexts": [{"id": "weg.md"}]},
        {"id": "b", "question": 5},
        {"id": "c", "question": ""},
        {"id": "d", "question": "12 34 56"},
        {"id": "e", "question": "Hoe \ud800 voeg ik een printer toe?"},
        {"id": "f", "question": "Hoe voeg ik een printer toe? " * 180_000},
    ],
    "broken": [*rated(), *["{no"] * 7],
    "odd": rated(
        comma=lambda index: "0,45" if index else 1,
        large=lambda index: 10**400 if index == 8 else index,
        evil=lambda index: EVIL if index == 8 else index,
        words=lambda index: "none" if index > 8 else index,
    ),
    "stars": rated(rating=lambda _: None, stars=lambda index: [5, 1, 4][index % 3]),
    "nested-judged": judged(bleu=lambda index: index, metrics=lambda index: {"bleu": index}),
    "broken-judged": [*["{no"] * 7, *judged()],
    "some-judged": [*judged(11), {"id": f"other{EVIL}", "score": 1}],
    "without-ids": rated(id=lambda _: None),
    "numbered": judged(id=lambda index: f"row-{index + 1}"),
    "bad-references": [ROWS[0], row("list", RIGHT, reference=[1]), ROWS[1], "{", "[1]"],
    "solutions": [
        row("with", RIGHT, solution=REFERENCE),
        row("without", RIGHT),
        row("null", RIGHT, solution=None),
        row("list", RIGHT, solution=["Open Beheer."]),
    ],
    "unreferenced": [row(f"{n}", RIGHT, reference=...) for n in range(3)],
    "emptied": [row("a", RIGHT, reference=...), row("b", RIGHT, reference="")],
    "page-gone": [row("a", RIGHT, contexts=["weg.md"])],
    "bot-text": [row("a", ..., bot_text="Klik op Wis.", reference="1. Klik op **Wis**.")],
    "rated-references": [
        row("a", RIGHT, rating=5),
        row("b", STEP_MISSING, rating=1),
        row("c", RIGHT, rating=4),
    ],
    "scores": [scored("a1"), scored("a2")],
    "bad-scores": [scored("a1"), "nonsense", *[{"id": "2"}] * 7],
    "scored": [logged("a1"), logged("a2")],
    "known": [FIRST, ENGLISH],
    "translated": [FIRST, SECOND, GERMAN, ENGLISH],
}
TEXTS = {
    "help/opslaan.md": SAVING,
    "help/apparaten/printer.md": PRINTER,
    "apart/printer.md": PRINTER,
    "tool.csv": ",id,answer,faithfulness,passed,comment,rating\n"
    + "".join(f"{n},row-{n},Ja.,{b if n else 'error'},True,{5}{n},3\n" for n, b in enumerate(BLEU)),
    "translating.toml": source_of("afas").text + '\n[translate]\nto = "en"\nscope = "whole"\n',
    "same-name.toml": source_of("default").text,
    "no-pipeline.toml": source_of("afas").text.replace(
        'pipeline = "klopt"', 'pipeline = "nl_core_news_none"'
    ),
}


@pytest.fixture(scope="module")
def laid_out(tmp_path_factory):
    """A folder with the files of the lines, which no test changes."""
    tmp_path = shutil.copytree(FILES, tmp_path_factory.mktemp("lines") / "files")
    for name, text in TEXTS.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    (tmp_path / "empty").mkdir()
    (tmp_path / "apart" / "elders.md").symlink_to("../help/opslaan.md")
    for name, rows in LOGS.items():
        LOGS[name] = list(rows)
        lines = (row if isinstance(row, str) else json.dumps(row) for row in LOGS[name])
        (tmp_path / f"{name}.jsonl").write_text("".join(f"{line}\n" for line in lines), "utf-8")
    for name in ("rated", "judged"):
        (tmp_path / f"{name}.json").write_text("{}", "utf-8")
    for name in ("own.tm", "own.jsonl"):
        with TranslationCache(tmp_path / name, create=True) as cache:
            cache.add(entries([("Opslaan", "Save")]))
    with TranslationCache(tmp_path / "known.tm", create=True) as cache:
        cache.add(entries(KNOWN))
        cache.add(entries([("Wie öffne ich das Dokument?", "How do I open it?")], "de"))
    return tmp_path


@pytest.fixture(autouse=True)
def no_network(monkeypatch):
    for name in ("create_connection", "getaddrinfo"):
        monkeypatch.setattr(socket, name, None)


@pytest.fixture
def folder(laid_out, tmp_path, monkeypatch):
    """A copy of the folder."""
    shutil.copytree(laid_out, tmp_path, symlinks=True, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def contents(folder):
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


SHOWN_FIELDS = (
    *("id", "label", "message_type", "status", "verdict", "reason_code", "reason", "from", "to"),
    *("source", "target", "answers", "unread", "rows"),
)


def in_short(line):
    """Return the main fields of a row in JSON, or any other line unchanged."""
    try:
        found = json.loads(line)
    except ValueError:
        return line
    columns = [f"{one['name']}: {one['n']}, {one['missing_count']} missing"
                  for one in found.get("columns", ())]  # fmt: skip
    values = [str(found[name]) for name in SHOWN_FIELDS if found.get(name) is not None]
    return "  " + "; ".join([*values, *columns])


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("command", LINES["piped"])
def test_rows_and_messages(klopt, snapshot, command):
    output = []
    for line in LINES["piped"][command]:
        run = klopt(*shlex.split(line))
        assert not re.search("Traceback|[\x1b\u202e]", run.err), line
        output += [f"{run.code} klopt {line}", *map(in_short, run.out.splitlines()), run.err]
    assert DIGITS.sub(lambda met: re.sub(r"\w", "0", met[0]), "\n".join(output)) == snapshot


@pytest.mark.parametrize("line", LINES["written"])
def test_a_file_has_the_bytes_of_a_pipe(klopt, folder, line):
    piped, before = klopt(*shlex.split(line)), contents(folder)
    run = klopt(*shlex.split(line), "-o", "out.jsonl", terminal=True, terminal_err=False)
    assert (run.code, run.out) == (piped.code, "")
    assert "out.jsonl" in run.err
    after = contents(folder)
    assert after.pop(folder / "out.jsonl") == piped.out.encode()
    assert after == before


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("line", LINES["printed"])
def test_every_format_has_the_same_content(klopt, line):
    piped = klopt(*shlex.split(line))
    formats = {
        name: klopt(*shlex.split(line), "--format", name, terminal=True, terminal_err=False).out
        for name in ("jsonl", "json", "csv")
    }
    assert formats["jsonl"] == piped.out
    whole, rows = json.loads(formats["json"]), piped.rows
    assert rows == (whole if isinstance(whole, list) else [whole])
    names, *cells = csv.reader(io.StringIO(formats["csv"]))
    if isinstance(whole, list):
        assert {*rows[0]} <= {*names}
        assert len(cells) == len(rows)
    else:
        assert names == ["figure", "value"]
        assert {name.partition(".")[0] for name, _ in cells} == {*whole}
    table = klopt(*shlex.split(line), "--format", "table")
    assert (table.code, table.out[:1] in ("", "{", "[")) == (piped.code, False)
    refused = klopt(*shlex.split(line), "--format", "table", "-o", "x.jsonl")
    assert refused.code == 2


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("command", LINES["terminal"])
def test_output_on_a_terminal(klopt, snapshot, command):
    output = []
    for line in LINES["terminal"][command]:
        run = klopt(*shlex.split(line), terminal=True, terminal_err=False)
        assert run.code == 0, line
        shown = DIGITS.sub(lambda met: re.sub(r"\w", "0", met[0]), ANSI.sub("", run.out)) + run.err
        output.append("\n".join([f"$ klopt {line}", *map(str.rstrip, shown.split("\n"))]))
    assert "\n".join(output) == snapshot


@pytest.mark.parametrize("line", [line for some in LINES["invalid"].values() for line in some])
def test_an_invalid_line_gives_an_error_and_writes_nothing(klopt, laid_out, line, monkeypatch):
    monkeypatch.chdir(laid_out)
    before = contents(laid_out)
    run = klopt(
        *shlex.split(line.replace("KEY@", f"{KEY}@")),
        OPENAI_API_KEY=KEY if "--base-url" in line else "",
        DEEPL_API_KEY="",
        stdin=(laid_out / "rated.jsonl").read_bytes(),
    )
    assert (run.out, run.code in (2, 3)) == ("", True)
    assert re.search("^Error: .+", run.err, re.MULTILINE)
    assert not re.search(f"{KEY}|Traceback|are sent to", run.err)
    assert contents(laid_out) == before


@pytest.mark.parametrize("name", shipped.table("klopt.cli", "removed.toml"))
def test_removed_option_names_its_replacement(klopt, laid_out, name, monkeypatch):
    monkeypatch.chdir(laid_out)
    line = f"score log.jsonl {name}" if name.startswith("--") else name
    run = klopt(*shlex.split(line))
    assert (run.code, run.out) == (2, "")
    assert re.search("Note: .+|was removed: .+", run.err)
