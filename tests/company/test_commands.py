"""What the commands over a company's folder say, line after line, on one folder."""

from __future__ import annotations

import json
import re
import shlex

import pytest

from klopt.company.entries import read
from klopt.company.folder import Company
from tests.company.conftest import TURNS

USAGE = re.compile(r"^Usage: .*?\n\n", re.MULTILINE | re.DOTALL)
FIGURES = re.compile(r"\d+([.,]\d+)+|\d+%")
"""What moves with the scores."""
SCRIPTS = {
    "check": (
        "check {acme}",
        "check {acme} --accept",
        "deny {acme} 'Nieuw verlof'",
        "check {acme}",
        "score {acme}/rated.jsonl --pages {home}/help -o {home}/out.jsonl",
        "check {acme} --log {home}/out.jsonl --against {home}/help/saldo.md",
        "check {acme}/nl",
        "check {acme} --fix",
    ),
    "lines": (
        "lines {acme}",
        "lines {acme} --send-from 2 --block-below 1.5",
        "lines {acme} --send-from 2 --write",
        "lines {acme} --write",
        "lines {acme} --send-from 7",
        "lines {acme} --send-from 4.9 --write",
        "lines {acme} --rated {home}/weg.jsonl",
    ),
    "names": (
        "allow {acme} Urenbriefje 'Afwezig  melden'",
        "deny {acme} Urenbriefje",
        "deny {acme} Urenbriefje --forget",
        "deny {acme} 'afwezig Melden'",
        "allow {acme} ' '",
        "allow {acme} --forget 'afwezig melden'",
    ),
    "show": ("show {acme}", "show {acme}/nl"),
}


@pytest.mark.parametrize("name", SCRIPTS)
def test_what_is_said(klopt, acme: Company, home, snapshot, name: str):
    told = []
    for line in SCRIPTS[name]:
        arguments = shlex.split(line.format(acme=shlex.quote(str(acme.path)), home="'HOME'"))
        arguments = [argument.replace("HOME", str(home)) for argument in arguments]
        arguments += ["--format", "table"] if name in ("lines", "show") else []
        run = klopt(*([] if line.startswith("score") else ["company"]), *arguments)
        said = (run.out + USAGE.sub("", run.err)).replace(str(home), "home").rstrip()
        told += [f"$ {line}", FIGURES.sub(lambda met: re.sub(r"\d", "0", met[0]), said)]
        told += [f"exit code {run.code}"] * (run.code != 0)
    assert "\n".join(told) == snapshot
    if name == "lines":
        assert acme.load().send_from == 4.9
    if name == "names":
        found = [one for one in read(acme.path, "nl") if one.lexicon == "product_names"]
        assert [(one.part, one.name) for one in found] == [("denied", "afwezig Melden")]


def test_no_cell_is_folded_or_cut_in_a_pipe(klopt, acme: Company):
    """Of the answers that a line would change: ids and reasons, longer than any column."""
    rows = [{**turn, "id": f"{turn['id']}-{'x' * 200}"} for turn in TURNS]
    acme.rated.write_text("".join(f"{json.dumps(row)}\n" for row in rows), "utf-8")
    arguments = ("company", "lines", acme.path, "--send-from", "1", "--block-below", "1")
    arguments += ("--format", "table")
    narrow, wide = (klopt(*arguments, COLUMNS=columns) for columns in ("20", "400"))
    assert narrow == wide
    lines = narrow.out.splitlines()
    assert lines == [line.rstrip() for line in lines]
    changed = [line.split(maxsplit=1) for line in lines if "became" in line]
    assert {name for name, _ in changed} <= {row["id"] for row in rows}
    assert changed
    assert all(why.endswith((".", "”")) for _, why in changed)
