"""A path that a command prints stands whole, however long it is and however narrow the window."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import pytest

from klopt.company.folder import Company
from tests.company.conftest import TURNS

NARROW = "20"
LINES = ("company", "lines", "{acme}", "--send-from", "4.9", "--write")
SHOW = ("company", "show", "{acme}")
COMMANDS = {
    "allow": (
        ("company", "allow", "{acme}", "Afwezig melden"),
        "Which answers that moves: klopt company check {acme}",
    ),
    "check": (("company", "check", "{acme}"), "{acme}/nl/doubts.toml"),
    "init": (("company", "init", "--pages", "{pages}", "-o", "{home}/new"), "{home}/new"),
    "lines": (LINES, "Written to {acme}/profile.toml: send_from 4.9."),
    "show": (SHOW, "Pages: {pages}. Log: {acme}/log.jsonl."),
    "terms": (("company", "terms", "--pages", "{pages}", "-o", "{home}/t.toml"), "{home}/t.toml"),
    "index": (("index", "build", "--pages", "{pages}", "-o", "{home}/i"), "Written to {home}/i."),
    "score": (
        ("score", "{acme}/rated.jsonl", "--pages", "{pages}", "-o", "{home}/o.jsonl"),
        "Written to {home}/o.jsonl.",
    ),
    "evaluate": (
        ("evaluate", "{acme}/rated.jsonl", "--pages", "{pages}", "--html", "{home}/e.html"),
        "Written to {home}/e.html.",
    ),
}


def fill(text: str, acme: Company, home: Path) -> str:
    return text.format(acme=acme.path, pages=acme.page_folders[0], home=home)


@pytest.mark.parametrize("name", COMMANDS)
def test_in_a_pipe(klopt, acme: Company, home: Path, name: str):
    arguments, said = COMMANDS[name]
    if name == "check":
        (acme.path / "nl" / "doubts.toml").write_text("[list]\n", "utf-8")
    if name == "show":
        dataclasses.replace(acme, log=str(acme.path / "log.jsonl")).write()
    run = klopt(*(fill(one, acme, home) for one in arguments), COLUMNS=NARROW)
    assert fill(said, acme, home) in run.out + run.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [(LINES, COMMANDS["lines"][1]), (SHOW, "Pages: {pages}. Log: none.")],
    ids=["lines", "show"],
)
def test_on_a_terminal(klopt, acme: Company, home: Path, arguments: tuple[str, ...], said: str):
    run = klopt(*(fill(one, acme, home) for one in arguments), terminal=True, COLUMNS=NARROW)
    assert fill(said, acme, home) in run.out


def test_no_cell_is_folded_or_cut_in_a_pipe(klopt, acme: Company):
    """Of the answers that a line would change: ids and reasons, longer than any column."""
    rows = [{**turn, "id": f"{turn['id']}-{'x' * 200}"} for turn in TURNS]
    acme.rated.write_text("".join(f"{json.dumps(row)}\n" for row in rows), "utf-8")
    arguments = ("company", "lines", acme.path, "--send-from", "1", "--block-below", "1")
    narrow, wide = (klopt(*arguments, COLUMNS=columns) for columns in (NARROW, "400"))
    assert narrow == wide
    lines = narrow.out.splitlines()
    assert lines == [line.rstrip() for line in lines]
    changed = [line.split(maxsplit=1) for line in lines if "became" in line]
    assert {name for name, _ in changed} <= {row["id"] for row in rows}
    assert changed
    assert all(why.endswith((".", "”")) for _, why in changed)
