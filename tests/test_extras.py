"""klopt by itself is for a bot; what needs more says the command to install it."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions

import pytest

from klopt import extras
from klopt.errors import ExtraMissingError
from klopt.extras import install, needs
from tests.cli.judged_log import RIGHT, row
from tests.conftest import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
MODULES = {
    *("click", "markdown_it", "numpy", "pydantic", "Stemmer", "regex", "rich"),
    *("annotated_types", "mdurl", "pydantic_core", "pygments", "typing_extensions"),
    *("typing_inspection", "klopt"),
}
"""What the dependencies of klopt, and what they need, are imported by."""

OTHERS = sorted(packages_distributions().keys() - MODULES - set(sys.stdlib_module_names))
ALONE = """
import sys
for name in sys.argv.pop(1).split():
    sys.modules[name] = None
"""
"""Refuses whatever else is installed."""

LIBRARY = """
import klopt
page = "# Wifi\\n\\nDraadloos netwerken staat uit in de vliegtuigstand."
turn = klopt.Turn("Werkt wifi in de vliegtuigstand?", "Klik op **Turbo**.", [page])
print(klopt.Scorer.load().score(turn).verdict)
"""
MODEL = ("--model", "m", "--key-variable", "none")
COMMAND = "from klopt.cli import main; main()"


def run(code: str, *arguments: object) -> subprocess.CompletedProcess[str]:
    """Of klopt with nothing but its dependencies."""
    return subprocess.run(
        [sys.executable, "-c", ALONE + code, " ".join(OTHERS), *map(str, arguments)],
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"},
        check=False,
    )


@pytest.fixture(scope="module")
def log(tmp_path_factory):
    path = tmp_path_factory.mktemp("alone") / "log.jsonl"
    turn = {"question": "Hoe zet ik wifi uit?", "answer": "Klik op **Turbo**.", "rating": 1}
    path.write_text(json.dumps({**turn, "contexts": ["Zet wifi uit met **Vliegtuig**."]}))
    return path


def test_scoring_in_a_bot_reaches_for_nothing_else():
    done = run(LIBRARY)
    assert (done.stdout, done.stderr) == ("block\n", "")


@pytest.mark.parametrize("command", ["score", "demo"])
def test_a_command_reaches_for_nothing_else(command, log):
    done = run(COMMAND, command, *([log] if command == "score" else []))
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["demo", "--profile", "afas"], "a profile that reads a parse needs spacy|afas"),
        (["score", "LOG", "--profile", "afas"], "a profile that reads a parse needs spacy|afas"),
        (["evaluate", "LOG"], "klopt evaluate needs jinja2 and scipy|evaluate"),
        (["fit", "LOG"], "klopt fit needs scipy and tomlkit|evaluate"),
        (["report", "LOG"], "pages need jinja2|report"),
        (["company", "check", "acme"], "a company's folder needs tomlkit|company"),
        (["judge", "LOG", "--metrics", "bleu"], "BLEU and ROUGE need sacrebleu|metrics"),
        (["judge", "LOG", *MODEL, "--solver", "llm"], "asking an LLM over HTTP needs httpx|llm"),
        (
            ["judge", "LOG", *MODEL, "--metrics", "g_eval"],
            "asking an LLM over HTTP needs httpx|llm",
        ),
    ],
)
def test_what_needs_more_says_which_extra(arguments, message, log):
    done = run(COMMAND, *(log if one == "LOG" else one for one in arguments))
    told, _, extra = message.partition("|")
    assert done.returncode == 2
    error = f"Error: {told}; install with: {install(extra)}"
    assert done.stderr.splitlines()[0] == error


def test_figures_that_need_scipy_are_left_out_and_the_rest_is_told(tmp_path):
    rows = [{**row(str(at), RIGHT), "rating": 1 + at} for at in range(5)]
    file = tmp_path / "rows.jsonl"
    file.write_text("\n".join(map(json.dumps, rows)))
    done = run(COMMAND, "judge", file, "-o", tmp_path / "out.jsonl")
    assert done.returncode == 0
    assert "figures beside people's ratings need scipy; install with: pip" in done.stderr
    assert (tmp_path / "out.jsonl").read_text()


def test_doctor_works_without_any_extra():
    done = run(COMMAND, "doctor", "--format", "table")
    assert done.stdout.endswith("All tables load.\n")
    for extra in ("afas", "evaluate", "report", "company"):
        assert f"pip install 'klopt[{extra}]'" in done.stdout


def test_the_command_installs_what_was_missing():
    """Each extra that a message names is one."""
    for path in (ROOT / "klopt").rglob("*.py"):
        for extra in re.findall(r'needs\("([^"]+)"', path.read_text("utf-8")):
            assert extra in PROJECT["optional-dependencies"] or extra == "teapot", path


def test_all_has_every_extra_but_what_is_large_or_of_others():
    optional = PROJECT["optional-dependencies"]

    def packages(extra: str) -> set[str]:
        inner = [re.fullmatch(r"klopt\[(.*)\]", one) for one in optional[extra]]
        names = [name for one in inner if one for name in one[1].split(",")]
        own = {one for one, found in zip(optional[extra], inner, strict=True) if not found}
        return own.union(*map(packages, names))

    everywhere = {"afas", "company", "encoder", "evaluate", "excel", "frames", "languages"}
    everywhere |= {"llm", "metrics", "parquet", "report", "server", "terms", "translation"}
    assert packages("all") == set().union(*map(packages, everywhere))
    assert packages("all") <= packages("dev")


def test_a_package_that_is_too_old_says_why():
    with (
        pytest.raises(ExtraMissingError, match=r"tea needs hot \(cannot import.*\); install with"),
        needs("teapot", "tea needs hot"),
    ):
        from klopt.version import HOT  # noqa: F401


def test_a_checkout_is_told_of_only_where_klopt_runs_from_one(monkeypatch, tmp_path):
    assert install("server").endswith("(in your checkout: pip install -e '.[server]')")
    monkeypatch.setattr(extras, "__file__", str(tmp_path / "site-packages/klopt/extras.py"))
    assert install("server") == "pip install 'klopt[server]'"
