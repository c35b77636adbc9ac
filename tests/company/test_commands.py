"""What the commands over a company's folder say, line after line, on one folder."""

import re
import shlex

import pytest

from klopt.company.folder import ProductName, read_names

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
    "names": (
        "allow {acme} Urenbriefje 'Afwezig  melden'",
        "deny {acme} Urenbriefje",
        "deny {acme} Urenbriefje --forget",
        "deny {acme} 'afwezig Melden'",
        "allow {acme} ' '",
        "allow {acme} --forget 'afwezig melden'",
    ),
    "show": ("show {acme}", "show {acme}/nl", "show {acme} --flat", "lines {acme}"),
}


@pytest.mark.parametrize("name", SCRIPTS)
def test_what_is_said(klopt, acme, home, snapshot, name):
    told = []
    for line in SCRIPTS[name]:
        arguments = shlex.split(line.format(acme=shlex.quote(str(acme.path)), home="'HOME'"))
        arguments = [argument.replace("HOME", str(home)) for argument in arguments]
        arguments += ["--format", "table"] if name == "show" else []
        run = klopt(*([] if line.startswith("score") else ["company"]), *arguments)
        said = (run.out + USAGE.sub("", run.err)).replace(str(home), "home").rstrip()
        told += [f"$ {line}", FIGURES.sub(lambda met: re.sub(r"\d", "0", met[0]), said)]
        told += [f"exit code {run.code}"] * (run.code != 0)
    assert "\n".join(told) == snapshot
    if name == "names":
        assert read_names(acme.path, "nl") == [ProductName("afwezig Melden", "denied")]
