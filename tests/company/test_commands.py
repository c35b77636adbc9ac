"""The output of commands on a company's folder, one after the other."""

import re
import shlex

import pytest

from klopt.company.folder import ProductName, read_names

USAGE = re.compile(r"^Usage: .*?\n\n", re.MULTILINE | re.DOTALL)
FIGURES = re.compile(r"\d+([.,]\d+)+|\d+%")
"""Figures that change with the scores."""
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
def test_the_output_of_a_script(klopt, acme, home, snapshot, name):
    output = []
    for line in SCRIPTS[name]:
        arguments = shlex.split(line.format(acme=shlex.quote(str(acme.path)), home="'HOME'"))
        arguments = [argument.replace("HOME", str(home)) for argument in arguments]
        arguments += ["--format", "table"] if name == "show" else []
        run = klopt(*([] if line.startswith("score") else ["company"]), *arguments)
        text = (run.out + USAGE.sub("", run.err)).replace(str(home), "home").rstrip()
        output += [f"$ {line}", FIGURES.sub(lambda met: re.sub(r"\d", "0", met[0]), text)]
        output += [f"exit code {run.code}"] * (run.code != 0)
    assert "\n".join(output) == snapshot
    if name == "names":
        assert read_names(acme.path, "nl") == [ProductName("afwezig Melden", "denied")]
